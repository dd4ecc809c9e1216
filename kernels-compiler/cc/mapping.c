// SPDX-License-Identifier: Apache-2.0
#include "cc/mapping.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- options -----------------------------------------------------------------------------------------

// NAME or NAME=1, and NAME=0: one field of the target.
static const struct {
    const char *name;
    size_t field;
    bool inverted;
} switches[] = {
    {"distinct-kernel-descriptor-sets", offsetof(struct kc_target, mapping.distinct_sets), false},
    {"cluster-pod-kernel-args", offsetof(struct kc_target, mapping.pods_apart), true},
    {"work-dim", offsetof(struct kc_target, mapping.work_dim), false},
    {"global-offset", offsetof(struct kc_target, mapping.global_offset), false},
    {"global-offset-push-constant", offsetof(struct kc_target, mapping.global_offset_push), false},
    {"reflection", offsetof(struct kc_target, mapping.reflection), false},
    {"int8", offsetof(struct kc_target, int8), false},
    {"fp16", offsetof(struct kc_target, float16), false},
    {"fp64", offsetof(struct kc_target, float64), false},
};

static void read_switch(const char *value, bool *field, bool inverted, const char **why)
{
    bool on = !value || !strcmp(value, "1") || !strcmp(value, "true");
    if (!on && strcmp(value, "0") && strcmp(value, "false"))
        *why = "0 or 1 is wanted in";
    *field = on != inverted;
}

static bool read_version(const char *value, struct kc_target *t)
{
    static const struct {
        const char *name;
        uint32_t version;
    } versions[] = {{"1.0", 0x10000}, {"1.3", 0x10300}, {"1.4", 0x10400}, {"1.5", 0x10500}, {"1.6", 0x10600}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (!strcmp(value, versions[i].name)) {
            t->spirv_version = versions[i].version;
            t->subgroups = t->subgroup_arithmetic = t->spirv_version >= 0x10300;
            t->vulkan_memory_model = t->vulkan_memory_model_device_scope = t->spirv_version >= 0x10500;
            return true;
        }
    return false;
}

static bool read_push_size(const char *value, struct kc_target *t)
{
    char *end;
    unsigned long size = strtoul(value, &end, 10);
    t->max_push_bytes = (uint32_t)size;
    return end != value && !*end && size <= 1 << 20;
}

static bool read_arch(const char *value, struct kc_target *t)
{
    bool wide = !strcmp(value, "spir64") || !strcmp(value, "spirv64");
    t->address_bits = wide ? 64 : 32;
    return wide || !strcmp(value, "spir") || !strcmp(value, "spirv32");
}

// Whether all words of a comma list are known; `each` takes one.
static bool read_list(const char *value, struct kc_target *t, bool (*each)(const char *word, size_t length, struct kc_target *t))
{
    bool known = *value;
    for (size_t span; *value; value += span + (value[span] == ',')) {
        span = strcspn(value, ",");
        known &= each(value, span, t);
    }
    return known;
}

static bool is_word(const char *word, size_t length, const char *known) { return strlen(known) == length && !memcmp(word, known, length); }

// Plain data are read in words, wherever they are: only storage buffers may be seen as bytes.
static bool is_interface(const char *word, size_t length, bool *storage)
{
    bool buffers = is_word(word, length, "ssbo");
    *storage &= !buffers;
    return buffers || is_word(word, length, "ubo") || is_word(word, length, "pushconstant");
}

static bool without_8(const char *word, size_t length, struct kc_target *t) { return is_interface(word, length, &t->storage8); }
static bool without_16(const char *word, size_t length, struct kc_target *t) { return is_interface(word, length, &t->storage16); }
static bool read_no_8bit(const char *value, struct kc_target *t) { return read_list(value, t, without_8); }
static bool read_no_16bit(const char *value, struct kc_target *t) { return read_list(value, t, without_16); }

static bool rounds(const char *word, size_t length, struct kc_target *t)
{
    static const char *const widths[] = {"16", "32", "64"};
    for (size_t i = 0; i < 3; i++)
        if (is_word(word, length, widths[i]))
            return t->rounding_rte[i] = true;
    return false;
}

static bool read_rounding(const char *value, struct kc_target *t) { return read_list(value, t, rounds); }

// NAME=VALUE
static const struct {
    const char *name;
    bool (*read)(const char *value, struct kc_target *target);
    const char *why;
} settings[] = {
    {"spv-version", read_version, "1.0, 1.3, 1.4, 1.5 or 1.6 is wanted in"},
    {"max-pushconstant-size", read_push_size, "a number of bytes is wanted in"},
    {"arch", read_arch, "spir, spir64, spirv32 or spirv64 is wanted in"},
    {"no-8bit-storage", read_no_8bit, "ssbo, ubo or pushconstant is wanted in"},
    {"no-16bit-storage", read_no_16bit, "ssbo, ubo or pushconstant is wanted in"},
    {"rounding-mode-rte", read_rounding, "16, 32 or 64 is wanted in"},
};

// What is so in any case.
static const char *const given[] = {"vulkan", "inline-entry-points", "long-vector", "vec3-to-vec4", "hack-mul-extended", "verify"};

static bool find_plain(const char *name, const char *value, struct kc_target *t, struct mapping_request *r)
{
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (!strcmp(name, given[i]))
            return true;
    if (!strcmp(name, "pod-ubo")) {
        t->mapping.pods = KC_PODS_UNIFORM;
        return r->uniform = true;
    }
    if (!strcmp(name, "pod-pushconstant")) {
        t->mapping.pods = KC_PODS_PUSH;
        return r->push = true;
    }
    if (!strcmp(name, "mfmt") && value && !strcmp(value, "c"))
        return r->c_list = true;
    if (strcmp(name, "descriptormap") || !value)
        return false;
    r->map_file = value;
    return true;
}

static bool find_option(const char *name, const char *value, struct kc_target *t, struct mapping_request *r, const char **why)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (!strcmp(name, switches[i].name)) {
            read_switch(value, (bool *)((char *)t + switches[i].field), switches[i].inverted, why);
            return true;
        }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!strcmp(name, settings[i].name)) {
            if (!value || !settings[i].read(value, t))
                *why = settings[i].why;
            return true;
        }
    return find_plain(name, value, t, r);
}

