/* Card antennas: what one sweep finds is one event, so that a card that moved is never in two places. */
#ifndef REFERENCE_CARDS_H
#define REFERENCE_CARDS_H

#include "../headers/cards.h"
#include "device_link.h"
#include "tags.h"

#define CARDS_SEATS_MOST 12u
#define CARDS_ANTENNAS 15u /* muck, seats, board, burn pile */

typedef struct {
    device link;
    uint8_t seats;
    uint16_t broken; /* a bit for every antenna that cannot be read */
    tags_table tags;
    uint32_t swept_at;
} cards_felt;

/* `seats` is set before; what lies on the felt stays as it is. */
void cards_start(cards_felt *felt, const device_board *board, void *on_board, const char *serial, uint32_t now);
void cards_tick(cards_felt *felt, uint32_t now);
bool cards_place(cards_felt *felt, uint64_t tag, uint8_t antenna);
bool cards_on_edge(cards_felt *felt, uint64_t tag, const uint8_t *antennas, uint8_t count);
void cards_fails(cards_felt *felt, uint8_t antenna, uint8_t cause);
void cards_works(cards_felt *felt, uint8_t antenna);
uint32_t cards_post(cards_felt *felt, uint8_t message, const uint8_t *body, size_t length);

#endif
