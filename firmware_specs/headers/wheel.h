/* Wheel sensor: the messages on its wire. Generated from firmware_specs/wheel.toml by tablectl spec header wheel;
 * do not edit. */
#ifndef TABLE_WHEEL_H
#define TABLE_WHEEL_H

#ifndef TABLE_LINK_H
#define TABLE_LINK_H
/* The link that all devices share: frames, check sum and the link's own messages; firmware_specs/README.md tells the
 * rest. C99, no allocation, no library beyond memcpy; whatever is not called costs nothing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TL_LINK_VERSION 1u
#define TL_MAX_CONTENT 1024u /* kind and body */
#define TL_CRC_BYTES 4u
#define TL_HEAD_BYTES 6u /* kind, number or command id, message id or status */

/* How many bytes a content of so many bytes takes on the wire at most: COBS, check sum, closing zero. */
#define TL_STUFFED(content) ((content) + TL_CRC_BYTES + ((content) + TL_CRC_BYTES) / 254u + 2u)

/* host to device */
#define TL_HELLO 0x01u
#define TL_ACK 0x02u
#define TL_COMMAND 0x03u
#define TL_SET 0x04u
#define TL_PROOF 0x05u
#define TL_PAIR 0x06u
#define TL_SEALED 0x07u
/* device to host */
#define TL_IDENTITY 0x81u
#define TL_EVENT 0x82u
#define TL_RESULT 0x83u
#define TL_LIVE 0x84u
#define TL_APPLIED 0x85u
#define TL_BEAT 0x86u
#define TL_SEALED_BACK 0x87u

#define TL_WINDOW_EVENTS 32u /* events in flight that the host has not received yet */
#define TL_WINDOW_BYTES 2048u /* and their bytes on the wire */
#define TL_RESEND_MS 250u /* first wait before going back; it doubles */
#define TL_RESEND_MOST_MS 2000u
#define TL_ANNOUNCE_AGAIN_MS 250u /* stray frames are answered no more often than this */
#define TL_COMMANDS_REMEMBERED 32u
#define TL_REASON_BYTES 200u
#define TL_NAME_BYTES 32u /* serial number and firmware version */
#define TL_CHALLENGE_BYTES 16u /* pairing */
#define TL_PROOF_BYTES 16u
#define TL_KEY_BYTES 32u
#define TL_TAG_BYTES 8u /* sealed sessions */
#define TL_SEAL_HEAD 5u /* kind and counter before the content that is sealed */
#define TL_SEAL_BYTES (TL_SEAL_HEAD + TL_TAG_BYTES)
#define TL_CAN_SEAL 0x80000000u /* the capability of every device that can */
#define TL_LAST_NUMBER 0xFFFFFFFEu /* of an event in an epoch; behind it a new epoch begins */

/* how a command ended */
#define TL_DONE 0u
#define TL_REFUSED 1u
#define TL_FAILED 2u

/* A card is one byte: 0 for none, else 1 + 13 * suit + rank; 1 is the two of spades, 52 the ace of clubs. */
#define TL_NO_CARD 0u
#define TL_SPADES 0u
#define TL_HEARTS 1u
#define TL_DIAMONDS 2u
#define TL_CLUBS 3u
#define TL_TWO 0u /* the ranks follow: three is 1, ten 8, jack 9, queen 10, king 11 */
#define TL_ACE 12u
#define TL_CARD(suit, rank) ((uint8_t)(1u + 13u * (suit) + (rank)))

/* why a message was not encoded or decoded */
#define TL_OUT_OF_RANGE (-1)
#define TL_NO_ROOM (-2)
#define TL_WRONG_LENGTH (-3)
#define TL_NOT_TEXT (-4)

/* --- integers, little-endian --------------------------------------------------------------------- */

static inline uint8_t *tl_put16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    return to + 2;
}

