/* Card shoe: the messages on its wire. Generated from firmware_specs/shoe.toml by tablectl spec header shoe; do
 * not edit. */
#ifndef TABLE_SHOE_H
#define TABLE_SHOE_H

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

/* --- Card shoe ------------------------------------------------------------------------------------- */

/* A reader and two light barriers sit in the mouth, a gate in front of it, a lid over the cards. */
/* Every card that passes the mouth has a draw number. There is one event a card: nothing is sent while a card is
 * on its way. */
/* A card code is 1 + 13 × suit + rank: suits in the order spades 0, hearts 1, diamonds 2, clubs 3, ranks from 0
 * (two) over 8 (ten), 9 (jack), 10 (queen), 11 (king) to 12 (ace). 0 is no card, 1 the two of spades, 13 the ace
 * of spades, 14 the two of hearts, 52 the ace of clubs. */
/* The gate is locked too while there is no room to remember what would come out. */
#define SHOE_CODE 3u
#define SHOE_SPEC_VERSION 1u
#define SHOE_SPEC_DIGEST {0xB5, 0xD0, 0x6A, 0x0E, 0xAF, 0xD4, 0x82, 0x11}
#define SHOE_BEAT_MS 2000u
#define SHOE_SILENCE_MS 6000u
/* it holds at least so many events, or so many bytes of them (message id and fields) */
#define SHOE_LEAST_EVENTS 40u
#define SHOE_LEAST_BYTES 4096u
#define SHOE_CAN_BOTH_SIDES 0x00000001u /* reads a card that lies face up in the shoe as well */
#define SHOE_CAN_GATE 0x00000002u /* has a gate that holds the cards back */
#define SHOE_CAN_LAMP 0x00000004u /* has a lamp beside the mouth */
#define SHOE_EVENT_CARD_OUT 1u
#define SHOE_EVENT_TWO_OUT 2u
#define SHOE_EVENT_PUSHED_BACK 3u
#define SHOE_EVENT_CONDITION_CHANGED 4u
#define SHOE_EVENT_POWERED_UP 5u
#define SHOE_LIVE_READER_SIGNAL 1u
/* the longest contents that are sent (refusals apart) and heard, to size buffers by */
#define SHOE_LONGEST_SENT 135u
#define SHOE_LONGEST_HEARD 37u
/* the longest result's fields, to size what is remembered of a command by */
#define SHOE_LONGEST_RESULT 0u

/* What the reader makes of a card. */
#define SHOE_READING_CARD 0u /* rank and suit were recognised */
#define SHOE_READING_UNREADABLE 1u /* something passed and no face was recognised */
#define SHOE_READING_CUTTING_CARD 2u /* the cutting card */
#define SHOE_READING_JOKER 3u /* a joker */
#define SHOE_READING_FOREIGN 4u /* another back or size than the cards of this shoe */

static inline bool shoe_reading_known(uint8_t value)
{
    return value <= 4u;
}

/* Something about the shoe that lasts. */
#define SHOE_CONDITION_LID_OPEN 0u /* the lid is open, or its switch has failed */
#define SHOE_CONDITION_EMPTY 1u /* no card lies in front of the mouth */
#define SHOE_CONDITION_READER_DIRTY 2u /* the reader's window is dirty; confidence is falling */

static inline bool shoe_condition_known(uint8_t value)
{
    return value <= 2u;
}

/* What the lamp shows. */
#define SHOE_LAMP_OFF 0u /* dark */
#define SHOE_LAMP_GREEN 1u /* cards may be drawn */
#define SHOE_LAMP_AMBER 2u /* staff are asked to look */
#define SHOE_LAMP_RED 3u /* no card may be drawn */

static inline bool shoe_lamp_known(uint8_t value)
{
    return value <= 3u;
}

/* A card has left the mouth; told again with a higher `look` and the same `draw` when the reader saw the same card
 * twice. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint32_t draw; /* counts what passes the mouth, from 1 when the shoe has no memory */
    uint8_t look; /* which reading of this draw it is */
    uint8_t reading; /* what the reader makes of it (SHOE_READING_...) */
    uint8_t card; /* the likeliest face, or 0; also when the reading is not `card` */
    uint8_t confidence; /* [%] how far the picture fits that face */
    uint8_t second; /* the next likeliest face, or 0 */
    uint8_t second_confidence; /* [%] how far the picture fits that one */
    bool face_up; /* it lay face up in the shoe */
    bool forced; /* it came although the gate was locked */
} shoe_card_out;

