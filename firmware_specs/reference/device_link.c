#include "device_link.h"

#define MAGIC 0x31424154u /* "TAB1" */
#define KEY_MAGIC 0x3159454Bu /* "KEY1" */
#define NO_KEY_MAGIC 0x30594E4Fu

static bool passed(uint32_t now, uint32_t due)
{
    return (int32_t)(now - due) >= 0;
}

/* --- memory -------------------------------------------------------------------------------------- */

static uint32_t head_crc(const device_head *head)
{
    return tl_crc32(0, (const uint8_t *)head, offsetof(device_head, crc));
}

/* Both copies, one after the other: a power cut spoils only the one being written, and a cell that fails later only
 * one of two that say the same. With turns instead, losing the newer copy would go back in time unnoticed. */
static void keep_head(device *d)
{
    d->head.generation++;
    d->head.crc = head_crc(&d->head);
    d->board->save(d->on_board, 0, &d->head, sizeof d->head);
    d->board->save(d->on_board, sizeof d->head, &d->head, sizeof d->head);
}

static uint32_t command_crc(const device_command *command)
{
    return tl_crc32(0, (const uint8_t *)command, offsetof(device_command, crc));
}

/* As begun and as answered lie in two places, so that a power cut while answering leaves the begun one whole. */
static void keep_command(device *d, device_command *command)
{
    size_t place = (command->sequence % TL_COMMANDS_REMEMBERED) * 2u + (command->status == DEVICE_DOING ? 0u : 1u);
    command->crc = command_crc(command);
    d->board->save(d->on_board, DEVICE_COMMANDS_AT + place * sizeof *command, command, sizeof *command);
}

static uint8_t ring_at(const device *d, uint32_t at)
{
    return d->ring[at % DEVICE_RING_BYTES];
}

static void ring_put(device *d, uint32_t at, const uint8_t *bytes, size_t length)
{
    while (length) {
        uint32_t from = at % DEVICE_RING_BYTES;
        size_t piece = DEVICE_RING_BYTES - from < length ? DEVICE_RING_BYTES - from : length;
        memcpy(d->ring + from, bytes, piece);
        d->board->save(d->on_board, DEVICE_RING_AT + from, bytes, piece);
        at += (uint32_t)piece;
        bytes += piece;
        length -= piece;
    }
}

static void ring_get(const device *d, uint32_t at, uint8_t *bytes, size_t length)
{
    while (length--)
        *bytes++ = ring_at(d, at++);
}

/* Bytes of the body of the record at this place. */
static size_t record_length(const device *d, uint32_t at)
{
    return (size_t)ring_at(d, at) | ((size_t)ring_at(d, at + 1) << 8);
}

static uint32_t record_crc(const device *d, uint32_t number, uint32_t at, size_t length)
{
    uint8_t piece[16];
    uint32_t crc;
    size_t left = length + 3u;
    tl_put32(piece, number);
    crc = tl_crc32(0, piece, 4);
    while (left) {
        size_t some = left < sizeof piece ? left : sizeof piece;
        ring_get(d, at, piece, some);
        crc = tl_crc32(crc, piece, some);
        at += (uint32_t)some;
        left -= some;
    }
    return crc;
}

/* Where a held event lies in the ring. */
static uint32_t find(const device *d, uint32_t number)
{
    uint32_t at = d->head.tail, each;
    for (each = d->head.oldest; each != number; each++)
        at += (uint32_t)record_length(d, at) + DEVICE_RECORD_EXTRA;
    return at;
}

static bool ring_is_whole(const device *d)
{
    uint32_t at = d->head.tail, used = 0, number;
    if (d->head.used > DEVICE_RING_BYTES || d->head.tail >= DEVICE_RING_BYTES || d->head.oldest == 0 ||
        d->head.next < d->head.oldest)
        return false;
    for (number = d->head.oldest; number != d->head.next; number++) {
        size_t length = record_length(d, at);
        uint8_t crc[4];
        used += (uint32_t)length + DEVICE_RECORD_EXTRA;
        if (length + TL_HEAD_BYTES > DEVICE_LONGEST || used > d->head.used)
            return false;
        ring_get(d, at + 3u + (uint32_t)length, crc, 4);
        if (tl_get32(crc) != record_crc(d, number, at, length))
            return false;
        at += (uint32_t)length + DEVICE_RECORD_EXTRA;
    }
    return used == d->head.used;
}

