// SPDX-License-Identifier: Apache-2.0
// include/pumice/extensions.def and refused.def -> one table of supported and unsupported
// extensions, with reasons.
#include "info/info.h"

#include <stdio.h>
#include <string.h>

#include "object/device_caps.h"

static const struct row {
    const char *name, *text;
} refused[] = {
#define REFUSED(name, reason) {name, reason},
#include "info/refused.def"
}, notes[] = {
#define NOTE(name, needs) {name, needs},
#include "info/refused.def"
};

static const struct {
    const char *name;
    int major, minor, patch;
} offered[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, from) [KC_EXT_##id] = {name, major, minor, patch},
#include "pumice/extensions.def"
};

static const char *find_note(const char *name)
{
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (!strcmp(notes[i].name, name))
            return notes[i].text;
    return NULL;
}

static bool is_offered(const char *name)
{
    for (int i = 0; i < KC_EXT_COUNT; i++)
        if (offered[i].name && !strcmp(offered[i].name, name))
            return true;
    return false;
}

// What a device without any features is missing first is the extension's requirement.
static void print_offered(void)
{
    static const struct device_caps nothing;
    puts("| extension | version | requires |\n|---|---|---|");
    for (int i = 0; i < KC_EXT_COUNT; i++) {
        if (!offered[i].name)
            continue;
        const char *note = find_note(offered[i].name),
                   *lacks = device_caps_missing(&nothing, (enum kc_extension)i);
        printf("| %s | %d.%d.%d | %s |\n", offered[i].name, offered[i].major, offered[i].minor, offered[i].patch,
               note ? note : lacks ? lacks : "");
    }
}

int info_extensions(void)
{
    puts("# Extensions\n\nWritten by `pumice-info --extensions`. `pumice-info --all` lists the extensions of a device.\n");
    print_offered();
    puts("\n## Unsupported, and why\n\n| extension | why not |\n|---|---|");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!is_offered(refused[i].name))
            printf("| %s | %s |\n", refused[i].name, refused[i].text);
    puts("\n<!-- SPDX-License-Identifier: Apache-2.0 -->");
    return 0;
}