static inline uint8_t *tl_put32(uint8_t *to, uint32_t value)
{
    return tl_put16(tl_put16(to, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint8_t *tl_put64(uint8_t *to, uint64_t value)
{
    return tl_put32(tl_put32(to, (uint32_t)value), (uint32_t)(value >> 32));
}

static inline uint16_t tl_get16(const uint8_t *from)
{
    return (uint16_t)(from[0] | (uint16_t)((uint16_t)from[1] << 8));
}

static inline uint32_t tl_get32(const uint8_t *from)
{
    return (uint32_t)tl_get16(from) | ((uint32_t)tl_get16(from + 2) << 16);
}

static inline uint64_t tl_get64(const uint8_t *from)
{
    return (uint64_t)tl_get32(from) | ((uint64_t)tl_get32(from + 4) << 32);
}

/* --- text ---------------------------------------------------------------------------------------- */

/* Whether these bytes are UTF-8 without surrogates and without needlessly long forms. */
static inline bool tl_is_text(const uint8_t *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint8_t first = text[at++];
        uint8_t low = 0x80, high = 0xBF;
        size_t more;
        if (first < 0x80)
            continue;
        if (first >= 0xC2 && first <= 0xDF)
            more = 1;
        else if (first >= 0xE0 && first <= 0xEF)
            more = 2;
        else if (first >= 0xF0 && first <= 0xF4)
            more = 3;
        else
            return false;
        if (first == 0xE0)
            low = 0xA0;
        else if (first == 0xED)
            high = 0x9F;
        else if (first == 0xF0)
            low = 0x90;
        else if (first == 0xF4)
            high = 0x8F;
        while (more--) {
            if (at == length || text[at] < low || text[at] > high)
                return false;
            low = 0x80;
            high = 0xBF;
            at++;
        }
    }
    return true;
}

/* --- check sum and frames ------------------------------------------------------------------------ */

/* CRC-32, reflected, polynomial EDB88320; begin with 0 and feed the last answer back to go on. */
static inline uint32_t tl_crc32(uint32_t crc, const uint8_t *bytes, size_t length)
{
    static const uint32_t nibble[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    crc = ~crc;
    while (length--) {
        crc ^= *bytes++;
        crc = (crc >> 4) ^ nibble[crc & 15u];
        crc = (crc >> 4) ^ nibble[crc & 15u];
    }
    return ~crc;
}

/* The frame of a content that lies in `content` with four bytes to spare behind it, where the check sum is put.
 * Returns the bytes written to `frame`, closing zero included, or 0 when the room is too small. */
static inline size_t tl_frame(uint8_t *frame, size_t room, uint8_t *content, size_t length)
{
    size_t code_at = 0, at = 1, from;
    uint8_t run = 1;
    if (length == 0 || length > TL_MAX_CONTENT || room < TL_STUFFED(length))
        return 0;
    tl_put32(content + length, tl_crc32(0, content, length));
    length += TL_CRC_BYTES;
    for (from = 0; from < length; from++) {
        if (content[from] != 0) {
            frame[at++] = content[from];
            run++;
            if (run != 0xFF || from + 1 == length)
                continue;
        }
        frame[code_at] = run;
        code_at = at++;
        run = 1;
    }
    frame[code_at] = run;
    frame[at++] = 0;
    return at;
}

/* What the check sum over a content and its own check sum always comes to. */
#define TL_CRC_RESIDUE 0x2144DF1Cu

/* Takes a line byte by byte. `content` belongs to the caller and keeps the first `room` bytes of kind, body and check
 * sum. A frame may be longer than that: the check sum is made while it comes, so that it is still known to be sound, and
 * its beginning can be understood. Whoever reads `content` looks at no more than `tl_kept` bytes of it. */
typedef struct {
    uint8_t *content;
    size_t room;
    size_t length; /* bytes that came, kept or not */
    uint32_t crc;
    uint8_t code; /* of the COBS block under way, 0 before the first */
    uint8_t left; /* bytes still to come in it */
    bool skipping; /* until the next zero */
    uint32_t good;
    uint32_t damaged;
    uint32_t overlong;
} tl_receiver;

static inline void tl_receiver_reset(tl_receiver *receiver)
{
    receiver->length = 0;
    receiver->crc = 0;
    receiver->code = 0;
    receiver->left = 0;
    receiver->skipping = false;
}

static inline void tl_receiver_init(tl_receiver *receiver, uint8_t *content, size_t room)
{
    memset(receiver, 0, sizeof *receiver);
    receiver->content = content;
    receiver->room = room;
}

/* How much of a content of this length was kept. */
static inline size_t tl_kept(const tl_receiver *receiver, size_t length)
{
    return length < receiver->room ? length : receiver->room;
}

static inline void tl_receiver_keep(tl_receiver *receiver, uint8_t byte)
{
    if (receiver->length == TL_MAX_CONTENT + TL_CRC_BYTES) {
        receiver->skipping = true;
        receiver->overlong++;
        return;
    }
    if (receiver->length < receiver->room)
        receiver->content[receiver->length] = byte;
    receiver->length++;
    receiver->crc = tl_crc32(receiver->crc, &byte, 1);
}

/* One byte from the line. Returns the length of kind and body when it made a whole, sound frame, else 0. */
static inline size_t tl_receive(tl_receiver *receiver, uint8_t byte)
{
    if (byte == 0) {
        size_t length = receiver->length;
        bool nothing = receiver->code == 0 || receiver->skipping;
        bool torn = receiver->left != 0 || length <= TL_CRC_BYTES || receiver->crc != TL_CRC_RESIDUE;
        tl_receiver_reset(receiver);
        if (nothing)
            return 0;
        if (torn) {
            receiver->damaged++;
            return 0;
        }
        receiver->good++;
        return length - TL_CRC_BYTES;
    }
    if (receiver->skipping)
        return 0;
    if (receiver->left == 0) {
        if (receiver->code != 0 && receiver->code != 0xFF)
            tl_receiver_keep(receiver, 0);
        receiver->code = byte;
        receiver->left = (uint8_t)(byte - 1);
        return 0;
    }
    receiver->left--;
    tl_receiver_keep(receiver, byte);
    return 0;
}

/* --- the link's own messages --------------------------------------------------------------------- */

typedef struct {
    uint8_t link_version;
    uint32_t nonce; /* not 0 */
    uint32_t epoch; /* a hint at the last event the host holds, 0 and 0 when none */
    uint32_t number;
    bool challenged; /* the host asks for proof of a key */
    uint8_t challenge[TL_CHALLENGE_BYTES];
} tl_hello;

#define TL_HELLO_BYTES 14u /* and a challenge; a later version may add more, which is passed over */

static inline int tl_hello_encode(const tl_hello *hello, uint8_t *content, size_t room)
{
    size_t length = TL_HELLO_BYTES + (hello->challenged ? TL_CHALLENGE_BYTES : 0u);
    if (hello->nonce == 0)
        return TL_OUT_OF_RANGE;
    if (room < length)
        return TL_NO_ROOM;
    content[0] = TL_HELLO;
    content[1] = hello->link_version;
    tl_put32(tl_put32(tl_put32(content + 2, hello->nonce), hello->epoch), hello->number);
    if (hello->challenged)
        memcpy(content + TL_HELLO_BYTES, hello->challenge, TL_CHALLENGE_BYTES);
    return (int)length;
}

static inline int tl_hello_decode(tl_hello *hello, const uint8_t *content, size_t length)
{
    static const uint8_t none[TL_CHALLENGE_BYTES] = {0};
    if (length < TL_HELLO_BYTES)
        return TL_WRONG_LENGTH;
    memset(hello->challenge, 0, TL_CHALLENGE_BYTES);
    if (length >= TL_HELLO_BYTES + TL_CHALLENGE_BYTES)
        memcpy(hello->challenge, content + TL_HELLO_BYTES, TL_CHALLENGE_BYTES);
    hello->challenged = memcmp(hello->challenge, none, TL_CHALLENGE_BYTES) != 0;
    hello->link_version = content[1];
    hello->nonce = tl_get32(content + 2);
    hello->epoch = tl_get32(content + 6);
    hello->number = tl_get32(content + 10);
    return hello->nonce == 0 ? TL_OUT_OF_RANGE : 0;
}

typedef struct {
    uint32_t epoch;
    uint32_t received; /* do not repeat up to here */
    uint32_t durable; /* forget up to here */
    bool resend; /* go back to received + 1 now */
} tl_ack;

#define TL_ACK_BYTES 14u

static inline int tl_ack_encode(const tl_ack *ack, uint8_t *content, size_t room)
{
    if (ack->durable > ack->received)
        return TL_OUT_OF_RANGE;
    if (room < TL_ACK_BYTES)
        return TL_NO_ROOM;
    content[0] = TL_ACK;
    *tl_put32(tl_put32(tl_put32(content + 1, ack->epoch), ack->received), ack->durable) = ack->resend ? 1 : 0;
    return (int)TL_ACK_BYTES;
}

static inline int tl_ack_decode(tl_ack *ack, const uint8_t *content, size_t length)
{
    if (length != TL_ACK_BYTES)
        return TL_WRONG_LENGTH;
    ack->epoch = tl_get32(content + 1);
    ack->received = tl_get32(content + 5);
    ack->durable = tl_get32(content + 9);
    ack->resend = content[13] == 1;
    return ack->durable > ack->received || content[13] > 1 ? TL_OUT_OF_RANGE : 0;
}

typedef struct {
    uint8_t link_version;
    uint32_t nonce; /* of the HELLO it answers, 0 when it announces itself */
    uint8_t code;
    uint16_t spec_version;
    uint8_t digest[8];
    uint32_t capabilities;
    uint32_t boot;
    uint32_t epoch; /* not 0 */
    uint32_t oldest; /* number of the oldest event still held, `next` when none is */
    uint32_t next; /* number that the next event will get */
    uint8_t serial_length;
    uint8_t serial[TL_NAME_BYTES];
    uint8_t firmware_length;
    uint8_t firmware[TL_NAME_BYTES];
} tl_identity; /* without the challenge and proof of a paired device, which follow it */

#define TL_IDENTITY_FIXED 37u
#define TL_IDENTITY_MOST (TL_IDENTITY_FIXED + 2u + 2u * TL_NAME_BYTES)

static inline int tl_identity_encode(const tl_identity *identity, uint8_t *content, size_t room)
{
    size_t length = TL_IDENTITY_FIXED + 2u + identity->serial_length + identity->firmware_length;
    uint8_t *to = content;
    if (identity->serial_length == 0 || identity->serial_length > TL_NAME_BYTES ||
        identity->firmware_length > TL_NAME_BYTES || identity->epoch == 0 || identity->oldest == 0 ||
        identity->oldest > identity->next)
        return TL_OUT_OF_RANGE;
    if (room < length)
        return TL_NO_ROOM;
    *to++ = TL_IDENTITY;
    *to++ = identity->link_version;
    to = tl_put32(to, identity->nonce);
    *to++ = identity->code;
    to = tl_put16(to, identity->spec_version);
    memcpy(to, identity->digest, 8);
    to = tl_put32(to + 8, identity->capabilities);
    to = tl_put32(to, identity->boot);
    to = tl_put32(to, identity->epoch);
    to = tl_put32(to, identity->oldest);
    to = tl_put32(to, identity->next);
    *to++ = identity->serial_length;
    memcpy(to, identity->serial, identity->serial_length);
    to += identity->serial_length;
    *to++ = identity->firmware_length;
    memcpy(to, identity->firmware, identity->firmware_length);
    return (int)length;
}

static inline int tl_identity_decode(tl_identity *identity, const uint8_t *content, size_t length)
{
    const uint8_t *from = content + 1, *end = content + length;
    if (length < TL_IDENTITY_FIXED + 2u)
        return TL_WRONG_LENGTH;
    identity->link_version = *from++;
    identity->nonce = tl_get32(from);
    identity->code = from[4];
    identity->spec_version = tl_get16(from + 5);
    memcpy(identity->digest, from + 7, 8);
    identity->capabilities = tl_get32(from + 15);
    identity->boot = tl_get32(from + 19);
    identity->epoch = tl_get32(from + 23);
    identity->oldest = tl_get32(from + 27);
    identity->next = tl_get32(from + 31);
    from = content + TL_IDENTITY_FIXED;
    identity->serial_length = *from++;
    if (identity->serial_length == 0 || identity->serial_length > TL_NAME_BYTES)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < identity->serial_length + 1u)
        return TL_WRONG_LENGTH;
    memcpy(identity->serial, from, identity->serial_length);
    from += identity->serial_length;
    identity->firmware_length = *from++;
    if (identity->firmware_length > TL_NAME_BYTES)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < identity->firmware_length)
        return TL_WRONG_LENGTH;
    memcpy(identity->firmware, from, identity->firmware_length);
    from += identity->firmware_length;
    /* What follows is challenge and proof of a paired device, and what later versions may add: passed over here. */
    if (!tl_is_text(identity->serial, identity->serial_length) ||
        !tl_is_text(identity->firmware, identity->firmware_length))
        return TL_NOT_TEXT;
    if (identity->epoch == 0 || identity->oldest == 0 || identity->oldest > identity->next)
        return TL_OUT_OF_RANGE;
    return 0;
}

/* The head of EVENT (number, message id), COMMAND (id, message id) and RESULT (command id, status). */
static inline uint8_t *tl_head(uint8_t *content, uint8_t kind, uint32_t number, uint8_t message)
{
    content[0] = kind;
    content[5] = message;
    tl_put32(content + 1, number);
    return content + TL_HEAD_BYTES;
}

/* The head of SET and APPLIED. */
static inline uint8_t *tl_head_set(uint8_t *content, uint8_t kind, uint16_t revision)
{
    content[0] = kind;
    return tl_put16(content + 1, revision);
}

/* --- pairing ------------------------------------------------------------------------------------- */

/* Keyed BLAKE2s (RFC 7693) with a key of 32 bytes and a digest of 16; fed piece by piece. */
typedef struct {
    uint32_t state[8];
    uint32_t counted;
    uint8_t block[64];
    uint8_t filled;
} tl_mac;

static inline uint32_t tl_turn(uint32_t value, unsigned by)
{
    return (value >> by) | (value << (32u - by));
}

static inline void tl_mac_mix(uint32_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint32_t x, uint32_t y)
{
    v[a] += v[b] + x;
    v[d] = tl_turn(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = tl_turn(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = tl_turn(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = tl_turn(v[b] ^ v[c], 7);
}

static inline uint32_t tl_mac_start(unsigned n)
{
    static const uint32_t start[8] = {
        0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au, 0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
    };
    return start[n];
}

static inline void tl_mac_compress(tl_mac *mac, bool last)
{
    static const uint8_t order[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    };
    uint32_t v[16], words[16];
    unsigned n, round;
    for (n = 0; n < 8; n++) {
        v[n] = mac->state[n];
        v[n + 8] = tl_mac_start(n);
    }
    for (n = 0; n < 16; n++)
        words[n] = tl_get32(mac->block + 4u * n);
    v[12] ^= mac->counted;
    if (last)
        v[14] = ~v[14];
    for (round = 0; round < 10; round++) {
        const uint8_t *s = order[round];
        for (n = 0; n < 4; n++)
            tl_mac_mix(v, n, n + 4u, n + 8u, n + 12u, words[s[2u * n]], words[s[2u * n + 1u]]);
        for (n = 0; n < 4; n++)
            tl_mac_mix(v, n, 4u + (n + 1u) % 4u, 8u + (n + 2u) % 4u, 12u + (n + 3u) % 4u, words[s[8u + 2u * n]],
                       words[s[9u + 2u * n]]);
    }
    for (n = 0; n < 8; n++)
        mac->state[n] ^= v[n] ^ v[n + 8];
}

static inline void tl_mac_add(tl_mac *mac, const void *bytes, size_t length)
{
    const uint8_t *from = (const uint8_t *)bytes;
    while (length--) {
        if (mac->filled == sizeof mac->block) { /* the last block waits, because it is compressed differently */
            mac->counted += (uint32_t)sizeof mac->block;
            tl_mac_compress(mac, false);
            mac->filled = 0;
        }
        mac->block[mac->filled++] = *from++;
    }
}

static inline void tl_mac_begin(tl_mac *mac, const uint8_t key[TL_KEY_BYTES])
{
    static const uint8_t nothing[64 - TL_KEY_BYTES] = {0};
    unsigned n;
    memset(mac, 0, sizeof *mac);
    for (n = 0; n < 8; n++)
        mac->state[n] = tl_mac_start(n);
    mac->state[0] ^= 0x01010000u | (TL_KEY_BYTES << 8) | TL_PROOF_BYTES;
    tl_mac_add(mac, key, TL_KEY_BYTES);
    tl_mac_add(mac, nothing, sizeof nothing);
}

static inline void tl_mac_end(tl_mac *mac, uint8_t proof[TL_PROOF_BYTES])
{
    uint8_t whole[32];
    unsigned n;
    mac->counted += mac->filled;
    memset(mac->block + mac->filled, 0, sizeof mac->block - mac->filled);
    tl_mac_compress(mac, true);
    for (n = 0; n < 8; n++)
        tl_put32(whole + 4u * n, mac->state[n]);
    memcpy(proof, whole, TL_PROOF_BYTES);
}

/* The tag of a sealed content: `way` is 'h' from the host, 'd' from the device. */
static inline void tl_tag(const uint8_t key[TL_KEY_BYTES], char way, const uint8_t counter[4], const uint8_t *content,
                          size_t length, uint8_t tag[TL_TAG_BYTES])
{
    uint8_t whole[TL_PROOF_BYTES];
    tl_mac mac;
    tl_mac_begin(&mac, key);
    tl_mac_add(&mac, &way, 1);
    tl_mac_add(&mac, counter, 4);
    tl_mac_add(&mac, content, length);
    tl_mac_end(&mac, whole);
    memcpy(tag, whole, TL_TAG_BYTES);
}

/* Compares in the same time whatever differs. */
static inline bool tl_same(const uint8_t *one, const uint8_t *other, size_t length)
{
    uint8_t different = 0;
    while (length--)
        different |= (uint8_t)(*one++ ^ *other++);
    return different == 0;
}

#endif /* TABLE_LINK_H */

/* --- Wheel sensor ---------------------------------------------------------------------------------- */

/* It is a quadrature ring on the wheel, an index mark once a turn, and the indicator's own deflection. */
/* The ring gives 8320 counts a turn, 160 for each of the 52 compartments (a pitch), which is fine against a dead
 * band of a tenth of a compartment. */
/* The sensor keeps a whole spin until the host has it durable. */
/* An index mark counts where the wheel goes further than it has been in this spin. Where it swings back over the
 * mark before it rests, or passes it again from there, the mark counts no second time; two signals on the way out
 * are two. */
/* The wheel rests when for one second its count has stayed within one count of where it stood at the beginning of
 * that second: a count that dithers between two neighbours is rest. Any other count begins the second anew. */
#define WHEEL_CODE 1u
#define WHEEL_SPEC_VERSION 1u
#define WHEEL_SPEC_DIGEST {0x7F, 0x10, 0xFF, 0x4D, 0x32, 0x17, 0x49, 0x30}
#define WHEEL_BEAT_MS 2000u
#define WHEEL_SILENCE_MS 6000u
/* it holds at least so many events, or so many bytes of them (message id and fields) */
#define WHEEL_LEAST_EVENTS 40u
#define WHEEL_LEAST_BYTES 4096u
#define WHEEL_CAN_DEFLECTION 0x00000001u /* the indicator's deflection is measured */
#define WHEEL_CAN_LAMP 0x00000002u /* has a lamp at the indicator */
#define WHEEL_EVENT_SPIN_STARTED 1u
#define WHEEL_EVENT_TURN_PASSED 2u
#define WHEEL_EVENT_SPIN_RESTED 3u
#define WHEEL_EVENT_MOVED 4u
#define WHEEL_LIVE_TURNING 1u
#define WHEEL_COMMAND_READ_ANGLE 1u
#define WHEEL_COMMAND_SELF_TEST 2u
#define WHEEL_COMMAND_REHOME 3u
/* the longest contents that are sent (refusals apart) and heard, to size buffers by */
#define WHEEL_LONGEST_SENT 460u
#define WHEEL_LONGEST_HEARD 37u
/* the longest result's fields, to size what is remembered of a command by */
#define WHEEL_LONGEST_RESULT 5u

/* Which way the wheel turns, seen from the players. */
#define WHEEL_SENSE_CLOCKWISE 1u /* the angle grows */
#define WHEEL_SENSE_ANTICLOCKWISE 2u /* the angle falls */

static inline bool wheel_sense_known(uint8_t value)
{
    return value == 1u || value == 2u;
}

/* What the lamp at the indicator shows. */
#define WHEEL_LAMP_OFF 0u /* dark */
#define WHEEL_LAMP_STEADY 1u /* a result stands */
#define WHEEL_LAMP_BLINKING 2u /* staff are asked to look */

static inline bool wheel_lamp_known(uint8_t value)
{
    return value <= 2u;
}

/* A spin is under way: a quarter turn made from the turning point, faster than 0.25 turns a second. */
typedef struct {
    uint32_t spin; /* number of the spin, counted by the sensor */
    uint16_t angle; /* [counts] rest angle before the spin, from the index mark */
    uint8_t sense; /* the launch sense (WHEEL_SENSE_...) */
    bool homed; /* the angle is counted from the index mark, not from where the power came on */
    uint16_t wound_back; /* [counts] how far the hand drew the wheel back first */
} wheel_spin_started;

#define WHEEL_SPIN_STARTED_LONGEST 10u

static inline int wheel_spin_started_encode(const wheel_spin_started *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 10u)
        return TL_NO_ROOM;
    if (from->spin == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->spin);
    if (from->angle > 8319)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, from->angle);
    if (!wheel_sense_known(from->sense))
        return TL_OUT_OF_RANGE;
    *to++ = from->sense;
    *to++ = (uint8_t)from->homed;
    to = tl_put16(to, from->wound_back);
    return (int)(to - body);
}

static inline int wheel_spin_started_decode(wheel_spin_started *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 10u)
        return TL_WRONG_LENGTH;
    to->spin = tl_get32(from);
    from += 4;
    if (to->spin == 0)
        return TL_OUT_OF_RANGE;
    to->angle = tl_get16(from);
    from += 2;
    if (to->angle > 8319)
        return TL_OUT_OF_RANGE;
    to->sense = *from;
    from += 1;
    if (!wheel_sense_known(to->sense))
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->homed = *from == 1;
    from += 1;
    to->wound_back = tl_get16(from);
    from += 2;
    return 0;
}

/* A full turn, net in the launch sense from the rest angle, with its evidence. */
typedef struct {
    uint32_t spin; /* number of the spin */
    uint8_t turn; /* which turn is complete now */
    uint16_t pitches_count;
    uint16_t pitches[52]; /* [20 us] time for each pitch of 160 counts; 65535 is that long or longer */
    int16_t index; /* [counts] the ring's angle at the index mark in this turn; 0 when the ring holds */
    uint8_t indexes; /* how often the index mark passed in this turn, on the way out */
    uint8_t ticks; /* pegs that left the indicator in this turn */
    uint8_t tick_phase; /* [counts] mean angle of those pegs within a pitch */
    uint8_t tick_spread; /* [counts] largest departure of one peg from that mean */
    uint8_t illegal; /* quadrature steps in which both channels changed, at most 255 */
} wheel_turn_passed;

#define WHEEL_TURN_PASSED_LONGEST 117u

static inline int wheel_turn_passed_encode(const wheel_turn_passed *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 13u;
    size_t n;
    if (from->pitches_count > 52u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->pitches_count * 2u;
    if (room < length)
        return TL_NO_ROOM;
    if (from->spin == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->spin);
    if (from->turn == 0)
        return TL_OUT_OF_RANGE;
    *to++ = from->turn;
    *to++ = (uint8_t)from->pitches_count;
    for (n = 0; n < from->pitches_count; n++) {
        if (from->pitches[n] == 0)
            return TL_OUT_OF_RANGE;
        to = tl_put16(to, from->pitches[n]);
    }
    if (from->index < -4160 || from->index > 4159)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, (uint16_t)from->index);
    *to++ = from->indexes;
    *to++ = from->ticks;
    if (from->tick_phase > 159)
        return TL_OUT_OF_RANGE;
    *to++ = from->tick_phase;
    *to++ = from->tick_spread;
    *to++ = from->illegal;
    return (int)(to - body);
}

static inline int wheel_turn_passed_decode(wheel_turn_passed *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 5u)
        return TL_WRONG_LENGTH;
    to->spin = tl_get32(from);
    from += 4;
    if (to->spin == 0)
        return TL_OUT_OF_RANGE;
    to->turn = *from;
    from += 1;
    if (to->turn == 0)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->pitches_count = *from;
    from += 1;
    if (to->pitches_count > 52u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->pitches_count * 2u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->pitches_count; n++) {
        to->pitches[n] = tl_get16(from);
        from += 2;
        if (to->pitches[n] == 0)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 7u)
        return TL_WRONG_LENGTH;
    to->index = (int16_t)tl_get16(from);
    from += 2;
    if (to->index < -4160 || to->index > 4159)
        return TL_OUT_OF_RANGE;
    to->indexes = *from;
    from += 1;
    to->ticks = *from;
    from += 1;
    to->tick_phase = *from;
    from += 1;
    if (to->tick_phase > 159)
        return TL_OUT_OF_RANGE;
    to->tick_spread = *from;
    from += 1;
    to->illegal = *from;
    from += 1;
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* The wheel stood still long enough; the rest of the evidence of this spin. */
typedef struct {
    uint32_t spin; /* number of the spin */
    uint8_t turns; /* full turns told before */
    bool gap; /* the sensor was off or blind for a part of the spin */
    uint16_t pitches_count;
    uint16_t pitches[51]; /* [20 us] time for each complete pitch after the last full turn */
    int32_t lowest; /* [counts] furthest against the launch sense, from the rest angle */
    int32_t peak; /* [counts] furthest in the launch sense, from the rest angle */
    int32_t rest; /* [counts] where it rests, in the launch sense, from the rest angle */
    uint16_t still; /* [ms] how long it has stood still */
    int16_t index; /* [counts] the ring's angle at the last index mark after the last full turn */
    uint8_t indexes; /* how often the index mark passed after the last full turn, on the way out */
    uint8_t ticks; /* pegs that left the indicator after the last full turn, forwards */
    uint8_t back_ticks; /* pegs that left it on the way back from the peak */
    uint8_t tick_phase; /* [counts] mean angle of the forward pegs within a pitch */
    uint8_t tick_spread; /* [counts] largest departure of one peg from that mean */
    uint8_t illegal; /* quadrature steps in which both channels changed, at most 255 */
    uint8_t stray; /* pegs and index marks seen after the ring had stopped */
    uint8_t deflection; /* [%] how far the indicator is bent at rest; it lets go at 100 */
    uint16_t approach_count;
    /* [counts] counts moved in each 20 ms of the last 3.2 s of motion, in the launch sense */
    int16_t approach[160];
} wheel_spin_rested;

#define WHEEL_SPIN_RESTED_LONGEST 454u

static inline int wheel_spin_rested_encode(const wheel_spin_rested *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 32u;
    size_t n;
    if (from->pitches_count > 51u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->pitches_count * 2u;
    if (from->approach_count > 160u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->approach_count * 2u;
    if (room < length)
        return TL_NO_ROOM;
    if (from->spin == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->spin);
    *to++ = from->turns;
    *to++ = (uint8_t)from->gap;
    *to++ = (uint8_t)from->pitches_count;
    for (n = 0; n < from->pitches_count; n++) {
        if (from->pitches[n] == 0)
            return TL_OUT_OF_RANGE;
        to = tl_put16(to, from->pitches[n]);
    }
    if (from->lowest > 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, (uint32_t)from->lowest);
    if (from->peak < 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, (uint32_t)from->peak);
    to = tl_put32(to, (uint32_t)from->rest);
    to = tl_put16(to, from->still);
    if (from->index < -4160 || from->index > 4159)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, (uint16_t)from->index);
    *to++ = from->indexes;
    *to++ = from->ticks;
    *to++ = from->back_ticks;
    if (from->tick_phase > 159)
        return TL_OUT_OF_RANGE;
    *to++ = from->tick_phase;
    *to++ = from->tick_spread;
    *to++ = from->illegal;
    *to++ = from->stray;
    if (from->deflection > 100)
        return TL_OUT_OF_RANGE;
    *to++ = from->deflection;
    *to++ = (uint8_t)from->approach_count;
    for (n = 0; n < from->approach_count; n++) {
        to = tl_put16(to, (uint16_t)from->approach[n]);
    }
    return (int)(to - body);
}

static inline int wheel_spin_rested_decode(wheel_spin_rested *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 6u)
        return TL_WRONG_LENGTH;
    to->spin = tl_get32(from);
    from += 4;
    if (to->spin == 0)
        return TL_OUT_OF_RANGE;
    to->turns = *from;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->gap = *from == 1;
    from += 1;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->pitches_count = *from;
    from += 1;
    if (to->pitches_count > 51u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->pitches_count * 2u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->pitches_count; n++) {
        to->pitches[n] = tl_get16(from);
        from += 2;
        if (to->pitches[n] == 0)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 24u)
        return TL_WRONG_LENGTH;
    to->lowest = (int32_t)tl_get32(from);
    from += 4;
    if (to->lowest > 0)
        return TL_OUT_OF_RANGE;
    to->peak = (int32_t)tl_get32(from);
    from += 4;
    if (to->peak < 0)
        return TL_OUT_OF_RANGE;
    to->rest = (int32_t)tl_get32(from);
    from += 4;
    to->still = tl_get16(from);
    from += 2;
    to->index = (int16_t)tl_get16(from);
    from += 2;
    if (to->index < -4160 || to->index > 4159)
        return TL_OUT_OF_RANGE;
    to->indexes = *from;
    from += 1;
    to->ticks = *from;
    from += 1;
    to->back_ticks = *from;
    from += 1;
    to->tick_phase = *from;
    from += 1;
    if (to->tick_phase > 159)
        return TL_OUT_OF_RANGE;
    to->tick_spread = *from;
    from += 1;
    to->illegal = *from;
    from += 1;
    to->stray = *from;
    from += 1;
    to->deflection = *from;
    from += 1;
    if (to->deflection > 100)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->approach_count = *from;
    from += 1;
    if (to->approach_count > 160u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->approach_count * 2u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->approach_count; n++) {
        to->approach[n] = (int16_t)tl_get16(from);
        from += 2;
    }
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* The wheel was turned or knocked without becoming a spin. */
typedef struct {
    uint16_t before; /* [counts] rest angle before */
    uint16_t after; /* [counts] rest angle after */
    uint16_t fastest; /* [turns/1000 s] highest speed */
} wheel_moved;

#define WHEEL_MOVED_LONGEST 6u

static inline int wheel_moved_encode(const wheel_moved *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 6u)
        return TL_NO_ROOM;
    if (from->before > 8319)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, from->before);
    if (from->after > 8319)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, from->after);
    to = tl_put16(to, from->fastest);
    return (int)(to - body);
}

