#include "wheel_ring.h"

#define QUARTER (13 * RING_PITCH)
#define SPIN_TURNS_1000S 250u /* a quarter turn a second */
#define SPEED_SAMPLES 2u
#define STILL_TURNS_1000S 5u

static int32_t modulo(int32_t value, int32_t by)
{
    int32_t rest = value % by;
    return rest < 0 ? rest + by : rest;
}

static uint16_t angle_of(const wheel_ring *r, int32_t count)
{
    return (uint16_t)modulo(count - r->zero, RING_COUNTS);
}

static int32_t apart(int32_t one, int32_t other)
{
    return one > other ? one - other : other - one;
}

/* --- where the wheel was ------------------------------------------------------------------------- */

static int32_t sample(const wheel_ring *r, uint32_t back)
{
    return back > r->sampled ? r->rest : r->history[(r->sampled - back) % RING_HISTORY];
}

/* Turns in 1000 s over the last 40 ms. */
static uint32_t speed(const wheel_ring *r)
{
    int32_t counts = r->count - sample(r, SPEED_SAMPLES);
    uint32_t moved = (uint32_t)(counts < 0 ? -counts : counts);
    return moved * 1000u * 25u / RING_COUNTS;
}

static void clear_ticks(ring_ticks *ticks)
{
    memset(ticks, 0, sizeof *ticks);
}

static void begin_rest(wheel_ring *r)
{
    r->rest = r->stands_at = r->count;
    r->moving = r->spinning = r->left = false;
    r->peak = 0;
    r->fastest = 0;
    r->turns = 0;
    r->indexes = r->back_ticks = r->stray = r->illegal = 0;
    r->index = 0;
    memset(r->ways, 0, sizeof r->ways);
    clear_ticks(&r->ticks);
    r->wheel->angle = angle_of(r, r->count);
    r->wheel->moving = false;
}

/* --- what is told -------------------------------------------------------------------------------- */

static uint16_t lasted(uint32_t from, uint32_t until)
{
    uint32_t ticks = until - from;
    return ticks == 0 ? 1 : ticks > 65535u ? 65535 : (uint16_t)ticks;
}

static uint8_t tick_phase(const wheel_ring *r)
{
    const ring_ticks *ticks = &r->ticks;
    if (ticks->count == 0)
        return 0;
    return (uint8_t)modulo(ticks->first + ticks->sum / ticks->count, RING_PITCH);
}

static uint8_t tick_spread(const wheel_ring *r)
{
    const ring_ticks *ticks = &r->ticks;
    int32_t mean, up, down;
    if (ticks->count == 0)
        return 0;
    mean = ticks->sum / ticks->count;
    up = ticks->most - mean;
    down = mean - ticks->least;
    return (uint8_t)(up > down ? up : down);
}

static void tell_turn(wheel_ring *r)
{
    static wheel_turn_passed told;
    memset(&told, 0, sizeof told);
    if (r->turns == UINT8_MAX)
        return;
    told.turn = ++r->turns;
    told.pitches_count = RING_COMPARTMENTS;
    memcpy(told.pitches, r->pitches, sizeof told.pitches);
    told.index = r->index;
    told.indexes = r->indexes;
    told.ticks = r->ticks.count;
    told.tick_phase = tick_phase(r);
    told.tick_spread = tick_spread(r);
    told.illegal = r->illegal;
    wheel_passes_turn(r->wheel, &told);
    r->index = 0;
    r->indexes = r->illegal = 0;
    clear_ticks(&r->ticks);
}

/* A pitch of the spin under way is complete. */
static void pass_pitch(wheel_ring *r, int32_t pitch, uint32_t at)
{
    r->pitches[(pitch - 1) % RING_COMPARTMENTS] = lasted(r->last_pitch, at);
    r->last_pitch = at;
    if (pitch % RING_COMPARTMENTS == 0)
        tell_turn(r);
}

