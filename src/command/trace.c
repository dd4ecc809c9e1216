// SPDX-License-Identifier: Apache-2.0
// PUMICE_TRACE: completed commands and builds -> spans in the trace event format that
// chrome://tracing and Perfetto read.
//
// A row (thread) of the trace is a queue, or a thread that builds. A span is START to END on the
// device, with the times of enqueue and submission and the size as arguments; an arrow leads to it
// from each command of its wait list. Each event is written over the closing bracket of the JSON
// array, so the file is complete after every event, even if the process crashes. Pumice's own
// probes are excluded.
//
// Two kinds of counters: the commands of a queue that the host does not know to be complete, and the
// bytes of device memory in use.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"

// Trace data of a command, in addition to its times.
struct cmd_span {
    unsigned row;
    bool complete; // written
    struct vk_device *device;
    const char *label; // lives as long as the command's holds
    uint64_t bytes;
    uint64_t global[3], local[3]; // all zero: not a kernel
    uint32_t wait_count;
    struct command *waits[]; // counted; released when the span is written
};

enum { EVENT = 1024 };

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the file and the row numbers
static intptr_t file = -1;
static bool seekable;
static uint64_t end; // end of the last event
static unsigned rows;
static struct row_counter {
    unsigned commands; // enqueued, not seen complete
    uint64_t last;     // time of the last event, which later events must not precede
} *counters;           // by row
static unsigned counter_rows;
static uint64_t memory_shown;
static unsigned made_in;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool quiet;
static _Thread_local unsigned build_row;

// ---- the file -----------------------------------------------------------------------------------

