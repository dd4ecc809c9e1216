// SPDX-License-Identifier: Apache-2.0
// The log: one line a message on stderr, by topic, switched on by PUMICE_DEBUG.
//
// Every refusal says why through log_write; it costs one load and a branch when the topic is off.
#ifndef PUMICE_UTIL_LOG_H
#define PUMICE_UTIL_LOG_H

#include <stdbool.h>

enum log_topic { LOG_API, LOG_QUEUE, LOG_MEM, LOG_BUILD, LOG_VULKAN, LOG_TOPIC_COUNT };

bool log_enabled(enum log_topic topic);

// Writes "pumice: <topic>: <message>\n" when the topic is on.
void log_write(enum log_topic topic, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Writes whatever the topics: for what a user must see once (a driver known to be wrong).
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
