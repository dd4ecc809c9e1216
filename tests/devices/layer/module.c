// SPDX-License-Identifier: Apache-2.0
// Checks SPIR-V against the simulated device: version, capabilities, extensions, execution modes,
// integer and float widths in sub-group operations and atomics; and at pipeline creation the size
// of work-groups, their memory, and that every binding is in the layout.
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x07230203,
    HEAD = 5,
    OP_EXTENSION = 10,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION_PARAMETER = 55,
    OP_VARIABLE = 59,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_DECORATE = 71,
    OP_COPY_OBJECT = 83,
    OP_CONVERT_U_TO_PTR = 120,
    OP_BITCAST = 124,
    OP_ADD = 128,
    OP_MUL = 132,
    OP_UDIV = 134,
    OP_SELECT = 169,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_XOR = 242,
    OP_PHI = 245,
    OP_EXECUTION_MODE_ID = 331,
    OP_SUBGROUP_FIRST = 333,
    OP_SUBGROUP_LAST = 366,
    MODE_LOCAL_SIZE = 17,
    MODE_LOCAL_SIZE_ID = 38,
    MODE_DENORM_PRESERVE = 4459, // and the four modes of float controls after it
    MODE_ROUNDING_RTZ = 4463,
    DECORATION_SPEC_ID = 1,
    DECORATION_BLOCK = 2,
    DECORATION_BUILT_IN = 11,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    BUILT_IN_WORKGROUP_SIZE = 25,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_UNIFORM = 2,
    CLASS_WORKGROUP = 4,
    CLASS_STORAGE_BUFFER = 12,
    UNKNOWN = -1,
};

struct module {
    const struct open_device *device;
    const uint32_t *words;
    size_t count;
    uint32_t bound;
    uint32_t *definition;  // by id: the index of its instruction
    uint32_t *spec_id;     // by id, + 1
    uint32_t *binding;     // by id, + 1, | set << 16
    uint8_t *block;        // by id
    const uint32_t *local_size;    // three words
    const uint32_t *local_size_id; // three ids
    uint32_t size_constant;        // id of the built-in variable
    const VkSpecializationInfo *specialization;
};

static uint32_t opcode(const uint32_t *at)
{
    return *at & 0xffff;
}

static uint32_t length(const uint32_t *at)
{
    return *at >> 16;
}

static const uint32_t *defined(const struct module *m, uint32_t id)
{
    return id < m->bound && m->definition[id] ? m->words + m->definition[id] : NULL;
}

// The word of an instruction's result id; 0: not needed.
static uint32_t result_at(uint32_t op)
{
    switch (op) {
    case OP_TYPE_BOOL:
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_IMAGE:
    case OP_TYPE_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
        return 1;
    case OP_CONSTANT:
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT:
    case OP_SPEC_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT_OP:
    case OP_FUNCTION_PARAMETER:
    case OP_VARIABLE:
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
    case OP_PTR_ACCESS_CHAIN:
    case OP_COPY_OBJECT:
    case OP_CONVERT_U_TO_PTR:
    case OP_BITCAST:
    case OP_SELECT:
    case OP_PHI:
        return 2;
    default:
        return 0;
    }
}

// ---- declarations -------------------------------------------------------------------------------

static void check_version(uint32_t version)
{
    static const uint32_t most[] = {0x10000, 0x10300, 0x10500, 0x10600};
    uint32_t minor = described()->minor < 3 ? described()->minor : 3;
    if (version > most[minor])
        complain("a module of SPIR-V 1.%u for Vulkan 1.%u", version >> 8 & 0xff, described()->minor);
}

static bool feature_of(const struct open_device *device, const char *names)
{
    char name[64];
    if (!*names)
        return true;
    if (!strncmp(names, "SUBGROUP_", 9))
        return device->props11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT &&
               device->props11.subgroupSupportedOperations & (uint32_t)atoi(names + 9);
    for (const char *at = names; next_member(&at, name);)
        if (feature_on(device, name))
            return true;
    return false;
}

static void check_capability(const struct open_device *device, uint32_t number)
{
    static const struct {
        uint32_t number;
        const char *name, *features;
    } rows[] = {
#define CAPABILITY(number, name, features) {number, #name, features},
#include "spirv.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].number != number)
            continue;
        if (!feature_of(device, rows[i].features))
            complain("a module declares %s without %s", rows[i].name, rows[i].features);
        return;
    }
    complain("a module declares capability %u, which spirv.def has no row for", number);
}

