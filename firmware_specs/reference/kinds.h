/* The reference devices behind one face, and the lines through which a bench moves what they see.
 * docs/rig.md lists the lines. A build for one device defines ONLY_shoe, ONLY_wheel, ONLY_chips, ONLY_cards or
 * ONLY_shuffler. */
#ifndef REFERENCE_KINDS_H
#define REFERENCE_KINDS_H

#include "device_link.h"

typedef struct {
    const char *name;
    const char *serial; /* when the board names none */
    device *link;
    void (*start)(const device_board *board, const char *serial, uint32_t now);
    void (*tick)(uint32_t now);
    uint32_t (*post)(uint8_t message, const uint8_t *body, size_t length);
    int (*outputs)(uint8_t *body, size_t room);
    const char *hands; /* what hands can do here, "" when events are only posted */
    bool (*hand)(const char *name, const char *how, char *answer, size_t room); /* false with the reason in `answer` */
    void (*size)(unsigned number); /* areas of a mat, seats of a felt; NULL where there is nothing to choose */
} kind;

/* The device of this name, or the only one there is when `name` is NULL; NULL when there is none such. */
const kind *kind_named(const char *name);
/* Understands one control line; `restart` is the board's: 'k' keeps the memory, 'l' loses it. */
void kind_obey(const kind *which, const char *line, void (*restart)(char how), char *answer, size_t room);

#endif
