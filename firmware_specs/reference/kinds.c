#include "kinds.h"

#if !defined ONLY_shoe && !defined ONLY_wheel && !defined ONLY_chips && !defined ONLY_cards && !defined ONLY_shuffler
#define ONLY_shoe
#define ONLY_wheel
#define ONLY_chips
#define ONLY_cards
#define ONLY_shuffler
#endif
#ifdef ONLY_shoe
#include "shoe.h"
#endif
#ifdef ONLY_wheel
#include "wheel.h"
#endif
#ifdef ONLY_chips
#include "chips.h"
#endif
#ifdef ONLY_cards
#include "cards.h"
#endif
#ifdef ONLY_shuffler
#include "shuffler.h"
#endif

#ifndef KEPT /* where a board keeps what a reset must not clear: the world is still there after it */
#define KEPT
#endif

/* --- words --------------------------------------------------------------------------------------- */

static void say(char *answer, size_t room, const char *text)
{
    size_t at = strlen(answer), length = strlen(text);
    if (at + length + 1u > room)
        length = room > at + 1u ? room - at - 1u : 0;
    memcpy(answer + at, text, length);
    answer[at + length] = 0;
}

static void say_number(char *answer, size_t room, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1u;
    digits[at] = 0;
    do {
        digits[--at] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number != 0);
    say(answer, room, digits + at);
}