void device_forget(device *d)
{
    uint32_t before = d->head.epoch, generation = d->head.generation;
    memset(&d->head, 0, sizeof d->head); /* the device's own counters too: whoever wants to keep them puts them back */
    do
        d->head.epoch = d->board->draw(d->on_board);
    while (d->head.epoch == 0 || d->head.epoch == before);
    d->head.magic = MAGIC;
    d->head.generation = generation;
    d->head.oldest = d->head.next = 1;
    memset(d->commands, 0, sizeof d->commands); /* what is kept of them belongs to another epoch now */
    d->sequence = 0;
    keep_head(d);
}

static void load_command(device *d, size_t place)
{
    device_command found;
    device_command *known;
    if (!d->board->load(d->on_board, DEVICE_COMMANDS_AT + place * sizeof found, &found, sizeof found) ||
        found.crc != command_crc(&found) || found.epoch != d->head.epoch || found.sequence == 0 ||
        found.length > DEVICE_KEPT_BYTES)
        return;
    known = &d->commands[found.sequence % TL_COMMANDS_REMEMBERED];
    if (known->sequence != 0 && (!passed(found.sequence, known->sequence) ||
                                 (found.sequence == known->sequence && found.status == DEVICE_DOING)))
        return;
    *known = found;
    if (d->sequence == 0 || passed(found.sequence, d->sequence))
        d->sequence = found.sequence;
}

static bool load(device *d)
{
    device_head copies[2];
    bool whole[2];
    size_t n;
    for (n = 0; n < 2; n++)
        whole[n] = d->board->load(d->on_board, n * sizeof d->head, &copies[n], sizeof d->head) &&
                   copies[n].magic == MAGIC && copies[n].epoch != 0 && copies[n].crc == head_crc(&copies[n]);
    if (!whole[0] && !whole[1])
        return false;
    n = whole[1] && (!whole[0] || passed(copies[1].generation, copies[0].generation)) ? 1 : 0;
    d->head = copies[n];
    if (!whole[1 - n] || copies[1 - n].generation != copies[n].generation)
        keep_head(d); /* two good copies again */
    if (!d->board->load(d->on_board, DEVICE_RING_AT, d->ring, DEVICE_RING_BYTES) || !ring_is_whole(d))
        return false;
    for (n = 0; n < 2u * TL_COMMANDS_REMEMBERED; n++)
        load_command(d, n);
    for (n = 0; n < TL_COMMANDS_REMEMBERED; n++)
        if (d->commands[n].sequence != 0 && d->commands[n].status == DEVICE_DOING) {
            device_reply reply;
            device_reason(&reply, "the device lost power while doing it");
            d->commands[n].status = TL_FAILED;
            d->commands[n].length = reply.length;
            memcpy(d->commands[n].body, reply.body, reply.length);
            keep_command(d, &d->commands[n]);
        }
    return true;
}

void device_keep(device *d)
{
    keep_head(d);
}

static void keep_key(device *d)
{
    device_key kept;
    kept.magic = d->paired ? KEY_MAGIC : NO_KEY_MAGIC;
    memcpy(kept.key, d->key, sizeof kept.key);
    kept.crc = tl_crc32(0, (const uint8_t *)&kept, offsetof(device_key, crc));
    d->board->save(d->on_board, DEVICE_KEY_AT, &kept, sizeof kept);
    d->board->save(d->on_board, DEVICE_KEY_AT + sizeof kept, &kept, sizeof kept);
}

static void load_key(device *d)
{
    device_key kept;
    size_t n;
    for (n = 0; n < 2; n++)
        if (d->board->load(d->on_board, DEVICE_KEY_AT + n * sizeof kept, &kept, sizeof kept) &&
            kept.crc == tl_crc32(0, (const uint8_t *)&kept, offsetof(device_key, crc)) &&
            (kept.magic == KEY_MAGIC || kept.magic == NO_KEY_MAGIC)) {
            d->paired = kept.magic == KEY_MAGIC;
            memcpy(d->key, kept.key, sizeof kept.key);
            return;
        }
}

void device_unpair(device *d)
{
    d->paired = false;
    memset(d->key, 0, sizeof d->key);
    keep_key(d);
}

size_t device_free(const device *d)
{
    return DEVICE_RING_BYTES - d->head.used;
}

