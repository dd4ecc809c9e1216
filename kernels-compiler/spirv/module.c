// SPDX-License-Identifier: Apache-2.0
// Writes the module of a kernel: first functions, which collect types, constants, variables and capabilities, then
// the sections in the order of SPIR-V 2.4.
#include "spirv/spirv.h"
#include "spirv/writer.h"

enum {
    MAXIMALLY_RECONVERGES = 6023
}; // SPV_KHR_maximal_reconvergence, which Debian 12's header lacks

static const struct {
    int32_t capability;
    const char *extension;
    uint32_t core;
} caps[SPV_CAP_COUNT] = {
#define CAP(id, capability, extension, core) {capability, extension, core},
#include "spirv/caps.def"
};

static bool extension_listed(const struct spv *s, unsigned up_to)
{
    for (unsigned i = 0; i < up_to; i++)
        if (s->caps >> i & 1 && s->target->spirv_version < caps[i].core &&
            !strcmp(caps[i].extension, caps[up_to].extension))
            return true;
    return false;
}

static void put_caps(struct spv *s)
{
    if (s->caps >> SPV_CAP_SUBGROUP & 1 && s->target->spirv_version < 0x10300)
        spv_fail(s, "sub-groups require SPIR-V 1.3");
    for (unsigned i = 0; i < SPV_CAP_COUNT; i++) {
        if (!(s->caps >> i & 1))
            continue;
        if (caps[i].capability >= 0)
            SPV_PUT(s, SPV_CAPABILITIES, SpvOpCapability, (uint32_t)caps[i].capability);
        if (*caps[i].extension && s->target->spirv_version < caps[i].core &&
            !extension_listed(s, i))
            spv_put_text(s, SPV_EXTENSIONS, SpvOpExtension, NULL, 0, caps[i].extension, NULL, 0);
    }
}

static void put_memory_model(struct spv *s)
{
    uint32_t addressing = s->caps >> SPV_CAP_PHYSICAL & 1
                              ? SpvAddressingModelPhysicalStorageBuffer64
                              : SpvAddressingModelLogical;
    uint32_t model = SpvMemoryModelGLSL450;
    if (s->module->needs_vulkan_memory_model) {
        if (!s->target->vulkan_memory_model)
            spv_fail(s, "memory orders other than relaxed require a device with the Vulkan memory model");
        spv_need(s, SPV_CAP_MEMORY_MODEL);
        model = SpvMemoryModelVulkan;
    }
    SPV_PUT(s, SPV_MEMORY_MODEL, SpvOpMemoryModel, addressing, model);
}

// The work-group size, which the launch may choose: by LocalSizeId, or for older versions of SPIR-V by the
// WorkgroupSize constant.
static void put_local_size(struct spv *s, uint32_t entry)
{
    const uint32_t *fixed = s->kernel->kernel->info.reqd_local_size;
    if (ir_fixed_local_size(s->kernel->kernel, 0)) {
        SPV_PUT(s, SPV_MODES, SpvOpExecutionMode, entry, SpvExecutionModeLocalSize, fixed[0],
                fixed[1], fixed[2]);
        return;
    }
    uint32_t sizes[3];
    if (s->workgroup_size_id) // shared with another kernel
        return;
    for (unsigned dim = 0; dim < 3; dim++)
        sizes[dim] = spv_local_size(s, dim);
    if (s->target->local_size_id) {
        SPV_PUT(s, SPV_MODES, SpvOpExecutionModeId, entry, SpvExecutionModeLocalSizeId, sizes[0],
                sizes[1], sizes[2]);
        return;
    }
    uint32_t type = spv_type(s, ir_with_lanes(ir_int(32), 3));
    uint32_t all = spv_put_result(s, SPV_GLOBALS, SpvOpSpecConstantComposite, type, sizes, 3);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, all, SpvDecorationBuiltIn, SpvBuiltInWorkgroupSize);
    s->workgroup_size_id = all;
}

static void put_modes(struct spv *s, uint32_t entry)
{
    put_local_size(s, entry);
    if (s->target->maximal_reconvergence) {
        spv_need(s, SPV_CAP_MAXIMAL_RECONVERGENCE);
        SPV_PUT(s, SPV_MODES, SpvOpExecutionMode, entry, MAXIMALLY_RECONVERGES);
    }
}

