/* Records every name that a program looks up, in the C library's resolver, and finds none of them.

   cc -shared -fPIC -o resolver.so resolver.c -ldl ; LD_PRELOAD=resolver.so OSLER_LOOKUPS=FILE ...

   The loopback's own names are answered as usual. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_local(const char *node) {
    return node == NULL || !*node || !strcmp(node, "localhost") || !strcmp(node, "127.0.0.1") ||
           !strcmp(node, "::1") || !strcmp(node, "0.0.0.0") || !strcmp(node, "::");
}

/* An address is no name: nobody is asked for it. Whether somebody connects to it is another
   watch's business, which must not be kept from seeing it. */
static int is_address(const char *node) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return node && (inet_pton(AF_INET, node, bytes) == 1 || inet_pton(AF_INET6, node, bytes) == 1);
}

static void note(const char *how, const char *node) {
    const char *path = getenv("OSLER_LOOKUPS");
    char line[512];
    int length, file;
    if (!path) return;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    length = snprintf(line, sizeof line, "%s %s\n", how, node ? node : "");
    if (length > 0 && write(file, line, (size_t)length) < 0) { /* nothing to be done */ }
    close(file);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (is_local(node) || is_address(node) || (hints && (hints->ai_flags & AI_NUMERICHOST)))
        return real(node, service, hints, found);
    note("getaddrinfo", node);
    return EAI_NONAME;
}

struct hostent *gethostbyname(const char *name) {
    static struct hostent *(*real)(const char *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "gethostbyname");
    if (is_local(name) || is_address(name)) return real(name);
    note("gethostbyname", name);
    h_errno = HOST_NOT_FOUND;
    return NULL;
}

struct hostent *gethostbyname2(const char *name, int family) {
    static struct hostent *(*real)(const char *, int);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "gethostbyname2");
    if (is_local(name) || is_address(name)) return real(name, family);
    note("gethostbyname2", name);
    h_errno = HOST_NOT_FOUND;
    return NULL;
}
