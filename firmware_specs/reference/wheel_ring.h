/* What a wheel sensor makes of its ring: counts, index marks and pegs become the evidence of spins.
 *
 * The board calls wheel_ring_moved with every change of the count (or every millisecond with the sum of them),
 * wheel_ring_index and wheel_ring_peg when the mark passes and when a peg leaves the indicator, and wheel_ring_tick
 * every millisecond. Times are in units of 20 us and may wrap. */
#ifndef REFERENCE_WHEEL_RING_H
#define REFERENCE_WHEEL_RING_H

#include "wheel.h"

#define RING_PITCH 160 /* counts */
#define RING_COUNTS 8320
#define RING_COMPARTMENTS 52
#define RING_SAMPLE 1000u /* 20 ms */
#define RING_STILL 50000u /* 1 s */
#define RING_DITHER 1 /* counts around where it stands that are no movement */
#define RING_APPROACH 160u /* samples told at rest */
#define RING_HISTORY 224u /* those, the second of stillness, and some */

typedef struct {
    uint8_t count, first;
    int32_t sum; /* of the departures from the first */
    int32_t least, most;
} ring_ticks;

/* One way the wheel may be turning; the sense of a spin is known only after a quarter turn. */
typedef struct {
    int32_t lowest, furthest; /* net, from the rest angle */
    int32_t next; /* the pitch that is complete next */
    uint32_t passed[RING_COMPARTMENTS + 1]; /* when the rest angle and each pitch were passed */
    ring_ticks ticks; /* since the rest angle was passed */
    int16_t index;
    uint8_t indexes; /* since then, too */
} ring_way;

typedef struct {
    wheel *wheel;
    int32_t count; /* from where the power came on */
    int32_t zero; /* count at the index mark, once homed */
    int32_t rest; /* count at the last rest */
    int32_t stands_at; /* the count it has stayed within RING_DITHER of */
    uint32_t stands_since;
    uint32_t now, moved_at, sampled_at;
    bool moving, spinning;
    bool left; /* the rest angle, by more than RING_DITHER */
    int sense; /* of the spin under way, +1 or -1 */
    int heading; /* the last movement, +1 or -1 */
    ring_way ways[2]; /* +1, -1 */
    int32_t peak;
    uint32_t fastest; /* turns in 1000 s */
    uint32_t last_pitch; /* when the last pitch of a spin was complete */
    uint16_t pitches[RING_COMPARTMENTS];
    uint8_t turns;
    int16_t index;
    uint8_t indexes, back_ticks, stray, illegal, deflection;
    ring_ticks ticks;
    int32_t history[RING_HISTORY]; /* the count every 20 ms */
    uint32_t sampled;
} wheel_ring;

void wheel_ring_start(wheel_ring *ring, wheel *wheel, uint32_t now);
void wheel_ring_moved(wheel_ring *ring, uint32_t now, int32_t steps);
void wheel_ring_index(wheel_ring *ring);
void wheel_ring_peg(wheel_ring *ring);
void wheel_ring_tick(wheel_ring *ring, uint32_t now);

#endif
