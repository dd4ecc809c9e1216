// SPDX-License-Identifier: Apache-2.0
// Inlines calls, callees first, so that each function is complete when it is copied.
//
// Functions that use pointers are inlined into their kernel, where most private memory becomes values, and so are
// small functions. Large functions without pointers remain calls. If the caller would grow too large, all large ones
// remain, and their private memory is shared between functions. Finally, functions that no kernel reaches are
// removed.
//
// In a kernel that is too large for the driver to inline all calls (lower_calls will split it), functions that are
// called in many places remain, too, even if they are small or declared inline: copies of a function with calls
// multiply the places of these calls.
#include "ir/internal.h"
#include "passes/call_order.h"
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
    bool is_large;
    struct map callees; // function -> its struct callee
};

struct callee { // as called in the functions before inlining
    uint32_t sites;
    bool takes_values; // addresses of variables that could become values
};

static void error(struct inliner *in, const struct ir_instr *call, const char *format, const char *name)
{
    struct ir_module *m = in->c->module;
    struct str text;
    str_init(&text, m->arena);
    str_printf(&text, format, name);
    ir_fail(m, call->origin, text.text);
}

static bool is_inlined(const struct ir_function *f)
{
    if (f->called_once)
        return true;
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
            size += is_known_call(x) && is_inlined(x->callee) ? x->callee->instr_count : 1;
    return size;
}

static void keep_large_calls(const struct ir_function *f)
{
    if (inlined_size(f) <= INLINE_BUDGET)
        return;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (is_known_call(x) && x->callee->instr_count > INLINE_SIZE_CAP && inline_can_remain(x->callee) && !x->callee->called_once)
                x->callee->not_inlined = true;
}

// ---- functions that are called in many places ----------------------------------------------------

static bool takes_value(const struct ir_instr *call)
{
    enum { LARGEST_VALUE = 16 };
    for (uint32_t i = 0; i < call->src_count; i++) {
        const struct ir_instr *x = call->src[i];
        if (x->type.base == IR_PTR && x->type.space != IR_GLOBAL && x->type.space != IR_CONSTANT && x->op != IR_OP_param &&
            !(x->op == IR_OP_addr && x->var->size > LARGEST_VALUE))
            return true;
    }
    return false;
}

// Finds the calls of each function. Returns whether a kernel would become too large for its driver with all calls
// inlined.
static bool find_calls(struct inliner *in)
{
    enum { TIMES = 4 }; // sizes are those before optimization
    const struct call_order order = call_order_find(in->c);
    const size_t count = in->c->module->functions.count;
    struct callee *callees = ARENA_ARRAY(in->c->scratch, struct callee, count);
    double *size = ARENA_ARRAY(in->c->scratch, double, count), most = 0;
    for (size_t i = order.functions.count; i--;) {
        const struct ir_function *f = order.functions.items[i];
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (const struct ir_instr *x = b->first; x; x = x->next) {
                size[f->id] += is_known_call(x) ? size[x->callee->id] : 1;
                if (is_known_call(x))
                    callees[x->callee->id].takes_values |= takes_value(x);
            }
        most = f->kernel && size[f->id] > most ? size[f->id] : most;
        callees[f->id].sites = order.sites[f->id];
        map_set(in->c->scratch, &in->callees, f, &callees[f->id]);
    }
    return in->c->target->max_inlined && most > TIMES * (double)in->c->target->max_inlined;
}

// Keeps the calls of a finished function if its copies would be much more code than calls of it.
static void keep_many_calls(struct inliner *in, struct ir_function *f)
{
    enum { CALL = 48, PART = 512 }; // in instructions, a call becomes stores, loads and the selection of steps; least gain
    const struct callee *callee = map_get(&in->callees, f);
    f->called_once = in->is_large && callee && callee->sites == 1 && f->instr_count <= INLINE_BUDGET;
    if (!in->is_large || !callee || callee->sites == 1 || callee->takes_values || f->from_library || !inline_can_remain(f))
        return;
    int64_t size = (int64_t)f->instr_count - CALL;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            size += is_known_call(x) ? CALL : 0;
    f->not_inlined |= size * ((int64_t)callee->sites - 1) >= in->c->target->max_inlined / PART;
}

static void finish_function(struct inliner *in, struct ir_function *f)
{
    bool changed = false;
    keep_large_calls(f);
    uint32_t room = INLINE_TOTAL_CAP;
    for (struct ir_block *b = ir_first_block(f); b && !in->c->module->error; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x; x = next) {
            next = x->next;
            if (!is_known_call(x) || !is_inlined(x->callee) || (in->early && x->callee->handles))
                continue;
            if (x->callee->called_once && x->callee->instr_count > room / 2 && inline_can_remain(x->callee)) {
                x->callee->not_inlined = true;
                x->callee->called_once = false;
                continue;
            }
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
    keep_many_calls(in, f);
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
            if (is_known_call(v->next) && v->next->callee->id != DONE)
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
    in.is_large = find_calls(&in);
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
    in.is_large = find_calls(&in);
    for (size_t i = 0; i < c->module->functions.count; i++)
        c->module->functions.items[i]->id = UNSEEN;
    for (size_t i = 0; i < count && !c->module->error; i++)
        if (functions[i]->id == UNSEEN)
            visit_from(&in, functions[i]);
    c->module->error = NULL; // errors will occur again, and be reported, in the kernel
}
