#include "shuffler.h"

#define FEED_CARD_MS 50u
#define MIX_MS 4000u
#define PRESENT_MS 350u
#define PULL_MS 300u
#define CHECK_CARD_MS 350u
#define CHECK_ONE_DECK_MS 100u
#define SPARE_EVENTS 8u
#define SURE 97u

/* the machine's own counters in the memory */
#define NEXT_DRAW 0
#define BELIEVED 1 /* count, whether it is certain, mode and state */
#define BEGUN 2 /* a card was on its way out */

typedef char results_fit[SHUFFLER_LONGEST_RESULT <= DEVICE_KEPT_BYTES ? 1 : -1];

static union {
    shuffler_card_out card_out;
    shuffler_two_out two_out;
    shuffler_pushed_back pushed_back;
    shuffler_condition_changed condition;
    shuffler_powered_up powered_up;
    shuffler_card_presented presented;
    shuffler_two_presented two_presented;
    shuffler_loaded loaded;
    shuffler_state_changed state;
    shuffler_mode_changed mode;
    shuffler_jam jam;
    shuffler_jam_over jam_over;
    shuffler_deck_checked checked;
} any;
static uint8_t made[SHUFFLER_LONGEST_SENT];

static const device_facts FACTS = {
    SHUFFLER_CODE, SHUFFLER_SPEC_VERSION, SHUFFLER_SPEC_DIGEST,
    SHUFFLER_CAN_BOTH_SIDES | SHUFFLER_CAN_GATE | SHUFFLER_CAN_LAMP | SHUFFLER_CAN_DECK_CHECK,
    SHUFFLER_BEAT_MS, SHUFFLER_SILENCE_MS, "reference 1.0",
};

/* --- what the machine believes, kept with the next event ------------------------------------------ */

static uint32_t *believed(shuffler *s)
{
    return &s->link.head.own[BELIEVED];
}

static uint16_t count_of(shuffler *s)
{
    return (uint16_t)(*believed(s) & 0xFFFFu);
}

static bool certain_of(shuffler *s)
{
    return (*believed(s) >> 16 & 1u) != 0;
}

static uint8_t mode_of(shuffler *s)
{
    return (uint8_t)(*believed(s) >> 17 & 7u);
}

static uint8_t state_of(shuffler *s)
{
    return (uint8_t)(*believed(s) >> 20 & 7u);
}

static void believe(shuffler *s, uint16_t count, bool certain, uint8_t mode, uint8_t state)
{
    *believed(s) = count | (uint32_t)(certain ? 1u : 0u) << 16 | (uint32_t)mode << 17 | (uint32_t)state << 20;
}

static void believe_count(shuffler *s, uint16_t count)
{
    believe(s, count, certain_of(s), mode_of(s), state_of(s));
}

static uint32_t post(shuffler *s, uint8_t message, int length)
{
    return length < 0 ? 0 : device_post(&s->link, message, made, (size_t)length);
}

static void show(shuffler *s)
{
    shuffler_inside told;
    uint8_t body[SHUFFLER_INSIDE_LONGEST];
    int length;
    told.inside = count_of(s);
    told.contrast = 100;
    length = shuffler_inside_encode(&told, body, sizeof body);
    if (length > 0)
        device_live(&s->link, SHUFFLER_LIVE_INSIDE, body, (size_t)length);
}

static void set_state(shuffler *s, uint8_t state)
{
    if (state == state_of(s))
        return;
    believe(s, count_of(s), certain_of(s), mode_of(s), state);
    any.state.at = s->link.now;
    any.state.state = state;
    any.state.inside = count_of(s);
    any.state.certain = certain_of(s);
    post(s, SHUFFLER_EVENT_STATE_CHANGED, shuffler_state_changed_encode(&any.state, made, sizeof made));
}

static void tell_condition(shuffler *s, uint8_t condition, bool on)
{
    any.condition.at = s->link.now;
    any.condition.condition = condition;
    any.condition.on = on;
    post(s, SHUFFLER_EVENT_CONDITION_CHANGED, shuffler_condition_changed_encode(&any.condition, made, sizeof made));
}

/* --- piles --------------------------------------------------------------------------------------- */

static bool pile_add(shuffler_pile *pile, uint8_t card)
{
    if (pile->count == SHUFFLER_CARDS_MOST)
        return false;
    pile->cards[pile->count++] = card;
    return true;
}

