// SPDX-License-Identifier: Apache-2.0
#include "cc/help.h"

#include <string.h>

static const struct {
    enum group { GROUP_OUTPUT, GROUP_VULKAN, GROUP_INPUT, GROUP_TARGET, GROUP_INSPECT, GROUP_COUNT } group;
    const char *written, *does;
} options[] = {
#define OPTION(group, written, does) {GROUP_##group, written, does},
#include "cc/options.def"
};

static const char *const titles[GROUP_COUNT] = {[GROUP_OUTPUT] = "output",
                                                [GROUP_VULKAN] = "modules for any Vulkan program (options of clspv)",
                                                [GROUP_INPUT] = "input and language",
                                                [GROUP_TARGET] = "device",
                                                [GROUP_INSPECT] = "inspection"};

enum { COLUMN = 38, COUNT = sizeof options / sizeof *options };

void help_write(FILE *to)
{
    fputs("usage: pumice-cc [options] FILE.cl|FILE.spv|FILE.o|-...\n", to);
    for (int i = 0; i < COUNT; i++) {
        if (!i || options[i].group != options[i - 1].group)
            fprintf(to, "\n%s:\n", titles[options[i].group]);
        if (options[i].does[0])
            fprintf(to, "  %-*s %s\n", COLUMN, options[i].written, options[i].does);
        else
            fprintf(to, "  %s\n", options[i].written);
    }
}

enum { LONGEST = 48 };

static int least(int a, int b) { return a < b ? a : b; }

// Edit distance: number of characters to change, insert or delete.
static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int row[LONGEST + 1];
    for (size_t k = 0; k <= b_length; k++)
        row[k] = (int)k;
    for (size_t i = 0; i < a_length; i++) {
        int corner = row[0];
        row[0] = (int)i + 1;
        for (size_t k = 0; k < b_length; k++) {
            int changed = corner + (a[i] != b[k]);
            corner = row[k + 1];
            row[k + 1] = least(changed, least(row[k], corner) + 1);
        }
    }
    return row[b_length];
}

const char *help_nearest(const char *word)
{
    const char *nearest = NULL;
    word += strspn(word, "-");
    size_t length = strcspn(word, "=");
    int most = length < 4 ? 1 : 3;
    for (int i = 0; i < COUNT && length <= LONGEST; i++) {
        const char *name = options[i].written + strspn(options[i].written, "-");
        size_t name_length = strcspn(name, "= ");
        int difference = name_length <= LONGEST ? distance(word, length, name, name_length) : LONGEST;
        if (difference > most || difference >= (int)length)
            continue;
        most = difference - 1;
        nearest = options[i].written;
    }
    return nearest;
}