/* --- sending ------------------------------------------------------------------------------------- */

#if DEVICE_CAN_SEAL
/* Puts counter and tag around what lies in d->content; its new length. */
static size_t seal(device *d, size_t length)
{
    memmove(d->content + TL_SEAL_HEAD, d->content, length);
    d->content[0] = TL_SEALED_BACK;
    tl_put32(d->content + 1, ++d->seals_sent);
    tl_tag(d->seal_key, 'd', d->content + 1, d->content + TL_SEAL_HEAD, length, d->content + TL_SEAL_HEAD + length);
    return length + TL_SEAL_BYTES;
}

/* The content inside what was heard, moved to its beginning; 0 when it is not sealed as it must be. */
static size_t unseal(device *d, size_t length)
{
    uint8_t tag[TL_TAG_BYTES];
    uint8_t *inner = d->heard + TL_SEAL_HEAD;
    if (d->heard[0] != TL_SEALED || length <= TL_SEAL_BYTES || length > d->receiver.room)
        return 0;
    length -= TL_SEAL_BYTES;
    tl_tag(d->seal_key, 'h', d->heard + 1, inner, length, tag);
    if (!tl_same(tag, inner + length, TL_TAG_BYTES) || tl_get32(d->heard + 1) <= d->seals_taken ||
        inner[0] == TL_HELLO || inner[0] == TL_PROOF)
        return 0;
    d->seals_taken = tl_get32(d->heard + 1);
    memmove(d->heard, inner, length);
    return length;
}

static void seal_part(device *d, const char *word, uint8_t part[TL_PROOF_BYTES])
{
    tl_mac mac;
    tl_mac_begin(&mac, d->key);
    tl_mac_add(&mac, word, 6);
    tl_mac_add(&mac, d->challenge, TL_CHALLENGE_BYTES);
    tl_mac_add(&mac, d->hello.challenge, TL_CHALLENGE_BYTES);
    tl_mac_end(&mac, part);
}

static void begin_seal(device *d)
{
    seal_part(d, "seal 1", d->seal_key);
    seal_part(d, "seal 2", d->seal_key + TL_PROOF_BYTES);
    d->sealed = true;
    d->seals_sent = d->seals_taken = 0;
}
#endif

/* The content lies in d->content. What finds no room is dropped; the link repeats what matters. */
static void send(device *d, size_t length)
{
    size_t octets;
#if DEVICE_CAN_SEAL
    if (d->sealed && d->content[0] != TL_IDENTITY) {
        if (d->seals_sent == UINT32_MAX)
            return; /* the host hears nothing more, and begins a new session */
        length = seal(d, length);
    }
#endif
    octets = tl_frame(d->frame, sizeof d->frame, d->content, length);
    if (octets == 0 || d->board->room(d->on_board) < octets)
        return;
    d->board->send(d->on_board, d->frame, octets);
    d->sent_at = d->now;
}

/* As much of a text as fits, without cutting through a character. */
static size_t whole_text(const char *text, size_t most)
{
    size_t length = 0;
    while (length <= most && text[length] != 0)
        length++;
    if (length <= most)
        return length;
    length = most;
    while (length > 0 && ((uint8_t)text[length] & 0xC0u) == 0x80u)
        length--;
    return length;
}

static void identify(device *d, uint32_t nonce)
{
    tl_identity identity;
    int length;
    memset(&identity, 0, sizeof identity);
    identity.link_version = TL_LINK_VERSION;
    identity.nonce = nonce;
    identity.code = d->facts->code;
    identity.spec_version = d->facts->spec_version;
    memcpy(identity.digest, d->facts->digest, sizeof identity.digest);
    identity.capabilities = d->facts->capabilities | (DEVICE_CAN_SEAL ? TL_CAN_SEAL : 0u);
    identity.boot = d->boot;
    identity.epoch = d->head.epoch;
    identity.oldest = d->head.oldest;
    identity.next = d->head.next;
    identity.serial_length = (uint8_t)whole_text(d->serial, TL_NAME_BYTES);
    memcpy(identity.serial, d->serial, identity.serial_length);
    identity.firmware_length = (uint8_t)whole_text(d->facts->firmware, TL_NAME_BYTES);
    memcpy(identity.firmware, d->facts->firmware, identity.firmware_length);
    length = tl_identity_encode(&identity, d->content, DEVICE_LONGEST);
    if (length < 0)
        return;
    if (nonce && d->paired) {
        tl_mac mac;
        tl_mac_begin(&mac, d->key);
        tl_mac_add(&mac, "device", 6);
        tl_mac_add(&mac, d->hello.challenge, TL_CHALLENGE_BYTES);
        tl_mac_add(&mac, d->challenge, TL_CHALLENGE_BYTES);
        tl_mac_add(&mac, d->content, (size_t)length);
        memcpy(d->content + length, d->challenge, TL_CHALLENGE_BYTES);
        length += (int)TL_CHALLENGE_BYTES;
        tl_mac_end(&mac, d->content + length);
        length += (int)TL_PROOF_BYTES;
    }
    send(d, (size_t)length);
}

