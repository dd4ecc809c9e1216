// SPDX-License-Identifier: Apache-2.0
#include "cc/mapping.h"
#include "platform/platform.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- options -----------------------------------------------------------------------------------------

// NAME or NAME=1, and NAME=0: a field of the target.
static const struct {
    const char *name;
    size_t field;
    bool inverted;
} switches[] = {
    {"distinct-kernel-descriptor-sets", offsetof(struct kc_target, mapping.distinct_sets), false},
    {"cluster-pod-kernel-args", offsetof(struct kc_target, mapping.separate_pods), true},
    {"work-dim", offsetof(struct kc_target, mapping.work_dim), false},
    {"global-offset", offsetof(struct kc_target, mapping.global_offset), false},
    {"global-offset-push-constant", offsetof(struct kc_target, mapping.global_offset_push), false},
    {"module-constants-in-storage-buffer", offsetof(struct kc_target, mapping.data_bound), false},
    {"constant-args-ubo", offsetof(struct kc_target, mapping.constants_uniform), false},
    {"enable-printf", offsetof(struct kc_target, mapping.printf), false},
    {"int8", offsetof(struct kc_target, int8), false},
    {"fp16", offsetof(struct kc_target, float16), false},
    {"fp64", offsetof(struct kc_target, float64), false},
    {"physical-storage-buffers", offsetof(struct kc_target, physical_addressing), false},
    {"images", offsetof(struct kc_target, images), false},
    {"hack-mul-extended", offsetof(struct kc_target, mapping.no_mul_extended), false},
    {"hack-undef", offsetof(struct kc_target, no_undef), false},
    {"hack-scf", offsetof(struct kc_target, mapping.no_signed_compare), false},
    {"hack-image1d-buffer-bgra", offsetof(struct kc_target, mapping.bgra_buffers), false},
    {"hack-clamp-width", offsetof(struct kc_target, small_ints_in_32), false},
    {"cl-arm-non-uniform-work-group-size", offsetof(struct kc_target, mapping.regions), false},
};

static void read_switch(const char *value, bool *field, bool inverted, const char **why)
{
    bool on = !value || !strcmp(value, "1") || !strcmp(value, "true");
    if (!on && strcmp(value, "0") && strcmp(value, "false"))
        *why = "expected 0 or 1 in";
    *field = on != inverted;
}

// Names of versions in clspv and in SPIRV-Tools.
static const struct {
    const char *name, *spirv, *vulkan;
    uint32_t version;
} versions[] = {{"1.0", "spv1.0", "vulkan1.0", 0x10000}, {"1.3", "spv1.3", "vulkan1.1", 0x10300},
                {"1.4", "spv1.4", "vulkan1.1spv1.4", 0x10400}, {"1.5", "spv1.5", "vulkan1.2", 0x10500},
                {"1.6", "spv1.6", "vulkan1.3", 0x10600}, {"1.6", "spv1.6", "vulkan1.4", 0x10600}};

static bool read_version(const char *value, struct kc_target *t)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (!strcmp(value, versions[i].name) || !strcmp(value, versions[i].spirv) || !strcmp(value, versions[i].vulkan)) {
            t->spirv_version = versions[i].version;
            t->subgroups = t->subgroup_arithmetic = t->spirv_version >= 0x10300;
            t->vulkan_memory_model = t->spirv_version >= 0x10500; // other queue families are not required
            return true;
        }
    return false;
}

static bool read_reflection(const char *value, struct kc_target *t)
{
    t->mapping.reflection = !value[0] || value[1] ? UINT8_MAX : (uint8_t)(value[0] - '0');
    t->mapping.reflection_least = false;
    return t->mapping.reflection <= KC_REFLECTION_NEWEST;
}

static bool read_push_size(const char *value, struct kc_target *t)
{
    char *end;
    unsigned long size = strtoul(value, &end, 10);
    t->max_push_bytes = (uint32_t)size;
    return end != value && !*end && size <= 1 << 20;
}