static inline int wheel_moved_decode(wheel_moved *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 6u)
        return TL_WRONG_LENGTH;
    to->before = tl_get16(from);
    from += 2;
    if (to->before > 8319)
        return TL_OUT_OF_RANGE;
    to->after = tl_get16(from);
    from += 2;
    if (to->after > 8319)
        return TL_OUT_OF_RANGE;
    to->fastest = tl_get16(from);
    from += 2;
    return 0;
}

/* Angle and speed now, for screens. */
typedef struct {
    uint32_t spin; /* number of the spin, 0 when there is none */
    uint16_t angle; /* [counts] angle from the index mark */
    int16_t speed; /* [turns/1000 s] positive clockwise */
} wheel_turning;

#define WHEEL_TURNING_LONGEST 8u

static inline int wheel_turning_encode(const wheel_turning *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 8u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->spin);
    if (from->angle > 8319)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, from->angle);
    to = tl_put16(to, (uint16_t)from->speed);
    return (int)(to - body);
}

static inline int wheel_turning_decode(wheel_turning *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 8u)
        return TL_WRONG_LENGTH;
    to->spin = tl_get32(from);
    from += 4;
    to->angle = tl_get16(from);
    from += 2;
    if (to->angle > 8319)
        return TL_OUT_OF_RANGE;
    to->speed = (int16_t)tl_get16(from);
    from += 2;
    return 0;
}