static void tell_start(wheel_ring *r, int sense)
{
    wheel_spin_started told;
    ring_way *way = &r->ways[sense > 0 ? 0 : 1];
    int32_t pitch;
    memset(&told, 0, sizeof told);
    told.angle = angle_of(r, r->rest);
    told.sense = sense > 0 ? WHEEL_SENSE_CLOCKWISE : WHEEL_SENSE_ANTICLOCKWISE;
    told.homed = r->wheel->homed;
    told.wound_back = (uint16_t)(-way->lowest > UINT16_MAX ? UINT16_MAX : -way->lowest);
    r->spinning = true;
    r->sense = sense;
    r->last_pitch = way->passed[0];
    r->ticks = way->ticks;
    r->index = way->index;
    r->indexes = way->indexes;
    wheel_starts(r->wheel, &told);
    for (pitch = 1; pitch < way->next; pitch++)
        pass_pitch(r, pitch, way->passed[pitch]);
}

static void tell_rest(wheel_ring *r)
{
    static wheel_spin_rested told;
    const ring_way *way = &r->ways[r->sense > 0 ? 0 : 1];
    uint32_t still = r->now - r->stands_since, back, n;
    memset(&told, 0, sizeof told);
    told.turns = r->turns;
    told.pitches_count = (uint16_t)((way->next > 0 ? way->next - 1 : 0) - r->turns * RING_COMPARTMENTS);
    memcpy(told.pitches, r->pitches, told.pitches_count * sizeof told.pitches[0]);
    told.lowest = way->lowest;
    told.peak = r->peak;
    told.rest = r->sense * (r->count - r->rest);
    told.still = (uint16_t)(still / 50u > UINT16_MAX ? UINT16_MAX : still / 50u);
    told.index = r->index;
    told.indexes = r->indexes;
    told.ticks = r->ticks.count;
    told.back_ticks = r->back_ticks;
    told.tick_phase = tick_phase(r);
    told.tick_spread = tick_spread(r);
    told.illegal = r->illegal;
    told.stray = r->stray;
    told.deflection = r->deflection;
    /* the samples up to the one that saw the wheel stand */
    back = (r->now - r->stands_since) / RING_SAMPLE;
    told.approach_count = RING_APPROACH;
    for (n = 0; n < RING_APPROACH; n++) {
        uint32_t at = back + RING_APPROACH - n;
        told.approach[n] = (int16_t)(r->sense * (sample(r, at - 1u) - sample(r, at)));
    }
    wheel_rests(r->wheel, &told);
    if (!r->wheel->homed && r->turns > 0) {
        r->zero += r->index; /* the mark has been seen: count from it */
        r->wheel->homed = true;
    }
}

static void tell_moved(wheel_ring *r)
{
    wheel_moved told;
    int32_t moved = r->count - r->rest;
    if (!r->left || ((moved < 2 && moved > -2) && r->fastest < STILL_TURNS_1000S))
        return;
    told.before = angle_of(r, r->rest);
    told.after = angle_of(r, r->count);
    told.fastest = (uint16_t)(r->fastest > UINT16_MAX ? UINT16_MAX : r->fastest);
    wheel_is_moved(r->wheel, &told);
}

/* --- what is seen -------------------------------------------------------------------------------- */

/* Follow one way the wheel may be turning from `before` to `after`, net counts in that way. */
static void follow(wheel_ring *r, int sense, int32_t before, int32_t after, uint32_t since)
{
    ring_way *way = &r->ways[sense > 0 ? 0 : 1];
    if (after < way->lowest)
        way->lowest = after;
    while (after > before && way->next * RING_PITCH <= after) {
        int32_t goal = way->next * RING_PITCH;
        uint32_t at = since + (uint32_t)((int64_t)(r->now - since) * (goal > before ? goal - before : 0) / (after - before));
        if (way->next == 0 && before > 0)
            break;
        if (way->next == 0 && !r->spinning) {
            clear_ticks(&way->ticks); /* what passed while the hand drew back is no part of the spin */
            way->furthest = 0;
            way->indexes = 0;
        }
        if (r->spinning && r->sense == sense) {
            pass_pitch(r, way->next, at);
        } else if (way->next <= RING_COMPARTMENTS) {
            way->passed[way->next] = at;
        }
        way->next++;
    }
    if (after > way->furthest)
        way->furthest = after;
    /* drawn back through the rest angle before the first pitch: it will pass it again */
    if (after < 0 && way->next == 1 && !r->spinning)
        way->next = 0;
}

