// SPDX-License-Identifier: Apache-2.0
// Prints a target's extensions and features, its addressing, and the cooperative matrix shapes it supports.
#include "cc/show.h"
#include <inttypes.h>
#include <stdio.h>

static const struct {
    const char *name;
    bool feature;
} extensions[KC_EXT_COUNT] = {
#define EXTENSION(id, name, major, minor, patch, macro_from) [KC_EXT_##id] = {name, false},
#define FEATURE(id, name, major, minor, patch) [KC_EXT_##id] = {name, true},
#include "pumice/extensions.def"
};

static const char *component(unsigned type)
{
    static const char *const names[KC_COMPONENT_COUNT] = {
        [KC_COMPONENT_F16] = "half", [KC_COMPONENT_F32] = "float", [KC_COMPONENT_F64] = "double", [KC_COMPONENT_S8] = "char",
        [KC_COMPONENT_S16] = "short", [KC_COMPONENT_S32] = "int", [KC_COMPONENT_S64] = "long", [KC_COMPONENT_U8] = "uchar",
        [KC_COMPONENT_U16] = "ushort", [KC_COMPONENT_U32] = "uint", [KC_COMPONENT_U64] = "ulong",
        [KC_COMPONENT_BF16] = "__bf16", [KC_COMPONENT_E4M3] = "__fp8_e4m3", [KC_COMPONENT_E5M2] = "__fp8_e5m2"};
    return type < KC_COMPONENT_COUNT && names[type] ? names[type] : "?";
}

static void show_names(const char *title, const struct kc_target *t, bool features)
{
    printf("%s:", title);
    for (int i = 0; i < KC_EXT_COUNT; i++)
        if (extensions[i].feature == features && kc_extensions_have(&t->extensions, (enum kc_extension)i))
            printf(" %s", extensions[i].name);
    putchar('\n');
}

static void show_matrices(const struct kc_target *t)
{
    if (!t->subgroups) {
        printf("cooperative matrices: none\n");
        return;
    }
    printf("cooperative matrices: any shape, by sub-groups%s\n", t->matrix_shape_count ? "; matrix units support" : "");
    for (uint32_t i = 0; i < t->matrix_shape_count; i++) {
        const struct kc_matrix_shape *s = &t->matrix_shapes[i];
        printf("  %2u x %2u  A %u x %u %s, B %u x %u %s, C %s, result %s%s\n", s->rows, s->columns, s->rows, s->depth,
               component(s->a), s->depth, s->columns, component(s->b), component(s->c), component(s->result),
               s->saturating ? ", saturating" : "");
    }
}

static void show_addressing(const struct kc_target *t)
{
    if (t->physical_addressing)
        printf("global memory: accessed by address\n");
    else
        printf("global memory: accessed by %" PRIu32 " storage buffers of %" PRIu64 " bytes (0: unlimited)\n", t->max_storage_buffers,
               t->storage_buffer_range);
}

void show_target(const char *name, const struct kc_target *t)
{
    printf("target %s: work-groups of %u, local memory %u bytes, sub-groups of %u%s\n", name, t->max_local_invocations,
           t->max_local_memory, t->subgroup_size, t->subgroups ? "" : " (not offered)");
    show_addressing(t);
    show_names("extensions", t, false);
    show_names("features", t, true);
    show_matrices(t);
}
