// SPDX-License-Identifier: Apache-2.0
// Fuzzes the SPIR-V reader: any bytes -> a program, or an error with a log, for one of several
// devices selected by the input's size. All specialization constants that a module reports are set
// before it is built.
#include "broken.h"
#include "cc/presets.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Unremarkable values of the sizes that the module reports.
static struct kc_spec_value *values_of(const struct kc_il_spec *specs, size_t count)
{
    struct kc_spec_value *values = calloc(count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (struct kc_spec_value){.id = specs[i].id, .size = specs[i].size, .bits = 3 + i};
    return values;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const devices[] = {"full", "lavapipe", "h200", "lavapipe32", "minimal"};
    struct kc_target target;
    struct kc_il_spec *specs = NULL;
    size_t count = 0;
    char *log = NULL;
    if (!preset_find(devices[size / 4 % (sizeof devices / sizeof *devices)], &target))
        abort();
    enum kc_status status = kc_il_read(data, size, &specs, &count, &log);
    if (status == KC_ERROR && (!log || !*log))
        abort();
    if (status == KC_OK) {
        struct kc_spec_value *values = values_of(specs, count);
        struct kc_input input = {.il = data, .il_size = size, .spec_values = values, .spec_value_count = count};
        build_and_check(&input, &target);
        free(values);
    }
    free(specs);
    free(log);
    return 0;
}
