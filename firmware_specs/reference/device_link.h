/* The device end of the link, for any device and any board: events that are held until the host has them on disk,
 * commands done once, outputs that fall back by themselves. What each part must do is in firmware_specs/README.md.
 *
 * The board calls device_start once, device_heard for every byte that comes, and device_tick at least every 10 ms;
 * all from one place, never from an interrupt. */
#ifndef DEVICE_LINK_H
#define DEVICE_LINK_H

#include "../table_link.h"

#ifndef DEVICE_RING_BYTES
#define DEVICE_RING_BYTES 8192u /* room for held events */
#endif
#ifndef DEVICE_LONGEST
#define DEVICE_LONGEST TL_MAX_CONTENT /* the longest content this device sends */
#endif
#ifndef DEVICE_LONGEST_HEARD
#define DEVICE_LONGEST_HEARD 64u /* the longest content it must understand to its end */
#endif
#if DEVICE_LONGEST_HEARD < 37 /* PAIR; what is known of HELLO is shorter */
#error "DEVICE_LONGEST_HEARD must hold a PAIR"
#endif
#if DEVICE_LONGEST < 135 /* an IDENTITY with long names and a proof */
#error "DEVICE_LONGEST must hold an IDENTITY"
#endif
#ifndef DEVICE_CAN_SEAL
#define DEVICE_CAN_SEAL 1 /* 0 leaves sealed sessions out */
#endif
#if DEVICE_CAN_SEAL
#define DEVICE_SEAL_BYTES TL_SEAL_BYTES
#else
#define DEVICE_SEAL_BYTES 0u
#endif
#define DEVICE_KEPT_BYTES 40u /* of a command's result or refusal */
#define DEVICE_OWN_WORDS 4u
#define DEVICE_RECORD_EXTRA 7u /* length, message id and check sum around a body in the ring */

/* Beside the TL_ statuses of a command: it is being done, device_finish will answer it. */
#define DEVICE_DOING 0xFFu

/* What is fixed about this device. */
typedef struct {
    uint8_t code;
    uint16_t spec_version;
    uint8_t digest[8];
    uint32_t capabilities;
    uint32_t beat_ms;
    uint32_t silence_ms;
    const char *firmware;
} device_facts;

typedef struct {
    uint8_t length;
    uint8_t body[DEVICE_KEPT_BYTES];
} device_reply;

/* What the device does apart from talking. */
typedef struct {
    /* Act once. TL_DONE with the result's body, TL_REFUSED or TL_FAILED with device_reason, or DEVICE_DOING. */
    uint8_t (*command)(void *own, uint32_t id, uint8_t message, const uint8_t *body, size_t length, device_reply *reply);
    /* Look whether these outputs are in range and, when told to, make them so; negative, with nothing changed, when
     * they are not. */
    int (*set)(void *own, const uint8_t *body, size_t length, bool make);
    /* The shortest hold among outputs that are not safe, UINT32_MAX when all are. */
    uint32_t (*hold_ms)(void *own);
    /* Put to safe what has been held that long; UINT32_MAX is power-up. */
    void (*fall_back)(void *own, uint32_t silent_ms);
} device_behaviour;

/* What the board lends. The memory keeps its bytes without power; `save` returns once they are kept. */
typedef struct {
    void (*send)(void *board, const uint8_t *bytes, size_t length);
    size_t (*room)(void *board); /* bytes that `send` takes now without waiting */
    uint32_t (*draw)(void *board); /* a random number */
    bool (*load)(void *board, size_t at, void *to, size_t length);
    void (*save)(void *board, size_t at, const void *from, size_t length);
} device_board;

/* Kept without power in two copies that say the same, of which one is whole at any moment. */
typedef struct {
    uint32_t magic;
    uint32_t generation;
    uint32_t epoch;
    uint32_t oldest; /* number of the oldest event held */
    uint32_t next; /* number of the next event */
    uint32_t tail; /* where the oldest lies in the ring */
    uint32_t used; /* bytes of the ring in use */
    uint32_t own[DEVICE_OWN_WORDS]; /* the device's own counters; kept together with the next event */
    uint32_t crc;
} device_head;