static void announce(device *d)
{
    if (d->has_announced && d->now - d->announced_at < TL_ANNOUNCE_AGAIN_MS)
        return;
    d->has_announced = true;
    d->announced_at = d->now;
    identify(d, 0);
}

static void end_session(device *d)
{
    d->asked = false;
    d->nonce = 0;
    d->flowing = false;
    d->has_revision = false;
#if DEVICE_CAN_SEAL
    d->sealed = false;
#endif
}

/* Send held events as far as the window and the line allow. */
static void pump(device *d)
{
    uint32_t ahead = d->head.next - (d->received + 1u); /* counted, not compared: an epoch may come near its last number */
    uint32_t until = d->received + 1u + (ahead < TL_WINDOW_EVENTS ? ahead : TL_WINDOW_EVENTS);
    bool idle = d->cursor == d->received + 1u;
    uint32_t at;
    if (d->cursor >= until)
        return;
    for (at = find(d, d->cursor); d->cursor < until; d->cursor++) {
        size_t length = record_length(d, at);
        size_t octets = TL_STUFFED(length + TL_HEAD_BYTES + DEVICE_SEAL_BYTES);
        if ((d->flying && d->flying + octets > TL_WINDOW_BYTES) || d->board->room(d->on_board) < octets)
            break;
        ring_get(d, at + 3u, tl_head(d->content, TL_EVENT, d->cursor, ring_at(d, at + 2u)), length);
        send(d, length + TL_HEAD_BYTES);
        d->flying += (uint32_t)octets;
        at += (uint32_t)length + DEVICE_RECORD_EXTRA;
    }
    if (idle && !passed(d->resend_at, d->now + d->resend_wait))
        d->resend_at = d->now + d->resend_wait;
}

static void go_back(device *d)
{
    d->cursor = d->received + 1u;
    d->flying = 0;
    pump(d);
}

/* Another epoch, told at once; what the device counts by itself goes on. */
static void begin_epoch(device *d)
{
    uint32_t own[DEVICE_OWN_WORDS];
    memcpy(own, d->head.own, sizeof own);
    device_forget(d);
    memcpy(d->head.own, own, sizeof own);
    keep_head(d);
    end_session(d);
    announce(d);
}

uint32_t device_post(device *d, uint8_t message, const uint8_t *body, size_t length)
{
    uint32_t at, number;
    uint8_t octets[4];
    if (length + TL_HEAD_BYTES > DEVICE_LONGEST || length + DEVICE_RECORD_EXTRA > DEVICE_RING_BYTES)
        return 0;
    if (length + DEVICE_RECORD_EXTRA > device_free(d) || d->head.next > TL_LAST_NUMBER)
        begin_epoch(d); /* forgetting evidence must at least be told */
    number = d->head.next;
    at = d->head.tail + d->head.used;
    tl_put16(octets, (uint16_t)length);
    octets[2] = message;
    ring_put(d, at, octets, 3);
    ring_put(d, at + 3u, body, length);
    tl_put32(octets, record_crc(d, number, at, length));
    ring_put(d, at + 3u + (uint32_t)length, octets, 4);
    d->head.used += (uint32_t)length + DEVICE_RECORD_EXTRA;
    d->head.next = number + 1u;
    keep_head(d); /* from here on it has happened */
    if (d->flowing)
        pump(d);
    return number;
}

void device_live(device *d, uint8_t message, const uint8_t *body, size_t length)
{
    if (!d->flowing || length + 2u > DEVICE_LONGEST)
        return;
    d->content[0] = TL_LIVE;
    d->content[1] = message;
    memcpy(d->content + 2, body, length);
    send(d, length + 2u);
}

