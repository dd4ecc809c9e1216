// SPDX-License-Identifier: Apache-2.0
// Environment switches. The whole table is copied out of the environment at the first look-up, so
// that an application's later setenv() neither races with us nor changes a running process.
#include "util/options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/log.h"

struct option {
    const char *name, *help;
    char *value;
};

static struct option options[] = {
#define OPTION(id, name, help) {name, help, NULL},
#include "util/options.def"
#undef OPTION
};

// Switches that choose between words.
static const struct choice {
    enum option_id id;
    const char *words[2];
} choices[] = {
    {OPTION_DEVICE_TYPE, {"gpu"}},
    {OPTION_COPY, {"kernel", "vulkan"}},
    {OPTION_FILTER, {"device", "kernel"}},
    {OPTION_DIVISION, {"device", "kernel"}},
    {OPTION_SMALL_INTS, {"device", "kernel"}},
    {OPTION_TABLES, {"device", "kernel"}},
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

// Another word than those is told, and is as if the switch were unset.
static void check_choice(const struct choice *choice)
{
    struct option *option = &options[choice->id];
    const char *const *words = choice->words, *value = option->value;
    if (!value || !strcmp(value, words[0]) || (words[1] && !strcmp(value, words[1])))
        return;
    log_warn("%s=%s means nothing: it may be %s%s%s", option->name, value, words[0],
             words[1] ? " or " : "", words[1] ? words[1] : "");
    free(option->value);
    option->value = NULL;
}

static void options_load(void)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *value = getenv(options[i].name);
        if (value && *value)
            options[i].value = strdup(value);
    }
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        check_choice(&choices[i]);
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