#define SHOE_CARD_OUT_LONGEST 16u

static inline int shoe_card_out_encode(const shoe_card_out *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 16u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (from->draw == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->draw);
    if (from->look == 0)
        return TL_OUT_OF_RANGE;
    *to++ = from->look;
    if (!shoe_reading_known(from->reading))
        return TL_OUT_OF_RANGE;
    *to++ = from->reading;
    if (from->card > 52)
        return TL_OUT_OF_RANGE;
    *to++ = from->card;
    if (from->confidence > 100)
        return TL_OUT_OF_RANGE;
    *to++ = from->confidence;
    if (from->second > 52)
        return TL_OUT_OF_RANGE;
    *to++ = from->second;
    if (from->second_confidence > 100)
        return TL_OUT_OF_RANGE;
    *to++ = from->second_confidence;
    *to++ = (uint8_t)from->face_up;
    *to++ = (uint8_t)from->forced;
    return (int)(to - body);
}

static inline int shoe_card_out_decode(shoe_card_out *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 16u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->draw = tl_get32(from);
    from += 4;
    if (to->draw == 0)
        return TL_OUT_OF_RANGE;
    to->look = *from;
    from += 1;
    if (to->look == 0)
        return TL_OUT_OF_RANGE;
    to->reading = *from;
    from += 1;
    if (!shoe_reading_known(to->reading))
        return TL_OUT_OF_RANGE;
    to->card = *from;
    from += 1;
    if (to->card > 52)
        return TL_OUT_OF_RANGE;
    to->confidence = *from;
    from += 1;
    if (to->confidence > 100)
        return TL_OUT_OF_RANGE;
    to->second = *from;
    from += 1;
    if (to->second > 52)
        return TL_OUT_OF_RANGE;
    to->second_confidence = *from;
    from += 1;
    if (to->second_confidence > 100)
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->face_up = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->forced = *from == 1;
    from += 1;
    return 0;
}

/* Two cards left the mouth together; their draws are `draw` and the one after. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint32_t draw; /* draw number of the first */
    uint16_t readings_count;
    uint8_t readings[2]; /* what the reader makes of each (SHOE_READING_...) */
    uint16_t cards_count;
    uint8_t cards[2]; /* the likeliest face of each, or 0; as many as readings */
    uint16_t confidences_count;
    uint8_t confidences[2]; /* [%] how far the picture fits; as many as readings */
    bool order_known; /* the first is sure to have lain in front */
    bool forced; /* they came although the gate was locked */
} shoe_two_out;

#define SHOE_TWO_OUT_LONGEST 19u