static uint8_t pile_take(shuffler_pile *pile, uint16_t at)
{
    uint8_t card = pile->cards[at];
    memmove(pile->cards + at, pile->cards + at + 1, (size_t)(pile->count - at - 1u));
    pile->count--;
    return card;
}

static int pile_find(const shuffler_pile *pile, uint8_t card)
{
    uint16_t n;
    for (n = 0; n < pile->count; n++)
        if (pile->cards[n] == card)
            return n;
    return -1;
}

static void pile_shuffle(shuffler *s, shuffler_pile *pile)
{
    uint16_t n;
    for (n = pile->count; n > 1; n--) {
        uint16_t at = (uint16_t)(s->link.board->draw(s->link.on_board) % n);
        uint8_t card = pile->cards[at];
        pile->cards[at] = pile->cards[n - 1u];
        pile->cards[n - 1u] = card;
    }
}

static uint16_t lowest_of(const shuffler_pile *pile)
{
    uint16_t n, at = 0;
    for (n = 1; n < pile->count; n++)
        if (pile->cards[n] < pile->cards[at])
            at = n;
    return at;
}

/* Which card comes next. */
static uint8_t pick(shuffler *s)
{
    int at = s->stacked.count > 0 ? pile_find(&s->inside, s->stacked.cards[0]) : -1;
    if (at >= 0) {
        pile_take(&s->stacked, 0);
        return pile_take(&s->inside, (uint16_t)at);
    }
    if (mode_of(s) == SHUFFLER_MODE_SHUFFLE)
        return pile_take(&s->inside, (uint16_t)(s->link.board->draw(s->link.on_board) % s->inside.count));
    if (mode_of(s) == SHUFFLER_MODE_SORT)
        return pile_take(&s->inside, lowest_of(&s->inside));
    return pile_take(&s->inside, (uint16_t)(s->inside.count - 1u));
}

/* --- the machine at work ------------------------------------------------------------------------- */

static bool works(shuffler *s)
{
    return !s->door_open && state_of(s) != SHUFFLER_STATE_STOPPED;
}

static void retract(shuffler *s)
{
    if (s->mouth != 0 && !s->pulling) {
        pile_add(&s->inside, s->mouth);
        s->mouth = 0;
        s->flowing = false;
    }
}

static void present_soon(shuffler *s)
{
    if (s->presenting || s->mouth != 0 || state_of(s) != SHUFFLER_STATE_READY || !works(s))
        return;
    if (mode_of(s) == SHUFFLER_MODE_SHUFFLE || s->ejecting) {
        s->presenting = true;
        s->presented_at = s->link.now + PRESENT_MS;
    }
}

static void resume(shuffler *s)
{
    if (!works(s))
        return;
    if (s->feed.count > 0 && !s->feeding) {
        s->feeding = true;
        s->fed_at = s->link.now + FEED_CARD_MS * s->feed.count;
        if (state_of(s) == SHUFFLER_STATE_EMPTY)
            set_state(s, SHUFFLER_STATE_SHUFFLING);
    } else if (state_of(s) == SHUFFLER_STATE_SHUFFLING && !s->feeding && !s->mixing) {
        s->mixing = true;
        s->mixed_at = s->link.now + MIX_MS;
    }
    present_soon(s);
}

static void fed(shuffler *s)
{
    uint16_t added = s->feed.count;
    s->feeding = false;
    if (!works(s) || added == 0)
        return;
    while (s->feed.count > 0 && pile_add(&s->inside, s->feed.cards[0]))
        pile_take(&s->feed, 0);
    believe_count(s, (uint16_t)(count_of(s) + added));
    any.loaded.at = s->link.now;
    any.loaded.added = added;
    any.loaded.inside = count_of(s);
    post(s, SHUFFLER_EVENT_LOADED, shuffler_loaded_encode(&any.loaded, made, sizeof made));
    if (state_of(s) == SHUFFLER_STATE_EMPTY)
        set_state(s, SHUFFLER_STATE_SHUFFLING);
    show(s);
    resume(s);
}

static void mixed(shuffler *s)
{
    s->mixing = false;
    if (!works(s) || state_of(s) != SHUFFLER_STATE_SHUFFLING)
        return;
    if (mode_of(s) == SHUFFLER_MODE_SINGLE_DECK)
        pile_shuffle(s, &s->inside);
    s->flowing = false;
    set_state(s, s->inside.count > 0 ? SHUFFLER_STATE_READY : SHUFFLER_STATE_EMPTY);
    present_soon(s);
}

