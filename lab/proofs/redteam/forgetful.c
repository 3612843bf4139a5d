/* Keeps an account of everything a process writes under one folder and of every sync, in the order it happened.
 *
 * Loaded before the C library (LD_PRELOAD). FORGETFUL_DIR names the folder, FORGETFUL_LOG the account. From the
 * account a test builds the disk as it would be after a power cut, when whatever was not synced is gone.
 * FORGETFUL_SPACE, if set, is how many bytes the disk takes before it is full; the process may change its mind with
 * forgetful_space(), where less than nothing means no end. forgetful_account() begins or goes on with another account,
 * for a process that was forked, and lets one sync fail: what waited for it stays to be seen and never reaches the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define FDS 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char names[FDS][512];
static const char *folder;
static size_t folder_length;
static int account = -1;
static long long space = -1;
static long fail_at = 0;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FORGETFUL_LOG");
    const char *room = getenv("FORGETFUL_SPACE");
    folder = getenv("FORGETFUL_DIR");
    if (room)
        space = atoll(room);
    if (!folder || !path)
        return;
    folder_length = strlen(folder);
    account = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

void forgetful_space(long long left)
{
    pthread_mutex_lock(&lock);
    space = left;
    pthread_mutex_unlock(&lock);
}

void forgetful_account(const char *dir, const char *path, long fail)
{
    pthread_mutex_lock(&lock);
    folder = strdup(dir);
    folder_length = strlen(folder);
    account = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    fail_at = fail;
    pthread_mutex_unlock(&lock);
}

static int is_ours(const char *path)
{
    return account >= 0 && strncmp(path, folder, folder_length) == 0;
}

static void put(const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t done = syscall(SYS_write, account, at, length);
        if (done <= 0)
            abort();
        at += done;
        length -= (size_t)done;
    }
}

static void note(char what, const char *path, uint64_t offset, const void *bytes, uint64_t length)
{
    uint32_t path_length = (uint32_t)strlen(path);
    put(&what, 1);
    put(&path_length, sizeof path_length);
    put(&offset, sizeof offset);
    put(&length, sizeof length);
    put(path, path_length);
    if (bytes)
        put(bytes, length);
}

static const char *name_of(int fd)
{
    return account >= 0 && fd >= 0 && fd < FDS && names[fd][0] ? names[fd] : NULL;
}

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })

static int opened(int fd, const char *path, int flags, int was_there)
{
    if (fd < 0 || fd >= FDS || !is_ours(path))
        return fd;
    strncpy(names[fd], path, sizeof names[fd] - 1);
    if ((flags & O_CREAT) && !was_there)
        note('c', path, 0, NULL, 0);
    if (flags & O_TRUNC)
        note('t', path, 0, NULL, 0);
    return fd;
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...)                            \
    {                                                                     \
        mode_t mode = 0;                                                  \
        if (flags & (O_CREAT | O_TMPFILE)) {                              \
            va_list more;                                                 \
            va_start(more, flags);                                        \
            mode = va_arg(more, mode_t);                                  \
            va_end(more);                                                 \
        }                                                                 \
        if (!is_ours(path))                                               \
            return REAL(name)(path, flags, mode);                         \
        pthread_mutex_lock(&lock);                                        \
        int was_there = syscall(SYS_access, path, F_OK) == 0;             \
        int fd = opened(REAL(name)(path, flags, mode), path, flags, was_there); \
        pthread_mutex_unlock(&lock);                                      \
        return fd;                                                        \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    if (fd >= 0 && fd < FDS)
        names[fd][0] = 0;
    return REAL(close)(fd);
}

/* How much of a write the disk still takes; the caller holds the lock. */
static ssize_t room_for(size_t length)
{
    if (space < 0)
        return (ssize_t)length;
    if (space == 0) {
        errno = ENOSPC;
        return -1;
    }
    size_t taken = (long long)length < space ? length : (size_t)space;
    space -= (long long)taken;
    return (ssize_t)taken;
}

#define PWRITE(name, type)                                                \
    ssize_t name(int fd, const void *bytes, size_t length, type offset)   \
    {                                                                     \
        const char *path = name_of(fd);                                   \
        if (!path)                                                        \
            return REAL(name)(fd, bytes, length, offset);                 \
        pthread_mutex_lock(&lock);                                        \
        ssize_t done = room_for(length);                                  \
        if (done > 0)                                                     \
            done = REAL(name)(fd, bytes, (size_t)done, offset);           \
        if (done > 0)                                                     \
            note('w', path, (uint64_t)offset, bytes, (uint64_t)done);     \
        pthread_mutex_unlock(&lock);                                      \
        return done;                                                      \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t length)
{
    const char *path = name_of(fd);
    if (!path)
        return REAL(write)(fd, bytes, length);
    pthread_mutex_lock(&lock);
    off_t offset = lseek(fd, 0, SEEK_CUR);
    ssize_t done = room_for(length);
    if (done > 0)
        done = REAL(write)(fd, bytes, (size_t)done);
    if (done > 0)
        note('w', path, (uint64_t)offset, bytes, (uint64_t)done);
    pthread_mutex_unlock(&lock);
    return done;
}

#define TRUNCATE(name, type)                                              \
    int name(int fd, type length)                                         \
    {                                                                     \
        const char *path = name_of(fd);                                   \
        if (!path)                                                        \
            return REAL(name)(fd, length);                                \
        pthread_mutex_lock(&lock);                                        \
        int result = REAL(name)(fd, length);                              \
        if (result == 0)                                                  \
            note('t', path, (uint64_t)length, NULL, 0);                   \
        pthread_mutex_unlock(&lock);                                      \
        return result;                                                    \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                        \
    int name(int fd)                                                      \
    {                                                                     \
        const char *path = name_of(fd);                                   \
        if (!path)                                                        \
            return REAL(name)(fd);                                        \
        pthread_mutex_lock(&lock);                                        \
        int fails = fail_at > 0 && --fail_at == 0;                        \
        int result = fails ? -1 : REAL(name)(fd);                         \
        if (fails || result == 0)                                         \
            note(fails ? 'f' : 's', path, 0, NULL, 0);                    \
        pthread_mutex_unlock(&lock);                                      \
        if (fails)                                                        \
            errno = EIO;                                                  \
        return result;                                                    \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path)
{
    if (!is_ours(path))
        return REAL(unlink)(path);
    pthread_mutex_lock(&lock);
    int result = REAL(unlink)(path);
    if (result == 0)
        note('u', path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    if (!is_ours(path))
        return REAL(mkdir)(path, mode);
    pthread_mutex_lock(&lock);
    int result = REAL(mkdir)(path, mode);
    if (result == 0)
        note('d', path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}
