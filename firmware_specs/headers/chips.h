/* Chip mat: the messages on its wire. Generated from firmware_specs/chips.toml by tablectl spec header chips; do
 * not edit. */
#ifndef TABLE_CHIPS_H
#define TABLE_CHIPS_H

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

/* --- Chip mat -------------------------------------------------------------------------------------- */

/* Antennas under the layout and the float tray read the tags inside chips. */
/* Areas are numbered from 0, the float tray. Bits 0 to 5 of the capabilities are their number, the float tray
 * included. */
/* A tag is told on one area at a time; TagsChanged, TagOnEdge and EdgeCleared together keep the host's picture the
 * same as the mat's. */
/* A host that has lost the picture asks for it with ReadAll; until the answer is complete what is told applies to
 * the mat, not to that picture. */
#define CHIPS_CODE 2u
#define CHIPS_SPEC_VERSION 2u
#define CHIPS_SPEC_DIGEST {0xD1, 0x22, 0x8C, 0xF1, 0x04, 0xA1, 0x8B, 0x71}
#define CHIPS_BEAT_MS 2000u
#define CHIPS_SILENCE_MS 6000u
/* it holds at least so many events, or so many bytes of them (message id and fields) */
#define CHIPS_LEAST_EVENTS 40u
#define CHIPS_LEAST_BYTES 8192u
#define CHIPS_CAN_AREAS_1 0x00000001u /* adds 1 to the number of areas; bits 0 to 5 together are that number */
#define CHIPS_CAN_AREAS_2 0x00000002u /* adds 2 to the number of areas */
#define CHIPS_CAN_AREAS_4 0x00000004u /* adds 4 to the number of areas */
#define CHIPS_CAN_AREAS_8 0x00000008u /* adds 8 to the number of areas */
#define CHIPS_CAN_AREAS_16 0x00000010u /* adds 16 to the number of areas */
#define CHIPS_CAN_AREAS_32 0x00000020u /* adds 32 to the number of areas */
#define CHIPS_CAN_EDGE 0x00000040u /* tells a chip that lies across the line between areas */
#define CHIPS_EVENT_TAGS_CHANGED 1u
#define CHIPS_EVENT_TAG_ON_EDGE 2u
#define CHIPS_EVENT_EDGE_CLEARED 3u
#define CHIPS_EVENT_AREA_FAULT 4u
#define CHIPS_EVENT_AREA_FAULT_OVER 5u
#define CHIPS_EVENT_INVENTORY 6u
#define CHIPS_LIVE_AREA_SIGNAL 1u
#define CHIPS_COMMAND_READ_ALL 1u
#define CHIPS_COMMAND_CALIBRATE 2u
/* the longest contents that are sent (refusals apart) and heard, to size buffers by */
#define CHIPS_LONGEST_SENT 947u
#define CHIPS_LONGEST_HEARD 37u
/* the longest result's fields, to size what is remembered of a command by */
#define CHIPS_LONGEST_RESULT 2u

/* Why an area cannot be read. */
#define CHIPS_FAULT_CAUSE_ANTENNA_OPEN 0u /* the antenna or its lead is broken */
#define CHIPS_FAULT_CAUSE_ANTENNA_SHORT 1u /* the antenna or its lead is shorted, or metal lies on it */
#define CHIPS_FAULT_CAUSE_NOISE 2u /* interference drowns the tags */
#define CHIPS_FAULT_CAUSE_READER_HOT 3u /* the reader behind the antenna is too hot */

static inline bool chips_fault_cause_known(uint8_t value)
{
    return value <= 3u;
}

/* Tags came to areas or left them, as one pass over the mat found it; a large change comes as several of these in
 * a row, all but the last with `more`. */
typedef struct {
    uint32_t at; /* [ms] device time of the pass */
    uint16_t report; /* counts reports; the parts of one report share it */
    uint16_t added_count;
    uint64_t added[48]; /* tags that are new where they are */
    uint16_t to_count;
    uint8_t to[48]; /* the area of each of them; 0 is the float tray; as many as added */
    uint16_t removed_count;
    uint64_t removed[48]; /* tags not read there for 300 ms, or read elsewhere since */
    uint16_t left_count;
    uint8_t left[48]; /* the area each of them left; as many as removed */
    uint16_t partial_count;
    uint8_t partial[63]; /* areas where more tags answer than could be told apart; another report follows */
    uint16_t total; /* tags told on all areas together after the whole report */
    bool more; /* another part of this report follows at once */
} chips_tags_changed;

#define CHIPS_TAGS_CHANGED_LONGEST 941u

