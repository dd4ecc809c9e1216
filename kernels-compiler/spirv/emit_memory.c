// SPDX-License-Identifier: Apache-2.0
// Memory: 64-bit device addresses through OpConvertUToPtr (pairs of words: OpBitcast), typed arrays and views of
// storage buffers through access chains, atomics on all of them.
//
// In the GLSL450 memory model, shared accesses go through a Block struct with one Coherent member, like glslang's
// coherent buffer references; in Vulkan's model they are NonPrivatePointer. Loads of memory that nobody writes use a
// NonWritable member in the same way: drivers may then use constant caches (RADV: scalar loads). Vulkan's memory
// model makes local memory four times slower on lavapipe 25, so only modules that need it declare it.
#include "spirv/writer.h"

static bool vulkan_model(const struct spv *s)
{
    return s->module->needs_vulkan_memory_model;
}

// ---- places -----------------------------------------------------------------------------------

// Whether the device computes in the type. Modules for other programs require as few capabilities as possible.
static bool computes_in(const struct kc_target *t, struct ir_type type)
{
    return type.base == IR_FLOAT ? t->float16 : type.bits == 8 ? t->int8 : t->int16;
}

static void need_narrow(struct spv *s, struct ir_type type)
{
    if (s->module->mapping && computes_in(s->target, type))
        return;
    if (type.bits == 8)
        spv_need(s, SPV_CAP_STORAGE8);
    if (type.bits == 16)
        spv_need(s, SPV_CAP_STORAGE16);
}

static void need_storage(struct spv *s, struct ir_type type)
{
    spv_need(s, SPV_CAP_PHYSICAL);
    need_narrow(s, type);
}

// Decoration that tells drivers about shared or read-only memory.
static SpvDecoration member_decoration(const struct spv *s, const struct ir_mem *mem)
{
    if (mem->coherent && !vulkan_model(s))
        return SpvDecorationCoherent;
    return mem->readonly && !mem->is_volatile && s->target->readonly_members ? SpvDecorationNonWritable : SpvDecorationMax;
}

static uint32_t physical_pointer(struct spv *s, struct ir_type type, const struct ir_instr *address, SpvDecoration decoration)
{
    const SpvStorageClass storage = SpvStorageClassPhysicalStorageBuffer;
    uint32_t plain = spv_type_pointer(s, storage, spv_type(s, type));
    const SpvOp convert = address->type.lanes == 2 ? SpvOpBitcast : SpvOpConvertUToPtr;
    need_storage(s, type);
    if (decoration == SpvDecorationMax)
        return SPV_VALUE(s, convert, plain, spv_value(s, address));
    uint32_t wrapper = spv_type_pointer(s, storage, spv_type_wrapper(s, type, decoration));
    uint32_t block = SPV_VALUE(s, convert, wrapper, spv_value(s, address));
    return SPV_VALUE(s, SpvOpAccessChain, plain, block, spv_u32(s, 0));
}

enum { PLACE_BITS = 20 }; // enough for private arrays: kc_target.max_function_array

static bool is_in_function(const struct ir_var *var) { return var->space == IR_PRIVATE && !var->in_module; }

static bool is_uniform(const struct ir_var *var) { return var->space == IR_BUFFER && var->count; }

// Under a mapping, plain arguments may be in a buffer.
static SpvStorageClass block_storage(const struct spv *s, const struct ir_var *var)
{
    if (!var->binding)
        return SpvStorageClassPushConstant;
    bool uniform = s->kernel->kernel->info.bindings[var->binding - 1].kind == KC_BINDING_PODS_UNIFORM;
    return uniform ? SpvStorageClassUniform : SpvStorageClassStorageBuffer;
}

static SpvStorageClass storage_of(const struct spv *s, const struct ir_var *var)
{
    return is_in_function(var) ? SpvStorageClassFunction
           : var->space == IR_PRIVATE ? SpvStorageClassPrivate
           : var->space == IR_PUSH ? block_storage(s, var)
           : is_uniform(var) ? SpvStorageClassUniform
           : var->space == IR_BUFFER ? SpvStorageClassStorageBuffer
                                    : SpvStorageClassWorkgroup;
}

