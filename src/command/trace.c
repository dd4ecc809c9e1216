// SPDX-License-Identifier: Apache-2.0
// PUMICE_TRACE: completed commands -> spans in the trace event format that chrome://tracing and
// Perfetto read.
//
// A row (thread) of the trace is a queue; a span is START to END on the device, with the times of
// enqueue and submission as arguments. The array is never closed: both readers allow that, and a
// process that dies leaves a trace as well.
#include <stdio.h>

#include "command/internal.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"

static FILE *file;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned made_in;

static void open_file(void)
{
    const char *name = option_get(OPTION_TRACE);
    made_in = thread_fork_generation();
    if (!name)
        return;
    file = fopen(name, "we");
    if (!file) {
        log_warn("PUMICE_TRACE: %s cannot be written", name);
        return;
    }
    setvbuf(file, NULL, _IOLBF, 0);
    fprintf(file, "[\n");
}

unsigned cmd_trace_queue(void)
{
    static atomic_uint count;
    pthread_once(&once, open_file);
    return file ? atomic_fetch_add(&count, 1) + 1 : 0;
}

static double us(uint64_t ns)
{
    return (double)ns * 1e-3;
}

void cmd_trace(const struct command *command)
{
    const uint64_t *times = command->times;
    if (!file || made_in != thread_fork_generation() || !times[TIME_END])
        return;
    fprintf(file,
            "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,"
            "\"dur\":%.3f,\"args\":{\"queued\":%.3f,\"submit\":%.3f,\"status\":%d}},\n",
            command->label ? command->label : command->ops->name, command->ops->name,
            command->traced, us(times[TIME_START]), us(times[TIME_END] - times[TIME_START]),
            us(times[TIME_QUEUED]), us(times[TIME_SUBMIT]),
            (int)atomic_load_explicit(&command->status, memory_order_relaxed));
}
