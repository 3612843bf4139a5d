#include "tags.h"

tags_one *tags_find(tags_table *table, uint64_t tag)
{
    uint16_t n;
    for (n = 0; n < table->count; n++)
        if (table->all[n].tag == tag)
            return &table->all[n];
    return NULL;
}

bool tags_put(tags_table *table, uint64_t tag, uint8_t place, uint32_t now)
{
    tags_one *one = tags_find(table, tag);
    if (one == NULL) {
        if (place == TAGS_NOWHERE)
            return true;
        if (table->count == TAGS_MOST)
            return false;
        one = &table->all[table->count++];
        memset(one, 0, sizeof *one);
        one->tag = tag;
        one->told = TAGS_NOWHERE;
    }
    one->lies = place;
    one->since = now;
    return true;
}

void tags_tidy(tags_table *table)
{
    uint16_t n = 0;
    while (n < table->count) {
        if (table->all[n].lies == TAGS_NOWHERE && table->all[n].told == TAGS_NOWHERE)
            table->all[n] = table->all[--table->count];
        else
            n++;
    }
}

bool tags_changed(const tags_one *one, uint32_t now)
{
    if (one->lies == one->told)
        return false;
    return one->lies != TAGS_NOWHERE || now - one->since >= TAGS_GONE_MS;
}

uint16_t tags_at(const tags_table *table, uint8_t place)
{
    uint16_t n, found = 0;
    for (n = 0; n < table->count; n++)
        found = (uint16_t)(found + (table->all[n].lies == place));
    return found;
}
