// SPDX-License-Identifier: Apache-2.0
// The log. A message is formatted in one buffer and written by one call, so that lines of several
// threads do not mix.
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/options.h"

static const char *const topic_names[LOG_TOPIC_COUNT] = {
    [LOG_API] = "api",     [LOG_QUEUE] = "queue",   [LOG_MEM] = "mem",
    [LOG_BUILD] = "build", [LOG_VULKAN] = "vulkan",
};

static bool topic_on[LOG_TOPIC_COUNT];
static pthread_once_t log_once = PTHREAD_ONCE_INIT;

static bool is_topic(const char *word, size_t length)
{
    static const char *const others[] = {"all", "help", "quiet"};
    bool found = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        found |= strlen(others[i]) == length && !memcmp(word, others[i], length);
    for (int i = 0; i < LOG_TOPIC_COUNT; i++)
        found |= strlen(topic_names[i]) == length && !memcmp(word, topic_names[i], length);
    return found;
}

static void log_load(void)
{
    bool all = option_has(OPTION_DEBUG, "all");
    option_check_list(OPTION_DEBUG, "topic", is_topic);
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
    char some[1024], *line = some;
    va_list again;
    va_copy(again, arguments);
    int head = snprintf(some, sizeof some, "pumice: %s: ", topic);
    int body = vsnprintf(some + head, sizeof some - (size_t)head, format, arguments);
    if (body >= (int)sizeof some - head && (line = malloc((size_t)head + (size_t)body + 1))) {
        memcpy(line, some, (size_t)head);
        vsnprintf(line + head, (size_t)body + 1, format, again);
    }
    va_end(again);
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); // otherwise the caller could end here
                                                             // while it holds locks
    if (body >= 0)
        fprintf(stderr, "%s\n", line ? line : some);
    pthread_setcancelstate(cancel, NULL);
    if (line != some)
        free(line);
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
