// SPDX-License-Identifier: Apache-2.0
// Builds IR: modules, functions, variables, constants and, through a builder, instructions and control flow.
//
// Pure operations go through ir_fold() first, so a caller may get a constant or an earlier value. When a block is
// split, its lower part keeps the identity: a phi that names a block as predecessor means the block's end.
#include "ir/internal.h"
#include "util/hash.h"
#include <assert.h>
#include <math.h>

// ---- modules, functions, variables --------------------------------------------------------------

struct ir_module *ir_module_create(struct arena *arena, struct intern *intern,
                                   const struct kc_target *target)
{
    struct ir_module *m = ARENA_NEW(arena, struct ir_module);
    m->arena = arena;
    m->intern = intern;
    m->target = target;
    return m;
}

struct ir_function *ir_function_get(struct ir_module *m, const char *name, struct ir_type result,
                                    const struct ir_type *params, uint32_t param_count)
{
    name = intern_cstring(m->intern, name);
    struct ir_function *f = map_get(&m->functions_by_name, name);
    if (f)
        return f;
    f = ARENA_NEW(m->arena, struct ir_function);
    f->name = name;
    f->result = result;
    f->module = m;
    f->param_count = param_count;
    f->params = ARENA_ARRAY(m->arena, struct ir_instr *, param_count + 1);
    for (uint32_t i = 0; i < param_count; i++) {
        f->params[i] = ir_instr_create(m, IR_OP_param, params[i], NULL, 0);
        f->params[i]->index = f->params[i]->id = i;
    }
    vec_push(m->arena, &m->functions, f);
    map_set(m->arena, &m->functions_by_name, name, f);
    return f;
}

void ir_function_define(struct ir_function *f)
{
    assert(!f->has_body);
    f->has_body = true;
    ir_list_init(f->module, &f->body, NULL);
}

// "NAME.NUMBER", interned.
static const char *numbered_name(struct ir_module *m, const char *name, uintptr_t number)
{
    char room[64], *at = room + sizeof room;
    size_t length = strlen(name);
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    *--at = '.';
    if (length > (size_t)(at - room))
        return intern_cstring(m->intern, arena_printf(m->arena, "%s%.*s", name, (int)(room + sizeof room - at), at));
    at = memcpy(at - length, name, length);
    return intern_string(m->intern, at, (size_t)(room + sizeof room - at));
}

static const char *unique_name(struct ir_module *m, struct ir_function *f, const char *name)
{
    struct map *names = f ? &f->var_names : &m->var_names;
    name = intern_cstring(m->intern, name && *name ? name : "v");
    uintptr_t times = (uintptr_t)map_get(names, name);
    const char *result = name;
    while (map_get(names, result))
        result = numbered_name(m, name, times++);
    map_set(m->arena, names, name, (void *)(times ? times : 1));
    if (result != name)
        map_set(m->arena, names, result, (void *)1);
    return result;
}

bool ir_is_printed(const struct ir_var *var)
{
    return var->space == IR_CONSTANT && !strncmp(var->name, IR_PRINTED, sizeof IR_PRINTED - 1);
}

bool ir_is_data(const struct ir_var *var)
{
    return (var->space == IR_CONSTANT || var->space == IR_GLOBAL) && !ir_is_printed(var);
}

struct ir_var *ir_var_add(struct ir_module *m, struct ir_function *f, const char *name,
                          enum ir_space space, uint64_t size, uint32_t align)
{
    assert(!f || space == IR_PRIVATE);
    struct ir_var *var = ARENA_NEW(m->arena, struct ir_var);
    var->name = unique_name(m, f, name);
    var->space = space;
    var->size = size;
    var->align = align;
    var->local_arg = -1;
    var->in_module = !f;
    if (f)
        vec_push(m->arena, &f->vars, var);
    else
        vec_push(m->arena, &m->vars, var);
    if (!f)
        map_set(m->arena, &m->vars_by_name, var->name, var);
    return var;
}

struct ir_var *ir_matrix_numbers(const struct ir_module *module)
{
    return map_get(&module->vars_by_name, intern_cstring(module->intern, IR_MATRIX_NUMBERS));
}

