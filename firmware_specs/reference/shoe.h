/* A card shoe: what its reader and switches see becomes events, what the host sets reaches gate and lamp. */
#ifndef REFERENCE_SHOE_H
#define REFERENCE_SHOE_H

#include "../headers/shoe.h"
#include "device_link.h"

typedef struct {
    device link;
    shoe_outputs outputs; /* as the host wants them, or safe */
    bool lid_open;
    bool empty;
    bool dirty;
} shoe;

void shoe_start(shoe *shoe, const device_board *board, void *on_board, const char *serial, uint32_t now);
/* The gate as it must stand: also locked when there is no room to remember what would come out. */
bool shoe_gate_locked(const shoe *shoe);
/* The light barrier sees the edge of a card: from here on a power cut must not hide it. */
void shoe_card_begins(shoe *shoe);
/* A card has left; `at`, `draw` and `forced` are filled in here. */
uint32_t shoe_card_leaves(shoe *shoe, shoe_card_out *seen);
/* It went back instead. */
uint32_t shoe_card_returns(shoe *shoe, uint8_t card, uint8_t confidence);
/* A switch or the reader's window changed. */
uint32_t shoe_condition_is(shoe *shoe, uint8_t condition, bool on);
/* Any event that is ready made, for benches; 0 when it does not fit the spec. */
uint32_t shoe_post(shoe *shoe, uint8_t message, const uint8_t *body, size_t length);

#endif