// A size in bytes, rounded down to a multiple of `unit`, at least one.
static bool read_bytes(const char *value, uint32_t unit, uint32_t *to)
{
    char *end;
    unsigned long size = strtoul(value, &end, 10);
    *to = (uint32_t)size / unit * unit;
    return end != value && !*end && size >= unit && size <= INT32_MAX;
}

static bool read_uniform_size(const char *value, struct kc_target *t) { return read_bytes(value, 16, &t->mapping.max_uniform); }
static bool read_printf_size(const char *value, struct kc_target *t) { return read_bytes(value, 4, &t->mapping.printf_bytes); }

static bool read_arch(const char *value, struct kc_target *t)
{
    bool wide = !strcmp(value, "spir64") || !strcmp(value, "spirv64");
    t->address_bits = wide ? 64 : 32;
    return wide || !strcmp(value, "spir") || !strcmp(value, "spirv32");
}

// Calls `each` for the words of a comma-separated list. Returns whether it knows all of them.
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

// Plain arguments are read as words in all interfaces; only storage buffers are accessed as bytes.
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

static bool set_width(const char *word, size_t length, bool by_width[3])
{
    static const char *const widths[] = {"16", "32", "64"};
    for (size_t i = 0; i < 3; i++)
        if (is_word(word, length, widths[i]))
            return by_width[i] = true;
    return false;
}

static bool rounds(const char *word, size_t length, struct kc_target *t) { return set_width(word, length, t->rounding_rte); }
static bool preserves(const char *word, size_t length, struct kc_target *t) { return set_width(word, length, t->denorm_preserve); }

static bool read_rounding(const char *value, struct kc_target *t) { return read_list(value, t, rounds); }
static bool read_denorms(const char *value, struct kc_target *t) { return read_list(value, t, preserves); }

static bool read_natives(const char *value, struct kc_target *t)
{
    t->mapping.natives = value;
    return *value;
}

static const struct {
    const char *name;
    enum kc_extension id;
} features[] = {
#define EXTENSION(id, name, major, minor, patch, macro_from)
#define FEATURE(id, name, major, minor, patch) {name, KC_EXT_##id},
#include "pumice/extensions.def"
};

static bool wants_feature(const char *word, size_t length, struct kc_target *t)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (is_word(word, length, features[i].name)) {
            kc_extensions_add(&t->extensions, features[i].id);
            return true;
        }
    return false;
}

// Restricts the target's features to the listed ones; features with an option of their own are not changed.
static bool read_features(const char *value, struct kc_target *t)
{
    const struct kc_extensions had = t->extensions;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (features[i].id != KC_EXT_FEATURE_FP64 && features[i].id != KC_EXT_IMAGES)
            kc_extensions_remove(&t->extensions, features[i].id);
    bool known = !*value || read_list(value, t, wants_feature);
    for (size_t i = 0; i < sizeof t->extensions.words / sizeof *t->extensions.words; i++)
        t->extensions.words[i] &= had.words[i];
    return known;
}

// The words of a sampler: from each group the word with the sampler's bits.
static const struct {
    const char *name;
    uint32_t group, bits;
} sampler_words[] = {
    {"CLK_ADDRESS_NONE", KC_SAMPLER_ADDRESSING, KC_SAMPLER_NONE},
    {"CLK_ADDRESS_CLAMP_TO_EDGE", KC_SAMPLER_ADDRESSING, KC_SAMPLER_CLAMP_TO_EDGE},
    {"CLK_ADDRESS_CLAMP", KC_SAMPLER_ADDRESSING, KC_SAMPLER_CLAMP},
    {"CLK_ADDRESS_REPEAT", KC_SAMPLER_ADDRESSING, KC_SAMPLER_REPEAT},
    {"CLK_ADDRESS_MIRRORED_REPEAT", KC_SAMPLER_ADDRESSING, KC_SAMPLER_MIRRORED_REPEAT},
    {"CLK_FILTER_NEAREST", KC_SAMPLER_LINEAR | KC_SAMPLER_NEAREST, KC_SAMPLER_NEAREST},
    {"CLK_FILTER_LINEAR", KC_SAMPLER_LINEAR | KC_SAMPLER_NEAREST, KC_SAMPLER_LINEAR},
    {"CLK_NORMALIZED_COORDS_FALSE", KC_SAMPLER_NORMALIZED, 0},
    {"CLK_NORMALIZED_COORDS_TRUE", KC_SAMPLER_NORMALIZED, KC_SAMPLER_NORMALIZED},
};
enum { SAMPLER_WORDS = sizeof sampler_words / sizeof *sampler_words };

