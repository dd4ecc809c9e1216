// SPDX-License-Identifier: Apache-2.0
// Inlines calls, callees first, so that each function is complete when it is copied.
//
// Functions that use pointers are inlined into their kernel, where most private memory becomes values, and so are
// small functions. Large functions without pointers remain calls. If the caller would grow too large, all large ones
// remain, and their private memory is shared between functions. Finally, functions that no kernel reaches are
// removed.
#include "ir/internal.h"
#include "passes/inline.h"
#include "passes/passes.h"

// ---- one call ------------------------------------------------------------------------------------

struct ir_var *inline_copy_var(struct ir_function *into, const struct ir_var *var)
{
    struct ir_var *copy = ir_var_add(into->module, into, var->name, var->space, var->size, var->align);
    copy->origin = var->origin;
    copy->elem = var->elem;
    copy->count = var->count;
    return copy;
}

void inline_map_vars(struct ir_function *into, const struct ir_function *from, struct map *map)
{
    struct ir_module *m = into->module;
    for (size_t i = 0; i < from->vars.count; i++) {
        struct ir_var *old = from->vars.items[i];
        struct ir_var *copy = inline_copy_var(into, old);
        map_set(m->arena, map, old, copy);
        if (old->address)
            map_set(m->arena, map, old->address, ir_addr(m, copy));
    }
}

// Removes the final return (or unreachable) of a copied body and returns its value.
static struct ir_instr *detach_result(struct ir_module *m, struct ir_list *body, struct ir_type type)
{
    struct ir_block *last = ir_list_last(body);
    struct ir_instr *value = NULL;
    if (ir_ends_in_jump(last)) {
        struct ir_instr *jump = last->last;
        value = jump->op == IR_OP_return && jump->src_count ? jump->src[0] : NULL;
        ir_remove(jump);
    }
    return value ? value : ir_undef(m, type);
}

// Instructions from the library get the source location of the call.
static void set_origin(struct ir_list *list, uint32_t origin)
{
    struct ir_block *last = ir_list_last(list);
    for (struct ir_block *b = ir_list_first(list); b; b = b == last ? NULL : ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!x->origin)
                x->origin = origin;
}

static void inline_call(struct ir_function *into, struct ir_instr *call)
{
    struct ir_module *m = into->module;
    const struct ir_function *from = call->callee;
    struct ir_builder b = {.module = m, .function = into};
    struct map map = {0};
    for (uint32_t i = 0; i < from->param_count; i++)
        map_set(m->arena, &map, from->params[i], call->src[i]);
    inline_map_vars(into, from, &map);
    struct ir_list body = {0};
    ir_list_clone(into, &body, &from->body, &map, NULL);
    if (from->from_library && call->origin)
        set_origin(&body, call->origin);
    struct ir_instr *value = detach_result(m, &body, call->type);
    if (body.first == body.last) { // keeps the caller's block in one piece, even with many calls
        ir_block_move(ir_list_first(&body), call);
    } else {
        ir_place_before(&b, call);
        struct ir_if *place = ir_add_if(&b, ir_const_int(m, ir_bool(), 1)); // a placeholder
        ir_node_replace(&place->node, &body);
    }
    ir_replace(call, value);
}

// ---- the call graph ------------------------------------------------------------------------------

enum state { UNSEEN, OPEN, DONE };

struct visit {
    struct ir_function *f;
    struct ir_block *block;
    struct ir_instr *next;
};

struct inliner {
    struct pass_context *c;
    VEC(struct visit) stack; // path of callers; explicit, because the source determines its length
    bool early;              // images and samplers are not resolved yet: skip functions that take them
    bool changed;
};

static void error(struct inliner *in, const struct ir_instr *call, const char *format, const char *name)
{
    struct ir_module *m = in->c->module;
    struct str text;
    str_init(&text, m->arena);
    str_printf(&text, format, name);
    ir_fail(m, call->origin, text.text);
}

static bool is_call(const struct ir_instr *x)
{
    return x->op == IR_OP_call && x->callee->has_body;
}

static bool is_inlined(const struct ir_function *f)
{
    if (f->not_inlined || (f->no_inline && inline_can_remain(f)))
        return false;
    if (f->always_inline || inline_is_needed(f))
        return true;
    return !f->no_inline && f->instr_count <= INLINE_SIZE_CAP;
}

static uint64_t inlined_size(const struct ir_function *f)
{
    uint64_t size = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            size += is_call(x) && is_inlined(x->callee) ? x->callee->instr_count : 1;
    return size;
}

