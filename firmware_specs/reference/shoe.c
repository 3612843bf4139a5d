#include "shoe.h"

/* the shoe's own counters in the memory */
#define NEXT_DRAW 0
#define BEGUN 1 /* a card was on its way out */

#define SPARE_EVENTS 8u

static const device_facts FACTS = {
    SHOE_CODE, SHOE_SPEC_VERSION, SHOE_SPEC_DIGEST, SHOE_CAN_GATE | SHOE_CAN_LAMP | SHOE_CAN_BOTH_SIDES,
    SHOE_BEAT_MS, SHOE_SILENCE_MS, "reference 1.0",
};

static uint8_t on_command(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length,
                          device_reply *reply)
{
    (void)own, (void)id, (void)message, (void)body, (void)length;
    device_reason(reply, "a shoe knows no commands");
    return TL_REFUSED;
}

static int on_set(void *own, const uint8_t *body, size_t length, bool make)
{
    shoe *s = own;
    shoe_outputs wanted;
    int wrong = shoe_outputs_decode(&wanted, body, length);
    if (wrong == 0 && make)
        s->outputs = wanted;
    return wrong;
}

static uint32_t on_hold(void *own)
{
    return shoe_outputs_hold_ms(&((shoe *)own)->outputs);
}

static void on_fall_back(void *own, uint32_t silent_ms)
{
    shoe_outputs_fall_back(&((shoe *)own)->outputs, silent_ms);
}

static const device_behaviour BEHAVIOUR = {on_command, on_set, on_hold, on_fall_back};

bool shoe_gate_locked(const shoe *s)
{
    return s->outputs.locked || device_free(&s->link) < SPARE_EVENTS * (SHOE_LONGEST_SENT + DEVICE_RECORD_EXTRA);
}

void shoe_card_begins(shoe *s)
{
    s->link.head.own[BEGUN] = 1;
    device_keep(&s->link);
}

static uint32_t take_draw(shoe *s)
{
    s->link.head.own[BEGUN] = 0; /* kept together with the event */
    return s->link.head.own[NEXT_DRAW]++;
}

uint32_t shoe_card_leaves(shoe *s, shoe_card_out *seen)
{
    uint8_t body[SHOE_CARD_OUT_LONGEST];
    uint32_t draw = s->link.head.own[NEXT_DRAW];
    int length;
    seen->at = s->link.now;
    seen->draw = draw;
    seen->look = 1;
    seen->forced = shoe_gate_locked(s);
    length = shoe_card_out_encode(seen, body, sizeof body);
    if (length < 0)
        return 0;
    take_draw(s);
    return device_post(&s->link, SHOE_EVENT_CARD_OUT, body, (size_t)length);
}

uint32_t shoe_card_returns(shoe *s, uint8_t card, uint8_t confidence)
{
    uint8_t body[SHOE_PUSHED_BACK_LONGEST];
    shoe_pushed_back told;
    int length;
    told.at = s->link.now;
    told.draw = s->link.head.own[NEXT_DRAW];
    told.card = card;
    told.confidence = confidence;
    told.told = false;
    length = shoe_pushed_back_encode(&told, body, sizeof body);
    if (length < 0)
        return 0;
    take_draw(s);
    return device_post(&s->link, SHOE_EVENT_PUSHED_BACK, body, (size_t)length);
}

uint32_t shoe_condition_is(shoe *s, uint8_t condition, bool on)
{
    uint8_t body[SHOE_CONDITION_CHANGED_LONGEST];
    shoe_condition_changed told;
    int length;
    bool *known = condition == SHOE_CONDITION_LID_OPEN ? &s->lid_open
                  : condition == SHOE_CONDITION_EMPTY  ? &s->empty
                                                       : &s->dirty;
    if (*known == on)
        return 0;
    told.at = s->link.now;
    told.condition = condition;
    told.on = on;
    length = shoe_condition_changed_encode(&told, body, sizeof body);
    if (length < 0)
        return 0;
    *known = on;
    return device_post(&s->link, SHOE_EVENT_CONDITION_CHANGED, body, (size_t)length);
}

uint32_t shoe_post(shoe *s, uint8_t message, const uint8_t *body, size_t length)
{
    static union {
        shoe_card_out card_out;
        shoe_two_out two_out;
        shoe_pushed_back pushed_back;
        shoe_condition_changed condition_changed;
        shoe_powered_up powered_up;
    } any;
    static uint8_t again[SHOE_LONGEST_SENT];
    int wrong, made;
    switch (message) {
    case SHOE_EVENT_CARD_OUT:
        wrong = shoe_card_out_decode(&any.card_out, body, length);
        made = wrong ? wrong : shoe_card_out_encode(&any.card_out, again, sizeof again);
        break;
    case SHOE_EVENT_TWO_OUT:
        wrong = shoe_two_out_decode(&any.two_out, body, length);
        made = wrong ? wrong : shoe_two_out_encode(&any.two_out, again, sizeof again);
        break;
    case SHOE_EVENT_PUSHED_BACK:
        wrong = shoe_pushed_back_decode(&any.pushed_back, body, length);
        made = wrong ? wrong : shoe_pushed_back_encode(&any.pushed_back, again, sizeof again);
        break;
    case SHOE_EVENT_CONDITION_CHANGED:
        wrong = shoe_condition_changed_decode(&any.condition_changed, body, length);
        made = wrong ? wrong : shoe_condition_changed_encode(&any.condition_changed, again, sizeof again);
        break;
    case SHOE_EVENT_POWERED_UP:
        wrong = shoe_powered_up_decode(&any.powered_up, body, length);
        made = wrong ? wrong : shoe_powered_up_encode(&any.powered_up, again, sizeof again);
        break;
    default:
        made = TL_OUT_OF_RANGE;
    }
    return made < 0 ? 0 : device_post(&s->link, message, again, (size_t)made);
}

void shoe_start(shoe *s, const device_board *board, void *on_board, const char *serial, uint32_t now)
{
    uint8_t body[SHOE_POWERED_UP_LONGEST];
    shoe_powered_up up;
    int length;
    bool kept = device_start(&s->link, &FACTS, &BEHAVIOUR, board, s, on_board, serial, now);
    if (!kept) {
        s->link.head.own[NEXT_DRAW] = 1;
    } else if (s->link.head.own[BEGUN]) {
        /* It had begun to leave when the power went: something passed, and nobody read it. */
        shoe_card_out unseen;
        memset(&unseen, 0, sizeof unseen);
        unseen.reading = SHOE_READING_UNREADABLE;
        shoe_card_leaves(s, &unseen);
    }
    up.at = now;
    up.kept_memory = kept;
    up.next_draw = s->link.head.own[NEXT_DRAW];
    up.lid_open = s->lid_open;
    up.empty = s->empty;
    up.reader_dirty = s->dirty;
    length = shoe_powered_up_encode(&up, body, sizeof body);
    if (length > 0)
        device_post(&s->link, SHOE_EVENT_POWERED_UP, body, (size_t)length);
}