static inline int shoe_two_out_encode(const shoe_two_out *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    size_t length = 13u;
    size_t n;
    if (from->readings_count > 2u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->readings_count;
    if (from->cards_count > 2u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->cards_count;
    if (from->confidences_count > 2u)
        return TL_OUT_OF_RANGE;
    length += (size_t)from->confidences_count;
    if (from->cards_count != from->readings_count)
        return TL_OUT_OF_RANGE;
    if (from->confidences_count != from->readings_count)
        return TL_OUT_OF_RANGE;
    if (room < length)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (from->draw == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->draw);
    *to++ = (uint8_t)from->readings_count;
    for (n = 0; n < from->readings_count; n++) {
        if (!shoe_reading_known(from->readings[n]))
            return TL_OUT_OF_RANGE;
        *to++ = from->readings[n];
    }
    *to++ = (uint8_t)from->cards_count;
    for (n = 0; n < from->cards_count; n++) {
        if (from->cards[n] > 52)
            return TL_OUT_OF_RANGE;
        *to++ = from->cards[n];
    }
    *to++ = (uint8_t)from->confidences_count;
    for (n = 0; n < from->confidences_count; n++) {
        if (from->confidences[n] > 100)
            return TL_OUT_OF_RANGE;
        *to++ = from->confidences[n];
    }
    *to++ = (uint8_t)from->order_known;
    *to++ = (uint8_t)from->forced;
    return (int)(to - body);
}

static inline int shoe_two_out_decode(shoe_two_out *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    const uint8_t *end = body + length;
    size_t n;
    if ((size_t)(end - from) < 8u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->draw = tl_get32(from);
    from += 4;
    if (to->draw == 0)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->readings_count = *from;
    from += 1;
    if (to->readings_count > 2u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->readings_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->readings_count; n++) {
        to->readings[n] = *from;
        from += 1;
        if (!shoe_reading_known(to->readings[n]))
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->cards_count = *from;
    from += 1;
    if (to->cards_count > 2u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->cards_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->cards_count; n++) {
        to->cards[n] = *from;
        from += 1;
        if (to->cards[n] > 52)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 1u)
        return TL_WRONG_LENGTH;
    to->confidences_count = *from;
    from += 1;
    if (to->confidences_count > 2u)
        return TL_OUT_OF_RANGE;
    if ((size_t)(end - from) < (size_t)to->confidences_count)
        return TL_WRONG_LENGTH;
    for (n = 0; n < to->confidences_count; n++) {
        to->confidences[n] = *from;
        from += 1;
        if (to->confidences[n] > 100)
            return TL_OUT_OF_RANGE;
    }
    if ((size_t)(end - from) < 2u)
        return TL_WRONG_LENGTH;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->order_known = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->forced = *from == 1;
    from += 1;
    if (to->cards_count != to->readings_count)
        return TL_OUT_OF_RANGE;
    if (to->confidences_count != to->readings_count)
        return TL_OUT_OF_RANGE;
    return from == end ? 0 : TL_WRONG_LENGTH;
}

/* A card came part of the way and went back; when it leaves after all, it does so under a new draw number. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint32_t draw; /* its draw number */
    uint8_t card; /* the face seen meanwhile, or 0 */
    uint8_t confidence; /* [%] how far the picture fits that face */
    bool told; /* it had been told as out before */
} shoe_pushed_back;

#define SHOE_PUSHED_BACK_LONGEST 11u

static inline int shoe_pushed_back_encode(const shoe_pushed_back *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 11u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (from->draw == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->draw);
    if (from->card > 52)
        return TL_OUT_OF_RANGE;
    *to++ = from->card;
    if (from->confidence > 100)
        return TL_OUT_OF_RANGE;
    *to++ = from->confidence;
    *to++ = (uint8_t)from->told;
    return (int)(to - body);
}

static inline int shoe_pushed_back_decode(shoe_pushed_back *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 11u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->draw = tl_get32(from);
    from += 4;
    if (to->draw == 0)
        return TL_OUT_OF_RANGE;
    to->card = *from;
    from += 1;
    if (to->card > 52)
        return TL_OUT_OF_RANGE;
    to->confidence = *from;
    from += 1;
    if (to->confidence > 100)
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->told = *from == 1;
    from += 1;
    return 0;
}

/* A lasting condition began or ended. */
typedef struct {
    uint32_t at; /* [ms] device time */
    uint8_t condition; /* which (SHOE_CONDITION_...) */
    bool on; /* whether it holds now */
} shoe_condition_changed;

#define SHOE_CONDITION_CHANGED_LONGEST 6u

static inline int shoe_condition_changed_encode(const shoe_condition_changed *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 6u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    if (!shoe_condition_known(from->condition))
        return TL_OUT_OF_RANGE;
    *to++ = from->condition;
    *to++ = (uint8_t)from->on;
    return (int)(to - body);
}

static inline int shoe_condition_changed_decode(shoe_condition_changed *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 6u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    to->condition = *from;
    from += 1;
    if (!shoe_condition_known(to->condition))
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->on = *from == 1;
    from += 1;
    return 0;
}

/* The shoe has power again; told at every start, with every condition. A draw that the power loss cut off is told
 * before as unreadable. */
typedef struct {
    uint32_t at; /* [ms] device time */
    bool kept_memory; /* events and draw numbers of before are still there */
    uint32_t next_draw; /* the number of the next draw */
    bool lid_open; /* as the condition */
    bool empty; /* as the condition */
    bool reader_dirty; /* as the condition */
} shoe_powered_up;

#define SHOE_POWERED_UP_LONGEST 12u

static inline int shoe_powered_up_encode(const shoe_powered_up *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 12u)
        return TL_NO_ROOM;
    to = tl_put32(to, from->at);
    *to++ = (uint8_t)from->kept_memory;
    if (from->next_draw == 0)
        return TL_OUT_OF_RANGE;
    to = tl_put32(to, from->next_draw);
    *to++ = (uint8_t)from->lid_open;
    *to++ = (uint8_t)from->empty;
    *to++ = (uint8_t)from->reader_dirty;
    return (int)(to - body);
}

static inline int shoe_powered_up_decode(shoe_powered_up *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 12u)
        return TL_WRONG_LENGTH;
    to->at = tl_get32(from);
    from += 4;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->kept_memory = *from == 1;
    from += 1;
    to->next_draw = tl_get32(from);
    from += 4;
    if (to->next_draw == 0)
        return TL_OUT_OF_RANGE;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->lid_open = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->empty = *from == 1;
    from += 1;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->reader_dirty = *from == 1;
    from += 1;
    return 0;
}

/* How well the reader sees, after a change. */
typedef struct {
    uint8_t contrast; /* [%] contrast of the last picture */
} shoe_reader_signal;

#define SHOE_READER_SIGNAL_LONGEST 1u

static inline int shoe_reader_signal_encode(const shoe_reader_signal *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 1u)
        return TL_NO_ROOM;
    if (from->contrast > 100)
        return TL_OUT_OF_RANGE;
    *to++ = from->contrast;
    return (int)(to - body);
}