void device_reason(device_reply *reply, const char *text)
{
    size_t length = whole_text(text, DEVICE_KEPT_BYTES - 1u);
    reply->length = (uint8_t)(length + 1u);
    reply->body[0] = (uint8_t)length;
    memcpy(reply->body + 1, text, length);
}

static void answer(device *d, const device_command *command)
{
    memcpy(tl_head(d->content, TL_RESULT, command->id, command->status), command->body, command->length);
    send(d, TL_HEAD_BYTES + command->length);
}

static device_command *remembered(device *d, uint32_t id)
{
    size_t n;
    for (n = 0; n < TL_COMMANDS_REMEMBERED; n++)
        if (d->commands[n].sequence != 0 && d->commands[n].id == id)
            return &d->commands[n];
    return NULL;
}

void device_finish(device *d, uint32_t id, uint8_t status, const device_reply *reply)
{
    device_command *command = remembered(d, id);
    if (command == NULL || command->status != DEVICE_DOING)
        return;
    command->status = status;
    command->length = reply->length <= DEVICE_KEPT_BYTES ? reply->length : DEVICE_KEPT_BYTES;
    memcpy(command->body, reply->body, command->length);
    keep_command(d, command);
    if (d->nonce)
        answer(d, command);
}

/* --- hearing ------------------------------------------------------------------------------------- */

/* This host may be heard. */
static void begin_session(device *d)
{
    d->nonce = d->hello.nonce;
    d->heard_at = d->now;
    d->received = d->head.oldest - 1u;
    d->cursor = d->head.oldest;
    d->flying = 0;
}

static bool same_hello(const tl_hello *one, const tl_hello *other)
{
    return one->nonce == other->nonce && one->epoch == other->epoch && one->number == other->number &&
           one->link_version == other->link_version && one->challenged == other->challenged &&
           memcmp(one->challenge, other->challenge, TL_CHALLENGE_BYTES) == 0;
}

static void answer_hello(device *d, const tl_hello *hello)
{
    size_t n;
    /* Fresh for every session, else a recorded one could be played back; the same for a repeat, whose answer may be
     * on its way. */
    if (d->paired && (d->nonce || !d->asked || !same_hello(&d->hello, hello)))
        for (n = 0; n < TL_CHALLENGE_BYTES; n += 4)
            tl_put32(d->challenge + n, d->board->draw(d->on_board));
    end_session(d);
    d->asked = true;
    d->hello = *hello;
    if (hello->link_version == TL_LINK_VERSION && !d->paired)
        begin_session(d);
    identify(d, hello->nonce); /* a host of another version learns from this that it is one */
}

static void on_hello(device *d, const uint8_t *content, size_t length)
{
    tl_hello hello;
    if (tl_hello_decode(&hello, content, tl_kept(&d->receiver, length)) != 0)
        d->bad++;
    else
        answer_hello(d, &hello);
}

static void on_proof(device *d, const uint8_t *content, size_t length)
{
    uint8_t right[TL_PROOF_BYTES];
    tl_mac mac;
    bool able = d->hello.link_version == TL_LINK_VERSION;
    if (length != 5u + TL_PROOF_BYTES || !d->paired || !d->asked || tl_get32(content + 1) != d->hello.nonce) {
        d->stale++;
        return;
    }
    tl_mac_begin(&mac, d->key);
    tl_mac_add(&mac, "host", 4);
    tl_mac_add(&mac, d->challenge, TL_CHALLENGE_BYTES);
    tl_mac_add(&mac, d->hello.challenge, TL_CHALLENGE_BYTES);
    tl_mac_end(&mac, right);
    if (tl_same(right, content + 5, TL_PROOF_BYTES)) {
        if (!d->nonce && able)
            begin_session(d);
        return;
    }
#if DEVICE_CAN_SEAL
    seal_part(d, "sealed", right);
    if (tl_same(right, content + 5, TL_PROOF_BYTES)) {
        if (!d->nonce && able) {
            begin_session(d);
            begin_seal(d);
        }
        return;
    }
#endif
    d->bad++;
}

