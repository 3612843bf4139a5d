#include "chips.h"

#define PASS_MS 100u
#define REPORT_MOST 48u
#define PICTURE_MOST 96u
#define NOISE 4u
#define THRESHOLD 10u

typedef char results_fit[CHIPS_LONGEST_RESULT <= DEVICE_KEPT_BYTES ? 1 : -1];

/* One event at a time is made, so one place for it and its bytes is enough. */
static union {
    chips_tags_changed changed;
    chips_inventory inventory;
    chips_tag_on_edge on_edge;
    chips_edge_cleared cleared;
    chips_area_fault fault;
    chips_area_fault_over over;
} any;
static uint8_t made[CHIPS_LONGEST_SENT];

static device_facts facts = {
    CHIPS_CODE, CHIPS_SPEC_VERSION, CHIPS_SPEC_DIGEST, 0, CHIPS_BEAT_MS, CHIPS_SILENCE_MS, "reference 1.0",
};

static uint32_t post(chips_mat *m, uint8_t message, int length)
{
    return length < 0 ? 0 : device_post(&m->link, message, made, (size_t)length);
}

static bool broken(const chips_mat *m, uint8_t area)
{
    return area < CHIPS_AREAS_MOST && (m->broken >> area & 1u) != 0;
}

/* --- what a pass tells --------------------------------------------------------------------------- */

static void tell_report(chips_mat *m, bool more)
{
    any.changed.at = m->link.now;
    any.changed.report = m->report;
    any.changed.partial_count = 0;
    any.changed.total = m->tags.told;
    any.changed.more = more;
    post(m, CHIPS_EVENT_TAGS_CHANGED, chips_tags_changed_encode(&any.changed, made, sizeof made));
    memset(&any.changed, 0, sizeof any.changed);
}

static bool on_place(uint8_t place)
{
    return place < CHIPS_AREAS_MOST;
}

/* Whether what is told of this tag must change; an area that cannot be read says nothing. */
static bool due(const chips_mat *m, const tags_one *one)
{
    return tags_changed(one, m->link.now) && !broken(m, one->lies) && !broken(m, one->told);
}

static uint16_t count_due(const chips_mat *m)
{
    uint16_t n, found = 0;
    for (n = 0; n < m->tags.count; n++)
        found = (uint16_t)(found + due(m, &m->tags.all[n]));
    return found;
}

static void clear_edges(chips_mat *m)
{
    uint16_t n;
    for (n = 0; n < m->tags.count; n++) {
        tags_one *one = &m->tags.all[n];
        if (one->told != TAGS_EDGE || !due(m, one))
            continue;
        any.cleared.at = m->link.now;
        any.cleared.tag = one->tag;
        post(m, CHIPS_EVENT_EDGE_CLEARED, chips_edge_cleared_encode(&any.cleared, made, sizeof made));
        one->told = TAGS_NOWHERE;
    }
}

static void tell_edge(chips_mat *m, const tags_one *one)
{
    any.on_edge.at = m->link.now;
    any.on_edge.tag = one->tag;
    any.on_edge.areas_count = one->between_count;
    memcpy(any.on_edge.areas, one->between, one->between_count);
    post(m, CHIPS_EVENT_TAG_ON_EDGE, chips_tag_on_edge_encode(&any.on_edge, made, sizeof made));
}

/* One report over all that changed; a tag that moved leaves and comes in the same one. */
static void tell_changes(chips_mat *m)
{
    uint16_t n, left = 0;
    clear_edges(m);
    for (n = 0; n < m->tags.count; n++)
        if (due(m, &m->tags.all[n])) {
            left++;
            m->tags.told = (uint16_t)(m->tags.told + on_place(m->tags.all[n].lies) - on_place(m->tags.all[n].told));
        }
    m->report++;
    memset(&any.changed, 0, sizeof any.changed);
    for (n = 0; n < m->tags.count && left > 0; n++) {
        tags_one *one = &m->tags.all[n];
        if (!due(m, one))
            continue;
        if (on_place(one->told)) {
            any.changed.removed[any.changed.removed_count++] = one->tag;
            any.changed.left[any.changed.left_count++] = one->told;
        }
        if (on_place(one->lies)) {
            any.changed.added[any.changed.added_count++] = one->tag;
            any.changed.to[any.changed.to_count++] = one->lies;
        }
        left--;
        one->told = one->lies;
        if (any.changed.added_count == REPORT_MOST || any.changed.removed_count == REPORT_MOST || left == 0)
            if (any.changed.added_count > 0 || any.changed.removed_count > 0)
                tell_report(m, left > 0);
    }
    for (n = 0; n < m->tags.count; n++)
        if (m->tags.all[n].told == TAGS_EDGE && m->tags.all[n].since == m->passed_at)
            tell_edge(m, &m->tags.all[n]);
    tags_tidy(&m->tags);
}

