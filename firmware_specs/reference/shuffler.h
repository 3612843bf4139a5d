/* A continuous shuffler: what its feed counts and its mouth sees becomes events; commands move the machine.
 *
 * The machine itself (which card comes next, how long it takes) is modelled here too, so that it can be played with. */
#ifndef REFERENCE_SHUFFLER_H
#define REFERENCE_SHUFFLER_H

#include "../headers/shuffler.h"
#include "device_link.h"

#define SHUFFLER_CARDS_MOST 420u

typedef struct {
    uint8_t cards[SHUFFLER_CARDS_MOST]; /* card codes */
    uint16_t count;
} shuffler_pile;

typedef struct {
    device link;
    shuffler_outputs outputs;
    /* where the cards are */
    shuffler_pile feed, inside, stacked;
    uint8_t mouth; /* a card code, 0 when it is empty */
    /* what the machine is about */
    bool feeding, mixing, presenting, flowing, pulling, door_open;
    uint32_t fed_at, mixed_at, presented_at, pulled_at, checked_at;
    bool ejecting, checking;
    uint32_t eject_id;
    shuffler_start_check check;
    /* what hands held at the end of each pull, for who asks */
    shuffler_pile pulls;
} shuffler;

void shuffler_start(shuffler *s, const device_board *board, void *on_board, const char *serial, uint32_t now);
void shuffler_tick(shuffler *s, uint32_t now);
/* Put cards into the feed. */
bool shuffler_load(shuffler *s, const uint8_t *cards, uint16_t count);
/* Let these cards, which are inside or in the feed, come next and in this order. */
bool shuffler_stack(shuffler *s, const uint8_t *cards, uint16_t count);
/* Pull at the mouth; how many milliseconds it takes, or why not. */
int32_t shuffler_draw(shuffler *s, bool force, const char **why_not);
/* Empty the machine through its door. */
void shuffler_take_out(shuffler *s, shuffler_pile *taken);
/* Take the shuffled deck off its lift, from the top; false when none stands there. */
bool shuffler_lift_deck(shuffler *s, shuffler_pile *taken);
void shuffler_door(shuffler *s, bool open);
void shuffler_turn_mode(shuffler *s, uint8_t mode);
bool shuffler_gate_shut(const shuffler *s);
uint32_t shuffler_post(shuffler *s, uint8_t message, const uint8_t *body, size_t length);

#endif