bool mapping_option(const char *word, struct kc_target *target, struct mapping_request *request, const char **why)
{
    char name[64];
    size_t dashes = strspn(word, "-"), length = strcspn(word + dashes, "=");
    if (!dashes || dashes > 2 || length >= sizeof name)
        return false;
    memcpy(name, word + dashes, length);
    name[length] = '\0';
    const char *value = word[dashes + length] == '=' ? word + dashes + length + 1 : NULL;
    if (!find_option(name, value, target, request, why))
        return false;
    request->apart = target->mapping.pods_apart;
    return request->on = true;
}

const char *mapping_check(const struct mapping_request *r)
{
    if (r->uniform && r->push)
        return "-pod-ubo and -pod-pushconstant";
    return r->push && r->apart ? "-pod-pushconstant and -cluster-pod-kernel-args=0" : NULL;
}

// ---- the descriptor map ------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool bound, placed, sized;
} kinds[KC_PLACE_COUNT] = {
    [KC_PLACE_BUFFER] = {"buffer", true, true, false},
    [KC_PLACE_POD] = {"pod", true, true, true},
    [KC_PLACE_POD_UNIFORM] = {"pod_ubo", true, true, true},
    [KC_PLACE_POD_PUSH] = {"pod_pushconstant", false, true, true},
    [KC_PLACE_LOCAL] = {"local", false, false, false},
};

static void write_argument(FILE *to, const struct kc_kernel *k, uint32_t i)
{
    const struct kc_place *p = &k->places[i];
    fprintf(to, "kernel,%s,arg,%s,argOrdinal,%u", k->name, k->args[i].name, i);
    if (kinds[p->kind].bound)
        fprintf(to, ",descriptorSet,%u,binding,%u", p->set, p->binding);
    if (kinds[p->kind].placed)
        fprintf(to, ",offset,%u", p->offset);
    fprintf(to, ",argKind,%s", kinds[p->kind].name);
    if (kinds[p->kind].sized)
        fprintf(to, ",argSize,%u", p->size);
    if (p->kind == KC_PLACE_LOCAL)
        fprintf(to, ",arrayElemSize,%u,arrayNumElemSpecId,%u", p->size, p->spec_id);
    fputc('\n', to);
}

// Plain data come last where they share a block, else what has no descriptor.
static void write_kernel(FILE *to, const struct kc_kernel *k, bool apart)
{
    const enum kc_arg_kind last = apart ? KC_ARG_LOCAL : KC_ARG_VALUE;
    fprintf(to, "kernel_decl,%s\n", k->name);
    for (int later = 0; later < 2; later++)
        for (uint32_t i = 0; i < k->arg_count; i++)
            if ((k->args[i].kind == last) == later)
                write_argument(to, k, i);
}

static void write_specs(FILE *to, const struct kc_shared *shared, const char *name, uint32_t count)
{
    static const char *const dims[] = {"_x", "_y", "_z"};
    for (uint32_t i = 0; i < count; i++)
        fprintf(to, "spec_constant,%s%s,spec_id,%u\n", name, count > 1 ? dims[i] : "", shared->values[i]);
}

static const struct {
    const char *name;
    uint32_t specs; // how many; 0: push constants
} shared_rows[KC_SHARED_COUNT] = {
    [KC_SHARED_LOCAL_SIZE] = {"workgroup_size", 3},
    [KC_SHARED_GLOBAL_OFFSET] = {"global_offset", 3},
    [KC_SHARED_WORK_DIM] = {"work_dim", 1},
    [KC_SHARED_PUSH_GLOBAL_OFFSET] = {"global_offset", 0},
    [KC_SHARED_PUSH_ENQUEUED_LOCAL] = {"enqueued_local_size", 0},
    [KC_SHARED_PUSH_GLOBAL_SIZE] = {"global_size", 0},
    [KC_SHARED_PUSH_REGION_OFFSET] = {"region_offset", 0},
    [KC_SHARED_PUSH_NUM_GROUPS] = {"num_workgroups", 0},
    [KC_SHARED_PUSH_REGION_GROUP] = {"region_group_offset", 0},
};

static void write_shared(FILE *to, const struct kc_program *p, bool pushed)
{
    for (uint32_t i = 0; i < p->shared_count; i++) {
        const struct kc_shared *shared = &p->shared[i];
        if (pushed && !shared_rows[shared->kind].specs)
            fprintf(to, "pushconstant,name,%s,offset,%u,size,12\n", shared_rows[shared->kind].name, shared->values[0]);
        else if (!pushed)
            write_specs(to, shared, shared_rows[shared->kind].name, shared_rows[shared->kind].specs);
    }
}

void mapping_write(FILE *to, const struct kc_program *p, const struct kc_mapping *mapping)
{
    write_shared(to, p, true);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        write_kernel(to, &p->kernels[i], mapping->pods_apart);
    write_shared(to, p, false);
}

void mapping_write_list(FILE *to, const uint32_t *words, size_t count)
{
    fputc('{', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s0x%08x", !i ? "" : i % 8 ? ", " : ",\n", words[i]);
    fputs("}\n", to);
}
