// SPDX-License-Identifier: Apache-2.0
// Generates a program from a seed: types, constants, functions, a kernel and its arguments.
#include "generate.h"

#include <assert.h>

// ---- functions ----------------------------------------------------------------------------------

static struct var *param(struct gen *g, struct function *f, const struct type *type,
                         const char *stem)
{
    struct var *v = var_new(g->p, stem, type, PLACE_FRAME);
    vec_push(g->p->arena, &f->params, v);
    v->read_only = type->kind == TYPE_POINTER; // the pointer itself, not its target
    return v;
}

void gen_param(struct gen *g, struct function *f, const struct type *type)
{
    show(g, param(g, f, type, "x"));
}

static const struct type *pointer_param_type(struct gen *g)
{
    static const enum space spaces[] = {PRIVATE,  PRIVATE, PRIVATE, GLOBAL, LOCAL,
                                        CONSTANT, GENERIC, GENERIC, GENERIC};
    enum space space = spaces[rnd(g, g->p->generic ? 9 : 6)];
    const struct type *of = element_type(g);
    struct type *record = some_record(g, false);
    if (record && chance(g, 30))
        of = record;
    return type_pointer(g->p->arena, of, space, chance(g, 50) ? 1 : 4,
                        space == CONSTANT || chance(g, 25));
}

struct function *gen_new_function(struct gen *g)
{
    struct function *f = ARENA_NEW(g->p->arena, struct function);
    memcpy(f->name, "fn_", 3);
    unsigned n = (unsigned)g->p->functions.count;
    f->name[3] = (char)('a' + n % 26);
    f->name[4] = n < 26 ? 0 : (char)('a' + n / 26 - 1);
    g->function = f;
    g->visible.count = 0;
    for (size_t i = 0; i < g->p->constants.count; i++) {
        show(g, g->p->constants.items[i]);
        g->p->constants.items[i]->same = true;
    }
    g->held.count = g->rooms.count = 0;
    g->unknown = NULL;
    g->level = 0;
    g->budget = 6;
    g->uniform = g->may_break = g->may_continue = g->no_return = false;
    g->lid = g->tile = g->sums = NULL;
    return f;
}

// void f(local T *tile, int lid, private V *x): a function with exchanges between work-items.
void gen_barrier_function(struct gen *g)
{
    struct function *f = gen_new_function(g);
    unsigned count = group_items(g) * g->slice;
    f->has_barriers = g->uniform = g->no_return = true;
    g->tile = param(g, f, type_pointer(g->p->arena, g->tile_type, LOCAL, count, false), "x");
    g->lid = param(g, f, type_value(INT, 1), "x");
    g->lid->read_only = true;
    show(g, g->lid);
    const struct type *t = type_value(random_base(g), 1);
    if (chance(g, 50))
        show(g, param(g, f, type_pointer(g->p->arena, t, PRIVATE, 1, false), "x"));
    while (!gen_exchange(g, &f->body))
        ;
    gen_stmts(g, &f->body, 1 + rnd(g, 3));
    vec_push(g->p->arena, &g->p->functions, f);
}