static void check_extension(const struct open_device *device, const char *name)
{
    static const struct {
        const char *name;
        uint32_t version;
        const char *extensions;
    } rows[] = {
#define SPIRV_EXTENSION(...) {__VA_ARGS__},
#include "spirv.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name)) {
            if (!extension_on(device, rows[i].extensions, rows[i].version))
                complain("a module wants %s without %s", name, rows[i].extensions);
            return;
        }
    complain("a module wants %s, which spirv.def has no row for", name);
}

static void check_float_mode(const struct open_device *device, uint32_t mode, uint32_t width)
{
    static const char *const names[] = {"DenormPreserve", "DenormFlushToZero",
                                        "SignedZeroInfNanPreserve", "RoundingModeRTE",
                                        "RoundingModeRTZ"};
    const VkPhysicalDeviceVulkan12Properties *p = &device->props12;
    const VkBool32 has[][3] = {
        {p->shaderDenormPreserveFloat16, p->shaderDenormPreserveFloat32, p->shaderDenormPreserveFloat64},
        {p->shaderDenormFlushToZeroFloat16, p->shaderDenormFlushToZeroFloat32,
         p->shaderDenormFlushToZeroFloat64},
        {p->shaderSignedZeroInfNanPreserveFloat16, p->shaderSignedZeroInfNanPreserveFloat32,
         p->shaderSignedZeroInfNanPreserveFloat64},
        {p->shaderRoundingModeRTEFloat16, p->shaderRoundingModeRTEFloat32, p->shaderRoundingModeRTEFloat64},
        {p->shaderRoundingModeRTZFloat16, p->shaderRoundingModeRTZFloat32, p->shaderRoundingModeRTZFloat64},
    };
    if (!has[mode - MODE_DENORM_PRESERVE][width / 32])
        complain("a module has mode %s for %u bits", names[mode - MODE_DENORM_PRESERVE], width);
}

// ---- types of operations ------------------------------------------------------------------------

static uint32_t width_of(const struct module *m, uint32_t type)
{
    const uint32_t *at = defined(m, type);
    if (at && opcode(at) == OP_TYPE_VECTOR)
        at = defined(m, at[2]);
    return at && (opcode(at) == OP_TYPE_INT || opcode(at) == OP_TYPE_FLOAT) ? at[2] : 0;
}

static bool is_double(const struct module *m, uint32_t type)
{
    const uint32_t *at = defined(m, type);
    if (at && opcode(at) == OP_TYPE_VECTOR)
        at = defined(m, at[2]);
    return at && opcode(at) == OP_TYPE_FLOAT && at[2] == 64;
}

static void check_subgroup(const struct module *m, const uint32_t *at)
{
    uint32_t width = width_of(m, at[1]);
    if (width && width != 32 && !is_double(m, at[1]) &&
        !feature_on(m->device, "shaderSubgroupExtendedTypes"))
        complain("sub-groups compute with %u bits without shaderSubgroupExtendedTypes", width);
}

static void check_atomic(const struct module *m, const uint32_t *at)
{
    bool store = opcode(at) == OP_ATOMIC_STORE;
    const uint32_t *pointer = defined(m, at[store ? 1 : 3]);
    const uint32_t *type = pointer ? defined(m, pointer[1]) : NULL;
    if (!type || opcode(type) != OP_TYPE_POINTER)
        return;
    const uint32_t *value = defined(m, type[3]);
    bool shared = type[2] == CLASS_WORKGROUP;
    if (!value || opcode(value) != OP_TYPE_INT)
        return;
    if (value[2] < 32)
        complain("an atomic of %u bits", value[2]);
    const char *feature = shared ? "shaderSharedInt64Atomics" : "shaderBufferInt64Atomics";
    if (value[2] == 64 && !feature_on(m->device, feature))
        complain("an atomic of 64 bits without %s", feature);
}

// ---- walking ------------------------------------------------------------------------------------

static void check_mode(struct module *m, const uint32_t *at)
{
    if (at[2] >= MODE_DENORM_PRESERVE && at[2] <= MODE_ROUNDING_RTZ)
        check_float_mode(m->device, at[2], at[3]);
    if (at[2] == MODE_LOCAL_SIZE)
        m->local_size = at + 3;
    if (at[2] == MODE_LOCAL_SIZE_ID) {
        m->local_size_id = at + 3;
        if (!feature_on(m->device, "maintenance4"))
            complain("a module has LocalSizeId without maintenance4");
    }
}

