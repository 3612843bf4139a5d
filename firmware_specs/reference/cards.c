#include "cards.h"

#define SWEEP_MS 100u
#define MOVED_MOST 52u
#define PICTURE_MOST 96u

typedef char results_fit[CARDS_LONGEST_RESULT <= DEVICE_KEPT_BYTES ? 1 : -1];

static union {
    cards_cards_moved moved;
    cards_card_on_edge on_edge;
    cards_edge_cleared cleared;
    cards_tag_twice twice;
    cards_tag_twice_over twice_over;
    cards_antenna_fault fault;
    cards_antenna_fault_over over;
    cards_picture picture;
} any;
static uint8_t made[CARDS_LONGEST_SENT];

static device_facts facts = {
    CARDS_CODE, CARDS_SPEC_VERSION, CARDS_SPEC_DIGEST, 0, CARDS_BEAT_MS, CARDS_SILENCE_MS, "reference 1.0",
};

static uint32_t post(cards_felt *f, uint8_t message, int length)
{
    return length < 0 ? 0 : device_post(&f->link, message, made, (size_t)length);
}

static bool on_antenna(uint8_t place)
{
    return place < CARDS_ANTENNAS;
}

static bool broken(const cards_felt *f, uint8_t antenna)
{
    return on_antenna(antenna) && (f->broken >> antenna & 1u) != 0;
}

static bool due(const cards_felt *f, const tags_one *one)
{
    return tags_changed(one, f->link.now) && !broken(f, one->lies) && !broken(f, one->told);
}

static void tell_edge(cards_felt *f, const tags_one *one)
{
    any.on_edge.at = f->link.now;
    any.on_edge.tag = one->tag;
    any.on_edge.antennas_count = one->between_count;
    memcpy(any.on_edge.antennas, one->between, one->between_count);
    post(f, CARDS_EVENT_CARD_ON_EDGE, cards_card_on_edge_encode(&any.on_edge, made, sizeof made));
}

static void tell_cleared(cards_felt *f, tags_one *one)
{
    any.cleared.at = f->link.now;
    any.cleared.tag = one->tag;
    post(f, CARDS_EVENT_EDGE_CLEARED, cards_edge_cleared_encode(&any.cleared, made, sizeof made));
    one->told = TAGS_NOWHERE;
}

static void tell_moved(cards_felt *f)
{
    any.moved.at = f->link.now;
    any.moved.total = (uint8_t)f->tags.told;
    post(f, CARDS_EVENT_CARDS_MOVED, cards_cards_moved_encode(&any.moved, made, sizeof made));
    memset(&any.moved, 0, sizeof any.moved);
}

static void note_move(cards_felt *f, tags_one *one)
{
    if (on_antenna(one->told)) {
        any.moved.removed[any.moved.removed_count++] = one->tag;
        any.moved.left[any.moved.left_count++] = one->told;
        f->tags.told--;
    }
    if (on_antenna(one->lies)) {
        any.moved.added[any.moved.added_count++] = one->tag;
        any.moved.to[any.moved.to_count++] = one->lies;
        f->tags.told++;
    }
    one->told = one->lies;
}

static void sweep(cards_felt *f)
{
    uint16_t n;
    f->swept_at = f->link.now;
    for (n = 0; n < f->tags.count; n++)
        if (f->tags.all[n].told == TAGS_EDGE && due(f, &f->tags.all[n]))
            tell_cleared(f, &f->tags.all[n]);
    memset(&any.moved, 0, sizeof any.moved);
    for (n = 0; n < f->tags.count; n++) {
        tags_one *one = &f->tags.all[n];
        if (due(f, one) && one->lies != TAGS_EDGE)
            note_move(f, one);
        if (any.moved.added_count == MOVED_MOST || any.moved.removed_count == MOVED_MOST)
            tell_moved(f);
    }
    if (any.moved.added_count > 0 || any.moved.removed_count > 0)
        tell_moved(f);
    for (n = 0; n < f->tags.count; n++)
        if (f->tags.all[n].lies == TAGS_EDGE && due(f, &f->tags.all[n])) {
            memset(&any.moved, 0, sizeof any.moved);
            note_move(f, &f->tags.all[n]);
            if (any.moved.removed_count > 0)
                tell_moved(f);
            tell_edge(f, &f->tags.all[n]);
        }
    tags_tidy(&f->tags);
}

static uint8_t refuse(device_reply *reply, const char *text)
{
    device_reason(reply, text);
    return TL_REFUSED;
}

static uint8_t read_all(cards_felt *f, const uint8_t *body, size_t length, device_reply *reply)
{
    cards_read_all asked;
    cards_read_all_result result;
    uint16_t n;
    int size;
    if (cards_read_all_decode(&asked, body, length) != 0)
        return refuse(reply, "ReadAll has one field");
    if (device_free(&f->link) < 2u * (CARDS_PICTURE_LONGEST + DEVICE_RECORD_EXTRA))
        return refuse(reply, "no room to remember the picture");
    sweep(f);
    memset(&any.picture, 0, sizeof any.picture);
    any.picture.at = f->link.now;
    any.picture.snapshot = asked.snapshot;
    any.picture.unread = f->broken;
    for (n = 0; n < f->tags.count; n++) {
        const tags_one *one = &f->tags.all[n];
        if (on_antenna(one->lies) && !broken(f, one->lies) && any.picture.tags_count < PICTURE_MOST) {
            any.picture.tags[any.picture.tags_count++] = one->tag;
            any.picture.on[any.picture.on_count++] = one->lies;
        } else if (one->lies == TAGS_EDGE && any.picture.edge_count < 8u) {
            any.picture.edge[any.picture.edge_count++] = one->tag;
        }
    }
    post(f, CARDS_EVENT_PICTURE, cards_picture_encode(&any.picture, made, sizeof made));
    for (n = 0; n < f->tags.count; n++)
        if (f->tags.all[n].lies == TAGS_EDGE)
            tell_edge(f, &f->tags.all[n]);
    result.seats = f->seats;
    size = cards_read_all_result_encode(&result, reply->body, sizeof reply->body);
    reply->length = (uint8_t)(size < 0 ? 0 : size);
    return TL_DONE;
}

