// SPDX-License-Identifier: Apache-2.0
// Early returns -> one return at the end of the function, so that the body can be inlined.
//
// A few early returns under ifs only: the code after the if moves to its other branch. Otherwise the body becomes a
// loop with one iteration, and a return becomes a break; from inner loops and switches a flag passes it on, tested
// after each of them. The value is in a private variable, which becomes a phi later. Functions with a single return
// at the end are not changed.
#include "ir/internal.h"
#include "passes/barriers.h"
#include "passes/inline.h"
#include "passes/passes.h"
#include "util/stack.h"

enum { MAX_NESTED = 16 }; // maximum number of early returns that become nested ifs

struct returns {
    struct ir_function *f;
    struct arena *scratch;
    VEC(struct ir_block *) blocks; // that end in an early return
    struct ir_var *value, *flag;
};

// ---- the value and the flag ----------------------------------------------------------------------

static struct ir_type stored_type(struct ir_type type)
{
    return type.base == IR_BOOL ? ir_with_lanes(ir_int(8), type.lanes) : type;
}

static uint32_t stored_bytes(struct ir_type type)
{
    uint32_t size = 1;
    while (size < ir_type_bytes(stored_type(type)))
        size *= 2;
    return size;
}

static struct ir_mem private_mem(struct ir_type type)
{
    return (struct ir_mem){.space = IR_PRIVATE, .align = stored_bytes(type)};
}

static struct ir_var *new_var(struct returns *r, const char *name, struct ir_type type)
{
    uint32_t size = stored_bytes(type);
    return ir_var_add(r->f->module, r->f, name, IR_PRIVATE, size, size);
}

static void store_var(struct ir_builder *b, struct ir_var *var, struct ir_instr *value)
{
    struct ir_type type = value->type;
    if (type.base == IR_BOOL)
        value = ir_convert(b, IR_OP_zext, stored_type(type), value);
    ir_store(b, ir_addr(b->module, var), value, private_mem(type));
}

static struct ir_instr *load_var(struct ir_builder *b, struct ir_var *var, struct ir_type type)
{
    struct ir_type stored = stored_type(type);
    struct ir_instr *x = ir_load(b, stored, ir_addr(b->module, var), private_mem(type));
    return type.base == IR_BOOL ? ir_op2(b, IR_OP_ine, x, ir_const_int(b->module, stored, 0)) : x;
}

// Removes the return at the end of `block` and stores its value; returns a builder at the block's end.
static struct ir_builder detach_return(struct returns *r, struct ir_block *block)
{
    struct ir_instr *jump = block->last;
    struct ir_builder b = {.module = r->f->module, .function = r->f, .block = block};
    ir_remove(jump);
    if (jump->src_count)
        store_var(&b, r->value, jump->src[0]);
    return b;
}

static void final_return(struct returns *r)
{
    struct ir_builder b = ir_at_end(r->f);
    if (!b.dead)
        ir_jump(&b, IR_OP_return, r->value ? load_var(&b, r->value, r->f->result) : NULL);
}

// ---- nesting -------------------------------------------------------------------------------------

// Whether control does not reach the end of the list.
static bool is_closed(const struct ir_list *list)
{
    stack_check();
    const struct ir_block *last = ir_list_last(list);
    if (ir_ends_in_jump(last))
        return true;
    const struct ir_node *above = last->node.prev;
    if (last->first || !above || above->kind != IR_IF)
        return false;
    const struct ir_if *node = (const struct ir_if *)above;
    return is_closed(&node->then_list) && is_closed(&node->else_list);
}

static bool can_nest(const struct returns *r)
{
    if (r->blocks.count > MAX_NESTED)
        return false;
    for (size_t i = 0; i < r->blocks.count; i++)
        for (struct ir_list *list = r->blocks.items[i]->node.list; list->owner; list = list->owner->list)
            if (list->owner->kind != IR_IF || !is_closed(list))
                return false;
    return true;
}

// Moves the nodes from `first` to the end of its list to the end of `to`; its last block is joined with `first`.
static void move_following(struct ir_module *m, struct ir_block *first, struct ir_list *to)
{
    struct ir_block *tail = ir_list_last(to), *fresh = ir_block_create(m);
    for (struct ir_instr *x = first->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next; // only one incoming edge
        ir_replace(x, x->src_count ? x->src[0] : ir_undef(m, x->type));
    }
    ir_list_insert(first->node.list, &fresh->node, first->node.prev);
    ir_block_prepend(first, tail);
    ir_list_unlink(&tail->node);
    for (struct ir_node *node = &first->node, *next; node; node = next) {
        next = node->next;
        ir_list_unlink(node);
        ir_list_insert(to, node, to->last);
    }
}

static void drop_following(struct ir_module *m, struct ir_block *first)
{
    struct ir_block *fresh = ir_block_create(m);
    ir_list_insert(first->node.list, &fresh->node, first->node.prev);
    ir_cut_after(fresh);
}

