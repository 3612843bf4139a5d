/* A chip mat: what its antennas read in one pass becomes one report, in as many parts as it needs. */
#ifndef REFERENCE_CHIPS_H
#define REFERENCE_CHIPS_H

#include "../headers/chips.h"
#include "device_link.h"
#include "tags.h"

#define CHIPS_AREAS_MOST 63u

typedef struct {
    device link;
    chips_outputs outputs;
    uint8_t areas; /* the float tray included */
    uint64_t broken; /* a bit for every area that cannot be read */
    tags_table tags;
    uint16_t report;
    uint32_t passed_at;
} chips_mat;

/* `areas` is set before; what lies on the mat stays as it is. */
void chips_start(chips_mat *mat, const device_board *board, void *on_board, const char *serial, uint32_t now);
void chips_tick(chips_mat *mat, uint32_t now);
/* What the antennas read: a tag on an area, on none (TAGS_NOWHERE), or across a line. */
bool chips_place(chips_mat *mat, uint64_t tag, uint8_t area);
bool chips_on_edge(chips_mat *mat, uint64_t tag, const uint8_t *areas, uint8_t count);
/* An antenna fails, or works again. */
void chips_fails(chips_mat *mat, uint8_t area, uint8_t cause);
void chips_works(chips_mat *mat, uint8_t area);
/* Any event that is ready made, for benches; 0 when it does not fit the spec. */
uint32_t chips_post(chips_mat *mat, uint8_t message, const uint8_t *body, size_t length);

#endif
