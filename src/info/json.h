// SPDX-License-Identifier: Apache-2.0
// Writes JSON to standard output incrementally; adds commas and quotes.
#ifndef PUMICE_INFO_JSON_H
#define PUMICE_INFO_JSON_H

#include <stdbool.h>

// `key` NULL: an element of a list, or the whole text.
void json_open(const char *key, char bracket); // '{' or '['
void json_close(char bracket);                 // '}' or ']'
void json_text(const char *key, const char *value); // NULL: null
void json_number(const char *key, double value);
void json_count(const char *key, unsigned long long value);
void json_bool(const char *key, bool value);

#endif
