/* A wheel sensor: the evidence of each spin becomes events that are kept until the host has judged it. */
#ifndef REFERENCE_WHEEL_H
#define REFERENCE_WHEEL_H

#include "../headers/wheel.h"
#include "device_link.h"

typedef struct {
    device link;
    wheel_outputs outputs;
    uint16_t angle; /* counts from the index mark */
    bool homed; /* the index mark has passed since power-up */
    bool moving;
    bool ring_alive, index_right, indicator_alive;
    uint16_t illegal; /* quadrature steps in which both channels changed */
    uint32_t still_since; /* when a spin that power cut short can be owned up to */
} wheel;

void wheel_start(wheel *wheel, const device_board *board, void *on_board, const char *serial, uint32_t now);
void wheel_tick(wheel *wheel, uint32_t now);
/* The four things a sensor tells; `spin` is filled in here. The number of the event, 0 when it is out of range. */
uint32_t wheel_starts(wheel *wheel, wheel_spin_started *told);
uint32_t wheel_passes_turn(wheel *wheel, wheel_turn_passed *told);
uint32_t wheel_rests(wheel *wheel, wheel_spin_rested *told);
uint32_t wheel_is_moved(wheel *wheel, wheel_moved *told);
/* Any event that is ready made, for benches; 0 when it does not fit the spec. */
uint32_t wheel_post(wheel *wheel, uint8_t message, const uint8_t *body, size_t length);

#endif