// ---- instructions, blocks, lists ----------------------------------------------------------------

struct ir_instr *ir_instr_create(struct ir_module *m, enum ir_op op, struct ir_type type,
                                 struct ir_instr *const *src, uint32_t count)
{
    struct ir_instr *x = arena_alloc(m->arena, sizeof *x + count * sizeof *src);
    memset(x, 0, sizeof *x);
    x->op = (uint16_t)op;
    x->type = type;
    x->src_count = count;
    x->src = (struct ir_instr **)(x + 1);
    for (uint32_t i = 0; i < count; i++)
        x->src[i] = src ? src[i] : NULL;
    return x;
}

void ir_fail(struct ir_module *m, uint32_t origin, const char *why)
{
    if (m->error)
        return;
    m->error = why;
    m->error_origin = origin;
}

void ir_copy_immediates(struct ir_instr *to, const struct ir_instr *from)
{
    size_t at = offsetof(struct ir_instr, lanes);
    memcpy((char *)to + at, (const char *)from + at, sizeof *to - at);
}

// Whether IR_FAST has a meaning on the instruction.
static bool wants_flags(const struct ir_instr *x)
{
    if (!(ir_ops[x->op].flags & IR_FLAG_P))
        return false;
    return x->type.base == IR_FLOAT ||
           (x->src_count && x->src[0] && x->src[0]->type.base == IR_FLOAT);
}

struct ir_block *ir_block_create(struct ir_module *m)
{
    struct ir_block *block = ARENA_NEW(m->arena, struct ir_block);
    block->node.kind = IR_BLOCK;
    return block;
}

void ir_list_insert(struct ir_list *list, struct ir_node *node, struct ir_node *after)
{
    struct ir_node *next = after ? after->next : list->first;
    node->list = list;
    node->prev = after;
    node->next = next;
    *(after ? &after->next : &list->first) = node;
    *(next ? &next->prev : &list->last) = node;
}

void ir_list_unlink(struct ir_node *node)
{
    *(node->prev ? &node->prev->next : &node->list->first) = node->next;
    *(node->next ? &node->next->prev : &node->list->last) = node->prev;
    node->prev = node->next = NULL;
    node->list = NULL;
}

void ir_list_init(struct ir_module *m, struct ir_list *list, struct ir_node *owner)
{
    *list = (struct ir_list){.owner = owner};
    ir_list_insert(list, &ir_block_create(m)->node, NULL);
}

void ir_block_insert(struct ir_block *block, struct ir_instr *x, struct ir_instr *before)
{
    struct ir_instr *prev = before ? before->prev : block->last;
    x->block = block;
    x->prev = prev;
    x->next = before;
    *(prev ? &prev->next : &block->first) = x;
    *(before ? &before->prev : &block->last) = x;
}

void ir_block_prepend(struct ir_block *to, struct ir_block *from)
{
    if (!from->first)
        return;
    for (struct ir_instr *x = from->first; x; x = x->next)
        x->block = to;
    from->last->next = to->first;
    *(to->first ? &to->first->prev : &to->last) = from->last;
    to->first = from->first;
    from->first = from->last = NULL;
}

static void block_append(struct ir_block *to, struct ir_block *from)
{
    for (struct ir_instr *x = from->first; x; x = x->next)
        x->block = to;
    if (from->first)
        from->first->prev = to->last;
    *(to->last ? &to->last->next : &to->first) = from->first;
    if (from->last)
        to->last = from->last;
    from->first = from->last = NULL;
}

void ir_append(struct ir_builder *b, struct ir_list *list)
{
    struct ir_list *to = b->block->node.list;
    struct ir_block *first = ir_list_first(list);
    assert(!b->dead && !b->before && !b->block->node.next);
    block_append(b->block, first);
    ir_list_unlink(&first->node);
    while (list->first) {
        struct ir_node *moved = list->first;
        ir_list_unlink(moved);
        ir_list_insert(to, moved, to->last);
    }
    b->block = ir_list_last(to);
    b->dead = ir_ends_in_jump(b->block);
}