// Writes one event. If the file is not seekable, the separator comes before each event but the
// first, and the array stays unclosed (both readers allow that).
static void write_event(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void write_event(const char *format, ...)
{
    char text[EVENT + 8];
    va_list arguments;
    int head = end ? snprintf(text, sizeof text, ",\n") : snprintf(text, sizeof text, "[\n");
    va_start(arguments, format);
    int size = vsnprintf(text + head, EVENT - 8, format, arguments);
    va_end(arguments);
    if (size < 0 || size >= EVENT - 8)
        return;
    size += head;
    memcpy(text + size, "\n]\n", 3);
    file_write(file, text, (size_t)size + (seekable ? 3 : 0), seekable, end);
    end += (uint64_t)size;
}

// Escapes text for a JSON string.
static const char *quoted(const char *text, char *out, size_t size)
{
    size_t length = 0;
    for (; *text && length + 7 < size; text++)
        if (*text == '"' || *text == '\\')
            out[length++] = '\\', out[length++] = *text;
        else if ((unsigned char)*text < ' ')
            length += (size_t)snprintf(out + length, size - length, "\\u%04x", (unsigned)*text);
        else
            out[length++] = *text;
    out[length] = 0;
    return out;
}

static void open_file(void)
{
    const char *name = option_get(OPTION_TRACE);
    char program[128], other[4096];
    made_in = thread_fork_generation();
    if (!name)
        return;
    file = file_create(name, &seekable);
    if (file == FILE_IN_USE) { // one file for each of several processes
        snprintf(other, sizeof other, "%s.%d", name, process_id());
        file = file_create(name = other, &seekable);
    }
    if (file < 0) {
        log_warn("PUMICE_TRACE: cannot write %s", name);
        return;
    }
    write_event("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"%s\"}}",
                process_id(), quoted(process_name(), program, sizeof program));
}

static bool is_on(void)
{
    pthread_once(&once, open_file);
    return file >= 0 && made_in == thread_fork_generation();
}

// Under the lock.
static unsigned new_row(const char *name, const char *of)
{
    char text[300];
    unsigned row = ++rows;
    write_event("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":"
                "\"%s %u%s%s\"}}",
                process_id(), row, name, row, *of ? " of " : "", quoted(of, text, sizeof text));
    return row;
}

// ---- commands -----------------------------------------------------------------------------------

bool cmd_trace_on(void)
{
    return is_on();
}

void cmd_trace_quiet(bool be_quiet)
{
    quiet = be_quiet;
}

static unsigned row_of(struct cmd_queue *queue)
{
    pthread_mutex_lock(&lock);
    if (!queue->row)
        queue->row = new_row(queue->in_order ? "queue" : "out-of-order queue",
                             queue->device->facts->props.deviceName);
    unsigned row = queue->row;
    pthread_mutex_unlock(&lock);
    return row;
}

// Microseconds, without a decimal point that depends on the locale.
#define US "%" PRIu64 ".%03u"
#define US_OF(ns) (uint64_t)(ns) / 1000, (unsigned)((ns) % 1000)

static void write_counter(const char *name, unsigned row, const char *unit, uint64_t value, uint64_t ns)
{
    char number[16] = "";
    if (row)
        snprintf(number, sizeof number, " %u", row);
    write_event("{\"name\":\"%s%s\",\"ph\":\"C\",\"pid\":%d,\"ts\":" US ",\"args\":{\"%s\":%" PRIu64 "}}",
                name, number, process_id(), US_OF(ns), unit, value);
}

// Under the lock. False: out of memory.
static bool has_counter(unsigned row)
{
    if (row < counter_rows)
        return true;
    struct row_counter *more = realloc(counters, 2 * (row + 1) * sizeof *more);
    if (!more)
        return false;
    memset(more + counter_rows, 0, (2 * (row + 1) - counter_rows) * sizeof *more);
    counters = more;
    counter_rows = 2 * (row + 1);
    return true;
}

// Counts a command that is enqueued (1) or complete (-1), at this time.
static void count_command(unsigned row, int change, struct vk_device *device, uint64_t ns)
{
    VkDeviceSize used = 0, reserved;
    vk_memory_usage(device, &used, &reserved);
    pthread_mutex_lock(&lock);
    if (has_counter(row)) {
        struct row_counter *counter = &counters[row];
        counter->commands += (unsigned)change;
        counter->last = ns > counter->last ? ns : counter->last;
        write_counter("commands of queue", row, "commands", counter->commands, counter->last);
    }
    if (used != memory_shown)
        write_counter("device memory", 0, "bytes", used, thread_now_ns());
    memory_shown = used;
    pthread_mutex_unlock(&lock);
}

struct cmd_span *cmd_span_new(const struct cmd_request *request)
{
    uint32_t count = request->wait_count;
    if (!request->queue->traced || quiet || !is_on())
        return NULL;
    struct cmd_span *span = calloc(1, sizeof *span + count * sizeof *span->waits);
    if (!span)
        return NULL;
    span->row = row_of(request->queue);
    span->device = request->queue->device;
    count_command(span->row, 1, span->device, thread_now_ns());
    for (uint32_t i = 0; i < count; i++)
        span->waits[span->wait_count++] = cmd_retain(request->waits[i]);
    return span;
}

static void forget_waits(struct cmd_span *span)
{
    while (span->wait_count)
        cmd_release(span->waits[--span->wait_count]);
}

void cmd_span_free(struct cmd_span *span)
{
    if (span && !span->complete && is_on()) // failed before its completion
        count_command(span->row, -1, span->device, thread_now_ns());
    if (span)
        forget_waits(span);
    free(span);
}

void cmd_span_bytes(struct command *command, uint64_t bytes)
{
    if (command->span)
        command->span->bytes = bytes;
}

void cmd_span_range(struct command *command, const char *kernel, const uint64_t global[3],
                    const uint32_t local[3])
{
    struct cmd_span *span = command->span;
    if (!span)
        return;
    span->label = kernel;
    for (int i = 0; i < 3; i++)
        span->global[i] = global[i], span->local[i] = local[i];
}

// From the end of one span to the beginning of another.
static void write_arrow(const struct command *from, const struct command *to)
{
    static unsigned arrows;
    const uint64_t *times = from->times;
    if (!from->span || !times[TIME_END])
        return;
    uint64_t last = times[TIME_END] > times[TIME_START] ? times[TIME_END] - 1 : times[TIME_END];
    int pid = process_id();
    arrows++;
    write_event(
        "{\"name\":\"wait "
        "list\",\"cat\":\"dependency\",\"ph\":\"s\",\"id\":%u,\"pid\":%d,\"tid\":%u,\"ts\":" US "}",
        arrows, pid, from->span->row, US_OF(last));
    write_event("{\"name\":\"wait "
                "list\",\"cat\":\"dependency\",\"ph\":\"f\",\"bp\":\"e\",\"id\":%u,\"pid\":%d,"
                "\"tid\":%u,\"ts\":" US "}",
                arrows, pid, to->span->row, US_OF(to->times[TIME_START]));
}

static const char *sizes_of(const struct cmd_span *span, char *out, size_t size)
{
    const uint64_t *g = span->global, *l = span->local;
    *out = 0;
    if (g[0])
        snprintf(out, size,
                 ",\"global size\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\"local size\":[%" PRIu64
                 ",%" PRIu64 ",%" PRIu64 "]",
                 g[0], g[1], g[2], l[0], l[1], l[2]);
    else if (span->bytes)
        snprintf(out, size, ",\"bytes\":%" PRIu64, span->bytes);
    return out;
}

void cmd_trace(const struct command *command)
{
    struct cmd_span *span = command->span;
    const uint64_t *times = command->times;
    char name[300], sizes[200];
    if (is_on() && times[TIME_END]) {
        pthread_mutex_lock(&lock);
        write_event("{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":" US
                    ",\"dur\":" US ",\"args\":{\"queued\":" US ",\"submit\":" US
                    ",\"status\":%d%s}}",
                    quoted(span->label ? span->label : command->ops->name, name, sizeof name),
                    command->ops->name, process_id(), span->row, US_OF(times[TIME_START]),
                    US_OF(times[TIME_END] - times[TIME_START]), US_OF(times[TIME_QUEUED]),
                    US_OF(times[TIME_SUBMIT]),
                    (int)atomic_load_explicit(&command->status, memory_order_relaxed),
                    sizes_of(span, sizes, sizeof sizes));
        for (uint32_t i = 0; i < span->wait_count; i++)
            write_arrow(span->waits[i], command);
        pthread_mutex_unlock(&lock);
    }
    if (is_on())
        count_command(span->row, -1, span->device, times[TIME_END] ? times[TIME_END] : thread_now_ns());
    span->complete = true;
    forget_waits(span);
}

// ---- builds -------------------------------------------------------------------------------------

void cmd_trace_build(const char *what, const char *of, uint64_t begin)
{
    char name[300];
    uint64_t now = thread_now_ns();
    if (quiet || !is_on())
        return;
    pthread_mutex_lock(&lock);
    if (!build_row)
        build_row = new_row("builds", "");
    write_event(
        "{\"name\":\"%s %s\",\"cat\":\"build\",\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":" US
        ",\"dur\":" US "}",
        what, quoted(of, name, sizeof name), process_id(), build_row, US_OF(begin),
        US_OF(now - begin));
    pthread_mutex_unlock(&lock);
}
