/* A shoe on an Arduino Mega 2560: the link on Serial1, a reader that sends one byte a card on Serial2 (its code, 0 when it
 * recognised none), and a memory that needs no power on SPI (an FRAM such as the MB85RS64: EEPROM is too slow to keep an
 * event before it counts, and worn out after some thousand cards). Compiled with Debian's core, never run on a board. */
#include <SPI.h>
#include <TableDevice.h>

static const uint8_t FRAM = 53, GATE = 22, MOUTH = 24, LID = 26, LAMP_GREEN = 28, LAMP_RED = 30;
static const uint8_t FRAM_MAY_WRITE = 6, FRAM_WRITE = 2, FRAM_READ = 3;
static const uint32_t READ_MS = 100; /* so long after a card is out its face may come */

static shoe the_shoe;

static void send(void *, const uint8_t *bytes, size_t length)
{
    Serial1.write(bytes, length);
}

static size_t room(void *)
{
    return 2u * TL_WINDOW_BYTES; /* Serial1 waits while its buffer is full */
}

/* The lowest bit of an open input is noise. */
static uint32_t draw(void *)
{
    uint32_t drawn = micros();
    for (uint8_t bit = 0; bit < 32; bit++)
        drawn = (drawn << 1 | drawn >> 31) ^ (uint32_t)(analogRead(A0) & 1);
    return drawn;
}

static void at_fram(uint8_t what, size_t at)
{
    digitalWrite(FRAM, LOW);
    SPI.transfer(what);
    SPI.transfer((uint8_t)(at >> 8));
    SPI.transfer((uint8_t)at);
}

static bool load(void *, size_t at, void *to, size_t length)
{
    uint8_t *into = (uint8_t *)to;
    at_fram(FRAM_READ, at);
    while (length--)
        *into++ = SPI.transfer(0);
    digitalWrite(FRAM, HIGH);
    return true;
}

static void save(void *, size_t at, const void *from, size_t length)
{
    const uint8_t *out = (const uint8_t *)from;
    digitalWrite(FRAM, LOW);
    SPI.transfer(FRAM_MAY_WRITE);
    digitalWrite(FRAM, HIGH);
    at_fram(FRAM_WRITE, at);
    while (length--)
        SPI.transfer(*out++);
    digitalWrite(FRAM, HIGH);
}

static const device_board BOARD = {send, room, draw, load, save};

void setup()
{
    pinMode(FRAM, OUTPUT);
    digitalWrite(FRAM, HIGH);
    pinMode(GATE, OUTPUT);
    pinMode(LAMP_GREEN, OUTPUT);
    pinMode(LAMP_RED, OUTPUT);
    pinMode(MOUTH, INPUT_PULLUP);
    pinMode(LID, INPUT_PULLUP);
    SPI.begin();
    Serial1.begin(115200);
    Serial2.begin(115200);
    shoe_start(&the_shoe, &BOARD, NULL, "MEGA-1", millis());
}

/* One event a card: when it is out, and its face was read or the time for that is over. */
static void look_at_mouth(uint32_t now)
{
    static bool passing, out;
    static uint32_t since;
    bool dark = digitalRead(MOUTH) == LOW;
    if (dark && !passing && !out) {
        passing = true;
        while (Serial2.available())
            Serial2.read(); /* nothing of an earlier card */
        shoe_card_begins(&the_shoe);
    } else if (!dark && passing) {
        passing = false;
        out = true;
        since = now;
    }
    if (out && (Serial2.available() || now - since >= READ_MS)) {
        shoe_card_out seen = {};
        int code = Serial2.read();
        seen.look = 1;
        seen.card = code > 0 && code <= 52 ? (uint8_t)code : 0;
        seen.reading = seen.card ? SHOE_READING_CARD : SHOE_READING_UNREADABLE;
        seen.confidence = seen.card ? 100 : 0;
        shoe_card_leaves(&the_shoe, &seen);
        out = false;
    }
}

void loop()
{
    uint32_t now = millis();
    bool open = digitalRead(LID) == HIGH;
    while (Serial1.available())
        device_heard(&the_shoe.link, (uint8_t)Serial1.read());
    device_tick(&the_shoe.link, now);
    if (open != the_shoe.lid_open)
        shoe_condition_is(&the_shoe, SHOE_CONDITION_LID_OPEN, open);
    look_at_mouth(now);
    digitalWrite(GATE, shoe_gate_locked(&the_shoe) ? LOW : HIGH);
    digitalWrite(LAMP_GREEN, the_shoe.outputs.lamp == SHOE_LAMP_GREEN || the_shoe.outputs.lamp == SHOE_LAMP_AMBER);
    digitalWrite(LAMP_RED, the_shoe.outputs.lamp == SHOE_LAMP_RED || the_shoe.outputs.lamp == SHOE_LAMP_AMBER);
}