static void answer_eject(shuffler *s, uint8_t status, const char *why_not)
{
    device_reply reply;
    shuffler_eject_result result;
    int length;
    if (!s->ejecting)
        return;
    s->ejecting = false;
    memset(&reply, 0, sizeof reply);
    result.draw = s->link.head.own[NEXT_DRAW];
    if (status == TL_DONE) {
        length = shuffler_eject_result_encode(&result, reply.body, sizeof reply.body);
        reply.length = (uint8_t)(length < 0 ? 0 : length);
    } else {
        device_reason(&reply, why_not);
    }
    device_finish(&s->link, s->eject_id, status, &reply);
}

static void present(shuffler *s)
{
    s->presenting = false;
    if (s->mouth != 0 || state_of(s) != SHUFFLER_STATE_READY || !works(s))
        return;
    if (s->stacked.count > 0 && pile_find(&s->inside, s->stacked.cards[0]) < 0 &&
        pile_find(&s->feed, s->stacked.cards[0]) >= 0) {
        present_soon(s); /* what shall come next is not in the wheel yet */
        return;
    }
    if (s->inside.count == 0) {
        s->flowing = false;
        if (count_of(s) == 0)
            set_state(s, SHUFFLER_STATE_EMPTY);
        answer_eject(s, TL_FAILED, "no card comes to the mouth");
        return;
    }
    s->mouth = pick(s);
    if (!s->flowing || s->ejecting) {
        any.presented.at = s->link.now;
        any.presented.draw = s->link.head.own[NEXT_DRAW];
        post(s, SHUFFLER_EVENT_CARD_PRESENTED, shuffler_card_presented_encode(&any.presented, made, sizeof made));
    }
    s->flowing = true;
    answer_eject(s, TL_DONE, "");
}

static void tell_out(shuffler *s, uint8_t card, bool forced)
{
    memset(&any.card_out, 0, sizeof any.card_out);
    any.card_out.at = s->link.now;
    any.card_out.draw = s->link.head.own[NEXT_DRAW]++;
    any.card_out.look = 1;
    any.card_out.reading = card ? SHUFFLER_READING_CARD : SHUFFLER_READING_UNREADABLE;
    any.card_out.card = card;
    any.card_out.confidence = card ? SURE : 0;
    any.card_out.forced = forced;
    s->link.head.own[BEGUN] = 0;
    post(s, SHUFFLER_EVENT_CARD_OUT, shuffler_card_out_encode(&any.card_out, made, sizeof made));
}

static void taken(shuffler *s)
{
    uint8_t card = s->mouth;
    s->pulling = false;
    s->mouth = 0;
    if (count_of(s) > 0)
        believe_count(s, (uint16_t)(count_of(s) - 1u));
    tell_out(s, card, shuffler_gate_shut(s));
    pile_add(&s->pulls, card);
    present_soon(s);
}

static void tell_check(shuffler *s, bool complete)
{
    uint16_t n;
    memset(&any.checked, 0, sizeof any.checked);
    s->checking = false;
    any.checked.at = s->link.now;
    any.checked.check = s->check.check;
    any.checked.decks = s->check.decks;
    any.checked.complete = complete;
    any.checked.count = count_of(s);
    any.checked.tally_count = complete ? 52 : 0;
    for (n = 0; complete && n < s->inside.count; n++) {
        uint8_t card = s->inside.cards[n];
        if (card >= 1 && card <= 52)
            any.checked.tally[card - 1u]++;
        else
            any.checked.unread++;
    }
    post(s, SHUFFLER_EVENT_DECK_CHECKED, shuffler_deck_checked_encode(&any.checked, made, sizeof made));
    show(s);
}

static void checked(shuffler *s)
{
    tell_check(s, true);
    if (mode_of(s) == SHUFFLER_MODE_SINGLE_DECK) { /* read on its way through, and mixed as it was read */
        pile_shuffle(s, &s->inside);
        set_state(s, SHUFFLER_STATE_READY);
        return;
    }
    set_state(s, SHUFFLER_STATE_SHUFFLING);
    resume(s);
}

static void change_mode(shuffler *s, uint8_t mode, uint8_t by)
{
    if (mode == mode_of(s))
        return;
    believe(s, count_of(s), certain_of(s), mode, state_of(s));
    any.mode.at = s->link.now;
    any.mode.mode = mode;
    any.mode.by = by;
    post(s, SHUFFLER_EVENT_MODE_CHANGED, shuffler_mode_changed_encode(&any.mode, made, sizeof made));
    retract(s);
    if (state_of(s) == SHUFFLER_STATE_READY)
        set_state(s, SHUFFLER_STATE_SHUFFLING);
    resume(s);
}