// Adds a word's bits to *bits and returns its group; 0 if the word is unknown.
static uint32_t sampler_word(const char *word, size_t length, uint32_t *bits)
{
    for (int i = 0; i < SAMPLER_WORDS; i++)
        if (is_word(word, length, sampler_words[i].name)) {
            *bits |= sampler_words[i].bits;
            return sampler_words[i].group;
        }
    return 0;
}

static const char blanks[] = " \t\r\n";

// Parses a sampler: one word from each group, separated by '|'. Returns its end, or NULL.
static const char *read_sampler(const char *at, struct kc_mapping *mapping)
{
    uint32_t bits = 0, seen = 0;
    for (;; at++) {
        at += strspn(at, blanks);
        size_t length = strcspn(at, "|, \t\r\n");
        uint32_t group = sampler_word(at, length, &bits);
        if (!group || seen & group)
            return NULL;
        seen |= group;
        at += length + strspn(at + length, blanks);
        if (*at != '|')
            break;
    }
    if (seen != (KC_SAMPLER_ADDRESSING | KC_SAMPLER_LINEAR | KC_SAMPLER_NEAREST | KC_SAMPLER_NORMALIZED))
        return NULL;
    if (!memchr(mapping->samplers, (int)bits, mapping->sampler_count)) // the array has room for all different samplers
        mapping->samplers[mapping->sampler_count++] = (uint8_t)bits;
    return at;
}

// Reads a file of samplers, separated by commas.
static bool read_samplers(const char *value, struct kc_target *t)
{
    char text[8192] = {0};
    FILE *f = file_open(value, "r");
    bool read_all = f && fread(text, 1, sizeof text - 1, f) < sizeof text - 1 && !ferror(f);
    if (f)
        fclose(f);
    t->mapping.sampler_count = 0;
    const char *at = read_all ? text : NULL;
    while (at && *at) {
        at = read_sampler(at, &t->mapping);
        if (at && *at == ',')
            at += 1 + strspn(at + 1, blanks);
        else if (at && *at)
            at = NULL;
    }
    return at && t->mapping.sampler_count;
}

// NAME=VALUE
static const struct {
    const char *name;
    bool (*read)(const char *value, struct kc_target *target);
    const char *why;
} settings[] = {
    {"spv-version", read_version, "expected 1.0, 1.3, 1.4, 1.5 or 1.6 in"},
    {"target-env", read_version, "expected spv1.0, spv1.3 to spv1.6 or vulkan1.0 to vulkan1.4 in"},
    {"reflection", read_reflection, "expected a version from 1 to 7, or 0, in"},
    {"enable-feature-macros", read_features, "unknown OpenCL C feature in"},
    {"max-pushconstant-size", read_push_size, "expected a number of bytes in"},
    {"max-ubo-size", read_uniform_size, "expected a number of bytes, at least 16, in"},
    {"printf-buffer-size", read_printf_size, "expected a number of bytes, at least 4, in"},
    {"arch", read_arch, "expected spir, spir64, spirv32 or spirv64 in"},
    {"no-8bit-storage", read_no_8bit, "expected ssbo, ubo or pushconstant in"},
    {"no-16bit-storage", read_no_16bit, "expected ssbo, ubo or pushconstant in"},
    {"rounding-mode-rte", read_rounding, "expected 16, 32 or 64 in"},
    {"denorm-preserve", read_denorms, "expected 16, 32 or 64 in"},
    {"samplermap", read_samplers, "expected a file of samplers (CLK_NORMALIZED_COORDS_x | CLK_ADDRESS_x | CLK_FILTER_x, ...) in"},
    {"use-native-builtins", read_natives, "expected names of functions in"},
};

