/* A board without hardware: QEMU's mps2-an385 (Cortex-M3). UART0 is the line to the table, UART1 takes control lines,
 * a free-running timer gives the time (counted ticks would be lost when the emulator is busy), random numbers and the
 * memory that outlives the emulator come by semihosting. What a reset must not clear lies outside .bss. */
#include "kinds.h"

typedef struct {
    volatile uint32_t data, state, control, interrupt, divider;
} uart;

#define UART0 ((uart *)0x40004000u)
#define UART1 ((uart *)0x40005000u)
#define TX_FULL 1u
#define RX_FULL 2u
#define TIMER_CONTROL (*(volatile uint32_t *)0x40000000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008u)
#define TICKS_A_MS 25000u
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xE000E010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define NVIC_ENABLE (*(volatile uint32_t *)0xE000E100u)
#define RESET_CONTROL (*(volatile uint32_t *)0xE000ED0Cu)
#define RESET_KEY 0x05FA0004u
#define WAIT_MOST 2000000u /* a line that nobody reads loses bytes; it must not stop the device */

#define HEARD_BYTES 2048u
typedef struct {
    volatile uint16_t put, got;
    uint8_t bytes[HEARD_BYTES];
} heard;

static heard line, world;
static char words[256];
static const char *serial;
static const kind *what;
static uint32_t ticked, ticks_left, milliseconds;

__attribute__((section(".kept"))) static uint8_t memory[DEVICE_MEMORY_BYTES];
__attribute__((section(".kept"))) static uint32_t memory_is_there; /* told from what RAM holds after power-up */
#define MEMORY_IS_THERE 0x4B455054u
/* The emulator keeps files open over a reset: opened once, else every reset would leave two behind. */
__attribute__((section(".kept"))) static int memory_file, random_file;
/* A restart is answered when it is over: a line sent sooner would be lost with what had been heard of it. */
__attribute__((section(".kept"))) static uint32_t restarted;
#define RESTARTED 0x4F4B4F4Bu

/* --- semihosting --------------------------------------------------------------------------------- */

static int host(int operation, void *arguments)
{
    register int result __asm__("r0") = operation;
    register void *how __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(result) : "r"(how) : "memory");
    return result;
}

static int host_open(const char *name, int mode)
{
    uint32_t arguments[3];
    arguments[0] = (uint32_t)name;
    arguments[1] = (uint32_t)mode;
    arguments[2] = (uint32_t)strlen(name);
    return host(0x01, arguments);
}

static bool host_move(int operation, int file, size_t at, const void *bytes, size_t length)
{
    uint32_t seek[2], arguments[3];
    seek[0] = arguments[0] = (uint32_t)file;
    seek[1] = (uint32_t)at;
    arguments[1] = (uint32_t)bytes;
    arguments[2] = (uint32_t)length;
    return host(0x0A, seek) == 0 && host(operation, arguments) == 0;
}

/* --- the board that the device is lent ------------------------------------------------------------ */

static void put(uart *to, uint8_t byte)
{
    uint32_t waited = 0;
    while ((to->state & TX_FULL) != 0)
        if (++waited == WAIT_MOST)
            return;
    to->data = byte;
}

static void board_send(void *board, const uint8_t *bytes, size_t length)
{
    (void)board;
    while (length--)
        put(UART0, *bytes++);
}

static size_t board_room(void *board)
{
    (void)board;
    return 2u * TL_WINDOW_BYTES;
}

static uint32_t board_draw(void *board)
{
    uint32_t drawn = 0;
    (void)board;
    if (!host_move(0x06, random_file, 0, &drawn, sizeof drawn))
        drawn = TIMER_VALUE * 2654435761u;
    return drawn;
}

static bool board_load(void *board, size_t at, void *to, size_t length)
{
    (void)board;
    memcpy(to, memory + at, length);
    return true;
}

/* Byte by byte, each with a look at a register, where the emulator takes its resets: a save can be cut anywhere, as in
 * a memory that is slow to write. */
static void board_save(void *board, size_t at, const void *from, size_t length)
{
    size_t n;
    (void)board;
    for (n = 0; n < length; n++) {
        memory[at + n] = ((const uint8_t *)from)[n];
        (void)TIMER_VALUE;
    }
    if (memory_file > 0)
        (void)host_move(0x05, memory_file, at, from, length);
}

static const device_board BOARD = {board_send, board_room, board_draw, board_load, board_save};

static uint32_t now_ms(void)
{
    uint32_t value = TIMER_VALUE;
    ticks_left += ticked - value; /* it counts down, and round */
    ticked = value;
    milliseconds += ticks_left / TICKS_A_MS;
    ticks_left %= TICKS_A_MS;
    return milliseconds;
}

static void restart(char how)
{
    if (how == 'l') {
        static const uint8_t nothing[64] = {0};
        size_t n;
        for (n = 0; n < DEVICE_KEY_AT; n += sizeof nothing)
            board_save(NULL, n, nothing, DEVICE_KEY_AT - n < sizeof nothing ? DEVICE_KEY_AT - n : sizeof nothing);
    }
    restarted = RESTARTED;
    RESET_CONTROL = RESET_KEY; /* a real one: nothing of the session is left */
    for (;;) {
    }
}

