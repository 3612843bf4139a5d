/* The smallest board that links: it shows what a port has to lend, and lets the size of the firmware be measured.
 * Registers are of no real part; a port replaces this file. */
#include "device_link.h"
#ifdef BOARD_shoe
#include "shoe.h"
static shoe the_device;
#define START(now) shoe_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) device_tick(&the_device.link, now)
#else
#include "wheel.h"
static wheel the_device;
#define START(now) wheel_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) wheel_tick(&the_device, now)
#endif

#define UART_DATA (*(volatile uint32_t *)0x40013804u)
#define UART_STATUS (*(volatile uint32_t *)0x40013800u)
#define MILLISECONDS (*(volatile uint32_t *)0x40000024u)
#define NOISE (*(volatile uint32_t *)0x40025008u)
#define KEPT ((volatile uint8_t *)0x60000000u) /* a memory that needs no power, mapped */

static void board_send(void *board, const uint8_t *bytes, size_t length)
{
    (void)board;
    while (length--) {
        while (!(UART_STATUS & 0x80u)) {
        }
        UART_DATA = *bytes++;
    }
}

static size_t board_room(void *board)
{
    (void)board;
    return 2u * TL_WINDOW_BYTES; /* it waits; a port with a queue tells what is free in it */
}

static uint32_t board_draw(void *board)
{
    (void)board;
    return NOISE;
}

static bool board_load(void *board, size_t at, void *to, size_t length)
{
    uint8_t *into = to;
    (void)board;
    while (length--)
        *into++ = KEPT[at++];
    return true;
}

static void board_save(void *board, size_t at, const void *from, size_t length)
{
    const uint8_t *out = from;
    (void)board;
    while (length--)
        KEPT[at++] = *out++;
}

static const device_board BOARD = {board_send, board_room, board_draw, board_load, board_save};

int main(void)
{
    START(MILLISECONDS);
    for (;;) {
        if (UART_STATUS & 0x20u)
            device_heard(&the_device.link, (uint8_t)UART_DATA);
        TICK(MILLISECONDS);
    }
}
