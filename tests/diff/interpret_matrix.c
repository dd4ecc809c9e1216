// SPDX-License-Identifier: Apache-2.0
// Matrices in the interpreter: the first work-item of a block computes what all of them do together.
//
// Integers wrap, as matrix arithmetic does. Floats stay below a limit up to which all their sums are exact, in any
// order and precision. If the guarded form of a product gives another result although the raw one is defined, the
// product must be guarded for all work-items: the program is interpreted again.
#include "interpret.h"

#include <assert.h>
#include <math.h>

typedef __int128 wide;

static unsigned count_of(const struct type *t)
{
    return t->rows * t->columns;
}

static const uint64_t *lanes_of(const union value *v)
{
    return (const uint64_t *)(uintptr_t)v->lane[0];
}

static const uint64_t *eval_lanes_of(struct item *it, struct expr *e)
{
    union value v;
    eval(it, e, &v);
    assert(v.lane[0]);
    return lanes_of(&v);
}

static uint64_t *new_lanes(struct item *it, const struct type *t, union value *v)
{
    uint64_t *lanes = ARENA_ARRAY(it->run->arena, uint64_t, count_of(t));
    it->run->steps += count_of(t) / 16;
    v->lane[0] = (uintptr_t)lanes;
    return lanes;
}

// ---- operations by component --------------------------------------------------------------------

static void do_unary(struct item *it, struct expr *e, union value *v)
{
    const uint64_t *a = eval_lanes_of(it, e->args[0]);
    uint64_t *to = new_lanes(it, e->type, v);
    bool wraps;
    for (unsigned i = 0; i < count_of(e->type); i++)
        to[i] = lane_unary(e->op, e->type->base, a[i], &wraps);
}

// The components of an operand, which is a matrix or a scalar.
static const uint64_t *operand(struct item *it, struct expr *e, const struct type *t)
{
    union value v;
    if (e->type->kind == TYPE_MATRIX)
        return eval_lanes_of(it, e);
    uint64_t one = lane_convert(t->base, e->type->base, eval_scalar(it, e));
    uint64_t *all = new_lanes(it, t, &v);
    for (unsigned i = 0; i < count_of(t); i++)
        all[i] = one;
    return all;
}

static void do_binary(struct item *it, struct expr *e, union value *v)
{
    const struct type *t = e->type;
    const uint64_t *a = operand(it, e->args[0], t), *b = operand(it, e->args[1], t);
    uint64_t *to = new_lanes(it, t, v);
    bool wraps = !base_is_float(t->base) && e->op != DIV, unused;
    for (unsigned i = 0; i < count_of(t); i++)
        to[i] = lane_binary(e->op, t->base, a[i], b[i], wraps ? &unused : &e->guard);
}

static void do_splat(struct item *it, struct expr *e, union value *v)
{
    v->lane[0] = (uintptr_t)operand(it, e->args[0], e->type);
}

// Programs convert floats to int or long before narrower types.
static void do_cast(struct item *it, struct expr *e, union value *v)
{
    enum base from = e->args[0]->type->base, to = e->type->base;
    const uint64_t *a = eval_lanes_of(it, e->args[0]);
    uint64_t *lanes = new_lanes(it, e->type, v);
    int64_t limit = (int64_t)lane_limit(to);
    for (unsigned i = 0; i < count_of(e->type); i++) {
        uint64_t x = a[i];
        bool negative = !base_is_float(from) && base_signed(from) && (int64_t)x < 0;
        if (base_is_float(to) && base_is_float(from) && fabsf(lane_float(x)) >= (float)limit) {
            e->guard = true;
            x = lane_from_float(1);
        } else if (base_is_float(to) && !base_is_float(from) && (negative ? (int64_t)x <= -limit : x >= (uint64_t)limit)) {
            e->guard = true;
            x = negative ? (uint64_t)((int64_t)x % limit) : x % (uint64_t)limit;
        }
        lanes[i] = lane_convert(to, from, x);
    }
}

