// SPDX-License-Identifier: Apache-2.0
// Fuzzes the whole compiler: any bytes -> a program, or an error with a log, for one of several
// devices selected by the input's size.
#include "broken.h"
#include "cc/presets.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const devices[] = {"full", "lavapipe", "h200", "lavapipe32", "minimal"};
    struct kc_target target;
    if (!preset_find(devices[size % (sizeof devices / sizeof *devices)], &target))
        abort();
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    struct kc_input input = {.source = text, .length = size};
    build_and_check(&input, &target);
    free(text);
    return 0;
}