void ir_block_move(struct ir_block *from, struct ir_instr *before)
{
    struct ir_block *to = before->block;
    if (!from->first)
        return;
    for (struct ir_instr *x = from->first; x; x = x->next)
        x->block = to;
    from->first->prev = before->prev;
    from->last->next = before;
    *(before->prev ? &before->prev->next : &to->first) = from->first;
    before->prev = from->last;
    from->first = from->last = NULL;
}

// ---- insertion point ----------------------------------------------------------------------------

struct ir_builder ir_at_end(struct ir_function *f)
{
    struct ir_builder b = {.module = f->module, .function = f};
    ir_place_end(&b, &f->body);
    return b;
}

static void place(struct ir_builder *b, struct ir_block *block, struct ir_instr *before)
{
    b->block = block;
    b->before = before;
    b->dead = !before && ir_ends_in_jump(block);
}

void ir_place_end(struct ir_builder *b, struct ir_list *list)
{
    place(b, ir_list_last(list), NULL);
}

void ir_place_after_phis(struct ir_builder *b, struct ir_block *block)
{
    struct ir_instr *x = block->first;
    while (x && x->op == IR_OP_phi)
        x = x->next;
    place(b, block, x);
}

void ir_place_after(struct ir_builder *b, struct ir_node *node)
{
    struct ir_block *block = ir_as_block(node->next);
    place(b, block, block->first);
}

// ---- control flow -------------------------------------------------------------------------------

// Splits the builder's block at the insertion point. The lower part keeps the block's identity. Returns the upper
// part.
static struct ir_block *split(struct ir_builder *b)
{
    struct ir_block *head = ir_block_create(b->module), *tail = b->block;
    ir_list_insert(tail->node.list, &head->node, tail->node.prev);
    head->first = tail->first;
    head->last = b->before ? b->before->prev : tail->last;
    if (!head->last)
        head->first = NULL;
    for (struct ir_instr *x = head->first; x && x != b->before; x = x->next)
        x->block = head;
    tail->first = b->before;
    if (!b->before)
        tail->last = NULL;
    else
        b->before->prev = NULL;
    if (head->last)
        head->last->next = NULL;
    return head;
}

// Inserts `node` at the builder's place and moves the builder to the start of the block after it.
static void insert_node(struct ir_builder *b, struct ir_node *node)
{
    if (b->dead) { // unreachable code goes to a list that is not part of the function
        struct ir_list *detached = ARENA_NEW(b->module->arena, struct ir_list);
        ir_list_init(b->module, detached, NULL);
        ir_list_insert(detached, node, detached->last);
        b->block = ir_block_create(b->module);
        ir_list_insert(detached, &b->block->node, node);
        return;
    }
    if (b->before || b->block->node.next) {
        struct ir_block *head = split(b);
        ir_list_insert(head->node.list, node, &head->node);
        return;
    }
    struct ir_block *after = ir_block_create(b->module);
    ir_list_insert(b->block->node.list, node, &b->block->node);
    ir_list_insert(node->list, &after->node, node);
    b->block = after;
}

struct ir_if *ir_add_if(struct ir_builder *b, struct ir_instr *cond)
{
    struct ir_if *node = ARENA_NEW(b->module->arena, struct ir_if);
    node->node.kind = IR_IF;
    node->cond = cond;
    ir_list_init(b->module, &node->then_list, &node->node);
    ir_list_init(b->module, &node->else_list, &node->node);
    insert_node(b, &node->node);
    return node;
}

struct ir_loop *ir_add_loop(struct ir_builder *b)
{
    struct ir_loop *node = ARENA_NEW(b->module->arena, struct ir_loop);
    node->node.kind = IR_LOOP;
    ir_list_init(b->module, &node->body, &node->node);
    ir_list_init(b->module, &node->cont, &node->node);
    insert_node(b, &node->node);
    return node;
}