static uint32_t spec_op(struct spv *s, SpvOp op, uint32_t a, uint32_t b)
{
    return spv_put_result(s, SPV_GLOBALS, SpvOpSpecConstantOp, spv_type(s, ir_int(32)), SPV_WORDS(op, a, b));
}

// Size of the elements that the specialization constant counts; 0: the array's elements.
static uint32_t counted_bytes(const struct spv *s, uint32_t spec_id)
{
    const struct kc_kernel *info = &s->kernel->kernel->info;
    for (uint32_t i = 0; info->places && i < info->arg_count; i++)
        if (info->places[i].kind == KC_PLACE_LOCAL && info->places[i].spec_id == spec_id)
            return info->places[i].size;
    return 0;
}

// Computed from the layout of arguments in mapping.c.
static uint32_t shared_length(struct spv *s, const struct ir_var *var)
{
    const struct ir_kernel *kernel = s->kernel->kernel;
    uint32_t bytes = spv_u32(s, kernel->info.local_static_shared);
    for (uint32_t i = 0; i < kernel->shared_local_count; i++) {
        const struct kc_place *place = &kernel->info.places[kernel->shared_locals[i]];
        uint32_t mask = spv_u32(s, ~UINT32_C(15)), size = spv_u32(s, place->size);
        uint32_t one = spec_op(s, SpvOpIMul, spv_spec(s, place->spec_id, 1), size);
        one = spec_op(s, SpvOpBitwiseAnd, spec_op(s, SpvOpIAdd, one, spv_u32(s, 15)), mask);
        bytes = spec_op(s, SpvOpIAdd, bytes, one);
    }
    return spec_op(s, SpvOpUDiv, bytes, spv_u32(s, ir_type_bytes(var->elem)));
}

static uint32_t array_length(struct spv *s, const struct ir_var *var)
{
    if (!var->spec_id)
        return spv_u32(s, (uint32_t)var->count);
    if (s->module->mapping && var->local_arg < 0)
        return shared_length(s, var);
    uint32_t count = spv_spec(s, var->spec_id - 1, 1), bytes = ir_type_bytes(var->elem), counted = counted_bytes(s, var->spec_id - 1);
    if (!counted || counted == bytes)
        return count;
    if (counted % bytes == 0)
        return spec_op(s, SpvOpIMul, count, spv_u32(s, counted / bytes));
    uint32_t all = spec_op(s, SpvOpIMul, count, spv_u32(s, counted)), divisor = spv_u32(s, bytes);
    return spec_op(s, SpvOpUDiv, spec_op(s, SpvOpIAdd, all, spv_u32(s, bytes - 1)), divisor);
}

// A struct of words, because arrays in uniform buffers need a stride of 16 bytes.
static uint32_t words_block(struct spv *s, const struct ir_var *var)
{
    uint32_t elem = spv_type(s, var->elem), *members = ARENA_ARRAY(s->arena, uint32_t, var->count);
    for (uint64_t i = 0; i < var->count; i++)
        members[i] = elem;
    uint32_t block = spv_put_result(s, SPV_GLOBALS, SpvOpTypeStruct, 0, members, var->count);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, block, SpvDecorationBlock);
    for (uint32_t i = 0; i < var->count; i++)
        SPV_PUT(s, SPV_DECORATIONS, SpvOpMemberDecorate, block, i, SpvDecorationOffset, 4 * i);
    return block;
}

// The push block is a struct with a laid-out array; its type is not shared with other arrays.
static uint32_t push_block(struct spv *s, const struct ir_var *var)
{
    if (s->module->mapping && var->space == IR_PUSH)
        return words_block(s, var);
    struct ir_type type = is_uniform(var) ? ir_with_lanes(ir_int(32), 4) : var->elem;
    uint32_t elem = spv_type(s, type), length = spv_u32(s, (uint32_t)var->count);
    uint32_t array = spv_put_result(s, SPV_GLOBALS, SpvOpTypeArray, 0, SPV_WORDS(elem, length));
    uint32_t block = spv_put_result(s, SPV_GLOBALS, SpvOpTypeStruct, 0, SPV_WORDS(array));
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, array, SpvDecorationArrayStride,
            ir_type_bytes(type));
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, block, SpvDecorationBlock);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    return block;
}

