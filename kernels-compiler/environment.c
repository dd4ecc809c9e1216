// SPDX-License-Identifier: Apache-2.0
// The developer's switches PUMICE_DUMP, PUMICE_SKIP, PUMICE_VERIFY, PUMICE_REPLACE_DIR and PUMICE_LIMIT.
//
// PUMICE_DUMP=stages writes PUMICE_DUMP_DIR/<kernel or function>.<stage>; a later build overwrites it. Without a
// folder, text goes to stderr and SPIR-V is not written.
#include "environment.h"
#include "platform/platform.h"
#include "util/log.h"
#include "util/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    unsigned bit;
} stages[] = {{"source", DRIVER_DUMP_SOURCE}, {"tokens", DRIVER_DUMP_TOKENS}, {"ast", DRIVER_DUMP_AST},
              {"ir", DRIVER_DUMP_IR},         {"passes", DRIVER_DUMP_PASSES}, {"lowered", DRIVER_DUMP_LOWERED},
              {"spirv", DRIVER_DUMP_SPIRV}};

unsigned driver_dump_bit(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strlen(stages[i].word) == length && !memcmp(stages[i].word, word, length))
            return stages[i].bit;
    return 0;
}

// ---- dumps ---------------------------------------------------------------------------------------

// Creates the folder and its parents.
static void make_folder(const char *folder)
{
    char part[1024];
    for (size_t i = 1; i < sizeof part && folder[i - 1]; i++) {
        if (folder[i] && !path_separates(folder[i]))
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, folder);
        folder_create(part, false);
    }
}

static void write_dump(void *data, const char *what, const char *kernel, const void *bytes, size_t size)
{
    const char *folder = option_get(OPTION_DUMP_DIR);
    char name[1024];
    bool words = !strcmp(what, "spirv");
    (void)data;
    if (!folder) {
        if (!words)
            fprintf(stderr, "; %s %s\n%.*s\n", kernel ? kernel : "program", what, (int)size, (const char *)bytes);
        return;
    }
    snprintf(name, sizeof name, "%s/%s.%s", folder, kernel ? kernel : "program", words ? "spv" : what);
    FILE *f = file_open(name, "wb");
    if (!f && errno == ENOENT) {
        make_folder(folder);
        f = file_open(name, "wb");
    }
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    if ((f && fclose(f)) || !ok)
        log_warn("PUMICE_DUMP_DIR: cannot write %s", name);
}

// ---- switches ------------------------------------------------------------------------------------

static bool is_stage(const char *word, size_t length) { return driver_dump_bit(word, length) != 0; }

static void check_lists(void)
{
    option_check_list(OPTION_DUMP, "stage", is_stage);
    option_check_list(OPTION_SKIP, "optional pass", driver_may_skip);
}

void environment_driver(struct driver *driver)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, check_lists);
#ifndef NDEBUG
    driver->verify = true;
#endif
    driver->verify |= option_on(OPTION_VERIFY);
    driver->skip = option_get(OPTION_SKIP);
    driver->write = write_dump;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (option_has(OPTION_DUMP, stages[i].word))
            driver->dump |= stages[i].bit;
}

bool driver_ignores_cost(void) { return option_get(OPTION_LIMIT) != NULL; }

const uint32_t *environment_replacement(struct arena *arena, const char *kernel, size_t *words)
{
    const char *folder = option_get(OPTION_REPLACE_DIR);
    char name[1024];
    if (!folder)
        return NULL;
    snprintf(name, sizeof name, "%s/%s.spv", folder, kernel);
    FILE *f = file_open(name, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    uint32_t *all = arena_alloc(arena, size > 0 ? (size_t)size : 4);
    *words = fread(all, 4, size > 0 ? (size_t)size / 4 : 0, f);
    fclose(f);
    return *words ? all : NULL;
}
