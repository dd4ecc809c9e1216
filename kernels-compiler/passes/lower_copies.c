// SPDX-License-Identifier: Apache-2.0
// copy and zero -> loads and stores of the widest aligned pieces; a loop if there are many.
//
// Drivers that unroll loops make private arrays of up to 64 elements registers, but not all unroll such a loop: then
// each access in it is a search for its register, and the registers occupied in the whole loop.
//
// Pieces in device memory have up to 16 bytes. If a private or local variable is otherwise accessed with one type,
// pieces have that type, so that it can become an array of it; else at most 4 bytes, for an array of words.
#include "passes/passes.h"

enum { MAX_PIECES = 32, MAX_REGISTERS = 64 };

struct usage { // how a variable is accessed, except by copies
    struct ir_type type; // IR_VOID: no access yet
    bool mixed;
};

struct copies {
    struct ir_function *f;
    struct usage *usages; // by var.id
    bool unrolls_loops;   // from kc_target
};

struct copy {
    struct ir_builder b;
    struct ir_instr *to, *from; // `from` NULL: zeros
    struct ir_mem mem_to, mem_from;
    struct ir_type type; // of a piece
};

static bool is_device(const struct ir_mem *mem)
{
    return mem->space == IR_GLOBAL || mem->space == IR_CONSTANT;
}

// ---- usage of variables --------------------------------------------------------------------------

static struct usage *usage_of(const struct copies *all, const struct ir_instr *address)
{
    while (address->op == IR_OP_ptr_index || address->op == IR_OP_ptr_cast)
        address = address->src[0];
    bool known = address->op == IR_OP_addr && (address->var->space == IR_PRIVATE || address->var->space == IR_LOCAL);
    return known ? &all->usages[address->var->id] : NULL;
}

static void note_access(const struct copies *all, const struct ir_instr *address, struct ir_type type)
{
    struct usage *u = usage_of(all, address);
    if (!u)
        return;
    if (type.base == IR_PTR)
        type = ir_int(64);
    if (u->type.base != IR_VOID && u->type.base != type.base)
        u->type.base = type.base = IR_INT; // a float, and integer atomics on it
    u->mixed |= u->type.base != IR_VOID && !ir_type_eq(u->type, type);
    u->type = type;
}

static void find_usages(struct copies *all, struct pass_context *c)
{
    struct ir_function *f = all->f;
    uint32_t count = 0;
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = count++;
    for (size_t i = 0; i < c->module->vars.count; i++)
        c->module->vars.items[i]->id = count++;
    all->usages = ARENA_ARRAY(c->scratch, struct usage, count + 1);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            if (x->op == IR_OP_load)
                note_access(all, x->src[0], x->type);
            else if (x->op == IR_OP_store)
                note_access(all, x->src[0], x->src[1]->type);
            else if (x->op == IR_OP_atomic)
                note_access(all, x->src[0], x->src_count > 1 ? x->src[1]->type : x->type);
        }
}

// ---- pieces --------------------------------------------------------------------------------------

static struct ir_type piece_type(uint32_t bytes)
{
    return bytes <= 4 ? ir_int(bytes * 8) : ir_with_lanes(ir_int(32), bytes / 4);
}

static bool takes(const struct usage *u, uint32_t align, uint64_t size)
{
    uint32_t bytes = u && !u->mixed ? ir_type_bytes(u->type) : 0;
    return bytes && u->type.lanes <= 4 && u->type.lanes != 3 && align >= bytes && size % bytes == 0;
}

static void choose_type(const struct copies *all, struct copy *c, uint64_t size)
{
    uint32_t align = c->mem_to.align ? c->mem_to.align : 1;
    bool device = is_device(&c->mem_to);
    const struct usage *to = usage_of(all, c->to), *from = c->from ? usage_of(all, c->from) : NULL;
    if (c->from) {
        align = c->mem_from.align < align ? c->mem_from.align : align;
        device &= is_device(&c->mem_from);
    }
    uint32_t most = device ? 16 : 4;
    c->type = piece_type(align < most ? align ? align : 1 : most);
    if (takes(to, align, size))
        c->type = to->type;
    else if (takes(from, align, size))
        c->type = from->type;
}

static struct ir_mem at_offset(struct ir_mem mem, uint64_t offset, uint32_t piece)
{
    while (mem.align > piece && (offset & (mem.align - 1)))
        mem.align /= 2;
    return mem;
}

// Copies one piece at base [+ index * piece] + offset.
static void copy_piece(struct copy *c, struct ir_builder *b, struct ir_instr *index, uint64_t offset,
                       struct ir_type type)
{
    uint32_t piece = ir_type_bytes(type);
    int64_t at = (int64_t)offset;
    uint64_t known = index ? piece : offset; // divides the distance from the base
    struct ir_instr *value = ir_const_int(b->module, type, 0);
    if (c->from) {
        struct ir_instr *from = ir_ptr_index(b, c->from, index, piece, at);
        value = ir_load(b, type, from, at_offset(c->mem_from, known, piece));
    }
    struct ir_instr *to = ir_ptr_index(b, c->to, index, piece, at);
    ir_store(b, to, value, at_offset(c->mem_to, known, piece));
}

static void copy_loop(struct copy *c, uint64_t count)
{
    struct ir_module *m = c->b.module;
    struct ir_type i64 = ir_int(64);
    struct ir_loop *loop = ir_add_loop(&c->b);
    struct ir_builder body = {.module = m, .function = c->b.function}, cont = body;
    ir_place_end(&body, &loop->body);
    ir_place_end(&cont, &loop->cont);
    struct ir_instr *index = ir_phi(&body, i64, 2);
    copy_piece(c, &body, index, 0, c->type);
    struct ir_instr *next = ir_op2(&cont, IR_OP_iadd, index, ir_const_int(m, i64, 1));
    loop->cond = ir_op2(&cont, IR_OP_ult, next, ir_const_int(m, i64, count));
    index->src[0] = ir_const_int(m, i64, 0);
    index->preds[0] = (struct ir_block *)loop->node.prev;
    index->src[1] = next;
    index->preds[1] = cont.block;
}

static void lower_copy(const struct copies *all, struct ir_instr *x)
{
    struct ir_function *f = all->f;
    struct copy c = {.b = {.module = f->module, .function = f}, .to = x->src[0], .mem_to = x->mem};
    if (x->op == IR_OP_copy) {
        c.from = x->src[1];
        c.mem_from = x->mem_from;
    }
    ir_place_before(&c.b, x);
    choose_type(all, &c, x->size);
    uint32_t piece = ir_type_bytes(c.type);
    uint64_t at = 0, count = x->size / piece;
    bool has_registers = all->unrolls_loops && x->mem.space == IR_PRIVATE;
    if (count > (has_registers ? MAX_REGISTERS : MAX_PIECES)) {
        copy_loop(&c, count);
        at = count * piece;
    }
    for (; at < x->size; at += piece) {
        while (piece > x->size - at)
            c.type = piece_type(piece /= 2);
        copy_piece(&c, &c.b, NULL, at, c.type);
    }
    ir_remove(x);
}

// Requires: nothing. Keeps: everything. Removes: copy, zero.
bool lower_copies(struct pass_context *c, struct ir_function *f)
{
    struct copies all = {.f = f, .unrolls_loops = c->target && c->target->unrolls_loops};
    bool changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (x->op != IR_OP_copy && x->op != IR_OP_zero)
                continue;
            if (!all.usages)
                find_usages(&all, c);
            lower_copy(&all, x); // a loop is inserted before b
            changed = true;
        }
    return changed;
}
