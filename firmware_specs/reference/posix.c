/* The reference devices as a program: a pseudo-terminal or a serial line for the host, a file for the memory that
 * keeps its bytes without power, and a socket through which a test can be the world (kinds.h).
 *
 *   device KIND --port pty|pty:LINK|stdio|PATH [--memory FILE] [--serial TEXT] [--control SOCKET] [--speed N]
 *               [--areas N | --seats N]
 *
 * KIND is shoe, wheel, chips, cards or shuffler. With a pseudo-terminal it says "port PATH" once it can be opened. */
#define _XOPEN_SOURCE 700

#include "kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define OUT_BYTES 16384u

static struct {
    int line_in, line_out, slave, memory, listener, client;
    uint8_t out[OUT_BYTES];
    size_t waiting;
    double speed;
    struct timespec begun;
    const char *link; /* symbolic link to the pseudo-terminal */
    const char *socket;
} here = {-1, -1, -1, -1, -1, -1, {0}, 0, 1.0, {0, 0}, NULL, NULL};

static const kind *what;
static const char *serial = NULL;
static volatile sig_atomic_t over = 0;

static void fail(const char *what, const char *remedy)
{
    fprintf(stderr, "device: %s%s%s; %s\n", what, errno ? ": " : "", errno ? strerror(errno) : "", remedy);
    exit(1);
}

static uint32_t now_ms(void)
{
    struct timespec now;
    double seconds;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (double)(now.tv_sec - here.begun.tv_sec) + (double)(now.tv_nsec - here.begun.tv_nsec) / 1e9;
    return (uint32_t)(uint64_t)(seconds * here.speed * 1000.0);
}

/* --- the board ----------------------------------------------------------------------------------- */

static void flush_line(void)
{
    while (here.waiting) {
        ssize_t sent = write(here.line_out, here.out, here.waiting);
        if (sent <= 0)
            return;
        here.waiting -= (size_t)sent;
        memmove(here.out, here.out + sent, here.waiting);
    }
}

static void board_send(void *board, const uint8_t *bytes, size_t length)
{
    (void)board;
    memcpy(here.out + here.waiting, bytes, length);
    here.waiting += length;
    flush_line();
}

static size_t board_room(void *board)
{
    (void)board;
    return OUT_BYTES - here.waiting;
}

static uint32_t board_draw(void *board)
{
    uint32_t drawn = 0;
    int source = open("/dev/urandom", O_RDONLY);
    (void)board;
    if (source < 0 || read(source, &drawn, sizeof drawn) != (ssize_t)sizeof drawn)
        fail("no random numbers", "check /dev/urandom");
    close(source);
    return drawn;
}

static bool board_load(void *board, size_t at, void *to, size_t length)
{
    (void)board;
    return pread(here.memory, to, length, (off_t)at) == (ssize_t)length;
}

static void board_save(void *board, size_t at, const void *from, size_t length)
{
    (void)board;
    if (pwrite(here.memory, from, length, (off_t)at) != (ssize_t)length)
        fail("the memory cannot be written", "give --memory a file on a disk with room");
}

static const device_board BOARD = {board_send, board_room, board_draw, board_load, board_save};

static void power_on(void)
{
    clock_gettime(CLOCK_MONOTONIC, &here.begun); /* a device counts its time from its start */
    what->start(&BOARD, serial, now_ms());
}

/* --- the world ----------------------------------------------------------------------------------- */

static void answer(const char *text)
{
    if (here.client >= 0 && write(here.client, text, strlen(text)) < 0)
        errno = 0; /* who asked has gone */
}

/* Events and commands are gone; the key of a paired device lies elsewhere and stays. */
static void lose_memory(void)
{
    static const uint8_t nothing[DEVICE_KEY_AT];
    board_save(NULL, 0, nothing, sizeof nothing);
}

static void restart(char how)
{
    if (how == 'l')
        lose_memory();
    here.waiting = 0;
    power_on();
}

static void obey(const char *line)
{
    static char text[4096];
    what->link->now = now_ms();
    if (!strcmp(line, "quit")) {
        answer("ok\n");
        over = 1;
        return;
    }
    kind_obey(what, line, restart, text, sizeof text);
    answer(text);
}

static void hear_world(void)
{
    static char line[16384];
    static size_t length = 0;
    ssize_t got = read(here.client, line + length, sizeof line - 1 - length);
    char *end;
    if (got <= 0) {
        close(here.client);
        here.client = -1;
        length = 0;
        return;
    }
    length += (size_t)got;
    line[length] = 0;
    while ((end = strchr(line, '\n')) != NULL) {
        *end = 0;
        obey(line);
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length + 1);
    }
    if (length == sizeof line - 1)
        length = 0;
}

/* --- the machine --------------------------------------------------------------------------------- */

static void make_raw(int terminal)
{
    struct termios how;
    if (tcgetattr(terminal, &how) != 0)
        return; /* not a terminal: a pipe or a socket needs nothing */
    how.c_iflag &= (tcflag_t)~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF);
    how.c_oflag &= (tcflag_t)~OPOST;
    how.c_lflag &= (tcflag_t)~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    how.c_cflag = (how.c_cflag & (tcflag_t)~(CSIZE | PARENB | CSTOPB)) | CS8 | CREAD | CLOCAL;
    how.c_cc[VMIN] = 1;
    how.c_cc[VTIME] = 0;
    cfsetispeed(&how, B38400); /* 115200 is no POSIX constant; a real line is set by stty before */
    cfsetospeed(&how, B38400);
    tcsetattr(terminal, TCSANOW, &how);
}