static void note_decoration(struct module *m, const uint32_t *at)
{
    uint32_t id = at[1];
    switch (at[2]) {
    case DECORATION_SPEC_ID:
        m->spec_id[id] = at[3] + 1;
        break;
    case DECORATION_BLOCK:
        m->block[id] = 1;
        break;
    case DECORATION_BUILT_IN:
        if (at[3] == BUILT_IN_WORKGROUP_SIZE)
            m->size_constant = id;
        break;
    case DECORATION_BINDING:
        m->binding[id] = (m->binding[id] & 0xffff0000) | (at[3] + 1);
        break;
    case DECORATION_SET:
        m->binding[id] |= at[3] << 16;
        break;
    }
}

static void visit(struct module *m, const uint32_t *at)
{
    uint32_t op = opcode(at), result = result_at(op);
    if (result && at[result] < m->bound)
        m->definition[at[result]] = (uint32_t)(at - m->words);
    if (op == OP_CAPABILITY)
        check_capability(m->device, at[1]);
    else if (op == OP_EXTENSION)
        check_extension(m->device, (const char *)(at + 1));
    else if (op == OP_EXECUTION_MODE || op == OP_EXECUTION_MODE_ID)
        check_mode(m, at);
    else if (op == OP_DECORATE && at[1] < m->bound)
        note_decoration(m, at);
    else if (op >= OP_SUBGROUP_FIRST && op <= OP_SUBGROUP_LAST)
        check_subgroup(m, at);
    else if (op >= OP_ATOMIC_LOAD && op <= OP_ATOMIC_XOR)
        check_atomic(m, at);
}

static void module_read(struct module *m, const struct open_device *device, const uint32_t *words,
                        size_t count)
{
    *m = (struct module){.device = device, .words = words, .count = count};
    if (count < HEAD || words[0] != MAGIC)
        complain("a module that is none");
    m->bound = words[3];
    m->definition = calloc(m->bound, sizeof *m->definition);
    m->spec_id = calloc(m->bound, sizeof *m->spec_id);
    m->binding = calloc(m->bound, sizeof *m->binding);
    m->block = calloc(m->bound, sizeof *m->block);
    if (!m->definition || !m->spec_id || !m->binding || !m->block)
        complain("no memory for the layer");
    check_version(words[1]);
    for (size_t at = HEAD; at < count; at += length(words + at)) {
        if (!length(words + at) || at + length(words + at) > count)
            complain("a module that is none: word %zu", at);
        visit(m, words + at);
    }
}

static void module_free(struct module *m)
{
    free(m->definition);
    free(m->spec_id);
    free(m->binding);
    free(m->block);
}

void module_check(const struct open_device *device, const uint32_t *words, size_t count)
{
    struct module m;
    module_read(&m, device, words, count);
    module_free(&m);
}

// ---- with specialization constants --------------------------------------------------------------

static int64_t constant(const struct module *m, uint32_t id);

static int64_t specialized(const struct module *m, uint32_t id, uint32_t otherwise)
{
    uint32_t value = otherwise;
    for (uint32_t i = 0; m->specialization && i < m->specialization->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &m->specialization->pMapEntries[i];
        if (entry->constantID + 1 == m->spec_id[id] && entry->size >= sizeof value)
            memcpy(&value, (const char *)m->specialization->pData + entry->offset, sizeof value);
    }
    return value;
}