struct ir_switch *ir_add_switch(struct ir_builder *b, struct ir_instr *value, uint32_t case_count)
{
    struct ir_switch *node = ARENA_NEW(b->module->arena, struct ir_switch);
    node->node.kind = IR_SWITCH;
    node->value = value;
    node->cases = ARENA_ARRAY(b->module->arena, struct ir_case, case_count);
    node->case_count = case_count;
    for (uint32_t i = 0; i < case_count; i++)
        ir_list_init(b->module, &node->cases[i].list, &node->node);
    insert_node(b, &node->node);
    return node;
}

// ---- values without a block ---------------------------------------------------------------------

static uint32_t type_bits(struct ir_type t)
{
    assert(!ir_is_matrix(t)); // mat_splat makes matrix constants
    return (uint32_t)t.base | (uint32_t)t.bits << 8 | (uint32_t)t.lanes << 16 |
           (uint32_t)t.space << 24;
}

struct ir_instr *ir_const(struct ir_module *m, struct ir_type type, const uint64_t *lanes)
{
    assert(type.lanes >= 1 && type.lanes <= 16);
    uint64_t clean[16], mask = ir_mask(type.bits), hash = type_bits(type);
    for (unsigned i = 0; i < type.lanes; i++) {
        clean[i] = lanes[i] & mask;
        hash = hash_combine(hash, clean[i]);
    }
    const void *key = (const void *)(uintptr_t)(hash | 1);
    struct ir_instr *found = map_get(&m->constants, key);
    for (struct ir_instr *x = found; x; x = x->next)
        if (ir_type_eq(x->type, type) && !memcmp(x->lanes, clean, type.lanes * sizeof *clean))
            return x;
    struct ir_instr *x = ir_instr_create(m, IR_OP_const, type, NULL, 0);
    x->lanes = arena_copy(m->arena, clean, type.lanes * sizeof *clean);
    x->next = found; // constants with the same hash are chained
    map_set(m->arena, &m->constants, key, x);
    return x;
}

struct ir_instr *ir_const_int(struct ir_module *m, struct ir_type type, uint64_t value)
{
    uint64_t lanes[16];
    for (unsigned i = 0; i < 16; i++)
        lanes[i] = value;
    return ir_const(m, type, lanes);
}

struct ir_instr *ir_const_float(struct ir_module *m, struct ir_type type, double value)
{
    return ir_const_int(m, type, ir_float_bits(type.bits, value));
}

struct ir_instr *ir_undef(struct ir_module *m, struct ir_type type)
{
    return ir_instr_create(m, IR_OP_undef, type, NULL, 0);
}

struct ir_instr *ir_addr(struct ir_module *m, struct ir_var *var)
{
    if (!var->address) {
        var->address = ir_instr_create(m, IR_OP_addr, ir_ptr(kc_pointer_bytes(m->target), var->space), NULL, 0);
        var->address->var = var;
    }
    return var->address;
}

// ---- instructions -------------------------------------------------------------------------------

static struct ir_instr *emit(struct ir_builder *b, struct ir_instr *x)
{
    if (b->flags && wants_flags(x))
        x->flags = b->flags;
    x->origin = b->origin;
    if (!b->dead)
        ir_block_insert(b->block, x, b->before);
    return x;
}

struct ir_instr *ir_build_like(struct ir_builder *b, enum ir_op op, struct ir_type type,
                               struct ir_instr *const *src, uint32_t count,
                               const struct ir_instr *like)
{
    if (ir_ops[op].flags & IR_FLAG_P) {
        struct ir_instr *folded = ir_fold(b, op, type, src, count, like);
        if (folded)
            return folded;
    }
    struct ir_instr *x = ir_instr_create(b->module, op, type, src, count);
    if (like) {
        ir_copy_immediates(x, like);
        x->flags = like->flags;
    }
    return emit(b, x);
}

struct ir_instr *ir_build(struct ir_builder *b, enum ir_op op, struct ir_type type,
                          struct ir_instr *const *src, uint32_t count)
{
    return ir_build_like(b, op, type, src, count, NULL);
}

struct ir_instr *ir_build_unfolded(struct ir_builder *b, enum ir_op op, struct ir_type type,
                                   struct ir_instr *const *src, uint32_t count)
{
    return emit(b, ir_instr_create(b->module, op, type, src, count));
}