static void tell_world(const char *text)
{
    while (*text)
        put(UART1, (uint8_t)*text++);
}

/* --- interrupts only carry bytes ------------------------------------------------------------------ */

static void take(uart *from, heard *into)
{
    while ((from->state & RX_FULL) != 0) {
        uint8_t byte = (uint8_t)from->data;
        uint16_t next = (uint16_t)((into->put + 1u) % HEARD_BYTES);
        if (next != into->got) {
            into->bytes[into->put] = byte;
            into->put = next;
        }
    }
}

static void on_uart0(void)
{
    UART0->interrupt = 2u;
    take(UART0, &line);
}

static void on_uart1(void)
{
    UART1->interrupt = 2u;
    take(UART1, &world);
}

static void on_tick(void)
{
    /* only to wake the loop: the time comes from the timer */
}

static bool next(heard *from, uint8_t *byte)
{
    if (from->got == from->put)
        return false;
    *byte = from->bytes[from->got];
    from->got = (uint16_t)((from->got + 1u) % HEARD_BYTES);
    return true;
}

static void hear_world(void)
{
    static char text[6144], answer[4096];
    static size_t length;
    uint8_t byte;
    while (next(&world, &byte)) {
        if (byte != '\n') {
            if (length < sizeof text - 1u)
                text[length++] = (char)byte;
            continue;
        }
        text[length] = 0;
        length = 0;
        what->link->now = now_ms();
        kind_obey(what, text, restart, answer, sizeof answer);
        tell_world(answer);
    }
}

/* --- start --------------------------------------------------------------------------------------- */

static char *word(const char *name)
{
    size_t length = strlen(name);
    char *at = words;
    while ((at = strstr(at, name)) != NULL) {
        if (at[length] == '=')
            return at + length + 1;
        at++;
    }
    return NULL;
}

static const char *cut(char *at)
{
    char *end = at;
    while (end != NULL && *end && *end != ' ' && *end != ',')
        end++;
    if (end != NULL)
        *end = 0;
    return at;
}

static void read_words(void)
{
    uint32_t arguments[2];
    char *file, *named, *sized;
    unsigned number = 0;
    arguments[0] = (uint32_t)words;
    arguments[1] = sizeof words;
    if (host(0x15, arguments) != 0)
        words[0] = 0;
    file = word("memory");
    named = word("serial");
    sized = word("size");
    while (sized != NULL && *sized >= '0' && *sized <= '9')
        number = number * 10u + (unsigned)(*sized++ - '0');
    if (number != 0 && what->size != NULL)
        what->size(number);
    serial = named != NULL ? cut(named) : what->serial;
    if (memory_is_there == MEMORY_IS_THERE)
        return;
    memory_file = file != NULL ? host_open(cut(file), 3) : -1; /* r+b: it was made before */
    random_file = host_open("/dev/urandom", 1);
}

int main(void)
{
    uint8_t byte;
    what = kind_named(NULL);
    read_words();
    if (memory_is_there != MEMORY_IS_THERE) {
        memset(memory, 0, sizeof memory);
        if (memory_file > 0)
            (void)host_move(0x06, memory_file, 0, memory, sizeof memory);
        memory_is_there = MEMORY_IS_THERE;
    }
    what->start(&BOARD, serial, now_ms());
    if (restarted == RESTARTED) {
        restarted = 0;
        tell_world("ok\n");
    }
    for (;;) {
        what->link->now = now_ms();
        while (next(&line, &byte))
            device_heard(what->link, byte);
        hear_world();
        what->tick(now_ms());
        __asm__ volatile("cpsid i");
        if (line.got == line.put && world.got == world.put)
            __asm__ volatile("wfi");
        __asm__ volatile("cpsie i");
    }
}

extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];

void reset(void)
{
    size_t n;
    for (n = 0; n < (size_t)(data_end - data_begin); n++)
        data_begin[n] = data_from[n];
    for (n = 0; n < (size_t)(bss_end - bss_begin); n++)
        bss_begin[n] = 0;
    TIMER_RELOAD = TIMER_VALUE = 0xFFFFFFFFu;
    TIMER_CONTROL = 1u;
    ticked = TIMER_VALUE;
    UART0->divider = UART1->divider = 16u;
    UART0->control = UART1->control = 0x0Bu; /* send, hear, tell what is heard */
    SYSTICK_RELOAD = 25000u - 1u;
    SYSTICK_CONTROL = 7u;
    NVIC_ENABLE = 0x5u; /* what UART0 and UART1 hear */
    (void)main();
}

static void stop(void)
{
    for (;;) {
    }
}

typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const vector VECTORS[16 + 4] = {
    (vector)stack_top, reset, stop, stop, stop, stop, stop, 0, 0, 0, 0, stop, stop, 0, stop, on_tick,
    on_uart0, stop, on_uart1, stop,
};
