// SPDX-License-Identifier: Apache-2.0
// The log: one line per message on stderr, by topic, enabled by PUMICE_DEBUG.
//
// Every refusal states its reason with log_write, which costs a load and a branch if the topic is
// disabled.
#ifndef PUMICE_UTIL_LOG_H
#define PUMICE_UTIL_LOG_H

#include <stdbool.h>

enum log_topic { LOG_API, LOG_QUEUE, LOG_MEM, LOG_BUILD, LOG_VULKAN, LOG_TOPIC_COUNT };

bool log_enabled(enum log_topic topic);

// Writes "pumice: <topic>: <message>\n" if the topic is enabled.
void log_write(enum log_topic topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Always writes: for messages that users must see (for example, a driver with known bugs).
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