static int64_t operation(const struct module *m, const uint32_t *at)
{
    int64_t a = constant(m, at[4]), b = length(at) > 5 ? constant(m, at[5]) : UNKNOWN;
    if (a == UNKNOWN || b == UNKNOWN)
        return UNKNOWN;
    switch (at[3]) {
    case OP_ADD:
        return a + b;
    case OP_MUL:
        return a * b;
    case OP_UDIV:
        return b ? a / b : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

static int64_t constant(const struct module *m, uint32_t id)
{
    const uint32_t *at = defined(m, id);
    if (!at)
        return UNKNOWN;
    switch (opcode(at)) {
    case OP_CONSTANT:
        return at[3];
    case OP_SPEC_CONSTANT:
        return specialized(m, id, at[3]);
    case OP_SPEC_CONSTANT_OP:
        return operation(m, at);
    default:
        return UNKNOWN;
    }
}

// Without alignment gaps: at most what the driver uses.
static uint64_t size_of(const struct module *m, uint32_t type)
{
    const uint32_t *at = defined(m, type);
    uint64_t size = 0;
    int64_t count;
    if (!at)
        return 0;
    switch (opcode(at)) {
    case OP_TYPE_BOOL:
        return 4;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        return at[2] / 8;
    case OP_TYPE_VECTOR:
        return at[3] * size_of(m, at[2]);
    case OP_TYPE_ARRAY:
        count = constant(m, at[3]);
        return count > 0 ? (uint64_t)count * size_of(m, at[2]) : 0;
    case OP_TYPE_STRUCT:
        for (uint32_t i = 2; i < length(at); i++)
            size += size_of(m, at[i]);
        return size;
    case OP_TYPE_POINTER:
        return 8;
    default:
        return 0;
    }
}

// Blocks overlap, other variables do not.
static void check_shared(const struct module *m)
{
    uint64_t sum = 0, block = 0, most = m->device->limits.maxComputeSharedMemorySize;
    for (uint32_t id = 0; id < m->bound; id++) {
        const uint32_t *at = defined(m, id), *type = at ? defined(m, at[1]) : NULL;
        if (!at || opcode(at) != OP_VARIABLE || at[3] != CLASS_WORKGROUP || !type)
            continue;
        uint64_t size = size_of(m, type[3]);
        if (!m->block[type[3]])
            sum += size;
        else if (size > block)
            block = size;
    }
    if (sum + block > most)
        complain("%llu bytes of a work-group's memory: maxComputeSharedMemorySize is %llu",
                 (unsigned long long)(sum + block), (unsigned long long)most);
}

static bool local_size(const struct module *m, int64_t size[3])
{
    const uint32_t *built_in = m->size_constant ? defined(m, m->size_constant) : NULL;
    for (int i = 0; i < 3; i++)
        if (built_in)
            size[i] = constant(m, built_in[3 + i]);
        else if (m->local_size_id)
            size[i] = constant(m, m->local_size_id[i]);
        else if (m->local_size)
            size[i] = m->local_size[i];
        else
            return false;
    return size[0] != UNKNOWN && size[1] != UNKNOWN && size[2] != UNKNOWN;
}

static void check_size(const struct module *m)
{
    const VkPhysicalDeviceLimits *limits = &m->device->limits;
    int64_t size[3], all = 1;
    if (!local_size(m, size))
        complain("a pipeline whose work-group has no size");
    for (int i = 0; i < 3; i++) {
        if (size[i] < 1 || size[i] > limits->maxComputeWorkGroupSize[i])
            complain("a work-group of %lld in dimension %d: maxComputeWorkGroupSize is %u",
                     (long long)size[i], i, limits->maxComputeWorkGroupSize[i]);
        all *= size[i];
    }
    if (all > limits->maxComputeWorkGroupInvocations)
        complain("a work-group of %lld: maxComputeWorkGroupInvocations is %u", (long long)all,
                 limits->maxComputeWorkGroupInvocations);
}

static void check_bindings(const struct module *m, const struct thing *layout)
{
    for (uint32_t id = 0; id < m->bound; id++) {
        const uint32_t *at = defined(m, id);
        if (!m->binding[id] || !at || opcode(at) != OP_VARIABLE)
            continue;
        uint32_t wanted = m->binding[id] - 1, i = 0;
        while (i < layout->binding_count && layout->bindings[i] != wanted)
            i++;
        if (i == layout->binding_count && i < sizeof layout->bindings / sizeof *layout->bindings)
            complain("a module has binding %u of set %u, its pipeline's layout has not",
                     wanted & 0xffff, wanted >> 16);
    }
}

// The formats of its storage images.
static void check_images(const struct module *m, struct thing *module)
{
    for (uint32_t id = 0; id < m->bound; id++) {
        const uint32_t *at = defined(m, id), *pointer, *type;
        if (!m->binding[id] || !at || opcode(at) != OP_VARIABLE)
            continue;
        pointer = defined(m, at[1]);
        type = pointer && opcode(pointer) == OP_TYPE_POINTER ? defined(m, pointer[3]) : NULL;
        if (type && opcode(type) == OP_TYPE_IMAGE && type[7] == 2)
            image_check_variable(m->device, module, (m->binding[id] - 1) & 0xffff, type[8]);
    }
}

void module_check_pipeline(const struct open_device *device, struct thing *module,
                           const struct thing *layout, const VkSpecializationInfo *specialization)
{
    struct module m;
    module_read(&m, device, module->words, module->word_count);
    m.specialization = specialization;
    check_size(&m);
    check_shared(&m);
    check_bindings(&m, layout);
    check_images(&m, module);
    module_free(&m);
}