static void keep_large_calls(const struct ir_function *f)
{
    if (inlined_size(f) <= INLINE_BUDGET)
        return;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_call(x) && x->callee->instr_count > INLINE_SIZE_CAP && inline_can_remain(x->callee))
                x->callee->not_inlined = true;
}

static void finish_function(struct inliner *in, struct ir_function *f)
{
    bool changed = false;
    keep_large_calls(f);
    uint32_t room = INLINE_TOTAL_CAP;
    for (struct ir_block *b = ir_first_block(f); b && !in->c->module->error; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!is_call(x) || !is_inlined(x->callee) || (in->early && x->callee->handles))
                continue;
            if (x->callee->instr_count > room) {
                error(in, x, "'%s' is too large after inlining", f->name);
                break;
            }
            room -= x->callee->instr_count;
            inline_call(f, x); // `b` is now the block after the call
            changed = true;
        }
    if (changed)
        ir_resolve(f);
    if (!f->kernel)
        lower_returns(in->c, f);
    ir_number(f);
    f->converged &= !changed;
    in->changed |= changed;
    f->id = DONE;
}

static void open_function(struct inliner *in, struct ir_function *f)
{
    struct ir_block *first = ir_first_block(f);
    f->id = OPEN;
    vec_push(in->c->scratch, &in->stack, ((struct visit){f, first, first->first}));
}

// The next callee of the function on top of the stack; NULL: all are done.
static struct ir_function *next_callee(struct visit *v)
{
    while (v->block) {
        for (; v->next; v->next = v->next->next)
            if (is_call(v->next) && v->next->callee->id != DONE)
                return v->next->callee;
        v->block = ir_next_block(v->block);
        v->next = v->block ? v->block->first : NULL;
    }
    return NULL;
}

static void visit_from(struct inliner *in, struct ir_function *root)
{
    open_function(in, root);
    while (in->stack.count) {
        struct visit *top = &in->stack.items[in->stack.count - 1];
        struct ir_function *callee = next_callee(top);
        if (!callee) {
            finish_function(in, top->f);
            if (in->c->module->error)
                return;
            in->stack.count--;
        } else if (callee->id == OPEN) {
            error(in, top->next, "'%s' calls itself", callee->name);
            return;
        } else {
            open_function(in, callee);
        }
    }
}

// ---- unreachable functions -----------------------------------------------------------------------

static void mark_reached(struct inliner *in, struct ir_function *f)
{
    VEC(struct ir_function *) todo = {0};
    vec_push(in->c->scratch, &todo, f);
    f->id = OPEN;
    while (todo.count) {
        f = todo.items[--todo.count];
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_call && x->callee->id != OPEN) {
                    x->callee->id = OPEN;
                    vec_push(in->c->scratch, &todo, x->callee);
                }
    }
}

static void drop_unreached(struct inliner *in)
{
    struct ir_module *m = in->c->module;
    size_t remaining = 0, kernels = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = UNSEEN;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && ++kernels)
            mark_reached(in, m->functions.items[i]);
    for (size_t i = 0; kernels && i < m->functions.count; i++) {
        struct ir_function *f = m->functions.items[i];
        if (f->id == OPEN)
            m->functions.items[remaining++] = f;
        else
            map_set(m->arena, &m->functions_by_name, f->name, NULL);
    }
    if (kernels && remaining < m->functions.count) {
        m->functions.count = remaining;
        in->changed = true;
    }
}

// Requires: no recursion (a cycle is reported as module->error). Keeps: everything. Removes: calls with
// pointers and of small functions, early returns of inlined functions, functions that no kernel reaches.
bool inline_calls(struct pass_context *c)
{
    struct inliner in = {.c = c};
    drop_unreached(&in);
    for (size_t i = 0; i < c->module->functions.count; i++)
        c->module->functions.items[i]->id = UNSEEN;
    for (size_t i = 0; i < c->module->functions.count; i++) {
        struct ir_function *f = c->module->functions.items[i];
        if (f->has_body && f->id == UNSEEN && !c->module->error)
            visit_from(&in, f);
    }
    if (!c->module->error)
        drop_unreached(&in);
    return in.changed;
}

bool inline_remains(const struct ir_function *f) { return !is_inlined(f); }

void inline_early(struct pass_context *c, struct ir_function *const *functions, size_t count)
{
    struct inliner in = {.c = c, .early = true};
    for (size_t i = 0; i < c->module->functions.count; i++)
        c->module->functions.items[i]->id = UNSEEN;
    for (size_t i = 0; i < count && !c->module->error; i++)
        if (functions[i]->id == UNSEEN)
            visit_from(&in, functions[i]);
    c->module->error = NULL; // errors will occur again, and be reported, in the kernel
}