static inline int chips_tags_changed_encode(const chips_tags_changed *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 14u;
    size_t n;
    if (from->added_count > 48u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->added_count * 8u;
    if (from->to_count > 48u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->to_count;
    if (from->removed_count > 48u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->removed_count * 8u;
    if (from->left_count > 48u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->left_count;
    if (from->partial_count > 63u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->partial_count;
    if (from->to_count != from->added_count)
        return TL_OUT_OF_RANGE;
    if (from->left_count != from->removed_count)
        return TL_OUT_OF_RANGE;
    if (room < length)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    to = tl_put16(to, from->report);
    *to++ = (uint8_t)from->added_count;
    for (n = 0; n < from->added_count; n++) {
        to = tl_put64(to, from->added[n]);
    }
    *to++ = (uint8_t)from->to_count;
    for (n = 0; n < from->to_count; n++) {
        if (from->to[n] > 62)
            return TL_OUT_OF_RANGE;
        *to++ = from->to[n];
    }
    *to++ = (uint8_t)from->removed_count;
    for (n = 0; n < from->removed_count; n++) {
        to = tl_put64(to, from->removed[n]);
    }
    *to++ = (uint8_t)from->left_count;
    for (n = 0; n < from->left_count; n++) {
        if (from->left[n] > 62)
            return TL_OUT_OF_RANGE;
        *to++ = from->left[n];
    }
    *to++ = (uint8_t)from->partial_count;
    for (n = 0; n < from->partial_count; n++) {
        if (from->partial[n] > 62)
            return TL_OUT_OF_RANGE;
        *to++ = from->partial[n];
    }
    to = tl_put16(to, from->total);
    *to++ = (uint8_t)from->more;
    return (int)(to - body);
}

static inline int chips_tags_changed_decode(chips_tags_changed *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 6u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->report = tl_get16(from);
    from += 2;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->added_count = *from;
    from += 1;
    if (to->added_count > 48u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->added_count * 8u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->added_count; n++) {
        to->added[n] = tl_get64(from);
        from += 8;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->to_count = *from;
    from += 1;
    if (to->to_count > 48u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->to_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->to_count; n++) {
        to->to[n] = *from;
        from += 1;
        if (to->to[n] > 62)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->removed_count = *from;
    from += 1;
    if (to->removed_count > 48u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->removed_count * 8u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->removed_count; n++) {
        to->removed[n] = tl_get64(from);
        from += 8;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->left_count = *from;
    from += 1;
    if (to->left_count > 48u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->left_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->left_count; n++) {
        to->left[n] = *from;
        from += 1;
        if (to->left[n] > 62)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->partial_count = *from;
    from += 1;
    if (to->partial_count > 63u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->partial_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->partial_count; n++) {
        to->partial[n] = *from;
        from += 1;
        if (to->partial[n] > 62)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 3u)
        return TL_WRONG_LENGTH;
    to->total = tl_get16(from);
    from += 2;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->more = *from == 1;
    from += 1;
    if (to->to_count != to->added_count)
        return TL_OUT_OF_RANGE;
    if (to->left_count != to->removed_count)
        return TL_OUT_OF_RANGE;
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* A tag lies across the line between areas and belongs to none of them. */
typedef struct {
    uint32_t at; /* [ms] device time of the read */
    uint64_t tag; /* the tag */
    uint16_t areas_count;
    uint8_t areas[4]; /* the areas that read it about equally well */
} chips_tag_on_edge;

#define CHIPS_TAG_ON_EDGE_LONGEST 17u

static inline int chips_tag_on_edge_encode(const chips_tag_on_edge *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 13u;
    size_t n;
    if (from->areas_count > 4u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->areas_count;
    if (room < length)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    to = tl_put64(to, from->tag);
    *to++ = (uint8_t)from->areas_count;
    for (n = 0; n < from->areas_count; n++) {
        if (from->areas[n] > 62)
            return TL_OUT_OF_RANGE;
        *to++ = from->areas[n];
    }
    return (int)(to - body);
}

static inline int chips_tag_on_edge_decode(chips_tag_on_edge *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 12u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->tag = tl_get64(from);
    from += 8;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->areas_count = *from;
    from += 1;
    if (to->areas_count > 4u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->areas_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->areas_count; n++) {
        to->areas[n] = *from;
        from += 1;
        if (to->areas[n] > 62)
            return TL_OUT_OF_RANGE;
    }
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* A tag told by TagOnEdge lies on no line any more; when it went to an area, TagsChanged follows. */
typedef struct {
    uint32_t at; /* [ms] device time of the read */
    uint64_t tag; /* the tag */
} chips_edge_cleared;

#define CHIPS_EDGE_CLEARED_LONGEST 12u

static inline int chips_edge_cleared_encode(const chips_edge_cleared *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 12u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    to = tl_put64(to, from->tag);
    return (int)(to - body);
}

static inline int chips_edge_cleared_decode(chips_edge_cleared *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 12u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->tag = tl_get64(from);
    from += 8;
    return 0;
}

/* An area cannot be read; what lies there is unknown until AreaFaultOver. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint8_t area; /* the area */
    uint8_t cause; /* what is wrong (CHIPS_FAULT_CAUSE_...) */
} chips_area_fault;

#define CHIPS_AREA_FAULT_LONGEST 6u

static inline int chips_area_fault_encode(const chips_area_fault *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 6u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (from->area > 62)
        return TL_OUT_OF_RANGE;
    *to++ = from->area;
    if (!chips_fault_cause_known(from->cause))
        return TL_OUT_OF_RANGE;
    *to++ = from->cause;
    return (int)(to - body);
}

static inline int chips_area_fault_decode(chips_area_fault *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 6u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->area = *from;
    from += 1;
    if (to->area > 62)
        return TL_OUT_OF_RANGE;
    to->cause = *from;
    from += 1;
    if (!chips_fault_cause_known(to->cause))
        return TL_OUT_OF_RANGE;
    return 0;
}

/* An area can be read again; what changed meanwhile follows as TagsChanged. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint8_t area; /* the area */
} chips_area_fault_over;

#define CHIPS_AREA_FAULT_OVER_LONGEST 5u

static inline int chips_area_fault_over_encode(const chips_area_fault_over *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 5u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (from->area > 62)
        return TL_OUT_OF_RANGE;
    *to++ = from->area;
    return (int)(to - body);
}

static inline int chips_area_fault_over_decode(chips_area_fault_over *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 5u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->area = *from;
    from += 1;
    if (to->area > 62)
        return TL_OUT_OF_RANGE;
    return 0;
}

/* Part of the complete picture asked for by ReadAll: every area in order, each in as many parts as it needs, all
 * in a row. TagOnEdge follows for every tag that lies on a line. */
typedef struct {
    uint32_t at; /* [ms] device time of the read */
    uint16_t snapshot; /* the id given with ReadAll */
    uint8_t area; /* the area */
    uint16_t tags_count;
    uint64_t tags[96]; /* tags on the area */
    uint16_t total; /* tags on the area, over all its parts */
    uint16_t edge_count;
    uint64_t edge[16]; /* in the last part: tags that lie across a line */
    bool partial; /* there are more than these, or the area cannot be read */
    bool more; /* another part of this picture follows at once */
} chips_inventory;

#define CHIPS_INVENTORY_LONGEST 909u

static inline int chips_inventory_encode(const chips_inventory *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 13u;
    size_t n;
    if (from->tags_count > 96u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->tags_count * 8u;
    if (from->edge_count > 16u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->edge_count * 8u;
    if (room < length)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    to = tl_put16(to, from->snapshot);
    if (from->area > 62)
        return TL_OUT_OF_RANGE;
    *to++ = from->area;
    *to++ = (uint8_t)from->tags_count;
    for (n = 0; n < from->tags_count; n++) {
        to = tl_put64(to, from->tags[n]);
    }
    to = tl_put16(to, from->total);
    *to++ = (uint8_t)from->edge_count;
    for (n = 0; n < from->edge_count; n++) {
        to = tl_put64(to, from->edge[n]);
    }
    *to++ = (uint8_t)from->partial;
    *to++ = (uint8_t)from->more;
    return (int)(to - body);
}

static inline int chips_inventory_decode(chips_inventory *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 7u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->snapshot = tl_get16(from);
    from += 2;
    to->area = *from;
    from += 1;
    if (to->area > 62)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->tags_count = *from;
    from += 1;
    if (to->tags_count > 96u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->tags_count * 8u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->tags_count; n++) {
        to->tags[n] = tl_get64(from);
        from += 8;
    }
    if ((size_t)(end - from) < 2u)
        return TL_WRONG_LENGTH;
    to->total = tl_get16(from);
    from += 2;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->edge_count = *from;
    from += 1;
    if (to->edge_count > 16u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->edge_count * 8u)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->edge_count; n++) {
        to->edge[n] = tl_get64(from);
        from += 8;
    }
    if ((size_t)(end - from) < 2u)
        return TL_WRONG_LENGTH;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->partial = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->more = *from == 1;
    from += 1;
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* How well an area is read. */
typedef struct {
    uint8_t area; /* the area */
    uint8_t signal; /* [dB] strength of the weakest tag; 0 when there is none */
    uint8_t noise; /* [dB] strength of what is not a tag */
    uint16_t tags; /* tags read in the last pass */
} chips_area_signal;

#define CHIPS_AREA_SIGNAL_LONGEST 5u

static inline int chips_area_signal_encode(const chips_area_signal *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 5u)
        return TL_NO_ROOM;
    if (from->area > 62)
        return TL_OUT_OF_RANGE;
    *to++ = from->area;
    *to++ = from->signal;
    *to++ = from->noise;
    to = tl_put16(to, from->tags);
    return (int)(to - body);
}

static inline int chips_area_signal_decode(chips_area_signal *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 5u)
        return TL_WRONG_LENGTH;
    to->area = *from;
    from += 1;
    if (to->area > 62)
        return TL_OUT_OF_RANGE;
    to->signal = *from;
    from += 1;
    to->noise = *from;
    from += 1;
    to->tags = tl_get16(from);
    from += 2;
    return 0;
}

/* Read every area and tell the complete picture as Inventory events. */
typedef struct {
    uint16_t snapshot; /* an id that the answer repeats */
} chips_read_all;

#define CHIPS_READ_ALL_LONGEST 2u

static inline int chips_read_all_encode(const chips_read_all *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 2u)
        return TL_NO_ROOM;
    to = tl_put16(to, from->snapshot);
    return (int)(to - body);
}

static inline int chips_read_all_decode(chips_read_all *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 2u)
        return TL_WRONG_LENGTH;
    to->snapshot = tl_get16(from);
    from += 2;
    return 0;
}

/* ReadAll was done. */
typedef struct {
    uint8_t areas; /* how many areas the picture covers */
} chips_read_all_result;

#define CHIPS_READ_ALL_RESULT_LONGEST 1u

static inline int chips_read_all_result_encode(const chips_read_all_result *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 1u)
        return TL_NO_ROOM;
    if (from->areas > 63)
        return TL_OUT_OF_RANGE;
    *to++ = from->areas;
    return (int)(to - body);
}

static inline int chips_read_all_result_decode(chips_read_all_result *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 1u)
        return TL_WRONG_LENGTH;
    to->areas = *from;
    from += 1;
    if (to->areas > 63)
        return TL_OUT_OF_RANGE;
    return 0;
}

/* Measure the noise of an empty area and set its threshold; refused while tags lie there. */
typedef struct {
    uint8_t area; /* the area */
} chips_calibrate;

#define CHIPS_CALIBRATE_LONGEST 1u

static inline int chips_calibrate_encode(const chips_calibrate *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 1u)
        return TL_NO_ROOM;
    if (from->area > 62)
        return TL_OUT_OF_RANGE;
    *to++ = from->area;
    return (int)(to - body);
}

static inline int chips_calibrate_decode(chips_calibrate *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 1u)
        return TL_WRONG_LENGTH;
    to->area = *from;
    from += 1;
    if (to->area > 62)
        return TL_OUT_OF_RANGE;
    return 0;
}

/* Calibrate was done. */
typedef struct {
    uint8_t noise; /* [dB] noise found */
    uint8_t threshold; /* [dB] threshold set */
} chips_calibrate_result;

#define CHIPS_CALIBRATE_RESULT_LONGEST 2u

static inline int chips_calibrate_result_encode(const chips_calibrate_result *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 2u)
        return TL_NO_ROOM;
    *to++ = from->noise;
    *to++ = from->threshold;
    return (int)(to - body);
}

static inline int chips_calibrate_result_decode(chips_calibrate_result *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 2u)
        return TL_WRONG_LENGTH;
    to->noise = *from;
    from += 1;
    to->threshold = *from;
    from += 1;
    return 0;
}

/* What the host wants the outputs to be. */
typedef struct {
    uint64_t lamps; /* which areas are lit, a bit each, bit 0 the float tray */
} chips_outputs;

#define CHIPS_OUTPUTS_LONGEST 8u

static inline int chips_outputs_encode(const chips_outputs *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 8u)
        return TL_NO_ROOM;
    to = tl_put64(to, from->lamps);
    return (int)(to - body);
}

static inline int chips_outputs_decode(chips_outputs *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 8u)
        return TL_WRONG_LENGTH;
    to->lamps = tl_get64(from);
    from += 8;
    return 0;
}

#define CHIPS_HOLD_LAMPS_MS 6000u
#define CHIPS_HOLD_SHORTEST_MS 6000u

/* Put one output, or with UINT32_MAX all of them, to safe as far as the host's silence asks for it. */
static inline void chips_outputs_fall_back(chips_outputs *outputs, uint32_t silent_ms)
{
    if (silent_ms >= CHIPS_HOLD_LAMPS_MS) {
        outputs->lamps = 0ull;
    }
}

/* How long the host may be silent before something must fall back; UINT32_MAX when all is safe. */
static inline uint32_t chips_outputs_hold_ms(const chips_outputs *outputs)
{
    uint32_t hold = UINT32_MAX;
    if ((outputs->lamps != 0ull) && CHIPS_HOLD_LAMPS_MS < hold)
        hold = CHIPS_HOLD_LAMPS_MS;
    return hold;
}

#endif /* TABLE_CHIPS_H */