// One block type for each element type.
static uint32_t buffer_block(struct spv *s, const struct ir_var *var)
{
    uint32_t elem = spv_type(s, var->elem);
    bool is_new;
    uint32_t array = spv_global(s, SpvOpTypeRuntimeArray, 0, SPV_WORDS(elem), &is_new);
    uint32_t block = spv_global(s, SpvOpTypeStruct, 0, SPV_WORDS(array), NULL);
    if (!is_new)
        return block;
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, array, SpvDecorationArrayStride, ir_elem_bytes(var->elem));
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, block, SpvDecorationBlock);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
    return block;
}

// Whether memory accessed through the view is not accessed through other views while anyone writes it.
static bool is_unaliased(const struct spv *s, const struct ir_var *var)
{
    const struct kc_kernel *info = &s->kernel->kernel->info;
    const struct kc_binding *binding = var->binding < info->binding_count ? &info->bindings[var->binding] : NULL;
    if (!binding || binding->kind != KC_BINDING_BUFFER || !(info->args[binding->arg].type_qualifiers & KC_TYPE_RESTRICT))
        return false;
    for (size_t i = 0; i < s->module->vars.count; i++) {
        const struct ir_var *other = s->module->vars.items[i];
        if (other != var && other->space == IR_BUFFER && other->binding == var->binding)
            return false;
    }
    return true;
}

static void decorate_binding(struct spv *s, uint32_t id, uint32_t number)
{
    const struct kc_kernel *info = &s->kernel->kernel->info;
    struct kc_binding at = {.binding = number};
    if (s->module->mapping)
        at = info->bindings[number];
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationDescriptorSet, at.set);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationBinding, at.binding);
}

static void decorate_buffer(struct spv *s, const struct ir_var *var, uint32_t id)
{
    decorate_binding(s, id, var->binding);
    if (is_uniform(var))
        return;
    spv_need(s, SPV_CAP_STORAGE_BUFFER);
    bool changing = map_get(&s->changing, var);
    if (!changing)
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationNonWritable);
    SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, changing && !is_unaliased(s, var) ? SpvDecorationAliased : SpvDecorationRestrict);
    if (s->buffers_shared && !vulkan_model(s))
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationCoherent);
}

static void decorate_pods(struct spv *s, const struct ir_var *var, uint32_t id)
{
    if (storage_of(s, var) == SpvStorageClassStorageBuffer) {
        spv_need(s, SPV_CAP_STORAGE_BUFFER);
        SPV_PUT(s, SPV_DECORATIONS, SpvOpDecorate, id, SpvDecorationNonWritable);
    }
    decorate_binding(s, id, var->binding - 1);
}

static uint32_t var_type(struct spv *s, const struct ir_var *var)
{
    if (var->space == IR_PUSH || is_uniform(var))
        return push_block(s, var);
    if (var->space == IR_BUFFER)
        return buffer_block(s, var);
    return spv_global(s, SpvOpTypeArray, 0, SPV_WORDS(spv_type(s, var->elem), array_length(s, var)),
                      NULL);
}

// An element of a variable's initial value; zeros after the end of its bytes.
static uint32_t initial_element(struct spv *s, const struct ir_var *var, uint64_t at)
{
    uint64_t lanes[16] = {0};
    uint32_t width = var->elem.bits / 8u;
    for (uint64_t i = 0; i < ir_type_bytes(var->elem) && at + i < var->size; i++)
        lanes[i / width] |= (uint64_t)var->init[at + i] << i % width * 8;
    return spv_constant(s, ir_const(s->module, var->elem, lanes));
}