static void say_hex(char *answer, size_t room, const uint8_t *bytes, size_t length)
{
    static const char digit[] = "0123456789abcdef";
    char two[3] = {0, 0, 0};
    while (length--) {
        two[0] = digit[*bytes >> 4];
        two[1] = digit[*bytes++ & 15u];
        say(answer, room, two);
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *number_in(const char *text, uint64_t *number)
{
    *number = 0;
    while (is_digit(*text))
        *number = *number * 10u + (uint64_t)(*text++ - '0');
    return text;
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t octets_in(const char *hex, uint8_t *octets, size_t room)
{
    size_t n = 0;
    while (n < room && hex_digit(hex[0]) >= 0 && hex_digit(hex[1]) >= 0) {
        octets[n++] = (uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
        hex += 2;
    }
    return n;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

#if defined ONLY_chips || defined ONLY_cards || defined ONLY_shuffler
/* Behind `"name":` in an object of numbers, texts and flat lists; NULL when it is not there. */
static const char *member(const char *how, const char *name)
{
    size_t length = strlen(name);
    for (; *how; how++)
        if (how[0] == '"' && strncmp(how + 1, name, length) == 0 && how[length + 1] == '"') {
            how += length + 2;
            while (*how == ' ' || *how == ':')
                how++;
            return how;
        }
    return NULL;
}
#endif

#if defined ONLY_chips || defined ONLY_cards
static bool number_of(const char *how, const char *name, uint64_t *number)
{
    const char *at = member(how, name);
    if (at == NULL || !is_digit(*at))
        return false;
    number_in(at, number);
    return true;
}

/* The next number of a list that `*at` points into; false at its end. */
static bool next_number(const char **at, uint64_t *number)
{
    while (**at && **at != ']' && !is_digit(**at))
        (*at)++;
    if (!is_digit(**at))
        return false;
    *at = number_in(*at, number);
    return true;
}

static bool no(char *answer, size_t room, const char *why)
{
    answer[0] = 0;
    say(answer, room, why);
    return false;
}

typedef bool (*place_one)(uint64_t tag, uint8_t where);

static bool place_all(const char *how, uint8_t where, place_one place)
{
    const char *at = member(how, "tags");
    uint64_t tag;
    while (at != NULL && next_number(&at, &tag))
        if (!place(tag, where))
            return false;
    return at != NULL;
}

static uint8_t places_in(const char *how, const char *name, uint8_t *places, size_t room)
{
    const char *at = member(how, name);
    uint64_t number;
    uint8_t count = 0;
    while (at != NULL && count < room && next_number(&at, &number))
        places[count++] = (uint8_t)number;
    return count;
}

static uint8_t cause_in(const char *how)
{
    const char *at = member(how, "cause");
    if (at == NULL || begins(at, "\"ANTENNA_OPEN"))
        return 0;
    return begins(at, "\"ANTENNA_SHORT") ? 1 : begins(at, "\"NOISE") ? 2 : 3;
}
#endif

/* --- shoe and wheel: what they see is posted ----------------------------------------------------- */

#ifdef ONLY_shoe
KEPT static shoe the_shoe;

static void start_shoe(const device_board *board, const char *serial, uint32_t now)
{
    shoe_start(&the_shoe, board, NULL, serial, now);
}

static void tick_shoe(uint32_t now)
{
    device_tick(&the_shoe.link, now);
}

static uint32_t post_shoe(uint8_t message, const uint8_t *body, size_t length)
{
    return shoe_post(&the_shoe, message, body, length);
}

static int outputs_shoe(uint8_t *body, size_t room)
{
    return shoe_outputs_encode(&the_shoe.outputs, body, room);
}

static const kind SHOE = {
    "shoe", "REF-SHOE", &the_shoe.link, start_shoe, tick_shoe, post_shoe, outputs_shoe, "", NULL, NULL,
};
#endif

#ifdef ONLY_wheel
KEPT static wheel the_wheel;

static void start_wheel(const device_board *board, const char *serial, uint32_t now)
{
    wheel_start(&the_wheel, board, NULL, serial, now);
}

static void tick_wheel(uint32_t now)
{
    wheel_tick(&the_wheel, now);
}

static uint32_t post_wheel(uint8_t message, const uint8_t *body, size_t length)
{
    return wheel_post(&the_wheel, message, body, length);
}

static int outputs_wheel(uint8_t *body, size_t room)
{
    return wheel_outputs_encode(&the_wheel.outputs, body, room);
}

static const kind WHEEL = {
    "wheel", "REF-WHEEL", &the_wheel.link, start_wheel, tick_wheel, post_wheel, outputs_wheel, "", NULL, NULL,
};
#endif

/* --- chip mat and card antennas: tags are laid on them -------------------------------------------- */

#ifdef ONLY_chips
KEPT static chips_mat the_mat;

static void start_chips(const device_board *board, const char *serial, uint32_t now)
{
    chips_start(&the_mat, board, NULL, serial, now);
}

static void tick_chips(uint32_t now)
{
    chips_tick(&the_mat, now);
}

static uint32_t post_chips(uint8_t message, const uint8_t *body, size_t length)
{
    return chips_post(&the_mat, message, body, length);
}

static int outputs_chips(uint8_t *body, size_t room)
{
    return chips_outputs_encode(&the_mat.outputs, body, room);
}

static void size_chips(unsigned number)
{
    the_mat.areas = (uint8_t)number;
}

static bool place_chip(uint64_t tag, uint8_t area)
{
    return chips_place(&the_mat, tag, area);
}

static bool hand_chips(const char *name, const char *how, char *answer, size_t room)
{
    uint64_t area = 0, tag = 0;
    uint8_t places[TAGS_PLACES], count;
    if (!strcmp(name, "place"))
        return (number_of(how, "area", &area) && place_all(how, (uint8_t)area, place_chip)) ||
               no(answer, room, "there is no such area, or no room for so many tags");
    if (!strcmp(name, "remove"))
        return place_all(how, TAGS_NOWHERE, place_chip) || no(answer, room, "which tags?");
    if (!strcmp(name, "put_on_edge")) {
        count = places_in(how, "areas", places, sizeof places);
        return (number_of(how, "tag", &tag) && chips_on_edge(&the_mat, tag, places, count)) ||
               no(answer, room, "which tag, across which areas?");
    }
    if (!strcmp(name, "clear")) {
        the_mat.tags.count = 0;
        the_mat.tags.told = 0;
        the_mat.broken = 0;
        return true;
    }
    if (!strcmp(name, "fail") && number_of(how, "area", &area)) {
        chips_fails(&the_mat, (uint8_t)area, cause_in(how));
        return true;
    }
    if (!strcmp(name, "mend") && number_of(how, "area", &area)) {
        chips_works(&the_mat, (uint8_t)area);
        return true;
    }
    return no(answer, room, "no hand can do this here");
}

static const kind CHIPS = {
    "chips", "REF-CHIPS", &the_mat.link, start_chips, tick_chips, post_chips, outputs_chips,
    "place remove clear put_on_edge fail mend", hand_chips, size_chips,
};
#endif

#ifdef ONLY_cards
KEPT static cards_felt the_felt;

static void start_cards(const device_board *board, const char *serial, uint32_t now)
{
    cards_start(&the_felt, board, NULL, serial, now);
}

static void tick_cards(uint32_t now)
{
    cards_tick(&the_felt, now);
}

static uint32_t post_cards(uint8_t message, const uint8_t *body, size_t length)
{
    return cards_post(&the_felt, message, body, length);
}

static int outputs_cards(uint8_t *body, size_t room)
{
    (void)body, (void)room;
    return 0;
}

static void size_cards(unsigned number)
{
    the_felt.seats = (uint8_t)number;
}

static bool place_card(uint64_t tag, uint8_t antenna)
{
    return cards_place(&the_felt, tag, antenna);
}

static bool hand_cards(const char *name, const char *how, char *answer, size_t room)
{
    uint64_t antenna = 0, tag = 0;
    uint8_t places[TAGS_PLACES], count;
    if (!strcmp(name, "place"))
        return (number_of(how, "antenna", &antenna) && place_all(how, (uint8_t)antenna, place_card)) ||
               no(answer, room, "there is no such antenna, or no room for so many tags");
    if (!strcmp(name, "remove"))
        return place_all(how, TAGS_NOWHERE, place_card) || no(answer, room, "which tags?");
    if (!strcmp(name, "put_on_edge")) {
        count = places_in(how, "antennas", places, sizeof places);
        return (number_of(how, "tag", &tag) && cards_on_edge(&the_felt, tag, places, count)) ||
               no(answer, room, "which tag, between which antennas?");
    }
    if (!strcmp(name, "clear")) {
        the_felt.tags.count = 0;
        the_felt.tags.told = 0;
        the_felt.broken = 0;
        return true;
    }
    if (!strcmp(name, "fail") && number_of(how, "antenna", &antenna)) {
        cards_fails(&the_felt, (uint8_t)antenna, cause_in(how));
        return true;
    }
    if (!strcmp(name, "mend") && number_of(how, "antenna", &antenna)) {
        cards_works(&the_felt, (uint8_t)antenna);
        return true;
    }
    return no(answer, room, "no hand can do this here");
}

static const kind CARDS = {
    "cards", "REF-CARDS", &the_felt.link, start_cards, tick_cards, post_cards, outputs_cards,
    "place remove clear put_on_edge fail mend", hand_cards, size_cards,
};
#endif

/* --- shuffler: cards go in and come out ----------------------------------------------------------- */

#ifdef ONLY_shuffler
KEPT static shuffler the_shuffler;
static shuffler_pile in_hand;
static const char RANKS[] = "23456789TJQKA", SUITS[] = "SHDC";

static void start_shuffler(const device_board *board, const char *serial, uint32_t now)
{
    shuffler_start(&the_shuffler, board, NULL, serial, now);
}

static void tick_shuffler(uint32_t now)
{
    shuffler_tick(&the_shuffler, now);
}

static uint32_t post_shuffler(uint8_t message, const uint8_t *body, size_t length)
{
    return shuffler_post(&the_shuffler, message, body, length);
}

static int outputs_shuffler(uint8_t *body, size_t room)
{
    return shuffler_outputs_encode(&the_shuffler.outputs, body, room);
}

static void say_cards(char *answer, size_t room, const uint8_t *cards, uint16_t count, bool apart)
{
    uint16_t n;
    char card[] = "\"??\"";
    say(answer, room, "[");
    for (n = 0; n < count; n++) {
        if (n > 0)
            say(answer, room, ", ");
        card[1] = RANKS[(cards[n] - 1u) % 13u];
        card[2] = SUITS[(cards[n] - 1u) / 13u % 4u];
        say(answer, room, apart ? "[" : "");
        say(answer, room, card);
        say(answer, room, apart ? "]" : "");
    }
    say(answer, room, "]");
}

static bool cards_in(const char *how, shuffler_pile *pile)
{
    const char *at = member(how, "cards");
    pile->count = 0;
    for (; at != NULL && *at && *at != ']'; at++)
        if (at[0] == '"') {
            const char *rank = strchr(RANKS, at[1]), *suit = at[1] ? strchr(SUITS, at[2]) : NULL;
            if (rank == NULL || suit == NULL || pile->count == SHUFFLER_CARDS_MOST)
                return false;
            pile->cards[pile->count++] = TL_CARD((uint8_t)(suit - SUITS), (uint8_t)(rank - RANKS));
            at += 3;
        }
    return at != NULL;
}

static bool refuse(char *answer, size_t room, const char *why)
{
    answer[0] = 0;
    say(answer, room, why);
    return false;
}

static bool hand_shuffler(const char *name, const char *how, char *answer, size_t room)
{
    shuffler *s = &the_shuffler;
    const char *why = "", *at;
    int32_t ms;
    if (!strcmp(name, "load"))
        return (cards_in(how, &in_hand) && shuffler_load(s, in_hand.cards, in_hand.count)) ||
               refuse(answer, room, "these are no cards, or too many");
    if (!strcmp(name, "stack"))
        return (cards_in(how, &in_hand) && shuffler_stack(s, in_hand.cards, in_hand.count)) ||
               refuse(answer, room, "these are no cards, or too many");
    if (!strcmp(name, "take_out")) {
        shuffler_take_out(s, &in_hand);
        say_cards(answer, room, in_hand.cards, in_hand.count, false);
        return true;
    }
    if (!strcmp(name, "clear")) {
        shuffler_take_out(s, &in_hand);
        s->pulls.count = 0;
        return true;
    }
    if (!strcmp(name, "lift_deck")) {
        if (!shuffler_lift_deck(s, &in_hand))
            return refuse(answer, room, "no shuffled deck stands on the lift of the shuffler");
        say_cards(answer, room, in_hand.cards, in_hand.count, false);
        return true;
    }
    if (!strcmp(name, "mouth")) {
        say_cards(answer, room, &s->mouth, s->mouth ? 1 : 0, false);
        return true;
    }
    if (!strcmp(name, "draw")) {
        at = member(how, "force");
        ms = shuffler_draw(s, at != NULL && *at == 't', &why);
        if (ms < 0)
            return refuse(answer, room, why);
        say_number(answer, room, (uint64_t)ms / 1000u);
        say(answer, room, ".");
        say_number(answer, room, (uint64_t)ms % 1000u / 100u);
        return true;
    }
    if (!strcmp(name, "pulls")) {
        uint64_t since = 0;
        at = member(how, "since");
        if (at != NULL)
            number_in(at, &since);
        if (since > s->pulls.count)
            since = s->pulls.count;
        say_cards(answer, room, s->pulls.cards + since, (uint16_t)(s->pulls.count - since), true);
        if (s->pulls.count == SHUFFLER_CARDS_MOST)
            s->pulls.count = 0;
        return true;
    }
    if (!strcmp(name, "open_door") || !strcmp(name, "close_door")) {
        shuffler_door(s, name[0] == 'o');
        return true;
    }
    at = member(how, "mode");
    if (!strcmp(name, "set_mode") && at != NULL) {
        shuffler_turn_mode(s, at[1] == 'S' && at[2] == 'O' ? SHUFFLER_MODE_SORT
                              : at[1] == 'S' && at[2] == 'I' ? SHUFFLER_MODE_SINGLE_DECK
                                                             : SHUFFLER_MODE_SHUFFLE);
        return true;
    }
    return refuse(answer, room, "no hand can do this to the reference shuffler");
}

static const kind SHUFFLER = {
    "shuffler", "REF-SHUFFLER", &the_shuffler.link, start_shuffler, tick_shuffler, post_shuffler, outputs_shuffler,
    "load take_out draw pulls spoil stack mouth clear lift_deck open_door close_door set_mode", hand_shuffler, NULL,
};
#endif

/* --- all of them --------------------------------------------------------------------------------- */

static const kind *const KINDS[] = {
#ifdef ONLY_shoe
    &SHOE,
#endif
#ifdef ONLY_wheel
    &WHEEL,
#endif
#ifdef ONLY_chips
    &CHIPS,
#endif
#ifdef ONLY_cards
    &CARDS,
#endif
#ifdef ONLY_shuffler
    &SHUFFLER,
#endif
};

const kind *kind_named(const char *name)
{
    size_t n;
    for (n = 0; n < sizeof KINDS / sizeof KINDS[0]; n++)
        if (name == NULL || !strcmp(KINDS[n]->name, name))
            return KINDS[n];
    return NULL;
}

static void obey_post(const kind *which, const char *line, char *answer, size_t room)
{
    static uint8_t body[TL_MAX_CONTENT];
    uint64_t message;
    const char *at = number_in(line, &message);
    size_t length = octets_in(*at == ' ' ? at + 1 : at, body, sizeof body);
    say(answer, room, "number ");
    say_number(answer, room, message > 255u ? 0 : which->post((uint8_t)message, body, length));
}

static void obey_hand(const kind *which, const char *line, char *answer, size_t room)
{
    char name[24];
    size_t length = 0;
    static char said[3072];
    said[0] = 0;
    while (line[length] && line[length] != ' ' && length < sizeof name - 1u) {
        name[length] = line[length];
        length++;
    }
    name[length] = 0;
    if (which->hand != NULL && which->hand(name, line + length, said, sizeof said)) {
        say(answer, room, "did ");
        say(answer, room, said[0] ? said : "null");
    } else {
        say(answer, room, "cannot ");
        say(answer, room, said[0] ? said : "events are posted to this device");
    }
}

void kind_obey(const kind *which, const char *line, void (*restart)(char how), char *answer, size_t room)
{
    uint8_t body[16];
    int length;
    uint64_t number;
    answer[0] = 0;
    if (begins(line, "post ")) {
        obey_post(which, line + 5, answer, room);
    } else if (begins(line, "hand ")) {
        obey_hand(which, line + 5, answer, room);
    } else if (!strcmp(line, "hands")) {
        say(answer, room, "hands ");
        say(answer, room, which->hands);
    } else if (!strcmp(line, "restart keep") || !strcmp(line, "restart lose")) {
        restart(line[8]);
        say(answer, room, "ok");
    } else if (begins(line, "size ") && which->size != NULL) {
        number_in(line + 5, &number);
        which->size((unsigned)number);
        restart('k');
        say(answer, room, "ok");
    } else if (begins(line, "count ")) {
        number_in(line + 6, &number);
        which->link->head.oldest = which->link->head.next = (uint32_t)number;
        which->link->head.used = 0;
        device_keep(which->link);
        restart('k');
        say(answer, room, "ok");
    } else if (!strcmp(line, "outputs")) {
        length = which->outputs(body, sizeof body);
        say(answer, room, "outputs ");
        say_hex(answer, room, body, (size_t)(length < 0 ? 0 : length));
    } else if (!strcmp(line, "commands")) {
        say(answer, room, "commands ");
        say_number(answer, room, which->link->sequence);
    } else if (!strcmp(line, "held")) {
        say(answer, room, "held ");
        say_number(answer, room, which->link->head.next - which->link->head.oldest);
    } else {
        say(answer, room, "not understood");
    }
    say(answer, room, "\n");
}