static void open_line(const char *port)
{
    if (!strcmp(port, "stdio")) {
        here.line_in = 0;
        here.line_out = 1;
    } else if (!strncmp(port, "pty", 3)) {
        const char *name;
        here.line_in = here.line_out = posix_openpt(O_RDWR | O_NOCTTY);
        if (here.line_in < 0 || grantpt(here.line_in) != 0 || unlockpt(here.line_in) != 0 ||
            (name = ptsname(here.line_in)) == NULL || (here.slave = open(name, O_RDWR | O_NOCTTY)) < 0)
            fail("no pseudo-terminal can be made", "close programs that hold many terminals");
        make_raw(here.slave); /* held open, so that a host may come and go */
        if (port[3] == ':') {
            here.link = port + 4;
            unlink(here.link);
            if (symlink(name, here.link) != 0)
                fail(here.link, "choose a path in a folder that you may write to");
        }
        printf("port %s\n", name);
        fflush(stdout);
    } else {
        here.line_in = here.line_out = open(port, O_RDWR | O_NOCTTY);
        if (here.line_in < 0)
            fail(port, "give --port a serial line that is there, pty, pty:LINK or stdio");
        make_raw(here.line_in);
    }
    fcntl(here.line_in, F_SETFL, fcntl(here.line_in, F_GETFL) | O_NONBLOCK);
    fcntl(here.line_out, F_SETFL, fcntl(here.line_out, F_GETFL) | O_NONBLOCK);
}

static void open_control(const char *path)
{
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path)
        fail("the control socket's path is too long", "choose a shorter one");
    strcpy(address.sun_path, path);
    unlink(path);
    here.listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (here.listener < 0 || bind(here.listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(here.listener, 1) != 0)
        fail(path, "choose a path in a folder that you may write to");
    here.socket = path;
}

static void hear_line(void)
{
    uint8_t bytes[512];
    ssize_t got = read(here.line_in, bytes, sizeof bytes), n;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR && errno != EIO))
        over = 1;
    what->link->now = now_ms();
    for (n = 0; n < got; n++)
        device_heard(what->link, bytes[n]);
}

static void on_signal(int number)
{
    (void)number;
    over = 1;
}

static void usage(void)
{
    fprintf(stderr, "usage: device shoe|wheel|chips|cards|shuffler --port pty|pty:LINK|stdio|PATH [--memory FILE] "
                    "[--serial TEXT] [--control SOCKET] [--speed N] [--areas N | --seats N]\n");
    exit(2);
}

int main(int count, char **words)
{
    const char *port = NULL, *memory = NULL, *control = NULL;
    int n;
    what = count < 2 ? NULL : kind_named(words[1]);
    if (what == NULL)
        usage();
    serial = what->serial;
    for (n = 2; n + 1 < count; n += 2) {
        if (!strcmp(words[n], "--port"))
            port = words[n + 1];
        else if (!strcmp(words[n], "--memory"))
            memory = words[n + 1];
        else if (!strcmp(words[n], "--serial"))
            serial = words[n + 1];
        else if (!strcmp(words[n], "--control"))
            control = words[n + 1];
        else if ((!strcmp(words[n], "--areas") || !strcmp(words[n], "--seats")) && what->size != NULL)
            what->size((unsigned)atoi(words[n + 1]));
        else if (!strcmp(words[n], "--speed"))
            here.speed = atof(words[n + 1]);
        else
            usage();
    }
    if (n < count || port == NULL || strlen(serial) == 0 || strlen(serial) > TL_NAME_BYTES || here.speed <= 0)
        usage();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    errno = 0;
    if (memory != NULL) {
        here.memory = open(memory, O_RDWR | O_CREAT, 0600);
    } else {
        FILE *scratch = tmpfile();
        here.memory = scratch == NULL ? -1 : fileno(scratch);
    }
    if (here.memory < 0 || (lseek(here.memory, 0, SEEK_END) < (off_t)DEVICE_MEMORY_BYTES &&
                            ftruncate(here.memory, (off_t)DEVICE_MEMORY_BYTES) != 0))
        fail("the memory cannot be opened", "give --memory a file that may be written");
    if (control != NULL)
        open_control(control);
    open_line(port);
    power_on();
    while (!over) {
        struct pollfd watched[3] = {{here.line_in, POLLIN, 0}, {here.listener, POLLIN, 0}, {here.client, POLLIN, 0}};
        poll(watched, 3, here.speed > 2 ? 1 : 5);
        if (watched[0].revents)
            hear_line();
        if (watched[1].revents & POLLIN) {
            if (here.client >= 0)
                close(here.client);
            here.client = accept(here.listener, NULL, NULL);
        } else if (watched[2].revents) {
            hear_world();
        }
        flush_line();
        what->tick(now_ms());
    }
    if (here.link != NULL)
        unlink(here.link);
    if (here.socket != NULL)
        unlink(here.socket);
    return 0;
}