/* Take a key when there is none, or another one from a host that proved it holds the present one. */
static void on_pair(device *d, const uint8_t *content, size_t length)
{
    static const uint8_t no_key[TL_KEY_BYTES] = {0};
    tl_hello hello = d->hello;
    bool proved = !d->paired || d->nonce != 0;
#if DEVICE_CAN_SEAL
    proved = !d->paired || d->sealed; /* only who can seal it with the present key gives another */
#endif
    if (length != 5u + TL_KEY_BYTES || !d->asked || tl_get32(content + 1) != d->hello.nonce || d->flowing || !proved) {
        d->stale++;
        return;
    }
    d->paired = memcmp(content + 5, no_key, TL_KEY_BYTES) != 0;
    memcpy(d->key, content + 5, TL_KEY_BYTES);
    keep_key(d);
    end_session(d);
    answer_hello(d, &hello);
}

/* Whether a valid ACK, COMMAND or SET belongs to a session; it then keeps session and outputs alive. */
static bool in_session(device *d)
{
    if (!d->nonce) {
        announce(d);
        return false;
    }
    d->heard_at = d->ruled_at = d->now;
    return true;
}

/* Everything up to here is on the host's disk. */
static void forget_up_to(device *d, uint32_t durable)
{
    while (d->head.oldest <= durable) {
        uint32_t octets = (uint32_t)record_length(d, d->head.tail) + DEVICE_RECORD_EXTRA;
        d->head.tail = (d->head.tail + octets) % DEVICE_RING_BYTES;
        d->head.used -= octets;
        d->head.oldest++;
    }
    keep_head(d);
}

static void on_ack(device *d, const uint8_t *content, size_t length)
{
    tl_ack ack;
    if (tl_ack_decode(&ack, content, length) != 0) {
        d->bad++;
        return;
    }
    if (!d->nonce) {
        announce(d);
        return;
    }
    if (ack.epoch != d->head.epoch) { /* the host lives in another life of ours */
        d->stale++;
        end_session(d);
        announce(d);
        return;
    }
    if (ack.received >= d->head.next) {
        d->stale++; /* dropped: it keeps nothing alive */
        return;
    }
    (void)in_session(d);
    if (ack.durable >= d->head.oldest)
        forget_up_to(d, ack.durable);
    if (d->head.oldest > TL_LAST_NUMBER) {
        begin_epoch(d); /* all numbers are used up, and all of them are safe */
        return;
    }
    if (!d->flowing) {
        d->flowing = true;
        d->received = ack.received >= d->head.oldest ? ack.received : d->head.oldest - 1u;
        d->resend_wait = TL_RESEND_MS;
        d->resend_at = d->now + d->resend_wait;
        go_back(d);
        return;
    }
    if (ack.received > d->received) {
        uint32_t at, number;
        d->received = ack.received;
        d->resend_wait = TL_RESEND_MS;
        d->resend_at = d->now + d->resend_wait;
        if (d->cursor <= ack.received) /* it was there all the time, only its ACK was not */
            d->cursor = ack.received + 1u;
        d->flying = 0;
        at = find(d, ack.received + 1u);
        for (number = ack.received + 1u; number < d->cursor; number++) {
            size_t octets = record_length(d, at);
            d->flying += (uint32_t)TL_STUFFED(octets + TL_HEAD_BYTES + DEVICE_SEAL_BYTES);
            at += (uint32_t)octets + DEVICE_RECORD_EXTRA;
        }
    }
    if (ack.resend)
        go_back(d);
    else
        pump(d);
}

static void on_set(device *d, const uint8_t *content, size_t length)
{
    uint16_t revision;
    bool newer;
    if (length < 3) {
        d->bad++;
        return;
    }
    revision = tl_get16(content + 1);
    newer = !d->has_revision || (uint16_t)(revision - d->revision) < 0x8000u;
    if (length > d->receiver.room || d->behaviour->set(d->own, content + 3, length - 3u, d->nonce && newer) != 0) {
        d->bad++;
        return;
    }
    if (!in_session(d))
        return;
    if (newer) {
        d->has_revision = true;
        d->revision = revision;
    } else {
        d->stale++;
    }
    tl_head_set(d->content, TL_APPLIED, d->revision);
    send(d, 3);
}

