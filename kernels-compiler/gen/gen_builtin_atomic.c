// SPDX-License-Identifier: Apache-2.0
// Atomic operations, fences and barriers: the functions of OpenCL 1.x, and those of C11 (6.15.12) with orders and
// scopes.
//
// Values are passed as integers of the same width. A constant order or scope that the device does not support is an
// error; it is never weakened. One that is not constant is replaced by the strongest supported. Floating-point
// arithmetic is a compare-and-exchange loop unless the device has an operation for it.
//
// SPIR-V for Vulkan has no sequential consistency. A sequentially consistent operation becomes a fence and an acquire-release
// operation that reads and writes: a load writes back the value that it read, a store reads the value that it overwrites.
// The fence waits until the earlier operations of the work-item have been performed, so they are performed in program order
// (store buffering). Each operation is performed at the object itself, for all work-items at once (independent reads of
// independent writes). Vulkan's memory model does not guarantee this; tests/api/litmus.c checks it on a device. If
// acquire-release operations need no fence for it (target.strict_atomics), the fence is left out.
#include "gen/gen_internal.h"

static const struct {
    uint8_t ir, ir_signed, ir_float;
} atomic_ops[] = {
    [ATOMIC_LOAD] = {IR_ATOMIC_LOAD, IR_ATOMIC_LOAD, 0},
    [ATOMIC_STORE] = {IR_ATOMIC_STORE, IR_ATOMIC_STORE, 0},
    [ATOMIC_XCHG] = {IR_ATOMIC_XCHG, IR_ATOMIC_XCHG, 0},
    [ATOMIC_CMPXCHG] = {IR_ATOMIC_CMPXCHG, IR_ATOMIC_CMPXCHG, 0},
    [ATOMIC_ADD] = {IR_ATOMIC_ADD, IR_ATOMIC_ADD, IR_ATOMIC_FADD},
    [ATOMIC_SUB] = {IR_ATOMIC_SUB, IR_ATOMIC_SUB, IR_ATOMIC_FADD},
    [ATOMIC_AND] = {IR_ATOMIC_AND, IR_ATOMIC_AND, 0},
    [ATOMIC_OR] = {IR_ATOMIC_OR, IR_ATOMIC_OR, 0},
    [ATOMIC_XOR] = {IR_ATOMIC_XOR, IR_ATOMIC_XOR, 0},
    [ATOMIC_MIN] = {IR_ATOMIC_UMIN, IR_ATOMIC_SMIN, IR_ATOMIC_FMIN},
    [ATOMIC_MAX] = {IR_ATOMIC_UMAX, IR_ATOMIC_SMAX, IR_ATOMIC_FMAX},
    [ATOMIC_INC] = {IR_ATOMIC_ADD, IR_ATOMIC_ADD, 0},
    [ATOMIC_DEC] = {IR_ATOMIC_SUB, IR_ATOMIC_SUB, 0},
    [ATOMIC_FLAG_SET] = {IR_ATOMIC_XCHG, IR_ATOMIC_XCHG, 0},
    [ATOMIC_FLAG_CLEAR] = {IR_ATOMIC_STORE, IR_ATOMIC_STORE, 0},
};

static enum ir_atomic_op operation(unsigned op, const struct type *pointee)
{
    return (enum ir_atomic_op)(type_is_signed(pointee) ? atomic_ops[op].ir_signed : atomic_ops[op].ir);
}

// ---- OpenCL 1.x ----------------------------------------------------------------------------------

static struct ir_instr *atomic(struct gen *gen, struct gen_args *args)
{
    struct ir_builder *b = &gen->b;
    unsigned op = args->builtin->op;
    const struct type *pointee = args->arg->elem.type;
    struct ir_type type = gen_type(pointee), bits = ir_int(type.bits);
    struct ir_mem mem = {.space = args->x[0]->type.space,
                         .scope = IR_SCOPE_DEVICE,
                         .order = IR_ORDER_RELAXED,
                         .coherent = true,
                         .align = pointee->align};
    struct ir_instr *value = args->count > 1 ? gen_as(gen, args->x[args->count - 1], bits) : NULL;
    struct ir_instr *comparand = op == ATOMIC_CMPXCHG ? args->x[1] : NULL;
    if (op == ATOMIC_INC || op == ATOMIC_DEC)
        value = ir_const_int(gen->module, bits, 1);
    return gen_as(gen, ir_atomic(b, operation(op, pointee), bits, args->x[0], value, comparand, mem), type);
}