// Options without effect: they always apply here, or permit something that is not used. The second list takes values.
// Uniform buffers are accessed as vectors of 16 bytes, whatever their contents.
static const char *const no_effect[] = {"vulkan", "inline-entry-points", "long-vector", "vec3-to-vec4", "no-vec3-to-vec4",
                                    "no-inline-single", "no-dra", "no-smsv", "hack-dis", "hack-inserts",
                                    "hack-initializers", "hack-phis", "hack-block-order", "hack-logical-ptrtoint",
                                    "rewrite-packed-structs", "scalar-block-layout", "relaxed-ubo-layout", "std430-ubo-layout",
                                    "enable-opaque-pointers", "decorate-nonuniform",
                                    "hack-convert-to-float", "cl-arm-integer-dot-product"};
static const char *const no_effect_valued[] = {"spv-khr-fma", "memmove-alloca-limit", "denorm-flush-to-zero"};

// Options that correspond to options of the compiler proper.
static const struct {
    const char *name, *option;
    bool native;
} renamed[] = {{"cl-native-math", "-cl-fast-relaxed-math", true},
               {"uniform-workgroup-size", "-cl-uniform-work-group-size", false}};

static const struct {
    const char *name, *why;
} refused[] = {
    {"untyped-pointers", "SPV_KHR_untyped_pointers is not supported:"},
    {"show-ids", "use --dump=spirv to see functions and their ids; not supported:"},
    {"show-producer-ir", "Pumice does not use LLVM; not supported:"},
    {"emit-ir", "Pumice does not use LLVM; not supported:"},
};

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

#define AMONG(name, names) is_among(name, names, sizeof names / sizeof *names)

static bool find_plain(const char *name, const char *value, struct kc_target *t, struct mapping_request *r)
{
    if (AMONG(name, no_effect) || (value && AMONG(name, no_effect_valued)))
        return true;
    if (!strcmp(name, "pod-ubo")) {
        t->mapping.pods = KC_PODS_UNIFORM;
        return r->uniform = true;
    }
    if (!strcmp(name, "pod-pushconstant")) {
        t->mapping.pods = KC_PODS_PUSH;
        return r->push = true;
    }
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
            r->features |= settings[i].read == read_features;
            return true;
        }
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (!strcmp(name, renamed[i].name)) {
            r->renamed = renamed[i].option;
            t->mapping.native_math |= renamed[i].native;
            return true;
        }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(name, refused[i].name)) {
            *why = refused[i].why;
            return true;
        }
    return find_plain(name, value, t, r);
}

static const char *bare(const char *word)
{
    size_t dashes = strspn(word, "-");
    return dashes && dashes <= 2 ? word + dashes : "";
}

bool mapping_wants_value(const char *word)
{
    const char *name = bare(word);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!strcmp(name, settings[i].name))
            return true;
    return AMONG(name, no_effect_valued) || !strcmp(name, "descriptormap");
}