static void do_component(struct item *it, struct expr *e, union value *v)
{
    v->lane[0] = eval_lanes_of(it, e->args[0])[it->run->component];
}

void eval_each(struct item *it, struct expr *e)
{
    struct expr *place = e->args[0]->args[0];
    union value whole, one;
    if (!it->is_block_leader)
        return;
    uint64_t *to = new_lanes(it, place->type, &whole);
    for (unsigned i = 0; i < count_of(place->type); i++) {
        it->run->component = i;
        eval_as(it, e->args[1], e->args[0]->type, &one);
        to[i] = one.lane[0];
    }
    memcpy(address(it, place), &whole.lane[0], 8);
}

// ---- memory -------------------------------------------------------------------------------------

struct walk {
    unsigned char *at;
    size_t row, column; // bytes from one to the next
};

// `e`: coop_mat_load or coop_mat_store, whose stride is its last argument and counts elements of the pointer's type.
static struct walk walk_of(struct item *it, struct expr *e, const struct type *matrix)
{
    struct expr *pointer = e->args[0];
    const struct type *of = pointer->type->of;
    size_t one = base_bits[matrix->base] / 8, line = (size_t)eval_scalar(it, e->args[e->count - 1]) * of->size;
    unsigned lines = e->number ? matrix->columns : matrix->rows;
    assert(of->base == matrix->base);
    assert((lines - 1) * line + count_of(matrix) / lines * one <= (size_t)pointer->type->count * of->size);
    (void)lines;
    return (struct walk){eval_pointer(it, pointer), e->number ? one : line, e->number ? line : one};
}

static void do_load(struct item *it, struct expr *e, union value *v)
{
    const struct type *t = e->type;
    struct walk walk = walk_of(it, e, t);
    uint64_t *to = new_lanes(it, t, v);
    for (unsigned i = 0; i < count_of(t); i++)
        to[i] = lane_load(t->base, walk.at + i / t->columns * walk.row + i % t->columns * walk.column);
}

static void do_store(struct item *it, struct expr *e, union value *v)
{
    const struct type *t = e->args[1]->type;
    const uint64_t *from = eval_lanes_of(it, e->args[1]);
    struct walk walk = walk_of(it, e, t);
    (void)v;
    for (unsigned i = 0; i < count_of(t); i++)
        lane_store(t->base, walk.at + i / t->columns * walk.row + i % t->columns * walk.column, from[i]);
}

// ---- products -----------------------------------------------------------------------------------

static enum base interpreted_as(enum base base, unsigned flags, unsigned is_signed)
{
    return base < FLOAT ? base_with_sign(base, base_signed(base) || flags & is_signed) : base;
}

// The guarded form's operands: see HELP_CUT of print.c.
static const uint64_t *cut(struct item *it, const uint64_t *from, const struct type *t, bool to_one)
{
    union value v;
    uint64_t *to = new_lanes(it, t, &v);
    for (unsigned i = 0; i < count_of(t); i++) {
        float x = lane_float(from[i]);
        float end = to_one ? 1 : x > 0 ? 3 : 2;
        to[i] = fabsf(x) <= (to_one ? 1 : CUT_LIMIT) ? from[i] : lane_from_float(x > 0 ? end : -end);
    }
    return to;
}

struct factors {
    const uint64_t *lanes[3]; // of a, b, c
    const struct type *type[3];
    enum base base[3];
    unsigned depth, at; // at: index of the component of the result
};

// False: another order or precision of the sum may give another result.
static bool float_sum(const struct factors *f, uint64_t *sum)
{
    unsigned columns = f->type[2]->columns, row = f->at / columns, column = f->at % columns;
    float limit = lane_limit(f->base[2]), x = lane_float(f->lanes[2][f->at]), all = fabsf(x);
    for (unsigned k = 0; k < f->depth; k++) {
        float product = lane_float(f->lanes[0][row * f->depth + k]) * lane_float(f->lanes[1][k * columns + column]);
        x += product;
        all += fabsf(product);
    }
    *sum = lane_from_float(x);
    return all < limit;
}

