/* The smallest board that links: it shows what a port has to lend, and lets the size of the firmware be measured.
 * Registers are of no real part; a port replaces this file. */
#include "device_link.h"
#ifdef BOARD_shoe
#include "shoe.h"
static shoe the_device;
#define START(now) shoe_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) device_tick(&the_device.link, now)
#elif defined BOARD_chips
#include "chips.h"
static chips_mat the_device;
#define START(now) chips_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) chips_tick(&the_device, now)
#elif defined BOARD_cards
#include "cards.h"
static cards_felt the_device;
#define START(now) cards_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) cards_tick(&the_device, now)
#elif defined BOARD_shuffler
#include "shuffler.h"
static shuffler the_device;
#define START(now) shuffler_start(&the_device, &BOARD, NULL, "UNSET", now)
#define TICK(now) shuffler_tick(&the_device, now)
#else
#define BOARD_wheel_ring
#include "wheel_ring.h"
static wheel the_device;
static wheel_ring the_ring;
static uint16_t counted;
#define START(now) \
    (wheel_start(&the_device, &BOARD, NULL, "UNSET", now), wheel_ring_start(&the_ring, &the_device, TICKS))
#define TICK(now) (wheel_tick(&the_device, now), look())
#endif

#define UART_DATA (*(volatile uint32_t *)0x40013804u)
#define UART_STATUS (*(volatile uint32_t *)0x40013800u)
#define MILLISECONDS (*(volatile uint32_t *)0x40000024u)
#define TICKS (*(volatile uint32_t *)0x40000424u) /* of 20 us */
#define QUADRATURE (*(volatile uint16_t *)0x40000824u) /* a timer that counts the ring */
#define SEEN (*(volatile uint32_t *)0x40000C24u) /* bit 0: index mark, bit 1: a peg left; cleared by reading */
#define BENT (*(volatile uint8_t *)0x40012440u) /* the indicator, 0 to 100 */
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

#ifdef BOARD_wheel_ring
static void look(void)
{
    uint16_t count = QUADRATURE;
    uint32_t seen = SEEN;
    the_ring.deflection = BENT;
    wheel_ring_moved(&the_ring, TICKS, (int16_t)(uint16_t)(count - counted));
    counted = count;
    if (seen & 1u)
        wheel_ring_index(&the_ring);
    if (seen & 2u)
        wheel_ring_peg(&the_ring);
    wheel_ring_tick(&the_ring, TICKS);
}
#endif

int main(void)
{
    START(MILLISECONDS);
    for (;;) {
        if (UART_STATUS & 0x20u)
            device_heard(&the_device.link, (uint8_t)UART_DATA);
        TICK(MILLISECONDS);
    }
}
