/* The tags that antennas read: where each lies now, and where the host was told that it lies. */
#ifndef REFERENCE_TAGS_H
#define REFERENCE_TAGS_H

#include "../table_link.h"

#ifndef TAGS_MOST
#define TAGS_MOST 2048u
#endif
#define TAGS_GONE_MS 300u /* not read for so long, a tag has left */
#define TAGS_NOWHERE 0xFFu
#define TAGS_EDGE 0xFEu /* between antennas */
#define TAGS_PLACES 4u /* that read a tag on an edge about equally well */

typedef struct {
    uint64_t tag;
    uint8_t lies; /* a place, TAGS_EDGE or TAGS_NOWHERE */
    uint8_t told;
    uint8_t between[TAGS_PLACES]; /* when it lies on an edge */
    uint8_t between_count;
    uint32_t since; /* when it came to lie so */
} tags_one;

typedef struct {
    tags_one all[TAGS_MOST];
    uint16_t count;
    uint16_t told; /* how many are told on a place */
} tags_table;

/* The tag's entry, or NULL. */
tags_one *tags_find(tags_table *table, uint64_t tag);
/* Puts a tag somewhere; false when the table is full. */
bool tags_put(tags_table *table, uint64_t tag, uint8_t place, uint32_t now);
/* Lets go of entries that lie nowhere and are told nowhere. */
void tags_tidy(tags_table *table);
/* Whether it is time to tell that this one is not where it was told. */
bool tags_changed(const tags_one *one, uint32_t now);
/* How many lie there. */
uint16_t tags_at(const tags_table *table, uint8_t place);

#endif
