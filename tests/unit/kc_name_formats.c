// SPDX-License-Identifier: Apache-2.0
// A module after the formats of its images have been set: the capabilities for images without
// formats are removed, equal types are merged, images without a given format do not change, and
// invalid modules are refused.
#include "check.h"
#include "pumice/kc.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void mix(write_only image2d_t a, write_only image2d_t b, write_only image2d_t c, read_only image2d_t d,\n"
    "                read_write image1d_t e, write_only image2d_t f)\n"
    "{ int2 at = (int2)(get_global_id(0), 0); float4 v = read_imagef(d, at) + read_imagef(e, at.x);\n"
    "  write_imagef(a, at, v); write_imagef(b, at, v + 1); write_imagef(c, at, v + 2);\n"
    "  write_imagef(e, at.x, v); write_imageui(f, at, (uint4)(7)); }";

static const struct kc_target target = {
    .spirv_version = 0x00010500, .extensions = KC_EXTENSIONS_ALL, .images = true, .int64 = true, .image_3d_writes = true,
    .physical_addressing = true, .vulkan_memory_model = true, .max_push_bytes = 128, .max_local_invocations = 256,
    .max_local_size = {256, 256, 64}, .max_local_memory = 16 << 10, .max_function_array = 1024, .subgroup_size = 4};

struct seen {
    unsigned without, extended, images, duplicates;
    uint32_t formats[8]; // by binding: the format of the image
};

static const uint32_t *type_of(const uint32_t *words, size_t count, uint32_t id)
{
    for (size_t at = 5; at < count; at += words[at] >> 16)
        if (((words[at] & 0xffff) == SpvOpTypeImage || (words[at] & 0xffff) == SpvOpTypePointer) && words[at + 1] == id)
            return words + at;
    return NULL;
}

static void see_variable(const uint32_t *words, size_t count, const uint32_t *decoration, struct seen *seen)
{
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        if ((words[at] & 0xffff) != SpvOpVariable || words[at + 2] != decoration[1] || decoration[3] >= 8)
            continue;
        const uint32_t *pointer = type_of(words, count, words[at + 1]);
        const uint32_t *image = pointer ? type_of(words, count, pointer[3]) : NULL;
        if (image && (image[0] & 0xffff) == SpvOpTypeImage)
            seen->formats[decoration[3]] = image[8];
    }
}

static struct seen look(const uint32_t *words, size_t count)
{
    struct seen seen = {0};
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        uint32_t op = words[at] & 0xffff;
        if (op == SpvOpCapability) {
            seen.without += words[at + 1] == SpvCapabilityStorageImageReadWithoutFormat ||
                            words[at + 1] == SpvCapabilityStorageImageWriteWithoutFormat;
            seen.extended += words[at + 1] == SpvCapabilityStorageImageExtendedFormats;
        }
        if (op == SpvOpDecorate && words[at + 2] == SpvDecorationBinding)
            see_variable(words, count, words + at, &seen);
        if (op != SpvOpTypeImage)
            continue;
        seen.images++;
        for (size_t other = 5; other < at; other += words[other] >> 16)
            seen.duplicates += words[other] == words[at] && !memcmp(words + other + 2, words + at + 2, 28);
    }
    return seen;
}

static void name(const struct kc_kernel *kernel)
{
    // In the order of the arguments that the kernel writes.
    static const uint32_t plain[6] = {SpvImageFormatRgba8, SpvImageFormatRgba8, SpvImageFormatRgba16f, 0,
                                      SpvImageFormatR32f, SpvImageFormatRgba8ui};
    uint32_t values[16];
    for (int turn = 0; turn < 3; turn++) {
        size_t count;
        unsigned formats = 0;
        for (uint32_t i = 0; i < kernel->spec_count; i++) {
            values[i] = 1;
            if (kernel->specs[i].kind != KC_SPEC_IMAGE_FORMAT)
                continue;
            values[i] = plain[kernel->bindings[kernel->specs[i].arg].arg];
            if (turn == 1 && values[i] == SpvImageFormatRgba16f)
                values[i] = SpvImageFormatRg16f; // an extended format
            if (turn == 2 && values[i] == SpvImageFormatR32f)
                values[i] = SpvImageFormatUnknown;
            formats++;
        }
        CHECK(formats == 5);
        uint32_t *words = kc_name_formats(kernel, values, &count);
        CHECK(words);
        if (!words)
            return;
        struct seen seen = look(words, count), before = look(kernel->spirv, kernel->spirv_words);
        CHECK(before.without == 2 && before.extended == 0);
        CHECK(seen.without == (turn == 2 ? 2u : 0u) && seen.extended == (turn == 1) && seen.duplicates == 0);
        CHECK(seen.images == before.images + (turn == 2 ? 3u : 4u));
        for (uint32_t i = 0; i < kernel->spec_count; i++)
            if (kernel->specs[i].kind == KC_SPEC_IMAGE_FORMAT)
                CHECK(seen.formats[kernel->specs[i].arg] == values[i]);
        free(words);
    }
}

// Modules truncated at any length, and invalid words.
static void refuse(const struct kc_kernel *kernel)
{
    uint32_t values[16] = {1, 1, 1, 4, 4, 4, 4, 4};
    struct kc_kernel bad = *kernel;
    uint32_t *words = malloc(kernel->spirv_words * sizeof *words);
    size_t count;
    for (bad.spirv_words = 0; words && bad.spirv_words < kernel->spirv_words; bad.spirv_words++) {
        memcpy(words, kernel->spirv, bad.spirv_words * sizeof *words);
        bad.spirv = words;
        free(kc_name_formats(&bad, values, &count));
    }
    bad.spirv_words = 20;
    memset(words, 0, 20 * sizeof *words);
    CHECK(!kc_name_formats(&bad, values, &count));
    memset(words, 0xff, 20 * sizeof *words);
    CHECK(!kc_name_formats(&bad, values, &count));
    free(words);
}

int main(void)
{
    struct kc_input input = {.source = source, .length = strlen(source), .options = "-cl-std=CL3.0"};
    struct kc_program *program = kc_build(&input, &target);
    bool built = program && program->status == KC_OK && program->kernel_count == 1;
    if (!built && program)
        fprintf(stderr, "%s\n", program->log);
    CHECK(built);
    if (built) {
        name(&program->kernels[0]);
        refuse(&program->kernels[0]);
    }
    kc_program_destroy(program);
    return check_result();
}
