/* The reference shoe as an Arduino library. A small AVR has no room for the ring and the commands of the link that it must
 * remember: an ATmega2560 (8 kB of RAM) holds it with a ring of 2 kB, an ATmega328 (2 kB) does not. */
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