void wheel_ring_moved(wheel_ring *r, uint32_t now, int32_t steps)
{
    int32_t before = r->count - r->rest, after;
    uint32_t since = r->now;
    r->now = now;
    if (steps == 0)
        return;
    r->count += steps;
    r->heading = steps > 0 ? 1 : -1;
    r->moved_at = now;
    if (!r->moving)
        r->stands_since = now; /* it may be the first count of a launch */
    if (apart(r->count, r->stands_at) > RING_DITHER) { /* within it a ring on the edge of a count would never rest */
        r->stands_at = r->count;
        r->stands_since = now;
    }
    r->left = r->left || apart(r->count, r->rest) > RING_DITHER;
    r->moving = r->wheel->moving = true;
    r->wheel->angle = angle_of(r, r->count);
    after = before + steps;
    follow(r, 1, before, after, since);
    follow(r, -1, -before, -after, since);
    if (speed(r) > r->fastest)
        r->fastest = speed(r);
    if (r->spinning) {
        if (r->sense * after > r->peak)
            r->peak = r->sense * after;
        return;
    }
    if (r->ways[r->heading > 0 ? 0 : 1].next > RING_COMPARTMENTS) {
        int32_t count = r->count; /* turned by hand all the way round: the spin, if it comes, begins here */
        begin_rest(r);
        r->count = count;
        r->moving = r->wheel->moving = true;
        return;
    }
    if (r->heading * after - r->ways[r->heading > 0 ? 0 : 1].lowest >= QUARTER && speed(r) >= SPIN_TURNS_1000S) {
        tell_start(r, r->heading);
        r->peak = r->sense * after > 0 ? r->sense * after : 0;
    }
}

/* A mark counts on the way out, not where the wheel has swung back nor where it goes a way that it has gone before. */
static void pass_mark(const wheel_ring *r, int sense, int16_t angle, int16_t *index, uint8_t *indexes)
{
    if (sense * (r->count - r->rest) < r->ways[sense > 0 ? 0 : 1].furthest - RING_DITHER)
        return;
    *index = angle;
    *indexes += *indexes < UINT8_MAX;
}

void wheel_ring_index(wheel_ring *r)
{
    int32_t angle = modulo(r->count - r->zero, RING_COUNTS);
    int16_t seen = (int16_t)(angle >= RING_COUNTS / 2 ? angle - RING_COUNTS : angle);
    if (!r->moving) {
        r->stray += r->stray < UINT8_MAX;
    } else if (r->spinning) {
        pass_mark(r, r->sense, seen, &r->index, &r->indexes);
    } else {
        pass_mark(r, 1, seen, &r->ways[0].index, &r->ways[0].indexes);
        pass_mark(r, -1, seen, &r->ways[1].index, &r->ways[1].indexes);
    }
}

void wheel_ring_peg(wheel_ring *r)
{
    ring_ticks *ticks = r->spinning ? &r->ticks : &r->ways[r->heading > 0 ? 0 : 1].ticks;
    int32_t phase = modulo(r->count - r->zero, RING_PITCH), off;
    if (r->now - r->moved_at > RING_SAMPLE) {
        r->stray += r->stray < UINT8_MAX;
        return;
    }
    if (r->spinning && r->heading != r->sense) {
        r->back_ticks += r->back_ticks < UINT8_MAX;
        return;
    }
    if (ticks->count == 0)
        ticks->first = (uint8_t)phase;
    if (ticks->count == UINT8_MAX)
        return;
    off = modulo(phase - ticks->first + RING_PITCH / 2, RING_PITCH) - RING_PITCH / 2;
    ticks->count++;
    ticks->sum += off;
    if (off < ticks->least)
        ticks->least = off;
    if (off > ticks->most)
        ticks->most = off;
}

void wheel_ring_tick(wheel_ring *r, uint32_t now)
{
    while (now - r->sampled_at >= RING_SAMPLE) {
        r->sampled_at += RING_SAMPLE;
        r->sampled++;
        r->history[r->sampled % RING_HISTORY] = r->count;
    }
    r->now = now;
    if (!r->moving || now - r->stands_since < RING_STILL)
        return;
    if (r->spinning)
        tell_rest(r);
    else
        tell_moved(r);
    begin_rest(r);
}

void wheel_ring_start(wheel_ring *r, wheel *w, uint32_t now)
{
    memset(r, 0, sizeof *r);
    r->wheel = w;
    r->now = r->moved_at = r->stands_since = r->sampled_at = now;
    begin_rest(r);
}