static uint32_t initial_value(struct spv *s, const struct ir_var *var, uint32_t type)
{
    uint32_t *elements = ARENA_ARRAY(s->arena, uint32_t, var->count);
    for (uint64_t i = 0; i < var->count; i++)
        elements[i] = initial_element(s, var, i * ir_type_bytes(var->elem));
    return spv_global(s, SpvOpConstantComposite, type, elements, var->count, NULL);
}

// The initializer of a variable; 0: none.
static uint32_t initializer_of(struct spv *s, const struct ir_var *var, uint32_t type)
{
    if (var->init)
        return initial_value(s, var, type);
    bool zero = s->target->zero_local && storage_of(s, var) == SpvStorageClassWorkgroup;
    return zero ? spv_global(s, SpvOpConstantNull, type, NULL, 0, NULL) : 0;
}

static uint32_t var_id(struct spv *s, const struct ir_var *var)
{
    uintptr_t known = (uintptr_t)map_get(&s->vars, var);
    if (known)
        return (uint32_t)known;
    bool local = is_in_function(var);
    uint32_t pointee = var_type(s, var), type = spv_type_pointer(s, storage_of(s, var), pointee);
    uint32_t words[2] = {storage_of(s, var), initializer_of(s, var, pointee)};
    uint32_t id = spv_put_result(s, local ? SPV_FUNCTIONS : SPV_GLOBALS, SpvOpVariable, type, words, words[1] ? 2 : 1);
    if (storage_of(s, var) == SpvStorageClassWorkgroup && !var->spec_id)
        vec_push(s->arena, &s->locals, ((struct spv_local){id, (uint32_t)var->count * ir_type_bytes(var->elem)}));
    if (var->space == IR_BUFFER)
        decorate_buffer(s, var, id);
    if (var->space == IR_PUSH && var->binding)
        decorate_pods(s, var, id);
    if (!local &&
        s->target->spirv_version >= 0x10400) // before 1.4 interfaces list Input and Output only
        vec_push(s->arena, &s->interface, id);
    map_set(s->arena, &s->vars, var, (void *)(uintptr_t)id);
    return id;
}

