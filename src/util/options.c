// SPDX-License-Identifier: Apache-2.0
// Environment switches. The whole table is copied from the environment at the first lookup, so that
// a later setenv() of the application neither races with us nor changes a running process.
#include "util/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "util/str.h"

struct option {
    const char *name, *help;
    char *value;
};

static struct option options[] = {
#define OPTION(id, name, help) {name, help, NULL},
#include "util/options.def"
#undef OPTION
};

enum { MAX_WORDS = 6 };

// Switches with restricted values.
static const struct choice {
    enum option_id id;
    enum { WORDS, FLAG, NUMBER } kind; // a flag may have a third word
    const char *words[MAX_WORDS];
} choices[] = {
    {OPTION_DEVICE_TYPE, WORDS, {"gpu"}},
    {OPTION_ADDRESSING, WORDS, {"physical", "logical"}},
    {OPTION_BINDINGS, WORDS, {"always", "never", "aligned", "offsets", "positive", "default"}},
    {OPTION_COPY, WORDS, {"kernel", "vulkan"}},
    {OPTION_FILTER, WORDS, {"device", "kernel"}},
    {OPTION_DIVISION, WORDS, {"device", "kernel"}},
    {OPTION_SMALL_INTS, WORDS, {"device", "kernel"}},
    {OPTION_MATRICES, WORDS, {"device", "kernel", "tiles"}},
    {OPTION_TABLES, WORDS, {"device", "kernel"}},
    {OPTION_UNROLL, WORDS, {"device", "kernel"}},
    {OPTION_LIMIT, WORDS, {"none"}},
    {OPTION_PACK, WORDS, {"device", "kernel"}},
    {OPTION_ARRAYS, WORDS, {"private", "local"}},
    {OPTION_SCRATCH, WORDS, {"interleaved", "contiguous"}},
    {OPTION_COHERENCE, WORDS, {"device", "group"}},
    {OPTION_CLOCK, WORDS, {"cuda", "none"}},
    {OPTION_NESTING, NUMBER, {"a number of levels"}},
    {OPTION_CALLS, NUMBER, {"a number of instructions"}},
    {OPTION_IMPORT, NUMBER, {"a number of bytes"}},
    {OPTION_KEEP_PIPELINES, NUMBER, {"a number of pipelines"}},
    {OPTION_AHEAD, NUMBER, {"a number of threads"}},
    {OPTION_STACK, NUMBER, {"a number of MiB"}},
    {OPTION_VALIDATE, FLAG, {"0", "1"}},
    {OPTION_SUBGROUPS, FLAG, {"0", "1"}},
    {OPTION_WINDOW, FLAG, {"0", "1"}},
    {OPTION_SVM, FLAG, {"0", "1"}},
    {OPTION_IMAGES, FLAG, {"0", "1", "any"}},
    {OPTION_SYNC, FLAG, {"0", "1"}},
    {OPTION_VERIFY, FLAG, {"0", "1"}},
};

static const char *const off_words[] = {"0", "no", "off", "false", NULL};
static const char *const on_words[] = {"1", "yes", "on", "true", NULL};

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
    fprintf(stderr, "Environment variables of Pumice:\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        fprintf(stderr, "  %-20s %s\n", options[i].name, options[i].help);
}

static bool is_one_of(const char *value, const char *const *words)
{
    for (; *words; words++)
        if (str_same_letters(value, *words, SIZE_MAX))
            return true;
    return false;
}

// A number as strtoull reads it with base 0, and nothing else.
static bool is_number(const char *value)
{
    char *end;
    errno = 0;
    strtoull(value, &end, 0);
    return *value >= '0' && *value <= '9' && !*end && !errno;
}

static bool is_choice(const struct choice *choice, const char *value)
{
    const char *const *words = choice->words;
    if (choice->kind == FLAG)
        return is_one_of(value, off_words) || is_one_of(value, on_words) || (words[2] && !strcmp(value, words[2]));
    if (choice->kind == NUMBER)
        return is_number(value);
    bool found = false;
    for (unsigned i = 0; i < MAX_WORDS && words[i]; i++)
        found |= !strcmp(value, words[i]);
    return found;
}

// Reports an invalid value and treats the switch as unset.
static void check_choice(const struct choice *choice)
{
    struct option *option = &options[choice->id];
    const char *const *words = choice->words;
    if (!option->value || is_choice(choice, option->value))
        return;
    log_warn("ignoring %s=%s; valid values: %s%s%s%s%s", option->name, option->value, words[0],
             words[1] ? ", " : "", words[1] ? words[1] : "", words[2] ? ", " : "", words[2] ? words[2] : "");
    free(option->value);
    option->value = NULL;
}

static void options_load(void)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        char *value = process_variable(options[i].name); // not in a privileged process, because
                                                         // switches name files to read and write
        if (value && *value)
            options[i].value = value;
        else
            free(value);
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
    const char *value = option_get(id);
    return value && is_one_of(value, on_words);
}

bool option_off(enum option_id id)
{
    const char *value = option_get(id);
    return value && is_one_of(value, off_words);
}

bool option_has(enum option_id id, const char *word)
{
    const char *value = option_get(id);
    return value && list_has(value, word);
}

void option_check_list(enum option_id id, const char *what,
                       bool (*known)(const char *word, size_t length))
{
    const char *list = option_get(id);
    for (size_t length; list && *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (length && !known(list, length))
            log_warn("%s: unknown %s '%.*s'", options[id].name, what, (int)length, list);
    }
}