bool mapping_option(const char *word, struct kc_target *target, struct mapping_request *request, const char **why)
{
    char name[64];
    const char *text = bare(word);
    size_t length = strcspn(text, "=");
    if (!length || length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    request->renamed = NULL;
    if (!find_option(name, value, target, request, why))
        return false;
    request->separate = target->mapping.separate_pods;
    return request->on = true;
}

// Extensions that are not offered if the device lacks the feature.
static const struct {
    size_t field;
    enum kc_extension extensions[11];
    int count;
} requirements[] = {
    {offsetof(struct kc_target, float16), {KC_EXT_FP16}, 1},
    {offsetof(struct kc_target, float64),
     {KC_EXT_FP64, KC_EXT_FEATURE_FP64, KC_EXT_FP64_GLOBAL_ATOMIC_ADD, KC_EXT_FP64_GLOBAL_ATOMIC_MIN_MAX, KC_EXT_FP64_LOCAL_ATOMIC_ADD,
      KC_EXT_FP64_LOCAL_ATOMIC_MIN_MAX},
     6},
    {offsetof(struct kc_target, images),
     {KC_EXT_IMAGES, KC_EXT_IMAGE_3D_WRITES, KC_EXT_FEATURE_3D_IMAGE_WRITES, KC_EXT_READ_WRITE_IMAGES, KC_EXT_IMAGE2D_FROM_BUFFER,
      KC_EXT_DEPTH_IMAGES},
     6},
    {offsetof(struct kc_target, subgroups),
     {KC_EXT_SUBGROUPS, KC_EXT_SUBGROUP_EXTENDED_TYPES, KC_EXT_SUBGROUP_NON_UNIFORM_VOTE, KC_EXT_SUBGROUP_BALLOT,
      KC_EXT_SUBGROUP_NON_UNIFORM_ARITHMETIC, KC_EXT_SUBGROUP_SHUFFLE, KC_EXT_SUBGROUP_SHUFFLE_RELATIVE,
      KC_EXT_SUBGROUP_CLUSTERED_REDUCE, KC_EXT_SUBGROUP_ROTATE, KC_EXT_INTEL_REQUIRED_SUBGROUP_SIZE, KC_EXT_KHR_SUBGROUPS},
     11},
};

void mapping_finish(struct kc_target *t)
{
    if (t->physical_addressing && t->mapping.pods == KC_PODS_STORAGE) // reflection describes addresses only in the two other interfaces
        t->mapping.pods = t->mapping.separate_pods ? KC_PODS_UNIFORM : KC_PODS_PUSH;
    for (size_t i = 0; i < sizeof requirements / sizeof *requirements; i++)
        for (int k = 0; k < requirements[i].count && !*(const bool *)((const char *)t + requirements[i].field); k++)
            kc_extensions_remove(&t->extensions, requirements[i].extensions[k]);
    if (t->mapping.any_sub_groups) {
        kc_extensions_remove(&t->extensions, KC_EXT_COOPERATIVE_MATRIX);
        kc_extensions_remove(&t->extensions, KC_EXT_KHR_COOPERATIVE_MATRIX);
    }
}

const char *mapping_check(const struct mapping_request *r, const struct kc_target *t)
{
    if (t->physical_addressing && t->address_bits == 32)
        return "-physical-storage-buffers (requires -arch=spirv64)";
    if (r->uniform && r->push)
        return "-pod-ubo and -pod-pushconstant";
    return r->push && r->separate ? "-pod-pushconstant and -cluster-pod-kernel-args=0" : NULL;
}

// ---- the descriptor map ------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool bound, placed, sized;
} kinds[KC_PLACE_COUNT] = {
    [KC_PLACE_BUFFER] = {"buffer", true, true, false},
    [KC_PLACE_UNIFORM] = {"buffer_ubo", true, true, false},
    [KC_PLACE_POD] = {"pod", true, true, true},
    [KC_PLACE_POD_UNIFORM] = {"pod_ubo", true, true, true},
    [KC_PLACE_POD_PUSH] = {"pod_pushconstant", false, true, true},
    [KC_PLACE_POINTER_UNIFORM] = {"pointer_ubo", true, true, true},
    [KC_PLACE_POINTER_PUSH] = {"pointer_pushconstant", false, true, true},
    [KC_PLACE_LOCAL] = {"local", false, false, false},
    [KC_PLACE_SAMPLED] = {"ro_image", true, true, false},
    [KC_PLACE_STORAGE] = {"wo_image", true, true, false}, // read_write too
    [KC_PLACE_UNIFORM_TEXELS] = {"uniform_texel_buffer", true, true, false},
    [KC_PLACE_STORAGE_TEXELS] = {"storage_texel_buffer", true, true, false},
    [KC_PLACE_SAMPLER] = {"sampler", true, true, false},
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

// Plain arguments are written last if they share a block, else arguments without descriptor.
static void write_kernel(FILE *to, const struct kc_kernel *k, bool separate_pods)
{
    const enum kc_arg_kind last = separate_pods ? KC_ARG_LOCAL : KC_ARG_VALUE;
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

// Sections in the order of the file.
enum section { DATA, PUSHED, SPECS };

static const struct {
    const char *name; // NULL: not written
    enum section section;
    uint32_t specs;
} shared_rows[KC_SHARED_COUNT] = {
    [KC_SHARED_LOCAL_SIZE] = {"workgroup_size", SPECS, 3},
    [KC_SHARED_GLOBAL_OFFSET] = {"global_offset", SPECS, 3},
    [KC_SHARED_WORK_DIM] = {"work_dim", SPECS, 1},
    [KC_SHARED_PUSH_GLOBAL_OFFSET] = {"global_offset", PUSHED, 0},
    [KC_SHARED_PUSH_ENQUEUED_LOCAL] = {"enqueued_local_size", PUSHED, 0},
    [KC_SHARED_PUSH_GLOBAL_SIZE] = {"global_size", PUSHED, 0},
    [KC_SHARED_PUSH_REGION_OFFSET] = {"region_offset", PUSHED, 0},
    [KC_SHARED_PUSH_NUM_GROUPS] = {"num_workgroups", PUSHED, 0},
    [KC_SHARED_PUSH_REGION_GROUP] = {"region_group_offset", PUSHED, 0},
    [KC_SHARED_CONSTANTS] = {"constant", DATA, 0},
    [KC_SHARED_VARIABLES] = {"variables", DATA, 0},
};

static void write_data(FILE *to, const struct kc_program *p, const struct kc_shared *shared, const char *name)
{
    fprintf(to, "%s,descriptorSet,%u,binding,%u,kind,buffer,hexbytes,", name, shared->values[0], shared->values[1]);
    for (uint32_t i = 0; i < p->data_size; i++)
        fprintf(to, "%02x", p->data[i]);
    fputc('\n', to);
}

static void write_shared(FILE *to, const struct kc_program *p, enum section section)
{
    for (uint32_t i = 0; i < p->shared_count; i++) {
        const struct kc_shared *shared = &p->shared[i];
        const char *name = shared_rows[shared->kind].name;
        if (!name || shared_rows[shared->kind].section != section)
            continue;
        if (section == DATA)
            write_data(to, p, shared, name);
        else if (section == PUSHED)
            fprintf(to, "pushconstant,name,%s,offset,%u,size,%u\n", name, shared->values[0], shared->values[1]);
        else
            write_specs(to, shared, name, shared_rows[shared->kind].specs);
    }
}

static void write_samplers(FILE *to, const struct kc_program *p)
{
    for (uint32_t i = 0; i < p->sampler_count; i++) {
        const char *bar = "";
        fprintf(to, "sampler,%u,samplerExpr,\"", p->samplers[i]);
        for (int w = 0; w < SAMPLER_WORDS; w++)
            if ((p->samplers[i] & sampler_words[w].group) == sampler_words[w].bits) {
                fprintf(to, "%s%s", bar, sampler_words[w].name);
                bar = "|";
            }
        fprintf(to, "\",descriptorSet,0,binding,%u\n", i);
    }
}

void mapping_write(FILE *to, const struct kc_program *p, const struct kc_mapping *mapping)
{
    write_shared(to, p, DATA);
    write_shared(to, p, PUSHED);
    write_samplers(to, p);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        write_kernel(to, &p->kernels[i], mapping->separate_pods);
    write_shared(to, p, SPECS);
}

void mapping_write_list(FILE *to, const uint32_t *words, size_t count)
{
    fputc('{', to);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s0x%08x", !i ? "" : i % 8 ? ", " : ",\n", words[i]);
    fputs("}\n", to);
}