static wide as_wide(enum base base, uint64_t x)
{
    x = lane_normal(base, x);
    return base_signed(base) ? (wide)(int64_t)x : (wide)x;
}

// False: the sum of the products itself saturates, which is undefined, or whether it does is not known here.
static bool whole_sum(const struct factors *f, bool saturating, uint64_t *sum)
{
    unsigned columns = f->type[2]->columns, row = f->at / columns, column = f->at % columns;
    enum base result = f->base[2];
    unsigned bits = base_bits[result] - base_signed(result);
    wide x = 0, c = as_wide(result, f->lanes[2][f->at]), most = ((wide)1 << bits) - 1, least = base_signed(result) ? -most - 1 : 0;
    uint64_t low = 0;
    bool told = true;
    for (unsigned k = 0; k < f->depth; k++) {
        wide a = as_wide(f->base[0], f->lanes[0][row * f->depth + k]), b = as_wide(f->base[1], f->lanes[1][k * columns + column]);
        low += (uint64_t)a * (uint64_t)b;
        told &= a >> 50 == a >> 60 && b >> 50 == b >> 60;
        x += told ? a * b : 0;
    }
    wide all = x + c;
    if (!saturating)
        all = (wide)(low + (uint64_t)c);
    else
        all = all > most ? most : all < least ? least : all;
    *sum = lane_normal(f->type[2]->base, (uint64_t)all);
    return !saturating || (told && x >= least && x <= most);
}

static bool multiply(struct factors *f, bool saturating, uint64_t *to)
{
    for (f->at = 0; f->at < count_of(f->type[2]); f->at++)
        if (!(base_is_float(f->base[2]) ? float_sum(f, &to[f->at]) : whole_sum(f, saturating, &to[f->at])))
            return false;
    return true;
}

static void do_product(struct item *it, struct expr *e, union value *v)
{
    static const unsigned is_signed[] = {PRODUCT_A_SIGNED, PRODUCT_B_SIGNED, PRODUCT_RESULT_SIGNED};
    bool floats = base_is_float(e->type->base), saturating = e->number & PRODUCT_SATURATING && !floats;
    struct factors f = {.depth = e->args[0]->type->columns};
    for (unsigned i = 0; i < 3; i++) {
        f.lanes[i] = eval_lanes_of(it, e->args[i]);
        f.type[i] = e->args[i]->type;
        f.base[i] = interpreted_as(f.type[i]->base, e->number, is_signed[i]);
    }
    uint64_t *to = new_lanes(it, e->type, v);
    it->run->steps += count_of(e->type) / 16 * f.depth;
    if (!e->guard && multiply(&f, saturating, to))
        return;
    it->run->again |= !e->guard;
    e->guard = true;
    for (unsigned i = 0; floats && i < 3; i++)
        f.lanes[i] = cut(it, f.lanes[i], f.type[i], e->type->base == BRIEF);
    bool defined = multiply(&f, false, to);
    assert(defined);
    (void)defined;
}

static void (*const evaluators[])(struct item *it, struct expr *e, union value *v) = {
    [E_UNARY] = do_unary, [E_BINARY] = do_binary, [E_CAST] = do_cast,   [E_COMPONENT] = do_component,
    [E_SPLAT] = do_splat, [E_LOAD] = do_load,     [E_STORE] = do_store, [E_PRODUCT] = do_product,
};

bool eval_matrix(struct item *it, struct expr *e, union value *v)
{
    bool is_matrix = e->type && e->type->kind == TYPE_MATRIX;
    if (e->kind < E_COMPONENT && (!is_matrix || (e->kind != E_UNARY && e->kind != E_BINARY && e->kind != E_CAST)))
        return false;
    v->lane[0] = 0;
    if (it->is_block_leader)
        evaluators[e->kind](it, e, v);
    return true;
}