static void gen_function(struct gen *g)
{
    struct function *f = gen_new_function(g);
    struct type *record = some_record(g, false);
    unsigned n = 1 + rnd(g, 3);
    f->pure = chance(g, 40);
    f->no_inline = chance(g, 30);
    if (chance(g, 10))
        g->budget = 25; // perhaps too large to be inlined
    f->result = chance(g, 20) && record ? record : random_value_type(g);
    if (!f->pure && chance(g, 30))
        f->result = NULL;
    for (unsigned i = 0; i < n; i++) {
        const struct type *t =
            f->pure || chance(g, 40) ? random_value_type(g) : pointer_param_type(g);
        if (record && chance(g, 15))
            t = record;
        show(g, param(g, f, t, "x"));
    }
    gen_stmts(g, &f->body, g->budget > 20 ? 12 : 2 + rnd(g, 4));
    if (g->deep > 1 && chance(g, 50)) {
        g->deep--;
        gen_deep(g, &f->body);
    }
    if (f->result) {
        struct expr *e = f->result->kind == TYPE_VALUE ? value_for(g, f->result, 2) : NULL;
        struct stmt *s = NULL;
        if (f->result->kind == TYPE_RECORD) {
            g->level = 0;
            struct stmts *list = &f->body;
            struct stmt *d = stmt_decl(g->p, var_new(g->p, "s", f->result, PLACE_FRAME), NULL);
            gen_inits(g, d, false);
            push(g, list, d);
            e = expr_var(g->p, d->var);
        }
        s = stmt_new(g->p, S_RETURN, e);
        s->keep = true;
        push(g, &f->body, s);
    }
    vec_push(g->p->arena, &g->p->functions, f);
}

// ---- the kernel ---------------------------------------------------------------------------------

static void random_bytes(struct gen *g, const struct type *type, unsigned char *at)
{
    struct leaf leaves[MAX_LEAVES];
    unsigned n = type_leaves(type, leaves);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < leaves[i].type->lanes; k++) {
            enum base base = leaves[i].type->base;
            struct expr *e = gen_literal(g, type_value(base, 1));
            memcpy(at + leaves[i].offset + k * (base_bits[base] / 8), &e->literal,
                   base_bits[base] / 8);
        }
}

static struct arg *add_arg(struct gen *g, enum arg_kind kind, struct var *v, unsigned count,
                           const struct type *of)
{
    struct arg arg = {.kind = kind, .param = v, .size = count * of->size};
    arg.initial = arena_alloc(g->p->arena, arg.size);
    memset(arg.initial, 0xee, arg.size);
    for (unsigned i = 0; kind != ARG_LOCAL && i < count; i++)
        random_bytes(g, of, arg.initial + i * of->size);
    vec_push(g->p->arena, &g->p->args, arg);
    return &g->p->args.items[g->p->args.count - 1];
}

struct var *gen_buffer(struct gen *g, struct function *f, const struct type *of,
                       enum space space, unsigned count, bool read_only)
{
    struct var *v = param(g, f, type_pointer(g->p->arena, of, space, count, read_only), "b");
    struct arg *arg = add_arg(g, space == LOCAL ? ARG_LOCAL : ARG_BUFFER, v, count, of);
    arg->compare = !read_only && space == GLOBAL && of->kind == TYPE_VALUE && of->lanes != 3;
    if (space == LOCAL) {
        arg->group_offset = (g->p->group_size + 15) / 16 * 16;
        g->p->group_size = arg->group_offset + arg->size;
    }
    return v;
}

struct var *gen_number_argument(struct gen *g, struct function *f, int value)
{
    struct var *v = param(g, f, type_value(INT, 1), "k");
    struct arg *arg = add_arg(g, ARG_VALUE, v, 1, v->type);
    memcpy(arg->initial, &value, sizeof value);
    v->read_only = v->same = true;
    return v;
}

static struct expr *item_number(struct gen *g, unsigned function, unsigned dim)
{
    struct expr *e = expr_new(g->p, E_ITEM, type_value(base_of_sizes(), 1), NULL, NULL);
    e->builtin = function;
    e->number = dim;
    return e;
}

// Function 1: the index in the group; 2: the index of the group.
static struct expr *linear_number(struct gen *g, unsigned function)
{
    struct expr *e = item_number(g, function, g->p->dims - 1);
    for (unsigned d = g->p->dims - 1; d-- > 0;)
        e = expr_binary(g->p, ADD,
                        expr_binary(g->p, MUL, e, item_number(g, function == 1 ? 3 : 5, d)),
                        item_number(g, function, d));
    return expr_cast(g->p, INT, e);
}