/* Where does the wheel stand? */
typedef struct {
    uint8_t nothing; /* C wants a member; it is not sent */
} wheel_read_angle;

#define WHEEL_READ_ANGLE_LONGEST 0u

static inline int wheel_read_angle_encode(const wheel_read_angle *from, uint8_t *body, size_t room)
{
    (void)from;
    (void)body;
    (void)room;
    return 0;
}

static inline int wheel_read_angle_decode(wheel_read_angle *to, const uint8_t *body, size_t length)
{
    (void)body;
    to->nothing = 0;
    return length == 0 ? 0 : TL_WRONG_LENGTH;
}

/* ReadAngle was done. */
typedef struct {
    uint16_t angle; /* [counts] angle from the index mark */
    bool homed; /* the index mark has been seen since the power came on */
    bool moving; /* the wheel is moving */
} wheel_read_angle_result;

#define WHEEL_READ_ANGLE_RESULT_LONGEST 4u

static inline int wheel_read_angle_result_encode(const wheel_read_angle_result *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 4u)
        return TL_NO_ROOM;
    if (from->angle > 8319)
        return TL_OUT_OF_RANGE;
    to = tl_put16(to, from->angle);
    *to++ = (uint8_t)from->homed;
    *to++ = (uint8_t)from->moving;
    return (int)(to - body);
}