static void on_command(device *d, const uint8_t *content, size_t length)
{
    device_command *command;
    device_reply reply;
    uint32_t id;
    uint8_t status;
    if (length < TL_HEAD_BYTES) {
        d->bad++;
        return;
    }
    if (!in_session(d))
        return;
    id = tl_get32(content + 1);
    command = remembered(d, id);
    if (command != NULL) {
        if (command->status != DEVICE_DOING)
            answer(d, command);
        return;
    }
    if (++d->sequence == 0)
        d->sequence = TL_COMMANDS_REMEMBERED; /* 0 is an empty place; the places go round on */
    command = &d->commands[d->sequence % TL_COMMANDS_REMEMBERED];
    memset(command, 0, sizeof *command);
    command->epoch = d->head.epoch;
    command->sequence = d->sequence;
    command->id = id;
    command->status = DEVICE_DOING;
    keep_command(d, command); /* before acting: a power cut must not let it be done twice */
    memset(&reply, 0, sizeof reply);
    if (length > d->receiver.room) {
        device_reason(&reply, "longer than any command");
        device_finish(d, id, TL_REFUSED, &reply);
        return;
    }
    status = d->behaviour->command(d->own, id, content[5], content + TL_HEAD_BYTES, length - TL_HEAD_BYTES, &reply);
    if (status != DEVICE_DOING)
        device_finish(d, id, status, &reply);
}

void device_heard(device *d, uint8_t byte)
{
    size_t length = tl_receive(&d->receiver, byte); /* a HELLO or COMMAND may be longer than what was kept of it */
    if (length == 0)
        return;
#if DEVICE_CAN_SEAL
    if (d->sealed && d->heard[0] != TL_HELLO && d->heard[0] != TL_PROOF) {
        length = unseal(d, length);
        if (length == 0) {
            d->bad++;
            return;
        }
    }
#endif
    switch (d->heard[0]) {
    case TL_HELLO:
        on_hello(d, d->heard, length);
        break;
    case TL_ACK:
        on_ack(d, d->heard, length);
        break;
    case TL_COMMAND:
        on_command(d, d->heard, length);
        break;
    case TL_SET:
        on_set(d, d->heard, length);
        break;
    case TL_PROOF:
        on_proof(d, d->heard, length);
        break;
    case TL_PAIR:
        on_pair(d, d->heard, length);
        break;
    default:
        d->unknown++;
    }
}

/* --- time ---------------------------------------------------------------------------------------- */

void device_tick(device *d, uint32_t now)
{
    uint32_t hold = d->behaviour->hold_ms(d->own);
    d->now = now;
    if (hold != UINT32_MAX && now - d->ruled_at >= hold) {
        d->behaviour->fall_back(d->own, now - d->ruled_at);
        end_session(d); /* the host believes its SET still stands: a new HELLO makes it say so again */
        announce(d);
    }
    if (d->nonce && now - d->heard_at >= d->facts->silence_ms) {
        end_session(d);
        announce(d);
    }
    if (d->flowing) {
        if (d->cursor != d->received + 1u && passed(now, d->resend_at)) {
            d->resends++;
            d->resend_wait = 2u * d->resend_wait < TL_RESEND_MOST_MS ? 2u * d->resend_wait : TL_RESEND_MOST_MS;
            d->resend_at = now + d->resend_wait;
            go_back(d);
        } else {
            pump(d);
        }
    }
    if (now - d->sent_at >= d->facts->beat_ms) {
        if (d->nonce) {
            d->content[0] = TL_BEAT;
            send(d, 1);
        } else {
            identify(d, 0);
        }
    }
}

/* A reset may have cut a frame of ours: a zero ends it, else it would swallow the announcement. */
static void begin_afresh(device *d)
{
    static const uint8_t zero = 0;
    if (d->board->room(d->on_board) >= 1)
        d->board->send(d->on_board, &zero, 1);
    announce(d);
}

bool device_start(device *d, const device_facts *facts, const device_behaviour *behaviour, const device_board *board,
                  void *own, void *on_board, const char *serial, uint32_t now)
{
    bool kept;
    memset(d, 0, sizeof *d);
    d->facts = facts;
    d->behaviour = behaviour;
    d->board = board;
    d->own = own;
    d->on_board = on_board;
    d->serial = serial;
    d->now = d->sent_at = now;
    d->resend_wait = TL_RESEND_MS;
    tl_receiver_init(&d->receiver, d->heard, sizeof d->heard);
    behaviour->fall_back(own, UINT32_MAX);
    load_key(d);
    kept = load(d);
    if (!kept)
        device_forget(d);
    do
        d->boot = board->draw(on_board);
    while (d->boot == 0);
    begin_afresh(d);
    return kept;
}