/* --- commands ------------------------------------------------------------------------------------ */

static uint8_t refuse(device_reply *reply, const char *text)
{
    device_reason(reply, text);
    return TL_REFUSED;
}

static uint8_t done(device_reply *reply, int length)
{
    reply->length = (uint8_t)(length < 0 ? 0 : length);
    return TL_DONE;
}

static const char *why_idle(shuffler *s)
{
    if (s->door_open)
        return "the door is open; close it first";
    if (state_of(s) == SHUFFLER_STATE_STOPPED)
        return "unknown cards inside; empty and load it";
    if (s->pulling)
        return "a hand is at the mouth";
    return NULL;
}

static uint8_t count(shuffler *s, const uint8_t *body, size_t length, device_reply *reply)
{
    shuffler_count asked;
    shuffler_count_result result;
    if (shuffler_count_decode(&asked, body, length) != 0)
        return refuse(reply, "Count has no fields");
    result.inside = count_of(s);
    result.certain = certain_of(s);
    return done(reply, shuffler_count_result_encode(&result, reply->body, sizeof reply->body));
}

static uint8_t eject(shuffler *s, uint32_t id, const uint8_t *body, size_t length, device_reply *reply)
{
    shuffler_eject asked;
    if (shuffler_eject_decode(&asked, body, length) != 0)
        return refuse(reply, "Eject has no fields");
    if (why_idle(s) != NULL)
        return refuse(reply, why_idle(s));
    if (s->mouth != 0 || s->ejecting)
        return refuse(reply, "a card stands in the mouth already");
    if (state_of(s) != SHUFFLER_STATE_READY)
        return refuse(reply, "no card can be dealt now");
    s->ejecting = true;
    s->eject_id = id;
    present_soon(s);
    return DEVICE_DOING;
}

static uint8_t start_check(shuffler *s, const uint8_t *body, size_t length, device_reply *reply)
{
    shuffler_start_check asked;
    shuffler_start_check_result result;
    uint32_t each = mode_of(s) == SHUFFLER_MODE_SINGLE_DECK ? CHECK_ONE_DECK_MS : CHECK_CARD_MS;
    if (shuffler_start_check_decode(&asked, body, length) != 0)
        return refuse(reply, "StartCheck asks for 1 to 8 decks");
    if (why_idle(s) != NULL)
        return refuse(reply, why_idle(s));
    if (state_of(s) != SHUFFLER_STATE_READY)
        return refuse(reply, "cards cannot be checked now");
    retract(s);
    s->check = asked;
    s->checking = true;
    s->checked_at = s->link.now + each * s->inside.count;
    set_state(s, SHUFFLER_STATE_CHECKING);
    result.count = count_of(s);
    return done(reply, shuffler_start_check_result_encode(&result, reply->body, sizeof reply->body));
}

static uint8_t set_mode(shuffler *s, const uint8_t *body, size_t length, device_reply *reply)
{
    shuffler_set_mode asked;
    shuffler_set_mode_result result;
    if (shuffler_set_mode_decode(&asked, body, length) != 0)
        return refuse(reply, "SetMode names a mode, 0 to 2");
    if (why_idle(s) != NULL)
        return refuse(reply, why_idle(s));
    if (s->checking)
        return refuse(reply, "the cards are being checked; wait");
    change_mode(s, asked.mode, SHUFFLER_BY_HOST);
    result.mode = mode_of(s);
    return done(reply, shuffler_set_mode_result_encode(&result, reply->body, sizeof reply->body));
}

static uint8_t on_command(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length,
                          device_reply *reply)
{
    switch (message) {
    case SHUFFLER_COMMAND_EJECT:
        return eject(own, id, body, length, reply);
    case SHUFFLER_COMMAND_START_CHECK:
        return start_check(own, body, length, reply);
    case SHUFFLER_COMMAND_SET_MODE:
        return set_mode(own, body, length, reply);
    case SHUFFLER_COMMAND_COUNT:
        return count(own, body, length, reply);
    default:
        return refuse(reply, "not a command of a shuffler");
    }
}

static int on_set(void *own, const uint8_t *body, size_t length, bool make)
{
    shuffler *s = own;
    shuffler_outputs wanted;
    int wrong = shuffler_outputs_decode(&wanted, body, length);
    if (wrong == 0 && make)
        s->outputs = wanted;
    return wrong;
}