static struct var *declare_number(struct gen *g, struct stmts *list, struct expr *e)
{
    struct var *v = var_new(g->p, "n", type_value(INT, 1), PLACE_FRAME);
    struct stmt *s = stmt_decl(g->p, v, e);
    s->keep = true;
    v->read_only = true;
    push(g, list, s);
    show(g, v);
    return v;
}

// A pointer to this work-item's part of shared memory.
static struct var *declare_slice(struct gen *g, struct stmts *list, struct var *whole,
                                 struct var *who, unsigned slice, enum space space)
{
    const struct type *of = whole->type->of;
    struct var *v =
        var_new(g->p, "m", type_pointer(g->p->arena, of, space, slice, false), PLACE_FRAME);
    struct expr *at = expr_binary(g->p, MUL, expr_var(g->p, who), number(g, (int)slice));
    struct stmt *s =
        stmt_decl(g->p, v, expr_new(g->p, E_OFFSET, v->type, expr_var(g->p, whole), at));
    s->keep = true;
    v->read_only = true;
    push(g, list, s);
    show(g, v);
    return v;
}

static void clear_slice(struct gen *g, struct stmts *list, struct var *slice)
{
    struct var *i = var_new(g->p, "i", type_value(INT, 1), PLACE_FRAME);
    struct stmt *s = stmt_new(
        g->p, S_FOR, expr_binary(g->p, LT, expr_var(g->p, i), number(g, (int)slice->type->count)));
    i->read_only = true;
    s->first = stmt_decl(g->p, i, number(g, 0));
    s->step = one_more(g, i, ADD);
    s->keep = s->first->keep = true;
    struct expr *to =
        expr_new(g->p, E_INDEX, slice->type->of, expr_var(g->p, slice), expr_var(g->p, i));
    size_t seen = g->visible.count;
    g->level++;
    show(g, i);
    g->level--;
    g->visible.items[seen - 1] = i; // in place of the slice, which is not declared yet
    g->visible.count = seen;
    struct stmt *set = stmt_new(g->p, S_EXPR, expr_assign(g->p, to, value_for(g, to->type, 1)));
    g->visible.items[seen - 1] = slice;
    set->keep = true;
    push(g, &s->body, set);
    push(g, list, s);
}

// Work-groups that consist of complete blocks.
static void set_sizes_of_blocks(struct gen *g)
{
    static const unsigned sizes[][3] = {{32, 1, 1}, {32, 1, 1}, {32, 1, 1}, {64, 1, 1}, {8, 4, 1},
                                        {4, 4, 2},  {16, 4, 1}, {2, 16, 1}, {32, 2, 1}};
    struct program *p = g->p;
    do
        memcpy(p->local, sizes[rnd(g, 9)], sizeof p->local);
    while (g->features->units && p->local[0] % BLOCK); // Vulkan requires x to be a multiple of the sub-group size
    p->dims = p->local[2] > 1 ? 3 : p->local[1] > 1 ? 2 : 1;
    for (unsigned d = 0; d < 3; d++)
        p->groups[d] = d < p->dims ? 1 + chance(g, 40) : 1;
}

static void set_sizes(struct gen *g)
{
    static const unsigned sizes[] = {8, 8, 8, 4, 16, 7, 12, 1, 5, 32};
    struct program *p = g->p;
    p->dims = chance(g, 70) ? 1 : 2 + rnd(g, 2);
    for (unsigned d = 0; d < 3; d++)
        p->local[d] = p->groups[d] = 1;
    p->local[0] = sizes[rnd(g, 10)];
    p->groups[0] = 1 + rnd(g, 3);
    for (unsigned d = 1; d < p->dims; d++) {
        p->local[d] = 1 + rnd(g, 3);
        p->groups[d] = 1 + rnd(g, 2);
    }
}

static bool holds_bool(const struct type *t)
{
    struct leaf leaves[MAX_LEAVES];
    unsigned n = type_leaves(t, leaves);
    for (unsigned i = 0; i < n; i++)
        if (leaves[i].type->base == BOOL)
            return true;
    return false;
}