// ---- orders and scopes ---------------------------------------------------------------------------

// Reads the constant `x`, which must be below `limit`; else reports an error.
static bool constant(struct gen *gen, struct gen_args *args, const struct ir_instr *x, uint64_t limit, const char *what,
                     unsigned *value)
{
    *value = (unsigned)x->lanes[0];
    if (x->lanes[0] < limit)
        return true;
    diag_error(gen->diag, args->expr->loc, "'%s': %u is no %s", args->builtin->name, *value, what);
    return false;
}

static bool require(struct gen *gen, struct gen_args *args, bool available, const char *what, const char *feature)
{
    if (!available)
        diag_error(gen->diag, args->expr->loc, "'%s': '%s' requires '%s', which the device does not support",
                   args->builtin->name, what, feature);
    return available;
}

static bool has(const struct gen *gen, enum kc_extension extension)
{
    return ast_has(gen->ast, extension);
}

static bool get_order(struct gen *gen, struct gen_args *args, const struct ir_instr *x, uint8_t *order)
{
    static const uint8_t orders[] = {IR_ORDER_RELAXED, IR_ORDER_RELAXED, IR_ORDER_ACQUIRE, IR_ORDER_RELEASE,
                                     IR_ORDER_ACQ_REL, IR_ORDER_SEQ_CST};
    unsigned number;
    if (!ir_is_const(x)) {
        *order = has(gen, KC_EXT_ATOMIC_ORDER_SEQ_CST)   ? IR_ORDER_SEQ_CST
                 : has(gen, KC_EXT_ATOMIC_ORDER_ACQ_REL) ? IR_ORDER_ACQ_REL
                                                         : IR_ORDER_RELAXED;
        return true;
    }
    if (!constant(gen, args, x, sizeof orders, "memory order", &number))
        return false;
    *order = orders[number];
    return *order != IR_ORDER_SEQ_CST || require(gen, args, has(gen, KC_EXT_ATOMIC_ORDER_SEQ_CST),
                                                 "memory_order_seq_cst", "__opencl_c_atomic_order_seq_cst");
}

// Scopes narrower than a work-group are treated as a work-group.
static bool get_scope(struct gen *gen, struct gen_args *args, const struct ir_instr *x, uint8_t *scope)
{
    static const uint8_t scopes[] = {IR_SCOPE_WORK_ITEM, IR_SCOPE_WORK_GROUP, IR_SCOPE_DEVICE, IR_SCOPE_ALL_DEVICES,
                                     IR_SCOPE_WORK_GROUP};
    unsigned number;
    if (!ir_is_const(x)) {
        *scope = has(gen, KC_EXT_ATOMIC_SCOPE_ALL_DEVICES) ? IR_SCOPE_ALL_DEVICES
                 : has(gen, KC_EXT_ATOMIC_SCOPE_DEVICE)    ? IR_SCOPE_DEVICE
                                                           : IR_SCOPE_WORK_GROUP;
        return true;
    }
    if (!constant(gen, args, x, sizeof scopes, "memory scope", &number))
        return false;
    *scope = scopes[number];
    if (*scope == IR_SCOPE_ALL_DEVICES)
        return require(gen, args, has(gen, KC_EXT_ATOMIC_SCOPE_ALL_DEVICES), "memory_scope_all_devices",
                       "__opencl_c_atomic_scope_all_devices");
    return *scope != IR_SCOPE_DEVICE || require(gen, args, has(gen, KC_EXT_ATOMIC_SCOPE_DEVICE), "memory_scope_device",
                                                "__opencl_c_atomic_scope_device");
}

static unsigned order_halves(unsigned order) // 1: acquire, 2: release
{
    return order == IR_ORDER_ACQ_REL ? 3 : order == IR_ORDER_ACQUIRE ? 1 : order == IR_ORDER_RELEASE ? 2 : 0;
}

