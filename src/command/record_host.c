// SPDX-License-Identifier: Apache-2.0
// Copies and fills of host-only memory, done by the host in queue order.
#include <string.h>

#include "command/internal.h"

enum { PATTERN_MAX = 128 };

struct host_bytes {
    struct command base;
    uint8_t *to;
    const uint8_t *from;
    size_t size;
    uint8_t pattern[PATTERN_MAX];
    size_t pattern_size;
};

void run_host_copy(struct command *command)
{
    struct host_bytes *h = (struct host_bytes *)command;
    memcpy(h->to, h->from, h->size);
}

void run_host_fill(struct command *command)
{
    struct host_bytes *h = (struct host_bytes *)command;
    for (size_t at = 0; at < h->size; at += h->pattern_size)
        memcpy(h->to + at, h->pattern, h->pattern_size);
}

static struct host_bytes *host_bytes_new(const struct cmd_request *request, enum cmd_id id,
                                         void *to, size_t size)
{
    struct host_bytes *h = (struct host_bytes *)cmd_new(request, id, sizeof *h);
    if (!h)
        return NULL;
    h->to = to;
    h->size = size;
    cmd_span_bytes(&h->base, size);
    h->base.host_writes = true;
    h->base.host_begin = (uintptr_t)to;
    h->base.host_end = (uintptr_t)to + size;
    return h;
}

cl_int cmd_host_copy(const struct cmd_request *request, void *to, const void *from, size_t size)
{
    struct host_bytes *h = host_bytes_new(request, CMD_HOST_COPY, to, size);
    if (!h)
        return CL_OUT_OF_HOST_MEMORY;
    h->from = from;
    return cmd_enqueue(request, &h->base);
}

cl_int cmd_host_fill(const struct cmd_request *request, void *to, size_t size, const void *pattern,
                     size_t pattern_size)
{
    struct host_bytes *h = host_bytes_new(request, CMD_HOST_FILL, to, size);
    if (!h)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(h->pattern, pattern, pattern_size);
    h->pattern_size = pattern_size;
    return cmd_enqueue(request, &h->base);
}
