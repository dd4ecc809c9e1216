// SPDX-License-Identifier: Apache-2.0
// A build tool: kernels.cl -> a C file with its kernels as struct kc_kernel for kernels.h, once
// with and once without buffer device addresses.
//
// usage: kernels_main kernels.cl out.c
#include <stdio.h>
#include <stdlib.h>

#include "platform/platform.h"
#include "pumice/kc.h"

static char *read_file(const char *name, size_t *length)
{
    FILE *file = file_open(name, "rb");
    char *text = NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size > 0 && (text = malloc((size_t)size)))
        *length = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

static void print_kernel(FILE *out, const char *set, const struct kc_kernel *kernel)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", set, kernel->name);
    fprintf(out, "static const uint32_t %s_words[] = {", name);
    for (size_t i = 0; i < kernel->spirv_words; i++)
        fprintf(out, "%s0x%08x,", i % 8 ? " " : "\n    ", kernel->spirv[i]);
    fprintf(out, "\n};\nstatic const struct kc_arg %s_args[] = {\n", name);
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        fprintf(out,
                "    {.name = \"%s\", .type_name = \"%s\", .kind = %d, .size = %u, .align = %u},\n",
                kernel->args[i].name, kernel->args[i].type_name, (int)kernel->args[i].kind,
                kernel->args[i].size, kernel->args[i].align);
    fprintf(out, "};\nstatic const struct kc_push %s_push[] = {\n", name);
    for (uint32_t i = 0; i < kernel->push_count; i++)
        fprintf(out, "    {%d, %u, %u, %u, %u},\n", (int)kernel->push[i].kind, kernel->push[i].dim,
                kernel->push[i].arg, kernel->push[i].offset, kernel->push[i].size);
    fprintf(out, "};\nstatic const struct kc_spec %s_specs[] = {\n", name);
    for (uint32_t i = 0; i < kernel->spec_count; i++)
        fprintf(out, "    {%d, %u, %u, %u, %u},\n", (int)kernel->specs[i].kind, kernel->specs[i].id,
                kernel->specs[i].dim, kernel->specs[i].arg, kernel->specs[i].unit);
    fprintf(out, "};\nstatic const struct kc_binding %s_bindings[] = {\n", name);
    for (uint32_t i = 0; i < kernel->binding_count; i++)
        fprintf(out, "    {.kind = %d, .arg = %u, .binding = %u},\n", (int)kernel->bindings[i].kind,
                kernel->bindings[i].arg, kernel->bindings[i].binding);
    fprintf(out, "    {.kind = 0},\n};\n");
}

static void print_entry(FILE *out, const char *set, const struct kc_kernel *kernel)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", set, kernel->name);
    fprintf(out, "    {.name = \"%s\", .attributes = \"\", .args = %s_args, .arg_count = %u,\n",
            kernel->name, name, kernel->arg_count);
    fprintf(out, "     .spirv = %s_words, .spirv_words = %zu, .push = %s_push, .push_count = %u,\n",
            name, kernel->spirv_words, name, kernel->push_count);
    fprintf(out, "     .push_size = %u, .specs = %s_specs, .spec_count = %u,\n", kernel->push_size,
            name, kernel->spec_count);
    fprintf(out, "     .bindings = %s_bindings, .binding_count = %u},\n", name,
            kernel->binding_count);
}

// Whether the tool can write the kernel; the built-in kernels need no more than this.
static bool is_plain(const struct kc_kernel *kernel)
{
    return !kernel->push_indirect && !kernel->scratch_bytes && !kernel->local_memory &&
           kernel->spec_count && kernel->push_count;
}

// Writes all kernels of a program as a table of that name.
static bool print_program(FILE *out, const char *set, const struct kc_program *program)
{
    bool plain = program && program->status == KC_OK;
    if (!plain)
        fprintf(stderr, "%s\n", program ? program->log : "out of memory");
    for (uint32_t i = 0; plain && i < program->kernel_count; i++) {
        plain = is_plain(&program->kernels[i]);
        print_kernel(out, set, &program->kernels[i]);
    }
    fprintf(out, "\nconst struct kc_kernel %s[VK_KERNEL_COUNT] = {\n", set);
    for (uint32_t i = 0; plain && i < program->kernel_count; i++)
        print_entry(out, set, &program->kernels[i]);
    fprintf(out, "};\n\n");
    return plain;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *set;
        bool physical;
    } sets[] = {{"vk_kernels", true}, {"vk_kernels_bound", false}};
    struct kc_target target = { // every device supports this
        .spirv_version = 0x00010300,
        .int64 = true,
        .max_push_bytes = 128,
        .max_local_size = {256, 256, 64},
        .max_local_invocations = 256,
        .max_local_memory = 16384,
        .max_function_array = 1024,
        .subgroup_size = 32,
    };
    struct kc_input input = {.file_name = "kernels.cl"};
    char *text = argc == 3 ? read_file(argv[1], &input.length) : NULL;
    FILE *out = text ? file_open(argv[2], "wb") : NULL;
    bool good = true;
    if (!out) {
        fprintf(stderr, "usage: kernels_main kernels.cl out.c\n");
        return 2;
    }
    input.source = text;
    fprintf(out, "#include \"vulkan/kernels/kernels.h\"\n\n");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        target.physical_addressing = sets[i].physical;
        struct kc_program *program = kc_build(&input, &target);
        good &= print_program(out, sets[i].set, program);
        kc_program_destroy(program);
    }
    good &= fclose(out) == 0;
    free(text);
    return !good;
}