// A load cannot release, a store cannot acquire.
static unsigned possible_halves(unsigned op)
{
    return op == ATOMIC_LOAD ? 1 : op == ATOMIC_STORE || op == ATOMIC_FLAG_CLEAR ? 2 : 3;
}

static bool order_fits(struct gen *gen, struct gen_args *args, const struct ir_instr *x, unsigned order)
{
    if (!ir_is_const(x) || !(order_halves(order) & ~possible_halves(args->builtin->op)))
        return true;
    diag_error(gen->diag, args->expr->loc, "invalid memory order for '%s'", args->builtin->name);
    return false;
}

// The arguments after the object and its values: one order, or one for success and one for failure; then an optional
// scope. Without any, the order is sequentially consistent: then *strict is set and mem->order is the strongest one
// available.
static bool get_model(struct gen *gen, struct gen_args *args, uint32_t first, struct ir_mem *mem, bool *strict)
{
    static const uint8_t orders[] = {IR_ORDER_RELAXED, IR_ORDER_ACQUIRE, IR_ORDER_RELEASE, IR_ORDER_ACQ_REL};
    uint32_t count = args->builtin->op == ATOMIC_CMPXCHG ? 2 : 1;
    unsigned halves = 0;
    *strict = args->count == first;
    for (uint32_t i = first; i < first + count && !*strict; i++) {
        if (!get_order(gen, args, args->x[i], &mem->order) || !order_fits(gen, args, args->x[i], mem->order))
            return false;
        halves |= order_halves(mem->order) & possible_halves(args->builtin->op);
        *strict = mem->order == IR_ORDER_SEQ_CST;
    }
    if (*strict)
        halves = 3;
    mem->order = orders[halves];
    uint8_t scope = IR_SCOPE_DEVICE;
    if (halves && !require(gen, args, has(gen, KC_EXT_ATOMIC_ORDER_ACQ_REL), "memory orders beyond relaxed",
                           "__opencl_c_atomic_order_acq_rel"))
        return false;
    if (args->count > first + count && !get_scope(gen, args, args->x[first + count], &scope))
        return false;
    mem->scope = scope == IR_SCOPE_WORK_ITEM ? IR_SCOPE_WORK_GROUP : scope & 15; // work-item scope is meant for fences of images
    return true;
}

// ---- floating point ------------------------------------------------------------------------------

static struct ir_instr *float_result(struct gen *gen, unsigned op, struct ir_instr *old, struct ir_instr *value)
{
    static const uint16_t ops[] = {
        [ATOMIC_ADD] = IR_OP_fadd, [ATOMIC_SUB] = IR_OP_fsub, [ATOMIC_MIN] = IR_OP_fmin, [ATOMIC_MAX] = IR_OP_fmax};
    return ir_op2(&gen->b, (enum ir_op)ops[op], old, value);
}

static struct ir_instr *float_loop(struct gen *gen, struct gen_args *args, const struct ir_mem *mem)
{
    struct ir_builder *b = &gen->b;
    struct ir_type type = args->x[1]->type, bits = ir_int(type.bits);
    struct ir_instr *object = args->x[0], *seen = gen_temporary(gen, args->arg->elem.type, "seen");
    struct ir_mem relaxed = *mem, own = {.space = IR_PRIVATE, .align = type.bits / 8u};
    relaxed.order = IR_ORDER_RELAXED;
    ir_store(b, seen, ir_atomic(b, IR_ATOMIC_LOAD, bits, object, NULL, NULL, relaxed), own);
    struct ir_loop *loop = ir_add_loop(b);
    ir_place_end(b, &loop->body);
    struct ir_instr *old = ir_load(b, bits, seen, own);
    struct ir_instr *value = float_result(gen, args->builtin->op, gen_as(gen, old, type), args->x[1]);
    struct ir_instr *found = ir_atomic(b, IR_ATOMIC_CMPXCHG, bits, object, gen_as(gen, value, bits), old, *mem);
    ir_store(b, seen, found, own);
    struct ir_if *done = ir_add_if(b, ir_op2(b, IR_OP_ieq, found, old));
    ir_place_end(b, &done->then_list);
    ir_jump(b, IR_OP_break, NULL);
    ir_place_after(b, &done->node);
    ir_place_after(b, &loop->node);
    return gen_as(gen, ir_load(b, bits, seen, own), type);
}