static uint32_t on_hold(void *own)
{
    return shuffler_outputs_hold_ms(&((shuffler *)own)->outputs);
}

static void on_fall_back(void *own, uint32_t silent_ms)
{
    shuffler_outputs_fall_back(&((shuffler *)own)->outputs, silent_ms);
}

static const device_behaviour BEHAVIOUR = {on_command, on_set, on_hold, on_fall_back};

/* --- what hands do ------------------------------------------------------------------------------- */

bool shuffler_gate_shut(const shuffler *s)
{
    return s->outputs.locked ||
           device_free(&s->link) < SPARE_EVENTS * (SHUFFLER_DECK_CHECKED_LONGEST + DEVICE_RECORD_EXTRA);
}

bool shuffler_load(shuffler *s, const uint8_t *cards, uint16_t number)
{
    if (number > SHUFFLER_CARDS_MOST - s->inside.count - s->feed.count)
        return false;
    while (number--)
        pile_add(&s->feed, *cards++);
    resume(s);
    return true;
}

bool shuffler_stack(shuffler *s, const uint8_t *cards, uint16_t number)
{
    uint16_t n;
    retract(s);
    s->stacked.count = 0;
    for (n = 0; n < number; n++)
        if (!pile_add(&s->stacked, cards[n]))
            return false;
    present_soon(s);
    return true;
}

int32_t shuffler_draw(shuffler *s, bool force, const char **why_not)
{
    if (s->pulling)
        *why_not = "a hand is already at the mouth of the shuffler";
    else if (shuffler_gate_shut(s) && !force)
        *why_not = "the gate of the shuffler is locked";
    else if (s->mouth == 0 && !s->presenting)
        *why_not = "no card is at the mouth of the shuffler";
    else {
        uint32_t wait = s->mouth != 0 ? 0 : s->presented_at - s->link.now;
        s->pulling = true;
        s->pulled_at = s->link.now + wait + PULL_MS;
        s->link.head.own[BEGUN] = 1;
        device_keep(&s->link);
        return (int32_t)(wait + PULL_MS);
    }
    return -1;
}

static void empty(shuffler *s)
{
    s->feed.count = s->inside.count = s->stacked.count = 0;
    s->mouth = 0;
    s->flowing = s->feeding = s->presenting = s->mixing = s->pulling = false;
    s->link.head.own[BEGUN] = 0;
    believe(s, 0, true, mode_of(s), state_of(s));
    set_state(s, SHUFFLER_STATE_EMPTY);
}

static void move_all(shuffler_pile *from, shuffler_pile *to)
{
    uint16_t n;
    for (n = 0; n < from->count; n++)
        pile_add(to, from->cards[n]);
}

void shuffler_take_out(shuffler *s, shuffler_pile *to)
{
    bool was_open = s->door_open;
    to->count = 0;
    shuffler_door(s, true);
    move_all(&s->feed, to);
    move_all(&s->inside, to);
    if (s->mouth != 0)
        pile_add(to, s->mouth);
    empty(s);
    if (!was_open)
        shuffler_door(s, false);
}

bool shuffler_lift_deck(shuffler *s, shuffler_pile *to)
{
    to->count = 0;
    if (mode_of(s) != SHUFFLER_MODE_SINGLE_DECK || state_of(s) != SHUFFLER_STATE_READY)
        return false;
    retract(s);
    while (s->inside.count > 0)
        pile_add(to, pick(s));
    empty(s);
    return true;
}

void shuffler_door(shuffler *s, bool open)
{
    if (s->door_open == open)
        return;
    s->door_open = open;
    tell_condition(s, SHUFFLER_CONDITION_DOOR_OPEN, open);
    if (!open) {
        resume(s);
    } else if (s->checking) {
        tell_check(s, false);
        set_state(s, SHUFFLER_STATE_SHUFFLING);
    }
}

void shuffler_turn_mode(shuffler *s, uint8_t mode)
{
    change_mode(s, mode, SHUFFLER_BY_KEYS);
}

#define AGAIN(name, member, id) \
    case id: \
        wrong = name##_decode(&any.member, body, length); \
        size = wrong ? wrong : name##_encode(&any.member, made, sizeof made); \
        break