/* A command remembered, kept twice: as begun and as answered. */
typedef struct {
    uint32_t epoch;
    uint32_t sequence; /* from 1; 0 is an empty place */
    uint32_t id;
    uint8_t status;
    uint8_t length;
    uint8_t body[DEVICE_KEPT_BYTES];
    uint16_t spare;
    uint32_t crc;
} device_command;

/* The key of a paired device: not lost with the events. */
typedef struct {
    uint32_t magic;
    uint8_t key[TL_KEY_BYTES];
    uint32_t crc;
} device_key;

#define DEVICE_COMMANDS_AT (2u * sizeof(device_head))
#define DEVICE_RING_AT (DEVICE_COMMANDS_AT + 2u * TL_COMMANDS_REMEMBERED * sizeof(device_command))
#define DEVICE_KEY_AT (DEVICE_RING_AT + DEVICE_RING_BYTES)
#define DEVICE_MEMORY_BYTES (DEVICE_KEY_AT + 2u * sizeof(device_key))

typedef struct {
    const device_facts *facts;
    const device_behaviour *behaviour;
    const device_board *board;
    void *own;
    void *on_board;
    const char *serial;
    uint32_t now;
    /* memory */
    device_head head;
    device_command commands[TL_COMMANDS_REMEMBERED];
    uint32_t sequence;
    uint8_t ring[DEVICE_RING_BYTES];
    bool paired;
    uint8_t key[TL_KEY_BYTES];
    /* session */
    bool asked; /* a HELLO was answered, and its session is not over */
    tl_hello hello;
    uint8_t challenge[TL_CHALLENGE_BYTES];
    uint32_t boot;
    uint32_t nonce; /* of the host's HELLO, 0 without a session */
    bool flowing; /* the host has accepted us */
#if DEVICE_CAN_SEAL
    bool sealed;
    uint8_t seal_key[TL_KEY_BYTES];
    uint32_t seals_sent;
    uint32_t seals_taken;
#endif
    uint32_t received;
    uint32_t cursor; /* the next event to send */
    uint32_t flying; /* bytes in flight */
    uint32_t resend_at;
    uint32_t resend_wait;
    bool has_revision;
    uint16_t revision;
    uint32_t heard_at;
    uint32_t ruled_at; /* the last valid ACK, COMMAND or SET */
    uint32_t sent_at;
    bool has_announced;
    uint32_t announced_at;
    uint32_t bad, unknown, stale, resends; /* counted, for service */
    tl_receiver receiver;
    uint8_t heard[DEVICE_LONGEST_HEARD + DEVICE_SEAL_BYTES + TL_CRC_BYTES];
    uint8_t content[DEVICE_LONGEST + DEVICE_SEAL_BYTES + TL_CRC_BYTES];
    uint8_t frame[TL_STUFFED(DEVICE_LONGEST + DEVICE_SEAL_BYTES)];
} device;

/* Power on. True when events and counters of before are still there. */
bool device_start(device *device, const device_facts *facts, const device_behaviour *behaviour,
                  const device_board *board, void *own, void *on_board, const char *serial, uint32_t now);
void device_heard(device *device, uint8_t byte);
void device_tick(device *device, uint32_t now);

/* Number an event and keep it; it has happened once this returns. The number, or 0 when it is too long. */
uint32_t device_post(device *device, uint8_t message, const uint8_t *body, size_t length);
/* Show something; lost when nobody listens. */
void device_live(device *device, uint8_t message, const uint8_t *body, size_t length);
/* Answer a command that was DEVICE_DOING. */
void device_finish(device *device, uint32_t id, uint8_t status, const device_reply *reply);
/* Bytes of the ring that are free; stop what makes events before they run out. */
size_t device_free(const device *device);
/* Lose everything held, as an empty memory does; the epoch tells the host. */
void device_forget(device *device);
/* Keep the device's own counters now, without an event. */
void device_keep(device *device);
/* Clear the key by hand, inside the case. */
void device_unpair(device *device);
/* A reason for a refusal, cut to what is kept. */
void device_reason(device_reply *reply, const char *text);

#endif
