// SPDX-License-Identifier: Apache-2.0
// A kernel that needs more registers than the driver can number, because its functions are inlined, is built with calls.
#include "pumice/kc.h"

#include <stdio.h>
#include <string.h>

static struct kc_target target = {.spirv_version = 0x00010500, .local_size_id = true,
                                  .physical_addressing = true,
                                  .max_push_bytes = 128,
                                  .max_local_size = {64, 64, 64},
                                  .max_local_invocations = 64,
                                  .max_local_memory = 16384,
                                  .max_inlined = 12000};

// A function of some 100 operations, called 60 times: by turns, so that no loop can take their place.
static const char *text(void)
{
    static char source[65536];
    size_t length = (size_t)snprintf(source, sizeof source, "uint f(uint x, uint y) {\n");
    for (int i = 0; i < 50; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "x = x * %d + y; y ^= x >> %d;\n", 2 * i + 3, i % 13 + 1);
    length += (size_t)snprintf(source + length, sizeof source - length, "return x; }\nkernel void k(global uint *a) { uint x = a[0];\n");
    for (int i = 0; i < 60; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "x += f(x ^ %d, a[%d]);\n", i, i);
    snprintf(source + length, sizeof source - length, "a[0] = x; }\n");
    return source;
}

// Words of the kernel's module; 0: refused.
static size_t build(uint32_t most_registers)
{
    struct kc_input input = {.source = text(), .length = strlen(text())};
    target.cost.most_registers = most_registers;
    struct kc_program *program = kc_build(&input, &target);
    size_t words = program && program->kernel_count == 1 ? program->kernels[0].spirv_words : 0;
    if (!words && program && !strstr(program->log, "registers wrongly"))
        printf("%s\n", program->log);
    kc_program_destroy(program);
    return words;
}

int main(void)
{
    const size_t unlimited = build(0), few = build(3000), none = build(20);
    printf("%zu words, with few registers %zu, with too few %zu\n", unlimited, few, none);
    return !(unlimited && few && few < unlimited / 2 && !none);
}
