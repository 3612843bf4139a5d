/* A board to measure by: code for a Cortex-M0+ on QEMU's mps2-an385, which counts what lies between two marks. It plays the
 * host too: bare and then sealed, it says HELLO, takes an event and acknowledges it. `cost` builds it, runs it and counts.
 * EVENT_ID and EVENT_BODY are the event, LONGEST_BYTES the length of the longest. */
#include "kinds.h"

static const uint8_t event[] = {EVENT_BODY};
static uint8_t longest[LONGEST_BYTES];
static uint8_t memory[DEVICE_MEMORY_BYTES];
static uint8_t said[DEVICE_LONGEST + TL_SEAL_BYTES + TL_CRC_BYTES], onto_line[TL_STUFFED(DEVICE_LONGEST + TL_SEAL_BYTES)];
static uint8_t key[TL_KEY_BYTES], session[TL_KEY_BYTES];
static uint32_t drawn = 1, counted;
static const kind *what;
extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];

/* --- what the board lends: a line that swallows everything, a memory that is RAM ------------------- */

static void board_send(void *board, const uint8_t *bytes, size_t length)
{
    (void)board;
    (void)bytes;
    (void)length;
}

static size_t board_room(void *board)
{
    (void)board;
    return 2u * TL_WINDOW_BYTES;
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
    memcpy(memory + at, from, length);
}

static const device_board BOARD = {board_send, board_room, board_draw, board_load, board_save};

/* --- what is measured ------------------------------------------------------------------------------ */

/* Where these are entered, the count of what follows begins and ends. */
__attribute__((noinline)) void mark_begin(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void mark_end(void)
{
    __asm__ volatile("");
}

static void hear(const uint8_t *bytes, size_t length)
{
    while (length--)
        device_heard(what->link, *bytes++);
}

/* Says a content as the host, sealed when the session is; only what the device does of it is measured. */
static void say(size_t length, bool sealed)
{
    size_t octets;
    if (sealed) {
        memmove(said + TL_SEAL_HEAD, said, length);
        said[0] = TL_SEALED;
        tl_put32(said + 1, ++counted);
        tl_tag(session, 'h', said + 1, said + TL_SEAL_HEAD, length, said + TL_SEAL_HEAD + length);
        length += TL_SEAL_BYTES;
    }
    octets = tl_frame(onto_line, sizeof onto_line, said, length);
    mark_begin();
    hear(onto_line, octets);
    mark_end();
}

static void hello(uint32_t nonce)
{
    tl_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.link_version = TL_LINK_VERSION;
    hello.nonce = nonce;
    say((size_t)tl_hello_encode(&hello, said, sizeof said), false);
}

static void acknowledge(bool sealed)
{
    tl_ack ack;
    memset(&ack, 0, sizeof ack);
    ack.epoch = what->link->head.epoch;
    ack.received = ack.durable = what->link->head.next - 1u;
    say((size_t)tl_ack_encode(&ack, said, sizeof said), sealed);
}

static void post(const uint8_t *body, size_t length)
{
    mark_begin();
    (void)device_post(what->link, EVENT_ID, body, length);
    mark_end();
}

static void part(const char *word, uint8_t proof[TL_PROOF_BYTES])
{
    tl_mac mac;
    tl_mac_begin(&mac, key);
    tl_mac_add(&mac, word, 6);
    tl_mac_add(&mac, what->link->challenge, TL_CHALLENGE_BYTES);
    tl_mac_add(&mac, what->link->hello.challenge, TL_CHALLENGE_BYTES);
    tl_mac_end(&mac, proof);
}

static void pair(void)
{
    said[0] = TL_PAIR;
    tl_put32(said + 1, what->link->hello.nonce);
    memset(key, 0x5A, sizeof key);
    memcpy(said + 5, key, sizeof key);
    say(5u + TL_KEY_BYTES, false);
}

static void prove(void)
{
    part("seal 1", session);
    part("seal 2", session + TL_PROOF_BYTES);
    said[0] = TL_PROOF;
    tl_put32(said + 1, what->link->hello.nonce);
    part("sealed", said + 5);
    say(5u + TL_PROOF_BYTES, false);
}

static void command(void)
{
    (void)tl_head(said, TL_COMMAND, 7u, 250u);
    say(TL_HEAD_BYTES, false);
}

static void tick(void)
{
    mark_begin();
    what->tick(what->link->now + 1u);
    mark_end();
}

/* In the order in which `cost` names them. */
static void measure(void)
{
    mark_begin();
    what->start(&BOARD, "MEASURED", 0);
    mark_end();
    hello(1);
    acknowledge(false);
    tick();
    post(event, sizeof event);
    acknowledge(false);
    post(longest, sizeof longest);
    acknowledge(false);
    command();
    hello(2);
    pair();
    hello(3);
    prove();
    acknowledge(true);
    post(event, sizeof event);
    acknowledge(true);
    post(longest, sizeof longest);
    acknowledge(true);
}

/* --- start ----------------------------------------------------------------------------------------- */

#define PAINT 0xA5C35A3Cu
#define PAINTED 4096u /* words below the top of the stack */

static int host(int operation, const void *arguments)
{
    register int result __asm__("r0") = operation;
    register const void *how __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(result) : "r"(how) : "memory");
    return result;
}

static void tell_stack(uint32_t octets)
{
    static char text[] = "stack 00000\n";
    size_t n;
    for (n = 10; octets; n--) {
        text[n] = (char)('0' + octets % 10u);
        octets /= 10u;
    }
    (void)host(0x04, text);
}

void reset(void)
{
    uint32_t n;
    uint32_t top = (uint32_t)stack_top;
    volatile uint32_t *bottom = (uint32_t *)(top - 4u * PAINTED), *here = (uint32_t *)(top - 64u); /* below this frame */
    for (n = 0; n < (uint32_t)(data_end - data_begin); n++)
        data_begin[n] = data_from[n];
    for (n = 0; n < (uint32_t)(bss_end - bss_begin); n++)
        bss_begin[n] = 0;
    for (n = 0; bottom + n < here; n++)
        bottom[n] = PAINT;
    what = kind_named(NULL);
    measure();
    for (n = 0; n < PAINTED && bottom[n] == PAINT; n++) {
    }
    tell_stack(4u * (PAINTED - n));
    (void)host(0x18, (const void *)0x20026u);
    for (;;) {
    }
}

typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const vector VECTORS[16] = {(vector)stack_top, reset};