static uint8_t on_command(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length,
                          device_reply *reply)
{
    (void)id;
    return message == CARDS_COMMAND_READ_ALL ? read_all(own, body, length, reply)
                                             : refuse(reply, "not a command of card antennas");
}

static int on_set(void *own, const uint8_t *body, size_t length, bool make)
{
    (void)own, (void)body, (void)make;
    return length == 0 ? 0 : TL_WRONG_LENGTH; /* there is nothing to set */
}

static uint32_t on_hold(void *own)
{
    (void)own;
    return UINT32_MAX;
}

static void on_fall_back(void *own, uint32_t silent_ms)
{
    (void)own, (void)silent_ms;
}

static const device_behaviour BEHAVIOUR = {on_command, on_set, on_hold, on_fall_back};

bool cards_place(cards_felt *f, uint64_t tag, uint8_t antenna)
{
    return (on_antenna(antenna) || antenna == TAGS_NOWHERE) && tags_put(&f->tags, tag, antenna, f->link.now);
}

bool cards_on_edge(cards_felt *f, uint64_t tag, const uint8_t *antennas, uint8_t count)
{
    tags_one *one;
    if (count == 0 || count > TAGS_PLACES || !tags_put(&f->tags, tag, TAGS_EDGE, f->link.now))
        return false;
    one = tags_find(&f->tags, tag);
    memcpy(one->between, antennas, count);
    one->between_count = count;
    return true;
}

void cards_fails(cards_felt *f, uint8_t antenna, uint8_t cause)
{
    if (!on_antenna(antenna) || broken(f, antenna))
        return;
    f->broken = (uint16_t)(f->broken | 1u << antenna);
    any.fault.at = f->link.now;
    any.fault.antenna = antenna;
    any.fault.cause = cause;
    post(f, CARDS_EVENT_ANTENNA_FAULT, cards_antenna_fault_encode(&any.fault, made, sizeof made));
}

void cards_works(cards_felt *f, uint8_t antenna)
{
    if (!broken(f, antenna))
        return;
    f->broken = (uint16_t)(f->broken & ~(1u << antenna));
    any.over.at = f->link.now;
    any.over.antenna = antenna;
    post(f, CARDS_EVENT_ANTENNA_FAULT_OVER, cards_antenna_fault_over_encode(&any.over, made, sizeof made));
}

#define AGAIN(name, member, id) \
    case id: \
        wrong = name##_decode(&any.member, body, length); \
        size = wrong ? wrong : name##_encode(&any.member, made, sizeof made); \
        break

uint32_t cards_post(cards_felt *f, uint8_t message, const uint8_t *body, size_t length)
{
    int wrong, size = TL_OUT_OF_RANGE;
    switch (message) {
        AGAIN(cards_cards_moved, moved, CARDS_EVENT_CARDS_MOVED);
        AGAIN(cards_card_on_edge, on_edge, CARDS_EVENT_CARD_ON_EDGE);
        AGAIN(cards_edge_cleared, cleared, CARDS_EVENT_EDGE_CLEARED);
        AGAIN(cards_tag_twice, twice, CARDS_EVENT_TAG_TWICE);
        AGAIN(cards_tag_twice_over, twice_over, CARDS_EVENT_TAG_TWICE_OVER);
        AGAIN(cards_antenna_fault, fault, CARDS_EVENT_ANTENNA_FAULT);
        AGAIN(cards_antenna_fault_over, over, CARDS_EVENT_ANTENNA_FAULT_OVER);
        AGAIN(cards_picture, picture, CARDS_EVENT_PICTURE);
    default:
        break;
    }
    return post(f, message, size);
}

void cards_tick(cards_felt *f, uint32_t now)
{
    device_tick(&f->link, now);
    if (now - f->swept_at >= SWEEP_MS)
        sweep(f);
}

void cards_start(cards_felt *f, const device_board *board, void *on_board, const char *serial, uint32_t now)
{
    bool kept;
    uint16_t n;
    if (f->seats == 0 || f->seats > CARDS_SEATS_MOST)
        f->seats = 7;
    facts.capabilities = f->seats | CARDS_CAN_EDGE;
    kept = device_start(&f->link, &facts, &BEHAVIOUR, board, f, on_board, serial, now);
    if (!kept)
        f->tags.told = 0;
    for (n = 0; n < f->tags.count; n++) {
        f->tags.all[n].since = now;
        if (!kept) {
            f->tags.all[n].told = f->tags.all[n].lies; /* the host asks for the picture */
            f->tags.told = (uint16_t)(f->tags.told + on_antenna(f->tags.all[n].told));
        }
    }
    f->swept_at = now;
}