static struct ir_type result_type(enum ir_op op, struct ir_type first, struct ir_type second)
{
    switch (ir_ops[op].rule) {
    case IR_RULE_COMPARE:
        return ir_with_lanes(ir_bool(), first.lanes);
    case IR_RULE_SELECT:
        return second;
    case IR_RULE_VOID:
        return ir_void();
    default:
        break;
    }
    if (op == IR_OP_extract_dyn)
        return ir_with_lanes(first, 1);
    return first;
}

struct ir_instr *ir_op1(struct ir_builder *b, enum ir_op op, struct ir_instr *x)
{
    return ir_build(b, op, result_type(op, x->type, x->type), &x, 1);
}

struct ir_instr *ir_op2(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
    return ir_build(b, op, result_type(op, x->type, y->type), (struct ir_instr *[]){x, y}, 2);
}

struct ir_instr *ir_op3(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y,
                        struct ir_instr *z)
{
    return ir_build(b, op, result_type(op, x->type, y->type), (struct ir_instr *[]){x, y, z}, 3);
}

struct ir_instr *ir_convert(struct ir_builder *b, enum ir_op op, struct ir_type type,
                            struct ir_instr *x)
{
    return ir_build(b, op, type, &x, 1);
}

struct ir_instr *ir_select(struct ir_builder *b, struct ir_instr *cond, struct ir_instr *x,
                           struct ir_instr *y)
{
    return ir_op3(b, IR_OP_select, cond, x, y);
}

bool ir_stores_srgb(const struct kc_target *target)
{
    return kc_extensions_have(&target->extensions, KC_EXT_SRGB_IMAGE_WRITES) && !target->mapping.on;
}

struct ir_instr *ir_image_info_of_target(struct ir_builder *b, const struct ir_instr *x)
{
    const struct kc_target *target = b->module->target;
    if (x->image.info == IR_IMAGE_FILTER)
        return ir_const_int(b->module, x->type, target->image_linear_filter);
    if (x->image.info == IR_IMAGE_BY_UINT)
        return ir_const_int(b->module, x->type, target->image_unorm16_by_uint);
    if (x->image.info == IR_IMAGE_MAPPED)
        return ir_const_int(b->module, x->type, target->mapping.on);
    if (x->image.info == IR_IMAGE_SRGB)
        return ir_const_int(b->module, x->type, ir_stores_srgb(target));
    if (x->image.info == IR_IMAGE_BORDERS)
        return ir_const_int(b->module, x->type, target->image_borders);
    return NULL;
}

struct ir_instr *ir_vec(struct ir_builder *b, struct ir_instr *const *lanes, unsigned count)
{
    return ir_build(b, IR_OP_vec, ir_with_lanes(lanes[0]->type, count), lanes, count);
}

struct ir_instr *ir_splat(struct ir_builder *b, struct ir_instr *x, unsigned lanes)
{
    struct ir_instr *all[16];
    if (lanes == 1)
        return x;
    for (unsigned i = 0; i < lanes; i++)
        all[i] = x;
    return ir_vec(b, all, lanes);
}

struct ir_instr *ir_extract(struct ir_builder *b, struct ir_instr *vector, unsigned lane)
{
    if (vector->type.lanes == 1)
        return vector;
    struct ir_instr like = {.index = lane};
    return ir_build_like(b, IR_OP_extract, ir_with_lanes(vector->type, 1), &vector, 1, &like);
}

struct ir_instr *ir_insert(struct ir_builder *b, struct ir_instr *vector, struct ir_instr *x,
                           unsigned lane)
{
    if (vector->type.lanes == 1)
        return x;
    struct ir_instr like = {.index = lane};
    return ir_build_like(b, IR_OP_insert, vector->type, (struct ir_instr *[]){vector, x}, 2, &like);
}

