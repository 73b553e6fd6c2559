/* A layer between a program and its files, loaded with LD_PRELOAD.
 *
 * Every call that changes something under one folder is a numbered point: creating, writing,
 * cutting, syncing, renaming, unlinking. At a chosen point the process is killed (before the call,
 * or in the middle of a write), or the call and all later ones fail with an error number. Python,
 * SQLite and tantivy all pass through here, because all of them call the C library.
 *
 * With a log, each point is also recorded with its bytes, so that the folder can be rebuilt as a
 * power cut would leave it: see disk.py.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OFF = 0, COUNT = 1, KILL = 2, TORN = 3, FAIL = 4, FAIL_ONCE = 5 };
enum { CREATE = 'c', WRITE = 'w', CUT = 't', SYNC = 's', RENAME = 'r', UNLINK = 'u', MKDIR = 'm', RMDIR = 'd' };

static char root[PATH_MAX];
static size_t root_length;
static int mode = OFF;
static long target, points;
static int failure = ENOSPC;
static int log_fd = -1;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;

void faults_arm(const char *folder, int how, long at, int error, int log) {
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
    mode = how;
    target = at;
    points = 0;
    failure = error;
    log_fd = log;
}

long faults_points(void) { return points; }

static int watched(const char *path) {
    return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

static int full_path(int folder, const char *path, char *out) {
    if (path[0] == '/') {
        snprintf(out, PATH_MAX, "%s", path);
    } else {
        char link[64], base[PATH_MAX];
        ssize_t size;
        if (folder == AT_FDCWD) {
            if (getcwd(base, sizeof base) == NULL) return 0;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            size = readlink(link, base, sizeof base - 1);
            if (size < 0) return 0;
            base[size] = 0;
        }
        if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return 0;
    }
    return watched(out);
}

static int path_of(int fd, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, out, PATH_MAX - 1);
    if (size < 0) return 0;
    out[size] = 0;
    return watched(out);
}

static void put(const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        ssize_t done = syscall(SYS_write, log_fd, at, size);
        if (done <= 0) return;
        at += done;
        size -= (size_t)done;
    }
}

static void record(char what, const char *path, uint64_t offset, const void *data, uint64_t size) {
    uint32_t length = (uint32_t)strlen(path);
    put(&what, 1);
    put(&offset, 8);
    put(&length, 4);
    put(path, length);
    put(&size, 8);
    if (size) put(data, size);
}

/* A point: dies, or says that the call must fail (1), or lets it through (0). */
static int point(char what, const char *path, uint64_t offset, const void *data, size_t size, int fd) {
    int fails = 0;
    pthread_mutex_lock(&guard);
    points++;
    if (mode == KILL && points == target) kill(getpid(), SIGKILL);
    if (mode == TORN && points == target) {
        if (what == WRITE) (void)!syscall(SYS_pwrite64, fd, data, size / 2, offset);
        kill(getpid(), SIGKILL);
    }
    if (mode == FAIL && points >= target && what != UNLINK && what != RMDIR) fails = 1;
    if (mode == FAIL_ONCE && points == target) fails = 1;
    if (log_fd >= 0 && !fails) record(what, path, offset, data, size);
    pthread_mutex_unlock(&guard);
    if (fails) errno = failure;
    return fails;
}

#define REAL(name, type, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define IDLE (mode == OFF || inside)

static uint64_t place(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags >= 0 && (flags & O_APPEND)) {
        struct stat s;
        if (fstat(fd, &s) == 0) return (uint64_t)s.st_size;
    }
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at < 0 ? 0 : (uint64_t)at;
}

static int opening(int folder, const char *path, int flags) {
    char full[PATH_MAX];
    if (IDLE || !(flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE) return 0;
    if (!full_path(folder, path, full)) return 0;
    struct stat s;
    inside = 1;
    int there = stat(full, &s) == 0;
    inside = 0;
    if (there && !(flags & O_TRUNC)) return 0;
    if (there && (flags & O_EXCL)) return 0;
    return point(there ? CUT : CREATE, full, 0, NULL, 0, -1);
}

#define OPENING(symbol) \
    int symbol(const char *path, int flags, ...) { \
        REAL(#symbol, int, const char *, int, ...); \
        mode_t bits = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); bits = va_arg(more, mode_t); va_end(more); } \
        if (opening(AT_FDCWD, path, flags)) return -1; \
        return real(path, flags, bits); \
    }
#define OPENING_AT(symbol) \
    int symbol(int folder, const char *path, int flags, ...) { \
        REAL(#symbol, int, int, const char *, int, ...); \
        mode_t bits = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); bits = va_arg(more, mode_t); va_end(more); } \
        if (opening(folder, path, flags)) return -1; \
        return real(folder, path, flags, bits); \
    }
OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)

ssize_t write(int fd, const void *data, size_t size) {
    REAL("write", ssize_t, int, const void *, size_t);
    char path[PATH_MAX];
    if (!IDLE && path_of(fd, path) && point(WRITE, path, place(fd), data, size, fd)) return -1;
    return real(fd, data, size);
}