static void show_input(struct gen *g, struct var *v)
{
    v->same = true;
    show(g, v);
}

static void add_inputs(struct gen *g, struct function *f)
{
    for (unsigned n = 1 + rnd(g, 2); n; n--)
        show_input(g, gen_buffer(g, f, element_type(g), GLOBAL, 16, true));
    if (chance(g, 30))
        show_input(g, gen_buffer(g, f, element_type(g), CONSTANT, 8, true));
    for (unsigned n = rnd(g, 3); n; n--) {
        struct type *record = some_record(g, false);
        const struct type *t = chance(g, 25) && record ? record : random_value_type(g);
        if (holds_bool(t))
            continue;
        struct var *v = param(g, f, t, "k");
        v->read_only = t->kind == TYPE_VALUE && t->lanes == 1 && t->base != FLOAT; // so that it stays uniform
        v->same = v->read_only;
        add_arg(g, ARG_VALUE, v, 1, t);
        show(g, v);
    }
}

// hash = (hash ^ value) * prime
static void add_to_hash(struct gen *g, struct stmts *list, struct var *hash, struct expr *e)
{
    for (unsigned i = 0; i < e->type->lanes; i++) {
        struct expr *lane = e;
        if (e->type->lanes > 1) {
            lane = expr_new(g->p, E_LANES, type_value(e->type->base, 1), e, NULL);
            lane->lanes[0] = (unsigned char)i;
        }
        if (lane->type->base == FLOAT)
            lane = expr_cast(g->p, LONG, lane);
        lane = expr_binary(g->p, XOR, expr_var(g->p, hash), expr_cast(g->p, ULONG, lane));
        lane = expr_binary(g->p, MUL, lane, expr_literal(g->p, ULONG, 1099511628211));
        push(g, list, stmt_new(g->p, S_EXPR, expr_assign(g->p, expr_var(g->p, hash), lane)));
    }
}

static void hash_place(struct gen *g, struct stmts *list, struct var *hash, struct expr *e)
{
    const struct type *t = e->type;
    if (t->kind == TYPE_VALUE) {
        add_to_hash(g, list, hash, e);
    } else if (t->kind == TYPE_RECORD) {
        for (unsigned i = 0; i < (t->is_union ? 1 : t->field_count); i++) {
            struct expr *field = expr_new(g->p, E_FIELD, t->fields[i].type, e, NULL);
            field->number = i;
            hash_place(g, list, hash, field);
        }
    } else if (t->kind == TYPE_POINTER && t->of->kind == TYPE_RECORD && e->kind != E_VAR) {
        return; // a cyclic list: would not terminate
    } else if (t->kind == TYPE_ARRAY || (!t->read_only && t->space != CONSTANT)) {
        struct var *i = var_new(g->p, "i", type_value(INT, 1), PLACE_FRAME);
        struct expr *at = expr_new(g->p, E_INDEX, t->of, e, expr_var(g->p, i));
        struct stmt *s = stmt_new(
            g->p, S_FOR, expr_binary(g->p, LT, expr_var(g->p, i), number(g, (int)t->count)));
        s->first = stmt_decl(g->p, i, number(g, 0));
        s->first->keep = true;
        s->step = one_more(g, i, ADD);
        hash_place(g, &s->body, hash, at);
        push(g, list, s);
    }
}

// Deep control flow, and statements after it.
static void some_deep(struct gen *g, struct stmts *list)
{
    g->deep--;
    gen_deep(g, list);
    g->budget += 2;
    gen_stmts(g, list, 1 + rnd(g, 2));
    gen_exchange(g, list);
}

