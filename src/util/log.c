// SPDX-License-Identifier: Apache-2.0
// The log. A message is formatted into one buffer and written by one call, so lines of several
// threads do not mix.
#include "util/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "util/options.h"

static const char *const topic_names[LOG_TOPIC_COUNT] = {
    [LOG_API] = "api",     [LOG_QUEUE] = "queue",   [LOG_MEM] = "mem",
    [LOG_BUILD] = "build", [LOG_VULKAN] = "vulkan",
};

static bool topic_on[LOG_TOPIC_COUNT];
static pthread_once_t log_once = PTHREAD_ONCE_INIT;

static void log_load(void)
{
    bool all = option_has(OPTION_DEBUG, "all");
    for (int i = 0; i < LOG_TOPIC_COUNT; i++)
        topic_on[i] = all || option_has(OPTION_DEBUG, topic_names[i]);
}

bool log_enabled(enum log_topic topic)
{
    pthread_once(&log_once, log_load);
    return topic_on[topic];
}

static void log_line(const char *topic, const char *format, va_list arguments)
{
    char line[1024];
    int head = snprintf(line, sizeof line, "pumice: %s: ", topic);
    int body = vsnprintf(line + head, sizeof line - (size_t)head, format, arguments);
    if (body < 0)
        return;
    fprintf(stderr, "%s\n", line);
}

void log_write(enum log_topic topic, const char *format, ...)
{
    if (!log_enabled(topic))
        return;
    va_list arguments;
    va_start(arguments, format);
    log_line(topic_names[topic], format, arguments);
    va_end(arguments);
}

void log_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_line("warning", format, arguments);
    va_end(arguments);
}