#define PWRITE(symbol) \
    ssize_t symbol(int fd, const void *data, size_t size, off64_t at) { \
        REAL(#symbol, ssize_t, int, const void *, size_t, off64_t); \
        char path[PATH_MAX]; \
        if (!IDLE && path_of(fd, path) && point(WRITE, path, (uint64_t)at, data, size, fd)) return -1; \
        return real(fd, data, size, at); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

/* Gathered writes are passed on one by one: a short count is what the callers expect anyway. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL("writev", ssize_t, int, const struct iovec *, int);
    char path[PATH_MAX];
    if (IDLE || !path_of(fd, path)) return real(fd, parts, count);
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t now = write(fd, parts[i].iov_base, parts[i].iov_len);
        if (now < 0) return done ? done : -1;
        done += now;
        if ((size_t)now < parts[i].iov_len) break;
    }
    return done;
}

#define CUTTING(symbol) \
    int symbol(int fd, off64_t size) { \
        REAL(#symbol, int, int, off64_t); \
        char path[PATH_MAX]; \
        if (!IDLE && path_of(fd, path) && point(CUT, path, (uint64_t)size, NULL, 0, fd)) return -1; \
        return real(fd, size); \
    }
CUTTING(ftruncate)
CUTTING(ftruncate64)

#define SYNCING(symbol) \
    int symbol(int fd) { \
        REAL(#symbol, int, int); \
        char path[PATH_MAX]; \
        if (!IDLE && path_of(fd, path) && point(SYNC, path, 0, NULL, 0, fd)) return -1; \
        return real(fd); \
    }
SYNCING(fsync)
SYNCING(fdatasync)

static int renaming(int from_folder, const char *from, int to_folder, const char *to) {
    char a[PATH_MAX], b[PATH_MAX];
    if (IDLE || !full_path(from_folder, from, a) || !full_path(to_folder, to, b)) return 0;
    return point(RENAME, a, 0, b, strlen(b), -1);
}

int rename(const char *from, const char *to) {
    REAL("rename", int, const char *, const char *);
    return renaming(AT_FDCWD, from, AT_FDCWD, to) ? -1 : real(from, to);
}

int renameat(int f, const char *from, int t, const char *to) {
    REAL("renameat", int, int, const char *, int, const char *);
    return renaming(f, from, t, to) ? -1 : real(f, from, t, to);
}

int renameat2(int f, const char *from, int t, const char *to, unsigned flags) {
    REAL("renameat2", int, int, const char *, int, const char *, unsigned);
    return renaming(f, from, t, to) ? -1 : real(f, from, t, to, flags);
}

static int removing(int folder, const char *path, char what) {
    char full[PATH_MAX];
    if (IDLE || !full_path(folder, path, full)) return 0;
    struct stat s;
    if (lstat(full, &s) != 0) return 0;
    return point(what, full, 0, NULL, 0, -1);
}

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    return removing(AT_FDCWD, path, UNLINK) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL("unlinkat", int, int, const char *, int);
    return removing(folder, path, (flags & AT_REMOVEDIR) ? RMDIR : UNLINK) ? -1 : real(folder, path, flags);
}

int rmdir(const char *path) {
    REAL("rmdir", int, const char *);
    return removing(AT_FDCWD, path, RMDIR) ? -1 : real(path);
}

static int making(int folder, const char *path) {
    char full[PATH_MAX];
    struct stat s;
    if (IDLE || !full_path(folder, path, full) || lstat(full, &s) == 0) return 0;
    return point(MKDIR, full, 0, NULL, 0, -1);
}

int mkdir(const char *path, mode_t bits) {
    REAL("mkdir", int, const char *, mode_t);
    return making(AT_FDCWD, path) ? -1 : real(path, bits);
}

int mkdirat(int folder, const char *path, mode_t bits) {
    REAL("mkdirat", int, int, const char *, mode_t);
    return making(folder, path) ? -1 : real(folder, path, bits);
}

/* The network (promise P10): with OSLER_NETWORK_LOG set, a connection to anywhere but this machine
 * is refused and noted in that file. Name servers count: a lookup is a surprise, too. */
static int elsewhere(const struct sockaddr *to, char *out, size_t size) {
    char name[INET6_ADDRSTRLEN] = "";
    if (to == NULL) return 0;
    if (to->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)to;
        if ((ntohl(v4->sin_addr.s_addr) >> 24) == 127) return 0;
        inet_ntop(AF_INET, &v4->sin_addr, name, sizeof name);
        snprintf(out, size, "%s:%d\n", name, ntohs(v4->sin_port));
        return 1;
    }
    if (to->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)to;
        if (IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr)) return 0;
        inet_ntop(AF_INET6, &v6->sin6_addr, name, sizeof name);
        snprintf(out, size, "[%s]:%d\n", name, ntohs(v6->sin6_port));
        return 1;
    }
    return 0;
}

static int refused(const struct sockaddr *to) {
    const char *log = getenv("OSLER_NETWORK_LOG");
    char line[128];
    if (log == NULL || !elsewhere(to, line, sizeof line)) return 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd >= 0) {
        (void)!syscall(SYS_write, fd, line, strlen(line));
        syscall(SYS_close, fd);
    }
    errno = ENETUNREACH;
    return 1;
}

int connect(int fd, const struct sockaddr *to, socklen_t size) {
    REAL("connect", int, int, const struct sockaddr *, socklen_t);
    return refused(to) ? -1 : real(fd, to, size);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    REAL("sendto", ssize_t, int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    return refused(to) ? -1 : real(fd, data, size, flags, to, length);
}