// Concatenates the sections after the header of five words.
static void assemble(struct spv *s, const uint32_t **to, size_t *to_count)
{
    size_t count = 5;
    for (unsigned i = 0; i < SPV_SECTION_COUNT; i++)
        count += s->sections[i].count;
    uint32_t *words = arena_alloc(s->arena, count * 4), *at = words + 5;
    memcpy(words, SPV_WORDS(SpvMagicNumber, s->target->spirv_version, 0, s->next_id, 0) * 4);
    for (unsigned i = 0; i < SPV_SECTION_COUNT; i++) {
        if (s->sections[i].count)
            memcpy(at, s->sections[i].items, s->sections[i].count * 4);
        at += s->sections[i].count;
    }
    *to = words;
    *to_count = count;
}

static void put_functions(struct spv *s)
{
    struct ir_module *m = s->module;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->has_body && !m->functions.items[i]->kernel)
            spv_emit_function(s, m->functions.items[i]);
    spv_emit_function(s, s->kernel);
}

static struct ir_function *find_kernel(struct ir_module *module)
{
    for (size_t i = 0; i < module->functions.count; i++)
        if (module->functions.items[i]->kernel)
            return module->functions.items[i];
    return NULL;
}

// GLSL450 has no memory orders on atomics: if Vulkan's model is unavailable, barriers enforce them.
static bool has_orders(const struct ir_module *m)
{
    if (!m->target->vulkan_memory_model)
        return false;
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if ((x->op == IR_OP_atomic || x->op == IR_OP_elem_atomic) && x->mem.order != IR_ORDER_RELAXED)
                    return true;
    return false;
}

enum visibility { VISIBLE_TO_NONE, VISIBLE_TO_GROUP, VISIBLE_TO_DEVICE };

static enum visibility visibility_of_access(const struct ir_mem *mem, bool global, bool atomic)
{
    if (!global)
        return VISIBLE_TO_NONE;
    return atomic || mem->is_volatile ? VISIBLE_TO_DEVICE : mem->coherent ? VISIBLE_TO_GROUP : VISIBLE_TO_NONE;
}

static bool is_relaxed_atomic(const struct ir_instr *x)
{
    return (x->op == IR_OP_atomic || x->op == IR_OP_elem_atomic) && x->mem.order == IR_ORDER_RELAXED && !x->mem.is_volatile;
}

// To whom stores to global memory must become visible because of `x`. Relaxed atomic operations: see results_are_unused().
static enum visibility visibility_of(const struct ir_instr *x)
{
    if (is_relaxed_atomic(x))
        return VISIBLE_TO_NONE;
    if (x->op == IR_OP_barrier || x->op == IR_OP_fence) {
        bool in_group = x->op == IR_OP_barrier && x->sync.scope <= IR_SCOPE_WORK_GROUP;
        return x->sync.fences & IR_FENCE_GLOBAL && !in_group ? VISIBLE_TO_DEVICE : VISIBLE_TO_NONE;
    }
    if (x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic)
        return visibility_of_access(&x->mem, x->mem.space == IR_GLOBAL, x->op == IR_OP_atomic);
    if (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic)
        return visibility_of_access(&x->mem, x->var->space == IR_BUFFER, x->op == IR_OP_elem_atomic);
    return VISIBLE_TO_NONE;
}

static bool is_global_relaxed_atomic(const struct ir_instr *x)
{
    return x && is_relaxed_atomic(x) && (x->op == IR_OP_atomic ? x->mem.space == IR_GLOBAL : x->var->space == IR_BUFFER);
}

// Whether no result of a relaxed atomic operation on global memory is used, as in a histogram: then no work-item learns by them
// that another one has stored something.
static bool results_are_unused(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        const struct ir_node *next = b->node.next;
        for (struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++)
                if (is_global_relaxed_atomic(x->src[i]))
                    return false;
        if (next && next->kind == IR_SWITCH && is_global_relaxed_atomic(((const struct ir_switch *)next)->value))
            return false;
    }
    return true;
}