static void pass(chips_mat *m)
{
    uint16_t n;
    m->passed_at = m->link.now;
    if (count_due(m) == 0)
        return;
    for (n = 0; n < m->tags.count; n++) /* those that come to an edge are told after the report */
        if (m->tags.all[n].lies == TAGS_EDGE && due(m, &m->tags.all[n]))
            m->tags.all[n].since = m->passed_at;
    tell_changes(m);
}

/* --- commands ------------------------------------------------------------------------------------ */

static uint8_t refuse(device_reply *reply, const char *text)
{
    device_reason(reply, text);
    return TL_REFUSED;
}

/* Bytes of the ring that the whole picture takes. */
static size_t picture_bytes(const chips_mat *m)
{
    size_t parts = m->areas + m->tags.count / PICTURE_MOST + 1u;
    return parts * (CHIPS_INVENTORY_LONGEST - 8u * (PICTURE_MOST + 16u) + DEVICE_RECORD_EXTRA) +
           (size_t)m->tags.count * (8u + CHIPS_TAG_ON_EDGE_LONGEST + DEVICE_RECORD_EXTRA);
}

static void tell_area(chips_mat *m, uint16_t snapshot, uint8_t area)
{
    uint16_t n = 0, total = broken(m, area) ? 0 : tags_at(&m->tags, area), told = 0;
    bool last_area = area + 1u == m->areas;
    do {
        memset(&any.inventory, 0, sizeof any.inventory);
        any.inventory.at = m->link.now;
        any.inventory.snapshot = snapshot;
        any.inventory.area = area;
        any.inventory.total = total;
        any.inventory.partial = broken(m, area);
        for (; n < m->tags.count && told < total && any.inventory.tags_count < PICTURE_MOST; n++)
            if (m->tags.all[n].lies == area) {
                any.inventory.tags[any.inventory.tags_count++] = m->tags.all[n].tag;
                told++;
            }
        any.inventory.more = told < total || !last_area;
        if (!any.inventory.more) {
            uint16_t edge;
            for (edge = 0; edge < m->tags.count && any.inventory.edge_count < 16u; edge++)
                if (m->tags.all[edge].lies == TAGS_EDGE)
                    any.inventory.edge[any.inventory.edge_count++] = m->tags.all[edge].tag;
        }
        post(m, CHIPS_EVENT_INVENTORY, chips_inventory_encode(&any.inventory, made, sizeof made));
    } while (told < total);
}

static uint8_t read_all(chips_mat *m, const uint8_t *body, size_t length, device_reply *reply)
{
    chips_read_all asked;
    chips_read_all_result result;
    uint16_t n;
    uint8_t area;
    int size;
    if (chips_read_all_decode(&asked, body, length) != 0)
        return refuse(reply, "ReadAll has one field");
    if (picture_bytes(m) > device_free(&m->link))
        return refuse(reply, "no room to remember the picture");
    pass(m); /* what is told is what lies there, before the picture says so again */
    for (area = 0; area < m->areas; area++)
        tell_area(m, asked.snapshot, area);
    for (n = 0; n < m->tags.count; n++)
        if (m->tags.all[n].lies == TAGS_EDGE)
            tell_edge(m, &m->tags.all[n]);
    result.areas = m->areas;
    size = chips_read_all_result_encode(&result, reply->body, sizeof reply->body);
    reply->length = (uint8_t)(size < 0 ? 0 : size);
    return TL_DONE;
}

static uint8_t calibrate(chips_mat *m, const uint8_t *body, size_t length, device_reply *reply)
{
    chips_calibrate asked;
    chips_calibrate_result result;
    int size;
    if (chips_calibrate_decode(&asked, body, length) != 0)
        return refuse(reply, "Calibrate names one area, 0 to 62");
    if (asked.area >= m->areas)
        return refuse(reply, "this mat has no such area");
    if (tags_at(&m->tags, asked.area) != 0)
        return refuse(reply, "tags lie there; clear the area first");
    result.noise = NOISE;
    result.threshold = THRESHOLD;
    size = chips_calibrate_result_encode(&result, reply->body, sizeof reply->body);
    reply->length = (uint8_t)(size < 0 ? 0 : size);
    return TL_DONE;
}

static uint8_t on_command(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length,
                          device_reply *reply)
{
    (void)id;
    switch (message) {
    case CHIPS_COMMAND_READ_ALL:
        return read_all(own, body, length, reply);
    case CHIPS_COMMAND_CALIBRATE:
        return calibrate(own, body, length, reply);
    default:
        return refuse(reply, "not a command of a chip mat");
    }
}

static int on_set(void *own, const uint8_t *body, size_t length, bool make)
{
    chips_mat *m = own;
    chips_outputs wanted;
    int wrong = chips_outputs_decode(&wanted, body, length);
    if (wrong == 0 && make)
        m->outputs = wanted;
    return wrong;
}