static inline int wheel_read_angle_result_decode(wheel_read_angle_result *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 4u)
        return TL_WRONG_LENGTH;
    to->angle = tl_get16(from);
    from += 2;
    if (to->angle > 8319)
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->homed = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->moving = *from == 1;
    from += 1;
    return 0;
}

/* Check the channels, the index and the indicator as far as they can be checked at rest. */
typedef struct {
    uint8_t nothing; /* C wants a member; it is not sent */
} wheel_self_test;

#define WHEEL_SELF_TEST_LONGEST 0u

static inline int wheel_self_test_encode(const wheel_self_test *from, uint8_t *body, size_t room)
{
    (void)from;
    (void)body;
    (void)room;
    return 0;
}

static inline int wheel_self_test_decode(wheel_self_test *to, const uint8_t *body, size_t length)
{
    (void)body;
    to->nothing = 0;
    return length == 0 ? 0 : TL_WRONG_LENGTH;
}

/* SelfTest was done. */
typedef struct {
    bool ring; /* both channels alive */
    bool index; /* the index was seen where it belongs when last passed */
    bool indicator; /* the indicator answers */
    uint16_t illegal; /* illegal quadrature steps since the power came on */
} wheel_self_test_result;

#define WHEEL_SELF_TEST_RESULT_LONGEST 5u

