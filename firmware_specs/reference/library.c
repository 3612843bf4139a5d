/* The reference devices as a library for tests: time, line and memory are the caller's, so that every millisecond and
 * every power cut can be chosen. */
#include "kinds.h"
#include "shoe.h"
#include "wheel_ring.h"

typedef void (*reference_send)(const uint8_t *bytes, size_t length);

static bool is_shoe, is_wheel; /* which are kept here, so that tests can look into them */
static shoe the_shoe;
static wheel the_wheel;
static const kind *what;
static wheel_ring the_ring;
static reference_send line;
static char the_serial[4 * TL_NAME_BYTES]; /* longer than any may be: the link must bound it */
static uint8_t memory[DEVICE_MEMORY_BYTES];
static uint32_t drawn = 1;
static long saves_left = -1; /* the power goes in the middle of this many saves from now; -1: never */

static void board_send(void *board, const uint8_t *bytes, size_t length)
{
    (void)board;
    if (saves_left != 0)
        line(bytes, length);
}

static size_t board_room(void *board)
{
    (void)board;
    return 1u << 16;
}

static uint32_t board_draw(void *board)
{
    (void)board;
    drawn = drawn * 1664525u + 1013904223u;
    return drawn;
}

static bool board_load(void *board, size_t at, void *to, size_t length)
{
    (void)board;
    memcpy(to, memory + at, length);
    return true;
}

static void board_save(void *board, size_t at, const void *from, size_t length)
{
    (void)board;
    if (saves_left == 0)
        return; /* without power nothing is kept */
    if (saves_left > 0 && --saves_left == 0)
        length /= 2;
    memcpy(memory + at, from, length);
}

static const device_board BOARD = {board_send, board_room, board_draw, board_load, board_save};

static device *link_of(void)
{
    return is_shoe ? &the_shoe.link : is_wheel ? &the_wheel.link : what->link;
}

void reference_start(const char *name, const char *serial, reference_send to, uint32_t now)
{
    is_shoe = !strcmp(name, "shoe");
    is_wheel = !strcmp(name, "wheel");
    what = kind_named(name);
    line = to;
    saves_left = -1;
    strncpy(the_serial, serial, sizeof the_serial - 1u);
    if (is_shoe)
        shoe_start(&the_shoe, &BOARD, NULL, the_serial, now);
    else if (is_wheel)
        wheel_start(&the_wheel, &BOARD, NULL, the_serial, now);
    else
        what->start(&BOARD, the_serial, now);
    if (is_wheel)
        wheel_ring_start(&the_ring, &the_wheel, now * 50u);
}

/* What the ring saw by this time (in 20 us): steps, then whether the index mark passed and a peg left. */
void reference_ring(uint32_t now, int32_t steps, int index, int pegs, int deflection)
{
    the_wheel.link.now = now / 50u;
    the_ring.deflection = (uint8_t)deflection;
    wheel_ring_moved(&the_ring, now, steps);
    if (index)
        wheel_ring_index(&the_ring);
    while (pegs-- > 0)
        wheel_ring_peg(&the_ring);
    wheel_ring_tick(&the_ring, now);
}

void reference_empty(void) /* as new */
{
    memset(memory, 0, sizeof memory);
}

void reference_lose(void) /* events and commands, not the key */
{
    memset(memory, 0, DEVICE_KEY_AT);
}

void reference_spoil(size_t at)
{
    memory[at % sizeof memory] ^= 0x5Au;
}

size_t reference_memory_bytes(void)
{
    return sizeof memory;
}

void reference_cut_after(long saves)
{
    saves_left = saves;
}

int reference_is_cut(void)
{
    return saves_left == 0;
}

void reference_heard(const uint8_t *bytes, size_t length, uint32_t now)
{
    link_of()->now = now;
    while (length--)
        device_heard(link_of(), *bytes++);
}

void reference_tick(uint32_t now)
{
    if (is_shoe)
        device_tick(&the_shoe.link, now);
    else if (is_wheel)
        wheel_tick(&the_wheel, now);
    else
        what->tick(now);
}

uint32_t reference_post(uint8_t message, const uint8_t *body, size_t length)
{
    return is_shoe    ? shoe_post(&the_shoe, message, body, length)
           : is_wheel ? wheel_post(&the_wheel, message, body, length)
                      : what->post(message, body, length);
}

uint32_t reference_card(uint8_t card, uint8_t confidence)
{
    shoe_card_out seen;
    memset(&seen, 0, sizeof seen);
    seen.card = card;
    seen.confidence = confidence;
    return shoe_card_leaves(&the_shoe, &seen);
}

void reference_card_begins(void)
{
    shoe_card_begins(&the_shoe);
}

int reference_outputs(uint8_t *body, size_t room)
{
    return is_shoe    ? shoe_outputs_encode(&the_shoe.outputs, body, room)
           : is_wheel ? wheel_outputs_encode(&the_wheel.outputs, body, room)
                      : what->outputs(body, room);
}

uint32_t reference_commands(void)
{
    return link_of()->sequence;
}

/* Put the numbering and the commands near their ends, with nothing held. */
void reference_count_from(uint32_t next, uint32_t sequence)
{
    device *d = link_of();
    d->head.oldest = d->head.next = next;
    d->head.used = 0;
    d->sequence = sequence;
    device_keep(d);
}

uint32_t reference_free(void)
{
    return (uint32_t)device_free(link_of());
}

int reference_gate_locked(void)
{
    return shoe_gate_locked(&the_shoe);
}

/* What hands do to a chip mat, card antennas or a shuffler; the answer as the control line has it. */
void reference_hand(const char *line, uint32_t now, char *answer, size_t room)
{
    link_of()->now = now;
    kind_obey(what, line, NULL, answer, room);
}
