// SPDX-License-Identifier: Apache-2.0
// Environment switches. The whole table is copied out of the environment at the first look-up, so
// that an application's later setenv() neither races with us nor changes a running process.
#include "util/options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct option {
    const char *name, *help;
    char *value;
};

static struct option options[] = {
#define OPTION(id, name, help) {name, help, NULL},
#include "util/options.def"
#undef OPTION
};

static pthread_once_t options_once = PTHREAD_ONCE_INIT;

static bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at;) {
        size_t item = strcspn(at, ",");
        if (item == length && !strncmp(at, word, length))
            return true;
        at += item;
        at += *at == ',';
    }
    return false;
}

static void options_print(void)
{
    fprintf(stderr, "pumice: environment switches\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        fprintf(stderr, "  %-20s %s\n", options[i].name, options[i].help);
}

static void options_load(void)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *value = getenv(options[i].name);
        if (value && *value)
            options[i].value = strdup(value);
    }
    if (options[OPTION_DEBUG].value && list_has(options[OPTION_DEBUG].value, "help"))
        options_print();
}

const char *option_get(enum option_id id)
{
    pthread_once(&options_once, options_load);
    return options[id].value;
}

bool option_on(enum option_id id)
{
    static const char *const off[] = {"0", "no", "off", "false"};
    const char *value = option_get(id);
    if (!value)
        return false;
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        if (!strcasecmp(value, off[i]))
            return false;
    return true;
}

bool option_has(enum option_id id, const char *word)
{
    const char *value = option_get(id);
    return value && list_has(value, word);
}
