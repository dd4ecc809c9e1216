// SPDX-License-Identifier: Apache-2.0
// Keeps elements of private arrays, at positions that callers pass, in variables of the function.
//
//   f(%i) { if c { store @a[%i + 1], x } ; y = load @a[%i] }
//       ->   f(%i) { v0 = @a[%i] ; v1 = @a[%i + 1] ; if c { v1 = x } ; y = v0 ; @a[%i + 1] = v1 }
//
// Mesa's CPU driver accesses an element whose position is not constant lane by lane. The driver makes the variables
// values.
//
// All elements are loaded and all that are stored somewhere are stored at the end, also on paths without accesses. So
// they must be in the array for every call: positions are constants in all calls, or parameters of callers for which
// that is true. And nothing else in the function may access the array.
#include "passes/call_order.h"
#include "passes/demote.h"
#include "passes/opt.h"

enum { MOST_ELEMENTS = 64, LEAST_ACCESSES = 4 }; // of a function; for each element

struct known { // about a parameter
    bool unknown; // not always a constant
    uint64_t most;
};

struct element {
    struct ir_var *var;
    bool stored;
};

struct array { // as accessed in the current function
    struct ir_var *var;
    struct ir_instr *param; // that all positions count from
    bool other; // there are other accesses
    uint32_t accesses, elements;
    struct element *element; // by distance from `param`
};

struct positions {
    struct pass_context *c;
    struct known **known; // by ir_function.id, for each parameter
    struct map arrays;    // variable -> struct array
    VEC(struct array *) all;
};

// ---- positions that callers pass -----------------------------------------------------------------

static struct known known_of(const struct positions *p, const struct ir_function *f, const struct ir_instr *x)
{
    if (ir_is_const(x) && x->type.base == IR_INT && x->type.bits == 32 && x->type.lanes == 1)
        return (struct known){false, (uint32_t)x->lanes[0]};
    if (x->op == IR_OP_param && !f->kernel)
        return p->known[f->id][x->index];
    return (struct known){.unknown = true};
}

// Callers precede callees: their own parameters are known.
static void see_calls(struct positions *p, const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; is_known_call(x) && i < x->src_count; i++) {
                const struct known arg = known_of(p, f, x->src[i]);
                struct known *known = &p->known[x->callee->id][i];
                known->unknown |= arg.unknown;
                known->most = arg.most > known->most ? arg.most : known->most;
            }
}

// ---- accesses of a function ----------------------------------------------------------------------

static struct array *array_of(struct positions *p, struct ir_var *var)
{
    struct array *array = map_get(&p->arrays, var);
    if (array)
        return array;
    array = ARENA_NEW(p->c->scratch, struct array);
    *array = (struct array){.var = var, .element = ARENA_ARRAY(p->c->scratch, struct element, MOST_ELEMENTS)};
    map_set(p->c->scratch, &p->arrays, var, array);
    vec_push(p->c->scratch, &p->all, array);
    return array;
}

// Splits a position into a parameter and a distance.
static struct ir_instr *param_of(const struct ir_instr *index, uint64_t *distance)
{
    *distance = 0;
    if (index->op == IR_OP_iadd && ir_is_const(index->src[1])) {
        *distance = (uint32_t)index->src[1]->lanes[0];
        index = index->src[0];
    }
    return index->op == IR_OP_param && index->type.bits == 32 ? (struct ir_instr *)index : NULL;
}

static bool is_elem(const struct ir_instr *x)
{
    return (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic) || x->op == IR_OP_mat_elem_load || x->op == IR_OP_mat_elem_store;
}

static bool is_whole_access(const struct ir_instr *x)
{
    const struct ir_type type = x->op == IR_OP_elem_load ? x->type : x->op == IR_OP_elem_store ? x->src[1]->type : (struct ir_type){0};
    return (x->op == IR_OP_elem_load || x->op == IR_OP_elem_store) && !x->mem.is_volatile && ir_type_eq(type, x->var->elem);
}