struct ir_instr *ir_shuffle(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y,
                            const uint8_t *lanes, unsigned count)
{
    if (count == 1) {
        unsigned lane = lanes[0] == 255 ? 0 : lanes[0];
        return lane < x->type.lanes ? ir_extract(b, x, lane)
                                    : ir_extract(b, y, lane - x->type.lanes);
    }
    struct ir_instr like = {0};
    memcpy(like.shuffle, lanes, count);
    return ir_build_like(b, IR_OP_shuffle, ir_with_lanes(x->type, count),
                         (struct ir_instr *[]){x, y}, 2, &like);
}

struct ir_instr *ir_ptr_index(struct ir_builder *b, struct ir_instr *base, struct ir_instr *index,
                              int64_t stride, int64_t offset)
{
    struct ir_instr like = {0};
    like.stride = index ? stride : 0;
    like.offset = offset;
    return ir_build_like(b, IR_OP_ptr_index, base->type, (struct ir_instr *[]){base, index},
                         index ? 2 : 1, &like);
}

// Memory instructions; the immediates are those of `like`.
static struct ir_instr *memory(struct ir_builder *b, enum ir_op op, struct ir_type type,
                               struct ir_instr *const *src, uint32_t count,
                               const struct ir_instr *like)
{
    return ir_build_like(b, op, type, src, count, like);
}

struct ir_instr *ir_load(struct ir_builder *b, struct ir_type type, struct ir_instr *address,
                         struct ir_mem mem)
{
    struct ir_instr like = {.mem = mem};
    return memory(b, IR_OP_load, type, &address, 1, &like);
}

void ir_store(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value,
              struct ir_mem mem)
{
    struct ir_instr like = {.mem = mem};
    memory(b, IR_OP_store, ir_void(), (struct ir_instr *[]){address, value}, 2, &like);
}

void ir_copy(struct ir_builder *b, struct ir_instr *to, struct ir_instr *from, uint64_t size,
             struct ir_mem mem_to, struct ir_mem mem_from)
{
    struct ir_instr like = {0};
    like.mem = mem_to;
    like.mem_from = mem_from;
    like.size = size;
    memory(b, IR_OP_copy, ir_void(), (struct ir_instr *[]){to, from}, 2, &like);
}

void ir_zero(struct ir_builder *b, struct ir_instr *address, uint64_t size, struct ir_mem mem)
{
    struct ir_instr like = {0};
    like.mem = mem;
    like.size = size;
    memory(b, IR_OP_zero, ir_void(), &address, 1, &like);
}

struct ir_instr *ir_atomic(struct ir_builder *b, enum ir_atomic_op op, struct ir_type type,
                           struct ir_instr *address, struct ir_instr *value,
                           struct ir_instr *comparand, struct ir_mem mem)
{
    struct ir_instr like = {0}, *src[] = {address, value, comparand};
    like.mem = mem;
    like.atomic_op = (uint8_t)op;
    return memory(b, IR_OP_atomic, type, src, comparand ? 3 : value ? 2 : 1, &like);
}

struct ir_instr *ir_elem_load(struct ir_builder *b, struct ir_var *var, struct ir_instr *index)
{
    struct ir_instr like = {0};
    like.var = var;
    like.mem.space = (uint8_t)var->space;
    return memory(b, IR_OP_elem_load, var->elem, &index, 1, &like);
}

void ir_elem_store(struct ir_builder *b, struct ir_var *var, struct ir_instr *index,
                   struct ir_instr *value)
{
    struct ir_instr like = {0};
    like.var = var;
    like.mem.space = (uint8_t)var->space;
    memory(b, IR_OP_elem_store, ir_void(), (struct ir_instr *[]){index, value}, 2, &like);
}

struct ir_instr *ir_sys(struct ir_builder *b, enum ir_sys sys, unsigned dim)
{
    struct ir_instr like = {0};
    like.sys = (uint8_t)sys;
    like.dim = (uint16_t)dim;
    return ir_build_like(b, IR_OP_sys, ir_int(ir_sys_bits(sys)), NULL, 0, &like);
}

