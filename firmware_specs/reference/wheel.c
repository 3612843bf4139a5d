#include "wheel.h"

/* the sensor's own counters in the memory */
#define SPIN 0 /* number of the last spin */
#define OPEN 1 /* 1 while that spin is under way */

#define STILL_MS 1000u

static const device_facts FACTS = {
    WHEEL_CODE, WHEEL_SPEC_VERSION, WHEEL_SPEC_DIGEST, WHEEL_CAN_DEFLECTION | WHEEL_CAN_LAMP,
    WHEEL_BEAT_MS, WHEEL_SILENCE_MS, "reference 1.0",
};

static uint8_t done(device_reply *reply, int length)
{
    if (length < 0) {
        device_reason(reply, "its own answer is out of range");
        return TL_FAILED;
    }
    reply->length = (uint8_t)length;
    return TL_DONE;
}

static uint8_t refuse(device_reply *reply, const char *text)
{
    device_reason(reply, text);
    return TL_REFUSED;
}

static uint8_t read_angle(wheel *w, const uint8_t *body, size_t length, device_reply *reply)
{
    wheel_read_angle asked;
    wheel_read_angle_result result;
    if (wheel_read_angle_decode(&asked, body, length) != 0)
        return refuse(reply, "ReadAngle has no fields");
    result.angle = w->angle;
    result.homed = w->homed;
    result.moving = w->moving;
    return done(reply, wheel_read_angle_result_encode(&result, reply->body, sizeof reply->body));
}

static uint8_t self_test(wheel *w, const uint8_t *body, size_t length, device_reply *reply)
{
    wheel_self_test asked;
    wheel_self_test_result result;
    if (wheel_self_test_decode(&asked, body, length) != 0)
        return refuse(reply, "SelfTest has no fields");
    result.ring = w->ring_alive;
    result.index = w->index_right;
    result.indicator = w->indicator_alive;
    result.illegal = w->illegal;
    return done(reply, wheel_self_test_result_encode(&result, reply->body, sizeof reply->body));
}

static uint8_t rehome(wheel *w, const uint8_t *body, size_t length, device_reply *reply)
{
    wheel_rehome asked;
    if (wheel_rehome_decode(&asked, body, length) != 0)
        return refuse(reply, "Rehome has no fields");
    if (w->moving)
        return refuse(reply, "the wheel is turning; wait");
    w->homed = false;
    return done(reply, 0);
}

static uint8_t on_command(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length,
                          device_reply *reply)
{
    (void)id;
    switch (message) {
    case WHEEL_COMMAND_READ_ANGLE:
        return read_angle(own, body, length, reply);
    case WHEEL_COMMAND_SELF_TEST:
        return self_test(own, body, length, reply);
    case WHEEL_COMMAND_REHOME:
        return rehome(own, body, length, reply);
    default:
        return refuse(reply, "not a command of this sensor");
    }
}

static int on_set(void *own, const uint8_t *body, size_t length, bool make)
{
    wheel *w = own;
    wheel_outputs wanted;
    int wrong = wheel_outputs_decode(&wanted, body, length);
    if (wrong == 0 && make)
        w->outputs = wanted;
    return wrong;
}

static uint32_t on_hold(void *own)
{
    return wheel_outputs_hold_ms(&((wheel *)own)->outputs);
}

static void on_fall_back(void *own, uint32_t silent_ms)
{
    wheel_outputs_fall_back(&((wheel *)own)->outputs, silent_ms);
}

static const device_behaviour BEHAVIOUR = {on_command, on_set, on_hold, on_fall_back};

/* One event at a time is made, so one place for its bytes is enough. */
static uint8_t made[WHEEL_LONGEST_SENT];

static uint32_t post(wheel *w, uint8_t message, int length)
{
    return length < 0 ? 0 : device_post(&w->link, message, made, (size_t)length);
}

uint32_t wheel_starts(wheel *w, wheel_spin_started *told)
{
    int length;
    told->spin = w->link.head.own[SPIN] + 1u;
    length = wheel_spin_started_encode(told, made, sizeof made);
    if (length < 0)
        return 0;
    w->moving = true;
    w->link.head.own[SPIN] = told->spin; /* kept together with the event */
    w->link.head.own[OPEN] = 1;
    return post(w, WHEEL_EVENT_SPIN_STARTED, length);
}

uint32_t wheel_passes_turn(wheel *w, wheel_turn_passed *told)
{
    told->spin = w->link.head.own[SPIN];
    return post(w, WHEEL_EVENT_TURN_PASSED, wheel_turn_passed_encode(told, made, sizeof made));
}

uint32_t wheel_rests(wheel *w, wheel_spin_rested *told)
{
    int length;
    told->spin = w->link.head.own[SPIN];
    length = wheel_spin_rested_encode(told, made, sizeof made);
    if (length < 0)
        return 0;
    w->moving = false;
    w->link.head.own[OPEN] = 0;
    return post(w, WHEEL_EVENT_SPIN_RESTED, length);
}

uint32_t wheel_is_moved(wheel *w, wheel_moved *told)
{
    w->angle = told->after;
    return post(w, WHEEL_EVENT_MOVED, wheel_moved_encode(told, made, sizeof made));
}

uint32_t wheel_post(wheel *w, uint8_t message, const uint8_t *body, size_t length)
{
    static union {
        wheel_spin_started started;
        wheel_turn_passed turn;
        wheel_spin_rested rested;
        wheel_moved moved;
    } any;
    uint32_t *spin = &w->link.head.own[SPIN];
    switch (message) {
    case WHEEL_EVENT_SPIN_STARTED:
        if (wheel_spin_started_decode(&any.started, body, length) != 0)
            return 0;
        *spin = any.started.spin - 1u;
        return wheel_starts(w, &any.started);
    case WHEEL_EVENT_TURN_PASSED:
        if (wheel_turn_passed_decode(&any.turn, body, length) != 0)
            return 0;
        *spin = any.turn.spin;
        return wheel_passes_turn(w, &any.turn);
    case WHEEL_EVENT_SPIN_RESTED:
        if (wheel_spin_rested_decode(&any.rested, body, length) != 0)
            return 0;
        *spin = any.rested.spin;
        return wheel_rests(w, &any.rested);
    case WHEEL_EVENT_MOVED:
        return wheel_moved_decode(&any.moved, body, length) != 0 ? 0 : wheel_is_moved(w, &any.moved);
    default:
        return 0;
    }
}

void wheel_tick(wheel *w, uint32_t now)
{
    device_tick(&w->link, now);
    if (w->link.head.own[OPEN] && !w->moving && now - w->still_since >= STILL_MS) {
        /* The power went during a spin: all that can be said of it is that a part was not seen. */
        static wheel_spin_rested broken;
        memset(&broken, 0, sizeof broken);
        broken.gap = true;
        broken.still = STILL_MS;
        wheel_rests(w, &broken);
    }
}

void wheel_start(wheel *w, const device_board *board, void *on_board, const char *serial, uint32_t now)
{
    w->moving = false;
    w->homed = false;
    w->ring_alive = w->index_right = w->indicator_alive = true;
    w->illegal = 0;
    w->still_since = now;
    device_start(&w->link, &FACTS, &BEHAVIOUR, board, w, on_board, serial, now);
}