static void nest_list(struct returns *r, struct ir_list *list)
{
    stack_check();
    struct ir_module *m = r->f->module;
    for (struct ir_node *node = list->first; node; node = node->next) {
        if (node->kind == IR_BLOCK) {
            struct ir_block *block = ir_as_block(node);
            if (block->last && block->last->op == IR_OP_return)
                detach_return(r, block);
        }
        if (node->kind != IR_IF)
            continue;
        struct ir_if *choice = (struct ir_if *)node;
        bool then_closed = is_closed(&choice->then_list), else_closed = is_closed(&choice->else_list);
        if (!then_closed && !else_closed)
            continue;
        struct ir_block *after = ir_as_block(node->next);
        if (then_closed)
            nest_list(r, &choice->then_list);
        if (else_closed)
            nest_list(r, &choice->else_list);
        if (then_closed && else_closed) {
            drop_following(m, after);
            return;
        }
        list = then_closed ? &choice->else_list : &choice->then_list;
        move_following(m, after, list);
        node = &after->node;
        if (after->last && after->last->op == IR_OP_return)
            detach_return(r, after);
    }
}

// ---- loop with one iteration ---------------------------------------------------------------------

// Adds an edge from `from` to `block`; its phis get an undefined value for it.
static void add_edge(struct ir_module *m, struct ir_block *block, struct ir_block *from)
{
    for (struct ir_instr *x = block->first; x && x->op == IR_OP_phi; x = x->next)
        ir_phi_add(m, x, ir_undef(m, x->type), from);
}

static void jump_out(struct returns *r, struct ir_builder *b)
{
    struct ir_node *target = ir_jump_target(b->block, false);
    if (target)
        add_edge(r->f->module, ir_as_block(target->next), b->block);
    ir_jump(b, IR_OP_break, NULL);
}

static void set_flag(struct returns *r, struct ir_builder *b, uint64_t value)
{
    store_var(b, r->flag, ir_const_int(r->f->module, ir_int(32), value));
}

// Adds "if (flag) break;" after a loop or switch.
static void test_flag(struct returns *r, struct ir_node *node)
{
    struct ir_module *m = r->f->module;
    struct ir_builder b = {.module = m, .function = r->f};
    ir_place_after_phis(&b, ir_as_block(node->next));
    b.dead = false;
    struct ir_instr *flag = load_var(&b, r->flag, ir_int(32));
    struct ir_if *test = ir_add_if(&b, ir_op2(&b, IR_OP_ine, flag, ir_const_int(m, ir_int(32), 0)));
    ir_place_end(&b, &test->then_list);
    jump_out(r, &b);
}

static void wrap_body(struct returns *r)
{
    struct ir_module *m = r->f->module;
    struct ir_list old = r->f->body;
    ir_list_init(m, &r->f->body, NULL);
    struct ir_builder b = ir_at_end(r->f);
    if (r->flag)
        set_flag(r, &b, 0);
    if (r->value) // starts the value's live range here
        store_var(&b, r->value, ir_undef(m, stored_type(r->f->result)));
    struct ir_loop *loop = ir_add_loop(&b);
    loop->cond = ir_const_int(m, ir_bool(), 0);
    loop->body = (struct ir_list){.first = old.first, .last = old.last, .owner = &loop->node};
    for (struct ir_node *node = old.first; node; node = node->next)
        node->list = &loop->body;
}

static void loop_once(struct returns *r)
{
    struct map seen = {0};
    VEC(struct ir_node *) tests = {0};
    for (size_t i = 0; i < r->blocks.count; i++) {
        struct ir_node *owner = ir_jump_target(r->blocks.items[i], false);
        if (owner && !r->flag)
            r->flag = new_var(r, "returned", ir_int(32));
        for (; owner && !map_get(&seen, owner); owner = owner->list->owner) {
            map_set(r->scratch, &seen, owner, owner);
            if (owner->kind != IR_IF)
                vec_push(r->scratch, &tests, owner);
        }
    }
    for (size_t i = 0; i < r->blocks.count; i++) {
        struct ir_builder b = detach_return(r, r->blocks.items[i]);
        if (ir_jump_target(b.block, false))
            set_flag(r, &b, 1);
        jump_out(r, &b);
    }
    struct ir_block *last = ir_list_last(&r->f->body);
    if (last->last && last->last->op == IR_OP_return)
        detach_return(r, last);
    for (size_t i = 0; i < tests.count; i++)
        test_flag(r, tests.items[i]);
    wrap_body(r);
}

// Requires: no phis. Keeps: everything. Removes: early returns.
bool lower_all_returns(struct pass_context *c, struct ir_function *f)
{
    struct returns r = {.f = f, .scratch = c->scratch};
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        if (b->last && b->last->op == IR_OP_return && b != ir_list_last(&f->body))
            vec_push(r.scratch, &r.blocks, b);
    if (!r.blocks.count)
        return false;
    if (f->result.base != IR_VOID)
        r.value = new_var(&r, "result", f->result);
    if (can_nest(&r))
        nest_list(&r, &f->body);
    else
        loop_once(&r);
    final_return(&r);
    ir_resolve(f);
    return true;
}

// The same, only for functions that will be inlined, and for kernels whose work-items may have to wait at the end.
bool lower_returns(struct pass_context *c, struct ir_function *f)
{
    if (!f->has_body || !(f->kernel ? barriers_wait_at_end(c->module) : inline_is_wanted(f)))
        return false;
    return lower_all_returns(c, f);
}