static inline int wheel_self_test_result_encode(const wheel_self_test_result *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 5u)
        return TL_NO_ROOM;
    *to++ = (uint8_t)from->ring;
    *to++ = (uint8_t)from->index;
    *to++ = (uint8_t)from->indicator;
    to = tl_put16(to, from->illegal);
    return (int)(to - body);
}

static inline int wheel_self_test_result_decode(wheel_self_test_result *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 5u)
        return TL_WRONG_LENGTH;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->ring = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->index = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->indicator = *from == 1;
    from += 1;
    to->illegal = tl_get16(from);
    from += 2;
    return 0;
}

/* Count the angle afresh from the next index mark, after a coupling was put right. */
typedef struct {
    uint8_t nothing; /* C wants a member; it is not sent */
} wheel_rehome;

#define WHEEL_REHOME_LONGEST 0u

static inline int wheel_rehome_encode(const wheel_rehome *from, uint8_t *body, size_t room)
{
    (void)from;
    (void)body;
    (void)room;
    return 0;
}

static inline int wheel_rehome_decode(wheel_rehome *to, const uint8_t *body, size_t length)
{
    (void)body;
    to->nothing = 0;
    return length == 0 ? 0 : TL_WRONG_LENGTH;
}

/* Rehome was done. */
typedef struct {
    uint8_t nothing; /* C wants a member; it is not sent */
} wheel_rehome_result;