uint32_t shuffler_post(shuffler *s, uint8_t message, const uint8_t *body, size_t length)
{
    int wrong, size = TL_OUT_OF_RANGE;
    switch (message) {
        AGAIN(shuffler_card_out, card_out, SHUFFLER_EVENT_CARD_OUT);
        AGAIN(shuffler_two_out, two_out, SHUFFLER_EVENT_TWO_OUT);
        AGAIN(shuffler_pushed_back, pushed_back, SHUFFLER_EVENT_PUSHED_BACK);
        AGAIN(shuffler_condition_changed, condition, SHUFFLER_EVENT_CONDITION_CHANGED);
        AGAIN(shuffler_powered_up, powered_up, SHUFFLER_EVENT_POWERED_UP);
        AGAIN(shuffler_card_presented, presented, SHUFFLER_EVENT_CARD_PRESENTED);
        AGAIN(shuffler_two_presented, two_presented, SHUFFLER_EVENT_TWO_PRESENTED);
        AGAIN(shuffler_loaded, loaded, SHUFFLER_EVENT_LOADED);
        AGAIN(shuffler_state_changed, state, SHUFFLER_EVENT_STATE_CHANGED);
        AGAIN(shuffler_mode_changed, mode, SHUFFLER_EVENT_MODE_CHANGED);
        AGAIN(shuffler_jam, jam, SHUFFLER_EVENT_JAM);
        AGAIN(shuffler_jam_over, jam_over, SHUFFLER_EVENT_JAM_OVER);
        AGAIN(shuffler_deck_checked, checked, SHUFFLER_EVENT_DECK_CHECKED);
    default:
        break;
    }
    return post(s, message, size);
}

static bool reached(const shuffler *s, uint32_t due)
{
    return (int32_t)(s->link.now - due) >= 0;
}

void shuffler_tick(shuffler *s, uint32_t now)
{
    device_tick(&s->link, now);
    if (s->feeding && reached(s, s->fed_at))
        fed(s);
    if (s->mixing && reached(s, s->mixed_at))
        mixed(s);
    if (s->checking && reached(s, s->checked_at))
        checked(s);
    if (s->presenting && reached(s, s->presented_at))
        present(s);
    if (s->pulling && s->mouth != 0 && reached(s, s->pulled_at))
        taken(s);
}

static void tell_start(shuffler *s, bool kept)
{
    memset(&any.powered_up, 0, sizeof any.powered_up);
    any.powered_up.at = s->link.now;
    any.powered_up.kept_memory = kept;
    any.powered_up.next_draw = s->link.head.own[NEXT_DRAW];
    any.powered_up.state = state_of(s);
    any.powered_up.mode = mode_of(s);
    any.powered_up.inside = count_of(s);
    any.powered_up.certain = certain_of(s);
    any.powered_up.occupied = s->feed.count > 0 || s->inside.count > 0 || s->mouth != 0;
    any.powered_up.mouth = s->mouth ? SHUFFLER_MOUTH_ONE : SHUFFLER_MOUTH_NOTHING;
    any.powered_up.door_open = s->door_open;
    post(s, SHUFFLER_EVENT_POWERED_UP, shuffler_powered_up_encode(&any.powered_up, made, sizeof made));
}

void shuffler_start(shuffler *s, const device_board *board, void *on_board, const char *serial, uint32_t now)
{
    bool kept = device_start(&s->link, &FACTS, &BEHAVIOUR, board, s, on_board, serial, now), was_checking = s->checking;
    bool unknown;
    s->feeding = s->mixing = s->presenting = s->flowing = s->pulling = s->ejecting = s->checking = false;
    if (!kept) {
        s->link.head.own[NEXT_DRAW] = 1;
        believe(s, 0, true, SHUFFLER_MODE_SHUFFLE, SHUFFLER_STATE_EMPTY);
    } else if (s->link.head.own[BEGUN]) {
        /* It had begun to leave when the power went: something passed, and nobody read it. */
        if (count_of(s) > 0)
            believe_count(s, (uint16_t)(count_of(s) - 1u));
        tell_out(s, 0, false);
        s->mouth = 0;
    }
    unknown = (s->inside.count > 0 || s->mouth != 0) && count_of(s) == 0;
    if (unknown)
        believe(s, 0, false, mode_of(s), SHUFFLER_STATE_STOPPED);
    else if (state_of(s) == SHUFFLER_STATE_CHECKING)
        believe(s, count_of(s), certain_of(s), mode_of(s), SHUFFLER_STATE_SHUFFLING);
    tell_start(s, kept);
    if (kept && was_checking)
        tell_check(s, false);
    resume(s);
}
