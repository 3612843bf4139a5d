/* The reference shoe as an Arduino library; examples/Shoe is a sketch for the Mega 2560. Of Arduino's AVR boards only those
 * with an ATmega2560 (8 kB of RAM) hold it, with a ring of 2 kB; an Uno (2 kB) or a Leonardo (2.5 kB) does not. The other four
 * devices must hold more than any of these boards has: take an ARM board for them. */
#ifndef TABLE_DEVICE_H
#define TABLE_DEVICE_H

#ifndef DEVICE_RING_BYTES
#define DEVICE_RING_BYTES 2048u
#endif
#ifndef DEVICE_LONGEST
#define DEVICE_LONGEST 135u /* SHOE_LONGEST_SENT */
#endif

#ifdef __cplusplus
extern "C" {
#endif
#include "../shoe.h"
#ifdef __cplusplus
}
#endif

#endif