static void gen_kernel(struct gen *g)
{
    struct function *f = gen_new_function(g);
    struct program *p = g->p;
    unsigned items = group_items(g) * p->groups[0] * p->groups[1] * p->groups[2];
    struct var *shared[3], *tile = NULL;
    unsigned shares = g->calls.all.count ? 1 + rnd(g, 2) : rnd(g, 3), slices[] = {4, 8, 2};
    memcpy(f->name, "k", 2);
    struct var *out = gen_buffer(g, f, type_value(ULONG, 1), GLOBAL, items, false);
    add_inputs(g, f);
    for (unsigned i = 0; i < shares; i++) {
        struct type *record = some_record(g, false);
        const struct type *of =
            i == 0 && g->calls.all.count                           ? g->calls.global_of
            : record && !holds_bool(record) && chance(g, 35) ? record
                                                             : element_type(g);
        shared[i] = gen_buffer(g, f, of, GLOBAL, items * slices[i], false);
    }
    bool tiled = g->calls.local || chance(g, 55);
    if (tiled && chance(g, 40))
        tile = gen_buffer(g, f, g->tile_type, LOCAL, group_items(g) * g->slice, false);
    if (chance(g, 20))
        g->sums = gen_buffer(g, f, type_value(chance(g, 50) ? INT : UINT, 1), GLOBAL, SUMS, false);
    for (unsigned i = 0; i < SUMS; i++)
        g->sum_ops[i] = rnd(g, 7);
    struct stmts *body = &f->body;
    g->lid = declare_number(g, body, linear_number(g, 1));
    struct expr *group = expr_binary(p, MUL, linear_number(g, 2), number(g, (int)group_items(g)));
    struct var *gid = declare_number(g, body, expr_binary(p, ADD, group, expr_var(p, g->lid)));
    if (tiled && !tile) {
        tile = var_new(p, "tile", type_array(p->arena, g->tile_type, group_items(g) * g->slice),
                       PLACE_GROUP);
        struct stmt *s = stmt_decl(p, tile, NULL);
        s->keep = true;
        push(g, body, s);
    }
    for (unsigned i = 0; i < shares; i++)
        declare_slice(g, body, shared[i], gid, slices[i], GLOBAL);
    if (tile)
        clear_slice(g, body, declare_slice(g, body, tile, g->lid, g->slice, LOCAL));
    if (g->family_count)
        matrix_rooms(g, f, body, gid);
    g->tile = tile;
    g->uniform = g->no_return = tiled || g->family_count;
    if (g->calls.all.count)
        gen_call_them(g, body);
    g->budget = g->family_count ? 20 : g->calls.all.count ? 6 : 12;
    gen_stmts(g, body, (g->family_count ? 8 : 3) + rnd(g, 6));
    while (g->deep)
        some_deep(g, body);
    if (g->family_count)
        matrix_results(g, f, body, gid);

    struct var *hash = var_new(p, "hash", type_value(ULONG, 1), PLACE_FRAME);
    struct stmt *s = stmt_decl(p, hash, expr_literal(p, ULONG, 1469598103934665603));
    s->keep = true;
    push(g, body, s);
    for (size_t i = p->constants.count; i < g->visible.count; i++)
        if (!g->visible.items[i]->read_only || g->visible.items[i]->type->kind == TYPE_POINTER)
            hash_place(g, body, hash, expr_var(p, g->visible.items[i]));
    struct expr *to =
        expr_new(p, E_INDEX, type_value(ULONG, 1), expr_var(p, out), expr_var(p, gid));
    s = stmt_new(p, S_EXPR, expr_assign(p, to, expr_var(p, hash)));
    s->keep = true;
    push(g, body, s);
    vec_push(p->arena, &p->functions, f);
}