#define WHEEL_REHOME_RESULT_LONGEST 0u

static inline int wheel_rehome_result_encode(const wheel_rehome_result *from, uint8_t *body, size_t room)
{
    (void)from;
    (void)body;
    (void)room;
    return 0;
}

static inline int wheel_rehome_result_decode(wheel_rehome_result *to, const uint8_t *body, size_t length)
{
    (void)body;
    to->nothing = 0;
    return length == 0 ? 0 : TL_WRONG_LENGTH;
}

/* What the host wants the outputs to be. */
typedef struct {
    uint8_t lamp; /* the lamp at the indicator (WHEEL_LAMP_...) */
    uint8_t live_rate; /* how many times a second to send Turning while the wheel moves; 0 is never */
} wheel_outputs;

#define WHEEL_OUTPUTS_LONGEST 2u

static inline int wheel_outputs_encode(const wheel_outputs *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 2u)
        return TL_NO_ROOM;
    if (!wheel_lamp_known(from->lamp))
        return TL_OUT_OF_RANGE;
    *to++ = from->lamp;
    if (from->live_rate > 20)
        return TL_OUT_OF_RANGE;
    *to++ = from->live_rate;
    return (int)(to - body);
}

static inline int wheel_outputs_decode(wheel_outputs *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 2u)
        return TL_WRONG_LENGTH;
    to->lamp = *from;
    from += 1;
    if (!wheel_lamp_known(to->lamp))
        return TL_OUT_OF_RANGE;
    to->live_rate = *from;
    from += 1;
    if (to->live_rate > 20)
        return TL_OUT_OF_RANGE;
    return 0;
}