// Whether work-items share global memory only at barriers within their work-group. If the module also has fences,
// atomics that may be used to wait for each other, or volatile accesses, programs may rely on more.
static bool shares_in_groups(const struct ir_module *m)
{
    enum visibility most = VISIBLE_TO_NONE;
    for (size_t i = 0; i < m->functions.count && m->target->group_coherence; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                enum visibility visibility = visibility_of(x);
                most = visibility > most ? visibility : most;
            }
    for (size_t i = 0; i < m->functions.count && most == VISIBLE_TO_GROUP; i++)
        if (!results_are_unused(m->functions.items[i]))
            return false;
    return most == VISIBLE_TO_GROUP;
}

// Finds which buffers are shared. All views of a buffer are the same memory, so a coherent access makes all of them
// coherent.
static void find_shared_buffers(struct spv *s)
{
    const struct ir_module *m = s->module;
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next) {
                if (x->op < IR_OP_elem_load || x->op > IR_OP_elem_atomic || x->var->space != IR_BUFFER)
                    continue;
                s->buffers_shared |= x->mem.coherent;
                if (x->op != IR_OP_elem_load || !x->mem.readonly)
                    map_set(s->arena, &s->changing, x->var, x->var);
            }
}

// Cooperative matrices require Vulkan's memory model.
static bool has_matrices(const struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *b = ir_first_block(m->functions.items[i]); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (ir_is_matrix(x->type))
                    return true;
    return false;
}

static struct spv *begin(const struct ir_module *first)
{
    struct spv *s = ARENA_NEW(first->arena, struct spv);
    *s = (struct spv){.arena = first->arena, .target = first->target, .next_id = 1};
    spv_need(s, SPV_CAP_SHADER);
    if (first->debug)
        SPV_PUT(s, SPV_STRINGS, SpvOpSource, SpvSourceLanguageOpenCL_C, first->debug->version, spv_file(s, first->debug->file));
    return s;
}

// Writes a kernel and what it reaches; types and constants are shared with earlier kernels.
static struct spv_entry put_kernel(struct spv *s, struct ir_module *module)
{
    s->module = module;
    s->target = module->target;
    s->kernel = find_kernel(module);
    s->buffers_shared = false;
    s->interface.count = 0;
    s->in_interface = 0;
    if (!module->target->physical_addressing || module->target->plain_arguments == KC_PLAIN_BINDINGS)
        find_shared_buffers(s);
    put_functions(s);
    struct spv_entry entry = {&s->kernel->kernel->info, spv_function_id(s, s->kernel), module, s->kernel->kernel->origin};
    put_modes(s, entry.function);
    spv_put_text(s, SPV_ENTRY_POINTS, SpvOpEntryPoint, SPV_WORDS(SpvExecutionModelGLCompute, entry.function),
                 module->mapping ? entry.info->name : "main", s->interface.items, s->interface.count);
    return entry;
}

const char *spv_write_all(struct ir_module *const *modules, size_t count, const uint32_t **words, size_t *word_count)
{
    bool needs_model = false;
    for (size_t i = 0; i < count; i++) {
        if (!find_kernel(modules[i]))
            return "internal: the module has no kernel";
        needs_model |= modules[i]->needs_vulkan_memory_model || has_orders(modules[i]) || has_matrices(modules[i]) ||
                       shares_in_groups(modules[i]);
    }
    struct spv *s = begin(modules[0]);
    struct spv_entry *entries = ARENA_ARRAY(s->arena, struct spv_entry, count);
    for (size_t i = 0; i < count; i++) {
        modules[i]->needs_vulkan_memory_model = needs_model;
        entries[i] = put_kernel(s, modules[i]);
    }
    for (size_t i = 0; i < count; i++)
        spv_put_float_modes(s, &entries[i]);
    if (s->target->mapping.on && s->target->mapping.reflection)
        spv_put_reflection(s, entries, count, modules[0]->mapping);
    put_memory_model(s);
    put_caps(s);
    if (!s->error)
        assemble(s, words, word_count);
    return s->error;
}

const char *spv_write(struct ir_module *module)
{
    const struct ir_function *kernel = find_kernel(module);
    if (!kernel)
        return "internal: the module has no kernel";
    return spv_write_all(&module, 1, &kernel->kernel->info.spirv, &kernel->kernel->info.spirv_words);
}