// A simple program: builtins and operators of one type on random data; each result is stored.
static void gen_builtins_kernel(struct gen *g)
{
    struct function *f = gen_new_function(g);
    struct program *p = g->p;
    const struct type *t;
    struct expr *args[3];
    p->dims = 1;
    p->local[0] = 64, p->groups[0] = 4;
    p->local[1] = p->local[2] = p->groups[1] = p->groups[2] = 1;
    memcpy(f->name, "k", 2);
    do
        t = random_value_type(g);
    while (t->base == BOOL || t->base == FLOAT || t->lanes == 3);
    for (unsigned i = 0; i < 3; i++)
        args[i] = expr_var(p, gen_buffer(g, f, t, GLOBAL, 256, true));
    struct var *gid = declare_number(g, &f->body, item_number(g, 0, 0));
    for (unsigned i = 0; i < 3; i++)
        args[i] = expr_new(p, E_INDEX, t, args[i], expr_var(p, gid));
    for (unsigned made = 0; made < 8;) {
        static const enum op ops[] = {DIV, REM, MUL, SHL, SHR};
        struct expr *e = chance(g, 25) ? expr_binary(p, ops[rnd(g, 5)], args[0], args[1])
                                       : gen_builtin(g, rnd(g, builtin_count), t, args);
        if (!e)
            continue;
        struct var *out = gen_buffer(g, f, t, GLOBAL, 256, false);
        struct expr *to = expr_new(p, E_INDEX, t, expr_var(p, out), expr_var(p, gid));
        push(g, &f->body, stmt_new(p, S_EXPR, expr_assign(p, to, e)));
        made++;
    }
    vec_push(p->arena, &p->functions, f);
}

static void gen_constant(struct gen *g)
{
    struct type *record = some_record(g, false);
    const struct type *t = chance(g, 30) && record
                               ? record
                               : type_array(g->p->arena, element_type(g), 4u << rnd(g, 2));
    struct var *v = var_new(g->p, "c", t, PLACE_PROGRAM);
    struct stmt *s = stmt_decl(g->p, v, NULL);
    v->read_only = true;
    s->keep = true;
    gen_inits(g, s, true);
    vec_push(g->p->arena, &g->p->constants, v);
    vec_push(g->p->arena, &g->p->constant_decls, s);
}

struct program *generate(struct arena *arena, uint64_t seed, const struct features *features)
{
    struct program *p = ARENA_NEW(arena, struct program);
    struct gen g = {.p = p, .state = seed * 0x2545f4914f6cdd1du + 1, .features = features};
    bool matrices = (seed * 0x9e3779b1u >> 8) % 100 < features->matrices && seed % 16;
    bool calls = !matrices && (seed * 0xc2b2ae3du >> 9) % 100 < features->calls;
    bool deep = !matrices && (seed * 0x85ebca6bu >> 10) % 100 < features->deep;
    g.arms = (seed * 0x27d4eb2fu >> 9) % 100 < features->arms;
    address_bits = features->address_bits ? features->address_bits : 64;
    p->arena = arena;
    p->seed = seed;
    p->generic = features->generic && chance(&g, 50);
    p->unoptimised = chance(&g, 8);
    if (deep)
        g.deep = 1 + rnd(&g, 3);
    if (matrices)
        matrix_begin(&g);
    if (matrices)
        set_sizes_of_blocks(&g);
    else
        set_sizes(&g);
    for (unsigned n = rnd(&g, 4); n; n--)
        gen_record_type(&g);
    for (unsigned n = rnd(&g, 3); n; n--)
        gen_constant(&g);
    g.tile_type = element_type(&g);
    g.slice = group_items(&g) > 64 ? 1 : 1u << rnd(&g, 3); // local memory is limited
    if (seed % 16 == 0) {
        gen_builtins_kernel(&g);
        return p;
    }
    for (unsigned n = calls ? 0 : rnd(&g, 4); n; n--)
        gen_function(&g);
    for (unsigned n = matrices ? rnd(&g, 3) : 0; n; n--) {
        struct function *f = gen_new_function(&g);
        gen_matrix_function(&g, f);
        vec_push(arena, &p->functions, f);
    }
    if (calls)
        gen_calls(&g);
    else if (chance(&g, 30))
        gen_barrier_function(&g);
    gen_kernel(&g);
    return p;
}