void spv_declare_vars(struct spv *s, struct ir_function *function)
{
    for (struct ir_block *b = ir_first_block(function); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if ((x->op == IR_OP_elem_load || x->op == IR_OP_elem_store ||
                 x->op == IR_OP_elem_atomic) &&
                is_in_function(x->var))
                var_id(s, x->var);
}

// Elements of uniform blocks have 16 bytes: a word is one of four lanes.
static uint32_t uniform_word(struct spv *s, uint32_t type, uint32_t var, const struct ir_instr *index)
{
    uint32_t u32 = spv_type(s, ir_int(32)), zero = spv_u32(s, 0);
    if (ir_is_const(index)) {
        uint32_t word = (uint32_t)index->lanes[0];
        return SPV_VALUE(s, SpvOpAccessChain, type, var, zero, spv_u32(s, word / 4), spv_u32(s, word % 4));
    }
    uint32_t word = spv_value(s, index);
    uint32_t elem = SPV_VALUE(s, SpvOpShiftRightLogical, u32, word, spv_u32(s, 2));
    uint32_t lane = SPV_VALUE(s, SpvOpBitwiseAnd, u32, word, spv_u32(s, 3));
    return SPV_VALUE(s, SpvOpAccessChain, type, var, zero, elem, lane);
}

// A pointer to a lane in an array of vectors.
static uint32_t lane_pointer(struct spv *s, const struct ir_instr *x)
{
    uint32_t type = spv_type_pointer(s, storage_of(s, x->var), spv_type(s, ir_with_lanes(x->var->elem, 1)));
    uint32_t var = var_id(s, x->var), u32 = spv_type(s, ir_int(32)), index = spv_value(s, x->src[0]), lanes = x->var->elem.lanes;
    if (x->mem.lane != IR_LANE_COUNTED)
        return SPV_VALUE(s, SpvOpAccessChain, type, var, index, spv_u32(s, x->mem.lane - 1u));
    bool one = x->var->count == 1 && !x->var->spec_id; // see access.c
    uint32_t elem = one ? spv_u32(s, 0) : SPV_VALUE(s, SpvOpShiftRightLogical, u32, index, spv_u32(s, lanes == 4 ? 2 : 1));
    uint32_t lane = SPV_VALUE(s, SpvOpBitwiseAnd, u32, index, spv_u32(s, lanes - 1));
    return SPV_VALUE(s, SpvOpAccessChain, type, var, elem, lane);
}

// Whether the index is a loop counter, multiplied by and added to constants.
static bool is_loop_counter(const struct ir_instr *x)
{
    while ((x->op == IR_OP_iadd || x->op == IR_OP_imul || x->op == IR_OP_shl) && ir_is_const(x->src[1]))
        x = x->src[0];
    for (uint32_t i = 0; x->op == IR_OP_phi && i < x->src_count; i++)
        if (x->src[i]->op == IR_OP_iadd && x->src[i]->src[0] == x && ir_is_const(x->src[i]->src[1]))
            return true;
    return false;
}

// Hides a computed index into a private array from the driver, so that it does not expand the access into selections
// over all elements. Loop counters are not hidden: NVIDIA's compiler (580) crashes if values of such an array are
// shuffled then.
static bool must_hide_index(const struct spv *s, const struct ir_instr *x)
{
    return s->target->hidden_ranges && x->var->space == IR_PRIVATE && !ir_is_const(x->src[0]) && !is_loop_counter(x->src[0]);
}

static uint32_t make_pointer(struct spv *s, const struct ir_instr *x)
{
    if (x->mem.lane)
        return lane_pointer(s, x);
    uint32_t var = var_id(s, x->var), index = spv_value(s, x->src[0]);
    if (must_hide_index(s, x))
        index = spv_low_bits(s, ir_int(32), index, PLACE_BITS);
    uint32_t type = spv_type_pointer(s, storage_of(s, x->var), spv_type(s, x->var->elem));
    if (x->var->space == IR_BUFFER)
        need_narrow(s, x->var->elem);
    if (is_uniform(x->var) && x->var->elem.lanes == 1)
        return uniform_word(s, type, var, x->src[0]);
    if (x->var->space == IR_PUSH && s->module->mapping)
        return SPV_VALUE(s, SpvOpAccessChain, type, var, index);
    if (x->var->space == IR_PUSH || x->var->space == IR_BUFFER)
        return SPV_VALUE(s, SpvOpAccessChain, type, var, spv_u32(s, 0), index);
    return SPV_VALUE(s, SpvOpAccessChain, type, var, index);
}

// Reuses pointers in a block to make modules for other programs smaller.
static uint32_t elem_pointer(struct spv *s, const struct ir_instr *x)
{
    uint32_t index = spv_value(s, x->src[0]);
    if (!s->module->mapping || x->mem.lane)
        return make_pointer(s, x);
    for (unsigned i = 0; i < SPV_PLACES; i++)
        if (s->places[i].block == x->block && s->places[i].var == x->var && s->places[i].index == index)
            return s->places[i].pointer;
    struct spv_place *place = &s->places[s->next_place++ % SPV_PLACES];
    *place = (struct spv_place){x->block, x->var, index, make_pointer(s, x)};
    return place->pointer;
}

// ---- scopes and semantics ---------------------------------------------------------------------

static uint32_t scope_id(struct spv *s, enum ir_scope scope)
{
    static const SpvScope scopes[] = {
        [IR_SCOPE_WORK_ITEM] = SpvScopeInvocation, [IR_SCOPE_SUB_GROUP] = SpvScopeSubgroup,
        [IR_SCOPE_WORK_GROUP] = SpvScopeWorkgroup, [IR_SCOPE_DEVICE] = SpvScopeDevice,
        [IR_SCOPE_ALL_DEVICES] = SpvScopeDevice,
    };
    SpvScope found = scopes[scope];
    if (found == SpvScopeDevice && vulkan_model(s)) {
        if (s->target->vulkan_memory_model_device_scope)
            spv_need(s, SPV_CAP_MEMORY_MODEL_DEVICE);
        else
            found = SpvScopeQueueFamily;
    }
    return spv_u32(s, found);
}

static uint32_t order_bits(const struct spv *s, enum ir_order order)
{
    switch (order) {
    case IR_ORDER_ACQUIRE:
        return SpvMemorySemanticsAcquireMask |
               (vulkan_model(s) ? SpvMemorySemanticsMakeVisibleMask : 0);
    case IR_ORDER_RELEASE:
        return SpvMemorySemanticsReleaseMask |
               (vulkan_model(s) ? SpvMemorySemanticsMakeAvailableMask : 0);
    case IR_ORDER_ACQ_REL:
    case IR_ORDER_SEQ_CST:
        return SpvMemorySemanticsAcquireReleaseMask |
               (vulkan_model(s)
                    ? SpvMemorySemanticsMakeVisibleMask | SpvMemorySemanticsMakeAvailableMask
                    : 0);
    default:
        return 0;
    }
}

static uint32_t fence_bits(unsigned fences)
{
    return (fences & IR_FENCE_LOCAL ? SpvMemorySemanticsWorkgroupMemoryMask : 0) |
           (fences & IR_FENCE_GLOBAL ? SpvMemorySemanticsUniformMemoryMask : 0) |
           (fences & IR_FENCE_IMAGE ? SpvMemorySemanticsImageMemoryMask : 0);
}

// ---- loads and stores -------------------------------------------------------------------------

// GLSL450's Coherent is part of the type. In Vulkan's model each volatile access to global memory has operands that
// make it visible to the whole device.
static uint32_t volatile_access(const struct spv *s, const struct ir_instr *x, bool global)
{
    if (!x->mem.is_volatile || !global || !vulkan_model(s))
        return 0;
    bool store = x->op == IR_OP_store || x->op == IR_OP_elem_store;
    return store ? SpvMemoryAccessMakePointerAvailableMask : SpvMemoryAccessMakePointerVisibleMask;
}

// Appends the memory operands of an access, with an alignment for physical pointers.
static uint32_t access_words(struct spv *s, const struct ir_instr *x, uint32_t *words,
                             bool physical)
{
    uint32_t mask = x->mem.is_volatile ? SpvMemoryAccessVolatileMask : 0, count = 1;
    bool global = physical || (x->var && x->var->space == IR_BUFFER);
    bool shared = global || (x->var && x->var->space == IR_LOCAL);
    uint32_t far = volatile_access(s, x, global);
    if (physical)
        mask |= SpvMemoryAccessAlignedMask;
    if (shared && vulkan_model(s))
        mask |= SpvMemoryAccessNonPrivatePointerMask;
    mask |= far;
    if (!mask)
        return 0;
    words[0] = mask;
    if (physical)
        words[count++] = x->mem.align;
    if (far)
        words[count++] = scope_id(s, IR_SCOPE_DEVICE);
    return count;
}

static void emit_load(struct spv *s, const struct ir_instr *x, uint32_t pointer, bool physical)
{
    uint32_t words[5] = {pointer};
    spv_define(s, x, SpvOpLoad, words, 1 + access_words(s, x, words + 1, physical));
}

// Storage-only types have no constants: converts from a 32-bit constant.
static uint32_t stored_value(struct spv *s, const struct ir_instr *x)
{
    if ((!ir_is_const(x) && x->op != IR_OP_undef) || !spv_is_storage_only(s, x->type))
        return spv_value(s, x);
    const struct ir_type words = ir_with_lanes(ir_int(32), x->type.lanes);
    uint32_t value = ir_is_const(x) ? spv_constant(s, ir_const(s->module, words, x->lanes)) : spv_undefined(s, words);
    return SPV_VALUE(s, SpvOpUConvert, spv_type(s, x->type), value);
}

static void emit_store(struct spv *s, const struct ir_instr *x, uint32_t pointer, bool physical)
{
    uint32_t words[6] = {pointer, stored_value(s, x->src[1])};
    spv_put(s, SPV_FUNCTIONS, SpvOpStore, words, 2 + access_words(s, x, words + 2, physical));
}

// ---- atomics ----------------------------------------------------------------------------------

static const SpvOp atomic_ops[IR_ATOMIC_COUNT] = {
    [IR_ATOMIC_LOAD] = SpvOpAtomicLoad,     [IR_ATOMIC_STORE] = SpvOpAtomicStore,
    [IR_ATOMIC_XCHG] = SpvOpAtomicExchange, [IR_ATOMIC_CMPXCHG] = SpvOpAtomicCompareExchange,
    [IR_ATOMIC_ADD] = SpvOpAtomicIAdd,      [IR_ATOMIC_SUB] = SpvOpAtomicISub,
    [IR_ATOMIC_AND] = SpvOpAtomicAnd,       [IR_ATOMIC_OR] = SpvOpAtomicOr,
    [IR_ATOMIC_XOR] = SpvOpAtomicXor,       [IR_ATOMIC_SMIN] = SpvOpAtomicSMin,
    [IR_ATOMIC_SMAX] = SpvOpAtomicSMax,     [IR_ATOMIC_UMIN] = SpvOpAtomicUMin,
    [IR_ATOMIC_UMAX] = SpvOpAtomicUMax,     [IR_ATOMIC_FADD] = SpvOpAtomicFAddEXT,
    [IR_ATOMIC_FMIN] = SpvOpAtomicFMinEXT,  [IR_ATOMIC_FMAX] = SpvOpAtomicFMaxEXT,
};

static void need_atomic(struct spv *s, const struct ir_instr *x)
{
    const struct ir_type type = x->op == IR_OP_elem_atomic ? x->var->elem
                                : x->src_count > 1         ? x->src[1]->type
                                                           : x->type;
    if (type.base == IR_INT && type.bits == 64)
        spv_need(s, SPV_CAP_INT64_ATOMICS);
    if (type.bits < 32)
        spv_fail(s, "the device does not support atomic operations on %u-bit values", type.bits);
    if (x->atomic_op == IR_ATOMIC_FADD)
        spv_need(s, SPV_CAP_FLOAT32_ATOMIC_ADD);
    if (x->atomic_op == IR_ATOMIC_FMIN || x->atomic_op == IR_ATOMIC_FMAX)
        spv_need(s, SPV_CAP_FLOAT32_ATOMIC_MIN_MAX);
}

static void emit_atomic_op(struct spv *s, const struct ir_instr *x, uint32_t pointer, unsigned fence, uint32_t order)
{
    uint32_t words[6] = {pointer}, count = 1, semantics = order ? order | fence_bits(fence) : 0;
    words[count++] = scope_id(s, (enum ir_scope)x->mem.scope);
    words[count++] = spv_u32(s, semantics);
    if (x->atomic_op == IR_ATOMIC_CMPXCHG) { // a failed exchange is only a read
        uint32_t acquire =
            order & SpvMemorySemanticsReleaseMask && !(order & SpvMemorySemanticsAcquireReleaseMask)
                ? 0
                : order_bits(s, IR_ORDER_ACQUIRE) | fence_bits(fence);
        words[count++] = spv_u32(s, order ? acquire : 0);
    }
    for (uint32_t i = 1; i < x->src_count; i++)
        words[count++] = spv_value(s, x->src[i]);
    need_atomic(s, x);
    if (x->atomic_op == IR_ATOMIC_STORE)
        spv_put(s, SPV_FUNCTIONS, SpvOpAtomicStore, words, count);
    else
        spv_define(s, x, atomic_ops[x->atomic_op], words, count);
}

// GLSL450 has no memory orders on atomics: emits barriers around them.
static void order_around(struct spv *s, const struct ir_instr *x, enum ir_order half, unsigned fence)
{
    if (x->mem.order == half || x->mem.order == IR_ORDER_ACQ_REL)
        SPV_CODE(s, SpvOpMemoryBarrier, scope_id(s, (enum ir_scope)x->mem.scope),
                 spv_u32(s, order_bits(s, IR_ORDER_ACQ_REL) | fence_bits(fence)));
}

static void emit_atomic(struct spv *s, const struct ir_instr *x, uint32_t pointer, unsigned fence)
{
    if (x->mem.order == IR_ORDER_SEQ_CST)
        spv_fail(s, "the device does not support sequentially consistent atomic operations");
    if (vulkan_model(s)) {
        emit_atomic_op(s, x, pointer, fence, order_bits(s, (enum ir_order)x->mem.order));
        return;
    }
    order_around(s, x, IR_ORDER_RELEASE, fence);
    emit_atomic_op(s, x, pointer, fence, 0);
    order_around(s, x, IR_ORDER_ACQUIRE, fence);
}

static void emit_atomic_physical(struct spv *s, const struct ir_instr *x)
{
    const struct ir_mem shared = {.coherent = true};
    struct ir_type type = x->src_count > 1 ? x->src[1]->type : x->type;
    emit_atomic(s, x, physical_pointer(s, type, x->src[0], member_decoration(s, &shared)), IR_FENCE_GLOBAL);
}

// ---- barriers ---------------------------------------------------------------------------------

static uint32_t sync_semantics(struct spv *s, const struct ir_sync *sync)
{
    uint32_t order = order_bits(s, (enum ir_order)sync->order), fences = fence_bits(sync->fences);
    return order && fences ? order | fences : 0;
}

static void emit_fence(struct spv *s, const struct ir_instr *x)
{
    uint32_t semantics = sync_semantics(s, &x->sync);
    if (semantics && x->sync.scope != IR_SCOPE_WORK_ITEM)
        SPV_CODE(s, SpvOpMemoryBarrier, scope_id(s, (enum ir_scope)x->sync.scope),
                 spv_u32(s, semantics));
}

static void emit_barrier(struct spv *s, const struct ir_instr *x)
{
    if (x->sync.execution == IR_SCOPE_SUB_GROUP && s->target->sub_groups_in_step) {
        emit_fence(s, x);
        return;
    }
    uint32_t semantics = sync_semantics(s, &x->sync);
    if (!semantics)
        semantics = order_bits(s, IR_ORDER_ACQ_REL) | fence_bits(IR_FENCE_LOCAL);
    SPV_CODE(s, SpvOpControlBarrier, scope_id(s, (enum ir_scope)x->sync.execution),
             scope_id(s, (enum ir_scope)x->sync.scope), spv_u32(s, semantics));
}

uint32_t spv_elem_pointer(struct spv *s, const struct ir_instr *x)
{
    return elem_pointer(s, x);
}

uint32_t spv_device_pointer(struct spv *s, struct ir_type type, const struct ir_instr *address)
{
    return physical_pointer(s, type, address, SpvDecorationMax);
}

bool spv_emit_memory(struct spv *s, const struct ir_instr *x)
{
    switch (x->op) {
    case IR_OP_load:
        emit_load(s, x, physical_pointer(s, x->type, x->src[0], member_decoration(s, &x->mem)), true);
        return true;
    case IR_OP_store:
        emit_store(s, x, physical_pointer(s, x->src[1]->type, x->src[0], member_decoration(s, &x->mem)), true);
        return true;
    case IR_OP_atomic:
        emit_atomic_physical(s, x);
        return true;
    case IR_OP_elem_load:
        emit_load(s, x, elem_pointer(s, x), false);
        return true;
    case IR_OP_elem_store:
        emit_store(s, x, elem_pointer(s, x), false);
        return true;
    case IR_OP_elem_atomic:
        emit_atomic(s, x, elem_pointer(s, x), x->var->space == IR_BUFFER ? IR_FENCE_GLOBAL : IR_FENCE_LOCAL);
        return true;
    case IR_OP_barrier:
        emit_barrier(s, x);
        return true;
    case IR_OP_fence:
        emit_fence(s, x);
        return true;
    default:
        return false;
    }
}