static inline int shoe_reader_signal_decode(shoe_reader_signal *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 1u)
        return TL_WRONG_LENGTH;
    to->contrast = *from;
    from += 1;
    if (to->contrast > 100)
        return TL_OUT_OF_RANGE;
    return 0;
}

/* What the host wants the outputs to be. */
typedef struct {
    bool locked; /* the gate holds the cards back */
    uint8_t lamp; /* the lamp beside the mouth (SHOE_LAMP_...) */
} shoe_outputs;

#define SHOE_OUTPUTS_LONGEST 2u

static inline int shoe_outputs_encode(const shoe_outputs *from, uint8_t *body, size_t room)
{
    uint8_t *to = body;
    if (room < 2u)
        return TL_NO_ROOM;
    *to++ = (uint8_t)from->locked;
    if (!shoe_lamp_known(from->lamp))
        return TL_OUT_OF_RANGE;
    *to++ = from->lamp;
    return (int)(to - body);
}

static inline int shoe_outputs_decode(shoe_outputs *to, const uint8_t *body, size_t length)
{
    const uint8_t *from = body;
    if (length != 2u)
        return TL_WRONG_LENGTH;
    if (*from > 1)
        return TL_OUT_OF_RANGE;
    to->locked = *from == 1;
    from += 1;
    to->lamp = *from;
    from += 1;
    if (!shoe_lamp_known(to->lamp))
        return TL_OUT_OF_RANGE;
    return 0;
}

#define SHOE_HOLD_LOCKED_MS 6000u
#define SHOE_HOLD_LAMP_MS 6000u
#define SHOE_HOLD_SHORTEST_MS 6000u

/* Put one output, or with UINT32_MAX all of them, to safe as far as the host's silence asks for it. */
static inline void shoe_outputs_fall_back(shoe_outputs *outputs, uint32_t silent_ms)
{
    if (silent_ms >= SHOE_HOLD_LOCKED_MS) {
        outputs->locked = true;
    }
    if (silent_ms >= SHOE_HOLD_LAMP_MS) {
        outputs->lamp = SHOE_LAMP_RED;
    }
}

/* How long the host may be silent before something must fall back; UINT32_MAX when all is safe. */
static inline uint32_t shoe_outputs_hold_ms(const shoe_outputs *outputs)
{
    uint32_t hold = UINT32_MAX;
    if ((outputs->locked != true) && SHOE_HOLD_LOCKED_MS < hold)
        hold = SHOE_HOLD_LOCKED_MS;
    if ((outputs->lamp != SHOE_LAMP_RED) && SHOE_HOLD_LAMP_MS < hold)
        hold = SHOE_HOLD_LAMP_MS;
    return hold;
}

#endif /* TABLE_SHOE_H */