static void see_access(struct positions *p, const struct ir_function *f, struct ir_instr *x)
{
    struct array *array = array_of(p, x->var);
    uint64_t distance = 0;
    struct ir_instr *param = is_whole_access(x) ? param_of(x->src[0], &distance) : NULL;
    const struct known known = param ? known_of(p, f, param) : (struct known){.unknown = true};
    if (known.unknown || (array->param && array->param != param) || distance >= MOST_ELEMENTS || known.most + distance >= x->var->count) {
        array->other = true;
        return;
    }
    struct element *element = &array->element[distance];
    array->param = param;
    array->accesses++;
    if (!element->var) {
        element->var = demote_var((struct ir_function *)f, "element", x->var->elem);
        array->elements++;
    }
    element->stored |= x->op == IR_OP_elem_store;
}

// Returns whether the function calls others, which may access the same arrays.
static bool see_accesses(struct positions *p, const struct ir_function *f)
{
    bool calls = false;
    p->arrays = (struct map){0};
    p->all.count = 0;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next) {
            calls |= x->op == IR_OP_call;
            if (is_elem(x) && x->var->space == IR_PRIVATE && x->var->in_module)
                see_access(p, f, x);
        }
    return calls;
}

// ---- rewriting -----------------------------------------------------------------------------------

static struct ir_instr *position(struct ir_builder *b, const struct array *array, uint32_t distance)
{
    return ir_op2(b, IR_OP_iadd, array->param, ir_const_int(b->module, array->param->type, distance));
}

static void load_elements(struct ir_function *f, const struct array *array)
{
    struct ir_builder b = {.module = f->module, .function = f};
    ir_place_after_phis(&b, ir_first_block(f));
    for (uint32_t i = 0; i < MOST_ELEMENTS; i++)
        if (array->element[i].var)
            demote_store(&b, array->element[i].var, ir_elem_load(&b, array->var, position(&b, array, i)));
}

static void store_elements(struct ir_function *f, const struct array *array, struct ir_block *block)
{
    struct ir_builder b = {.module = f->module, .function = f, .block = block};
    b.before = ir_ends_in_jump(block) ? block->last : NULL;
    for (uint32_t i = 0; i < MOST_ELEMENTS; i++)
        if (array->element[i].stored)
            ir_elem_store(&b, array->var, position(&b, array, i), demote_load(&b, array->element[i].var, array->var->elem));
}

static void use_variables(const struct positions *p, struct ir_instr *x)
{
    const struct array *array = is_elem(x) ? map_get(&p->arrays, x->var) : NULL;
    uint64_t distance;
    if (!array || array->other)
        return;
    param_of(x->src[0], &distance);
    x->var = array->element[distance].var;
    x->src[0] = ir_const_int(p->c->module, ir_int(32), 0);
}

static bool choose(struct positions *p)
{
    uint32_t elements = 0;
    bool any = false;
    for (size_t i = 0; i < p->all.count; i++) {
        struct array *array = p->all.items[i];
        array->other |= array->accesses < LEAST_ACCESSES * array->elements || elements + array->elements > MOST_ELEMENTS;
        elements += array->other ? 0 : array->elements;
        any |= !array->other;
    }
    return any;
}

static bool rewrite(struct positions *p, struct ir_function *f)
{
    const size_t vars = f->vars.count;
    if (see_accesses(p, f) || !choose(p)) {
        f->vars.count = vars;
        return false;
    }
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            use_variables(p, x);
    for (size_t i = 0; i < p->all.count; i++) {
        if (p->all.items[i]->other)
            continue;
        load_elements(f, p->all.items[i]);
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            if ((b->last && b->last->op == IR_OP_return) || b == ir_list_last(&f->body))
                store_elements(f, p->all.items[i], b);
    }
    f->converged = false;
    return true;
}

// Requires: lowered memory. Keeps: values. Removes: accesses at positions that are not constants, in functions with many.
bool opt_array_params(struct pass_context *c)
{
    const size_t count = c->module->functions.count;
    const struct call_order order = call_order_find(c);
    struct positions p = {.c = c, .known = ARENA_ARRAY(c->scratch, struct known *, count)};
    bool changed = false;
    for (size_t i = 0; i < count; i++)
        p.known[i] = ARENA_ARRAY(c->scratch, struct known, c->module->functions.items[i]->param_count + 1);
    for (size_t i = 0; i < order.functions.count; i++) {
        struct ir_function *f = order.functions.items[i];
        see_calls(&p, f);
        if (order.sites[f->id])
            changed |= rewrite(&p, f);
    }
    return changed;
}
