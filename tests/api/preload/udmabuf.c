// SPDX-License-Identifier: Apache-2.0
// Preloaded on systems without /dev/udmabuf: Mesa's software drivers then share memory by dma_bufs,
// as GPU drivers do. Instead of a dma_buf they get the memfd from which it would be created, which
// is mapped in the same way.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int device = -1; // every open returns a copy of it

static int open_device(void)
{
    if (device < 0)
        device = eventfd(0, EFD_CLOEXEC);
    return fcntl(device, F_DUPFD_CLOEXEC, 0);
}

#define OPEN(name)                                                                                                         \
    int name(const char *path, int flags, ...)                                                                             \
    {                                                                                                                      \
        static int (*next)(const char *path, int flags, ...);                                                              \
        va_list more;                                                                                                      \
        va_start(more, flags);                                                                                             \
        unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;                                        \
        va_end(more);                                                                                                      \
        if (!strcmp(path, "/dev/udmabuf"))                                                                                 \
            return open_device();                                                                                          \
        if (!next)                                                                                                         \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                                     \
        return next(path, flags, mode);                                                                                    \
    }
OPEN(open)
OPEN(open64)

int ioctl(int fd, unsigned long request, ...)
{
    static int (*next)(int fd, unsigned long request, ...);
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (request == UDMABUF_CREATE)
        return fcntl((int)((const struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ioctl");
    return next(fd, request, argument);
}