static struct ir_instr *float_arithmetic(struct gen *gen, struct gen_args *args, const struct ir_mem *mem)
{
    unsigned op = args->builtin->op;
    struct ir_instr *value = args->x[1];
    bool adds = op == ATOMIC_ADD || op == ATOMIC_SUB;
    if (!adds || value->type.bits != 32 || mem->space != IR_GLOBAL || !gen->target->float32_atomic_add)
        return float_loop(gen, args, mem);
    if (op == ATOMIC_SUB)
        value = ir_op1(&gen->b, IR_OP_fneg, value);
    return ir_atomic(&gen->b, IR_ATOMIC_FADD, value->type, args->x[0], value, NULL, *mem);
}

// ---- C11 -----------------------------------------------------------------------------------------

// Returns whether the exchange took place. If not, the value found is stored where the comparand came from.
static struct ir_instr *compare_exchange(struct gen *gen, struct gen_args *args, const struct ir_mem *mem)
{
    struct ir_builder *b = &gen->b;
    struct ir_type bits = ir_int(args->x[2]->type.bits);
    struct ir_instr *place = args->x[1];
    struct ir_mem plain = {.space = place->type.space, .align = mem->align};
    struct ir_instr *expected = ir_load(b, bits, place, plain);
    struct ir_instr *found =
        ir_atomic(b, IR_ATOMIC_CMPXCHG, bits, args->x[0], gen_as(gen, args->x[2], bits), expected, *mem);
    struct ir_instr *same = ir_op2(b, IR_OP_ieq, found, expected);
    struct ir_if *node = ir_add_if(b, same);
    ir_place_end(b, &node->else_list);
    ir_store(b, place, found, plain);
    ir_place_after(b, &node->node);
    return same;
}

static uint32_t value_count(unsigned op)
{
    return op == ATOMIC_CMPXCHG ? 2 : op == ATOMIC_LOAD || op == ATOMIC_FLAG_SET || op == ATOMIC_FLAG_CLEAR ? 0 : 1;
}

static struct ir_instr *nothing(struct gen *gen, const struct gen_args *args)
{
    struct ir_type type = gen_type(args->type);
    return type.base == IR_VOID ? NULL : ir_undef(gen->module, type);
}

// A strict load writes back the value it reads; a strict store reads the value it overwrites.
static unsigned strict_operation(unsigned op)
{
    return op == ATOMIC_LOAD ? ATOMIC_OR : op == ATOMIC_STORE || op == ATOMIC_FLAG_CLEAR ? ATOMIC_XCHG : op;
}

// The fence before a sequentially consistent operation.
static void strict_fence(struct gen *gen, const struct ir_mem *mem)
{
    ir_barrier(&gen->b, (struct ir_sync){.execution = IR_SCOPE_WORK_ITEM,
                                         .scope = mem->space == IR_LOCAL ? IR_SCOPE_WORK_GROUP : mem->scope,
                                         .order = IR_ORDER_ACQ_REL,
                                         .fences = IR_FENCE_LOCAL | IR_FENCE_GLOBAL});
}

