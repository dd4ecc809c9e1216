// SPDX-License-Identifier: Apache-2.0
// PUMICE_DUMP=stages writes PUMICE_DUMP_DIR/<kernel or function>.<stage>, a later build over an earlier one; without a folder
// the text goes to stderr (SPIR-V then is left out).
#include "environment.h"
#include "util/log.h"
#include "util/options.h"

#include <stdio.h>
#include <string.h>

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
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size)
        log_warn("cannot write %s", name);
    if (f)
        fclose(f);
}

void environment_driver(struct driver *driver)
{
    static const struct {
        const char *word;
        unsigned bits;
    } stages[] = {{"source", DRIVER_DUMP_SOURCE}, {"tokens", DRIVER_DUMP_TOKENS}, {"ast", DRIVER_DUMP_AST},
                  {"ir", DRIVER_DUMP_IR},         {"passes", DRIVER_DUMP_PASSES}, {"lowered", DRIVER_DUMP_LOWERED},
                  {"spirv", DRIVER_DUMP_SPIRV}};
#ifndef NDEBUG
    driver->verify = true;
#endif
    driver->verify |= option_on(OPTION_VERIFY);
    driver->skip = option_get(OPTION_SKIP);
    driver->write = write_dump;
    if (!option_get(OPTION_DUMP))
        return;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (option_has(OPTION_DUMP, stages[i].word))
            driver->dump |= stages[i].bits;
}

const uint32_t *environment_replacement(struct arena *arena, const char *kernel, size_t *words)
{
    const char *folder = option_get(OPTION_REPLACE_DIR);
    char name[1024];
    if (!folder)
        return NULL;
    snprintf(name, sizeof name, "%s/%s.spv", folder, kernel);
    FILE *f = fopen(name, "rb");
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