struct ir_instr *ir_subgroup(struct ir_builder *b, enum ir_subgroup_op op, enum ir_group group,
                             struct ir_type type, struct ir_instr *const *src, uint32_t count)
{
    struct ir_instr like = {0};
    like.subgroup_op = (uint8_t)op;
    like.group = (uint8_t)group;
    return ir_build_like(b, IR_OP_subgroup, type, src, count, &like);
}

struct ir_instr *ir_mat_load(struct ir_builder *b, struct ir_type type, struct ir_instr *address,
                             struct ir_instr *stride, bool by_columns, struct ir_mem mem)
{
    struct ir_instr like = {.mem = mem};
    like.by_columns = by_columns;
    return memory(b, IR_OP_mat_load, type, (struct ir_instr *[]){address, stride}, 2, &like);
}

void ir_mat_store(struct ir_builder *b, struct ir_instr *address, struct ir_instr *value,
                  struct ir_instr *stride, bool by_columns, struct ir_mem mem)
{
    struct ir_instr like = {.mem = mem};
    like.by_columns = by_columns;
    memory(b, IR_OP_mat_store, ir_void(), (struct ir_instr *[]){address, value, stride}, 3, &like);
}

struct ir_instr *ir_mat_muladd(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z,
                               unsigned flags)
{
    struct ir_instr like = {.matrix_flags = (uint8_t)flags};
    return ir_build_like(b, IR_OP_mat_muladd, z->type, (struct ir_instr *[]){x, y, z}, 3, &like);
}

struct ir_instr *ir_image_op(struct ir_builder *b, enum ir_op op, struct ir_type type,
                             struct ir_image image, struct ir_instr *const *src, uint32_t count)
{
    struct ir_instr like = {0};
    like.image = image;
    return ir_build_like(b, op, type, src, count, &like);
}

void ir_barrier(struct ir_builder *b, struct ir_sync sync)
{
    struct ir_instr like = {0};
    like.sync = sync;
    enum ir_op op = sync.execution == IR_SCOPE_WORK_ITEM ? IR_OP_fence : IR_OP_barrier;
    ir_build_like(b, op, ir_void(), NULL, 0, &like);
}

struct ir_instr *ir_call(struct ir_builder *b, struct ir_function *callee,
                         struct ir_instr *const *args, uint32_t count)
{
    struct ir_instr like = {0};
    like.callee = callee;
    return ir_build_like(b, IR_OP_call, callee->result, args, count, &like);
}

struct ir_instr *ir_call_by_lanes(struct ir_builder *b, const char *name, struct ir_instr *const *x, uint32_t count)
{
    struct ir_type scalar = ir_with_lanes(x[0]->type, 1), types[3] = {scalar, scalar, scalar};
    struct ir_function *callee = ir_function_get(b->module, name, scalar, types, count);
    struct ir_instr *lanes[16], *args[3];
    for (unsigned lane = 0; lane < x[0]->type.lanes; lane++) {
        for (uint32_t i = 0; i < count; i++)
            args[i] = ir_extract(b, x[i], lane);
        lanes[lane] = ir_call(b, callee, args, count);
    }
    return x[0]->type.lanes == 1 ? lanes[0] : ir_vec(b, lanes, x[0]->type.lanes);
}

struct ir_instr *ir_phi(struct ir_builder *b, struct ir_type type, uint32_t count)
{
    struct ir_instr *x = ir_instr_create(b->module, IR_OP_phi, type, NULL, count),
                    *at = b->block->first;
    x->preds = ARENA_ARRAY(b->module->arena, struct ir_block *, count ? count : 1);
    while (at && at->op == IR_OP_phi)
        at = at->next;
    if (!b->dead)
        ir_block_insert(b->block, x, at);
    return x;
}

void ir_jump(struct ir_builder *b, enum ir_op jump, struct ir_instr *value)
{
    ir_build(b, jump, ir_void(), &value, value ? 1 : 0);
    b->dead = true;
}

struct ir_instr *ir_kernel_number(struct ir_builder *b, struct ir_function *kernel)
{
    struct ir_instr like = {0};
    like.callee = kernel;
    return ir_build_like(b, IR_OP_kernel_number, ir_int(32), NULL, 0, &like);
}