#define WHEEL_HOLD_LAMP_MS 10000u
#define WHEEL_HOLD_LIVE_RATE_MS 10000u
#define WHEEL_HOLD_SHORTEST_MS 10000u

/* Put one output, or with UINT32_MAX all of them, to safe as far as the host's silence asks for it. */
static inline void wheel_outputs_fall_back(wheel_outputs *outputs, uint32_t silent_ms)
{
    if (silent_ms >= WHEEL_HOLD_LAMP_MS) {
        outputs->lamp = WHEEL_LAMP_OFF;
    }
    if (silent_ms >= WHEEL_HOLD_LIVE_RATE_MS) {
        outputs->live_rate = 0;
    }
}

/* How long the host may be silent before something must fall back; UINT32_MAX when all is safe. */
static inline uint32_t wheel_outputs_hold_ms(const wheel_outputs *outputs)
{
    uint32_t hold = UINT32_MAX;
    if ((outputs->lamp != WHEEL_LAMP_OFF) && WHEEL_HOLD_LAMP_MS < hold)
        hold = WHEEL_HOLD_LAMP_MS;
    if ((outputs->live_rate != 0) && WHEEL_HOLD_LIVE_RATE_MS < hold)
        hold = WHEEL_HOLD_LIVE_RATE_MS;
    return hold;
}

#endif /* TABLE_WHEEL_H */