static struct ir_instr *c11_atomic(struct gen *gen, struct gen_args *args)
{
    unsigned op = args->builtin->op, values = value_count(op);
    bool strict;
    const struct type *pointee = args->arg->elem.type;
    struct ir_type type = gen_type(pointee), bits = ir_int(type.bits);
    struct ir_mem mem = {.space = args->x[0]->type.space, .coherent = true, .align = pointee->align};
    if (op == ATOMIC_INIT) {
        ir_store(&gen->b, args->x[0], args->x[1], mem);
        return NULL;
    }
    if (!get_model(gen, args, 1 + values, &mem, &strict))
        return nothing(gen, args);
    if (strict && !gen->target->strict_atomics)
        strict_fence(gen, &mem);
    if (op == ATOMIC_CMPXCHG)
        return compare_exchange(gen, args, &mem);
    if (type.base == IR_FLOAT && atomic_ops[op].ir_float)
        return float_arithmetic(gen, args, &mem);
    struct ir_instr *value = values ? gen_as(gen, args->x[1], bits) : NULL;
    if (op == ATOMIC_FLAG_SET || op == ATOMIC_FLAG_CLEAR)
        value = ir_const_int(gen->module, bits, op == ATOMIC_FLAG_SET);
    if (strict && op == ATOMIC_LOAD)
        value = ir_const_int(gen->module, bits, 0);
    bool stores = op == ATOMIC_STORE || op == ATOMIC_FLAG_CLEAR;
    enum ir_atomic_op operand = operation(strict ? strict_operation(op) : op, pointee);
    struct ir_type result = stores && !strict ? ir_void() : bits;
    struct ir_instr *old = ir_atomic(&gen->b, operand, result, args->x[0], value, NULL, mem);
    if (op == ATOMIC_FLAG_SET)
        return ir_op2(&gen->b, IR_OP_ine, old, ir_const_int(gen->module, bits, 0));
    return stores ? NULL : gen_as(gen, old, type);
}

// ---- barriers and fences -------------------------------------------------------------------------

static uint8_t fence_flags(const struct gen_args *args)
{
    const struct ir_instr *flags = args->count ? args->x[0] : NULL;
    if (!flags || !ir_is_const(flags))
        return IR_FENCE_LOCAL | IR_FENCE_GLOBAL;
    return flags->lanes[0] & (IR_FENCE_LOCAL | IR_FENCE_GLOBAL | IR_FENCE_IMAGE);
}

static struct ir_sync synchronization(const struct gen_args *args, enum ir_scope execution)
{
    return (struct ir_sync){.execution = (uint8_t)execution,
                            .scope = IR_SCOPE_WORK_GROUP,
                            .order = IR_ORDER_ACQ_REL,
                            .fences = fence_flags(args)};
}

// The optional argument of work_group_barrier is the scope of its fence.
static struct ir_instr *barrier(struct gen *gen, struct gen_args *args)
{
    struct ir_sync sync = synchronization(args, IR_SCOPE_WORK_GROUP);
    if (args->count > 1 && !get_scope(gen, args, args->x[1], &sync.scope))
        return NULL;
    if (sync.scope == IR_SCOPE_WORK_ITEM)
        sync.scope = IR_SCOPE_WORK_GROUP;
    ir_barrier(&gen->b, sync);
    return NULL;
}

// For global memory its scope is the device: programs that pass values between work-groups (by volatile accesses or
// atomic operations) rely on it, because OpenCL 1.x has no other fence.
static struct ir_instr *mem_fence(struct gen *gen, struct gen_args *args)
{
    struct ir_sync sync = synchronization(args, IR_SCOPE_WORK_ITEM);
    if (sync.fences & IR_FENCE_GLOBAL)
        sync.scope = IR_SCOPE_DEVICE;
    ir_barrier(&gen->b, sync);
    return NULL;
}

static struct ir_instr *atomic_fence(struct gen *gen, struct gen_args *args)
{
    struct ir_sync sync = synchronization(args, IR_SCOPE_WORK_ITEM);
    if (!get_order(gen, args, args->x[1], &sync.order) || !get_scope(gen, args, args->x[2], &sync.scope))
        return NULL;
    if (sync.order == IR_ORDER_SEQ_CST)
        sync.order = IR_ORDER_ACQ_REL;
    if (sync.order != IR_ORDER_RELAXED && sync.scope != IR_SCOPE_WORK_ITEM)
        ir_barrier(&gen->b, sync);
    return NULL;
}

static gen_special *const specials[BUILTIN_SPECIAL_COUNT] = {
    [BUILTIN_BARRIER] = barrier,
    [BUILTIN_MEM_FENCE] = mem_fence,
    [BUILTIN_ATOMIC_FENCE] = atomic_fence,
    [BUILTIN_ATOMIC] = atomic,
    [BUILTIN_C11_ATOMIC] = c11_atomic,
};

gen_special *gen_atomic_special(unsigned special)
{
    return specials[special];
}
