// SPDX-License-Identifier: Apache-2.0
// Environment switches: one enum and one lookup over options.def.
#ifndef PUMICE_UTIL_OPTIONS_H
#define PUMICE_UTIL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum option_id {
#define OPTION(id, name, help) OPTION_##id,
#include "util/options.def"
#undef OPTION
    OPTION_COUNT
};

// The switch's value as the environment held it at first use; NULL when unset, empty, or not among
// the words that it may be (which is logged).
const char *option_get(enum option_id id);

// Of switches between 0 and 1 (no, off, false and yes, on, true are taken as well): whether it is set
// to the one or to the other.
bool option_on(enum option_id id);
bool option_off(enum option_id id);

// True when the switch's comma list holds `word`.
bool option_has(enum option_id id, const char *word);

// Tells each word of the switch's comma list that `known` does not know: there is no such `what`.
void option_check_list(enum option_id id, const char *what,
                       bool (*known)(const char *word, size_t length));

#endif