static uint32_t on_hold(void *own)
{
    return chips_outputs_hold_ms(&((chips_mat *)own)->outputs);
}

static void on_fall_back(void *own, uint32_t silent_ms)
{
    chips_outputs_fall_back(&((chips_mat *)own)->outputs, silent_ms);
}

static const device_behaviour BEHAVIOUR = {on_command, on_set, on_hold, on_fall_back};

/* --- what is seen -------------------------------------------------------------------------------- */

bool chips_place(chips_mat *m, uint64_t tag, uint8_t area)
{
    return (area < m->areas || area == TAGS_NOWHERE) && tags_put(&m->tags, tag, area, m->link.now);
}

bool chips_on_edge(chips_mat *m, uint64_t tag, const uint8_t *areas, uint8_t count)
{
    tags_one *one;
    if (count == 0 || count > TAGS_PLACES || !tags_put(&m->tags, tag, TAGS_EDGE, m->link.now))
        return false;
    one = tags_find(&m->tags, tag);
    memcpy(one->between, areas, count);
    one->between_count = count;
    return true;
}

void chips_fails(chips_mat *m, uint8_t area, uint8_t cause)
{
    if (area >= m->areas || broken(m, area))
        return;
    m->broken |= (uint64_t)1 << area;
    any.fault.at = m->link.now;
    any.fault.area = area;
    any.fault.cause = cause;
    post(m, CHIPS_EVENT_AREA_FAULT, chips_area_fault_encode(&any.fault, made, sizeof made));
}

void chips_works(chips_mat *m, uint8_t area)
{
    if (!broken(m, area))
        return;
    m->broken &= ~((uint64_t)1 << area);
    any.over.at = m->link.now;
    any.over.area = area;
    post(m, CHIPS_EVENT_AREA_FAULT_OVER, chips_area_fault_over_encode(&any.over, made, sizeof made));
}

uint32_t chips_post(chips_mat *m, uint8_t message, const uint8_t *body, size_t length)
{
    int wrong, size = TL_OUT_OF_RANGE;
    switch (message) {
    case CHIPS_EVENT_TAGS_CHANGED:
        wrong = chips_tags_changed_decode(&any.changed, body, length);
        size = wrong ? wrong : chips_tags_changed_encode(&any.changed, made, sizeof made);
        break;
    case CHIPS_EVENT_TAG_ON_EDGE:
        wrong = chips_tag_on_edge_decode(&any.on_edge, body, length);
        size = wrong ? wrong : chips_tag_on_edge_encode(&any.on_edge, made, sizeof made);
        break;
    case CHIPS_EVENT_EDGE_CLEARED:
        wrong = chips_edge_cleared_decode(&any.cleared, body, length);
        size = wrong ? wrong : chips_edge_cleared_encode(&any.cleared, made, sizeof made);
        break;
    case CHIPS_EVENT_AREA_FAULT:
        wrong = chips_area_fault_decode(&any.fault, body, length);
        size = wrong ? wrong : chips_area_fault_encode(&any.fault, made, sizeof made);
        break;
    case CHIPS_EVENT_AREA_FAULT_OVER:
        wrong = chips_area_fault_over_decode(&any.over, body, length);
        size = wrong ? wrong : chips_area_fault_over_encode(&any.over, made, sizeof made);
        break;
    case CHIPS_EVENT_INVENTORY:
        wrong = chips_inventory_decode(&any.inventory, body, length);
        size = wrong ? wrong : chips_inventory_encode(&any.inventory, made, sizeof made);
        break;
    default:
        break;
    }
    return post(m, message, size);
}

void chips_tick(chips_mat *m, uint32_t now)
{
    device_tick(&m->link, now);
    if (now - m->passed_at >= PASS_MS)
        pass(m);
}

void chips_start(chips_mat *m, const device_board *board, void *on_board, const char *serial, uint32_t now)
{
    bool kept;
    uint16_t n;
    if (m->areas == 0 || m->areas > CHIPS_AREAS_MOST)
        m->areas = 8;
    facts.capabilities = m->areas | CHIPS_CAN_EDGE;
    kept = device_start(&m->link, &facts, &BEHAVIOUR, board, m, on_board, serial, now);
    for (n = 0; n < m->tags.count; n++) {
        m->tags.all[n].since = now;
        if (!kept)
            m->tags.all[n].told = m->tags.all[n].lies; /* nothing is told by itself: the host asks for the picture */
    }
    if (!kept) {
        m->tags.told = 0;
        for (n = 0; n < m->tags.count; n++)
            m->tags.told = (uint16_t)(m->tags.told + on_place(m->tags.all[n].told));
    }
    m->passed_at = now;
}
