// SPDX-License-Identifier: Apache-2.0
// Matrices: statements, functions, and the parts of a kernel that they need; see gen_matrix.h.
#include "gen_matrix.h"

static struct expr *node(struct gen *g, enum expr_kind kind, const struct type *type, struct expr *a, struct expr *b)
{
    return expr_new(g->p, kind, type, a, b);
}

// ---- statements ---------------------------------------------------------------------------------

static void hold(struct gen *g, struct var *v)
{
    v->same = true;
    vec_push(g->p->arena, &g->held, v);
}

// A record with matrices in it and other fields.
static const struct type *record_with(struct gen *g, const struct type *matrix)
{
    struct type *record = ARENA_NEW(g->p->arena, struct type);
    record->kind = TYPE_RECORD;
    record->id = 500 + (unsigned)g->p->matrix_records.count;
    for (unsigned n = 1 + rnd(g, 4), at = rnd(g, n); record->field_count < n;) {
        struct field *f = &record->fields[record->field_count];
        f->name[0] = (char)('a' + record->field_count);
        f->type = record->field_count == at ? matrix
                  : chance(g, 25)           ? type_array(g->p->arena, some_matrix(g), 2)
                                            : type_value(random_base(g), 1);
        record->field_count++;
    }
    type_lay_out(record);
    vec_push(g->p->arena, &g->p->matrix_records, record);
    return record;
}

static const struct type *some_matrix_record(struct gen *g, const struct type *matrix)
{
    if (g->p->matrix_records.count && chance(g, 50))
        return g->p->matrix_records.items[rnd(g, (unsigned)g->p->matrix_records.count)];
    return record_with(g, matrix);
}

static void add_inits(struct gen *g, struct stmt *s, const struct type *t)
{
    struct expr *e = NULL;
    if (t->kind == TYPE_MATRIX)
        e = gen_matrix(g, t, s->inits.count ? rnd(g, 2) : 2);
    else if (t->kind == TYPE_VALUE)
        e = same_value(g, t, 1);
    if (e)
        vec_push(g->p->arena, &s->inits, e);
    for (unsigned i = 0; t->kind == TYPE_ARRAY && i < t->count; i++)
        add_inits(g, s, t->of);
    for (unsigned i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++)
        add_inits(g, s, t->fields[i].type);
}

static bool declare_matrix(struct gen *g, struct stmts *list)
{
    const struct type *t = some_matrix(g);
    unsigned kind = rnd(g, 10);
    if (kind < 2 && g->parts > 8 * matrix_size(t) / 8)
        t = type_array(g->p->arena, t, 2u << rnd(g, 2));
    else if (kind == 2 && g->parts > 100)
        t = some_matrix_record(g, t);
    struct stmt *s = stmt_decl(g->p, var_new(g->p, "x", t, PLACE_FRAME), NULL);
    add_inits(g, s, t);
    push(g, list, s);
    hold(g, s->var);
    return true;
}

static bool assign_matrix(struct gen *g, struct stmts *list)
{
    const struct type *t = held_type(g);
    struct expr *to = t ? gen_held(g, t) : NULL, *e = NULL;
    if (!to || !matrix_spend(g, t))
        return declare_matrix(g, list);
    if (chance(g, 45) && t->use == USE_ACCUMULATOR)
        e = gen_product(g, t, chance(g, 75) ? to : NULL, 1);
    bool compound = !e && chance(g, 35);
    if (compound) {
        static const enum op ops[] = {ADD, SUB, MUL, DIV};
        enum op op = ops[rnd(g, 4)];
        e = op == MUL && chance(g, 50) ? component_value(g, t->base) : op == DIV ? gen_divisor(g, t, 1) : gen_matrix(g, t, 1);
        e = expr_binary(g->p, op, to, e);
    }
    e = expr_assign(g->p, to, e ? e : gen_matrix(g, t, 2));
    e->compound = compound;
    push(g, list, stmt_new(g->p, S_EXPR, e));
    return true;
}

static bool assign_whole(struct gen *g, struct stmts *list) // s = t, of records
{
    for (size_t i = 0; i < g->held.count; i++)
        for (size_t k = i + 1; k < g->held.count; k++)
            if (g->held.items[i]->type == g->held.items[k]->type && g->held.items[i]->type->kind == TYPE_RECORD) {
                struct expr *a = expr_var(g->p, g->held.items[i]), *b = expr_var(g->p, g->held.items[k]);
                push(g, list, stmt_new(g->p, S_EXPR, chance(g, 50) ? expr_assign(g->p, a, b) : expr_assign(g->p, b, a)));
                return true;
            }
    return false;
}

// An expression of components of matrices of one type, all at the same position, and of uniform values.
static struct expr *component_tree(struct gen *g, const struct type *t, struct expr *place, unsigned depth)
{
    static const enum op ops[] = {ADD, SUB, MUL, XOR, AND, OR, SHR, DIV};
    bool floats = base_is_float(t->base);
    if (!depth && chance(g, 40))
        return floats ? expr_cast(g->p, FLOAT, gen_small(g, same_value(g, type_value(INT, 1), 0)))
                      : same_value(g, type_value(random_base(g), 1), 0);
    if (!depth) {
        struct expr *other = chance(g, 30) ? gen_held(g, t) : NULL;
        struct expr *e = node(g, E_COMPONENT, type_value(t->base, 1), other ? other : place, NULL);
        return floats ? as_component(g, FLOAT, e) : e;
    }
    struct expr *a = component_tree(g, t, place, depth - 1), *b = component_tree(g, t, place, depth - 1);
    if (chance(g, 75))
        return expr_binary(g->p, ops[rnd(g, floats ? 3 : 8)], a, b);
    struct expr *e = node(g, E_CHOICE, NULL, expr_binary(g->p, (enum op)(LT + rnd(g, 6)), a, b), a);
    e->args[e->count++] = b;
    e->type = type_value(floats ? FLOAT : base_usual(a->type->base, b->type->base), 1);
    return e;
}

static bool each_component(struct gen *g, struct stmts *list)
{
    const struct type *t = held_type(g);
    struct expr *place = t ? gen_held(g, t) : NULL;
    if (!place || g->parts < matrix_size(t) / 2)
        return false;
    g->parts -= matrix_size(t) / 2;
    struct expr *to = node(g, E_COMPONENT, type_value(t->base, 1), place, NULL), *x = component_tree(g, t, place, 1 + rnd(g, 2));
    bool compound = chance(g, 30) && !base_is_float(t->base);
    if (compound)
        x = expr_binary(g->p, chance(g, 50) ? ADD : XOR, to, x);
    struct expr *e = expr_assign(g->p, to, compound ? x : as_component(g, t->base, x));
    e->compound = compound;
    push(g, list, stmt_new(g->p, S_EACH, e));
    return true;
}

// Barrier, so that no work-item reads the room any more; the matrix is stored; barrier.
static bool store_matrix(struct gen *g, struct stmts *list)
{
    struct position position;
    const struct type *t = held_type(g);
    struct var *room = t && g->uniform ? random_room(g, t->base, true) : NULL;
    if (!room || !matrix_spend(g, t) || !gen_position(g, room, t, true, &position))
        return false;
    struct expr *m = gen_matrix(g, t, 1);
    if (m->kind != E_VAR) { // it may be loaded from the same room
        struct stmt *s = stmt_decl(g->p, var_new(g->p, "x", t, PLACE_FRAME), m);
        push(g, list, s);
        hold(g, s->var);
        m = expr_var(g->p, s->var);
    }
    push(g, list, barrier_stmt(g));
    push(g, list, stmt_new(g->p, S_EXPR, store_of(g, m, &position)));
    push(g, list, barrier_stmt(g));
    return true;
}

static bool is_no_view(const struct var *v) // of a room
{
    return v->same || !type_has_pointers(v->type);
}

// for (int i = lid & 31; i < count; i += 32) room[i] = x;
static void fill_room(struct gen *g, struct stmts *list, struct var *room, bool keep)
{
    struct program *p = g->p;
    enum base base = room->type->of->base;
    struct var *i = var_new(p, "i", type_value(INT, 1), PLACE_FRAME);
    struct stmt *s = stmt_new(p, S_FOR, expr_binary(p, LT, expr_var(p, i), number(g, (int)room->type->count)));
    i->read_only = true;
    s->first = stmt_decl(p, i, expr_binary(p, AND, expr_var(p, g->lid), number(g, BLOCK - 1)));
    s->step = expr_assign(p, expr_var(p, i), expr_binary(p, ADD, expr_var(p, i), number(g, BLOCK)));
    s->step->compound = true;
    s->first->keep = true;
    struct sight old = restrict_sight(g, is_no_view);
    show(g, i);
    struct expr *x = keep ? expr_binary(p, MUL, expr_var(p, i), number(g, 3 + (int)rnd(g, 50))) : gen_scalar(g, 2);
    restore_sight(g, old);
    x = as_component(g, base, base_is_float(base) ? gen_small(g, x) : x);
    struct expr *to = node(g, E_INDEX, room->type->of, expr_var(p, room), expr_var(p, i));
    struct stmt *set = stmt_new(p, S_EXPR, expr_assign(p, to, x));
    set->keep = s->keep = keep;
    push(g, &s->body, set);
    push(g, list, barrier_stmt(g));
    push(g, list, s);
    push(g, list, barrier_stmt(g));
}

static bool fill_some(struct gen *g, struct stmts *list)
{
    const struct type *t = some_matrix(g);
    struct var *room = g->uniform ? random_room(g, t->base, true) : NULL;
    if (room)
        fill_room(g, list, room, false);
    return room;
}

static bool call_same(struct gen *g, struct stmts *list)
{
    struct function *f = some_same_function(g, NULL);
    struct expr *e = f ? matrix_call(g, f) : NULL;
    if (e)
        push(g, list, stmt_new(g->p, S_EXPR, e));
    return e;
}

// Statements with matrices, in uniform control flow.
bool gen_matrix_stmt(struct gen *g, struct stmts *list)
{
    static const struct {
        unsigned weight;
        bool (*make)(struct gen *g, struct stmts *list);
    } kinds[] = {{25, declare_matrix}, {35, assign_matrix}, {10, each_component}, {10, store_matrix},
                 {10, fill_some},      {3, assign_whole},   {7, call_same}};
    unsigned n = rnd(g, 100);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; n -= kinds[i++].weight)
        if (n < kinds[i].weight)
            return kinds[i].make(g, list);
    return false;
}

// ---- functions ----------------------------------------------------------------------------------

static void add_matrix_param(struct gen *g, struct function *f, const struct type *t)
{
    struct var *v = var_new(g->p, "x", t, PLACE_FRAME);
    vec_push(g->p->arena, &f->params, v);
    v->same = true;
    v->read_only = t->kind == TYPE_POINTER;
    if (t->kind == TYPE_VALUE)
        show(g, v);
    else if (t->kind == TYPE_POINTER && t->of->kind == TYPE_VALUE)
        vec_push(g->p->arena, &g->rooms, v);
    else
        hold(g, v);
}

// A function with matrices, arrays and records of them, numbers and memory as parameters; returns a matrix or
// nothing.
void gen_matrix_function(struct gen *g, struct function *f)
{
    struct program *p = g->p;
    const struct type *t = some_matrix(g);
    f->same = g->same = true;
    f->result = chance(g, 80) ? t : NULL;
    add_matrix_param(g, f, f->result ? t : type_pointer(p->arena, t, PRIVATE, 2, false));
    for (unsigned n = rnd(g, 3); n; n--) {
        unsigned kind = rnd(g, 6);
        if (kind == 0)
            add_matrix_param(g, f, some_matrix(g));
        else if (kind == 1)
            add_matrix_param(g, f, type_pointer(p->arena, some_matrix(g), PRIVATE, 2, false));
        else if (kind == 2)
            add_matrix_param(g, f, some_matrix_record(g, t));
        else if (kind == 3)
            add_matrix_param(g, f, type_pointer(p->arena, type_value(t->base, 1), p->generic ? GENERIC : GLOBAL, 256, true));
        else
            add_matrix_param(g, f, type_value(random_base(g), 1));
    }
    gen_stmts(g, &f->body, 1 + rnd(g, 4));
    if (f->result) {
        struct stmt *s = stmt_new(p, S_RETURN, gen_matrix(g, t, 2));
        s->keep = true;
        push(g, &f->body, s);
    }
    g->same = false;
}

// ---- the kernel ---------------------------------------------------------------------------------

// Floats are small, so that most products of them are exact.
static struct var *room_buffer(struct gen *g, struct function *f, const struct type *of, enum space space, unsigned count,
                               bool read_only)
{
    struct var *v = gen_buffer(g, f, of, space, count, read_only);
    struct arg *arg = &g->p->args.items[g->p->args.count - 1];
    for (unsigned i = 0; space != LOCAL && base_is_float(of->base) && i < count; i++)
        lane_store(of->base, arg->initial + i * of->size, lane_from_float((float)rnd(g, 8) - 3));
    return v;
}

static void add_room(struct gen *g, struct function *f, struct stmts *body, enum base base, struct var *gid)
{
    struct program *p = g->p;
    static const enum space spaces[] = {GLOBAL, GLOBAL, GLOBAL, LOCAL, LOCAL, CONSTANT, GLOBAL};
    unsigned kind = rnd(g, 7), count = base_bits[base] == 64 ? 256 : 512, blocks = group_items(g) / BLOCK;
    unsigned groups = p->groups[0] * p->groups[1] * p->groups[2];
    enum space space = spaces[kind];
    const struct type *of = type_value(base, 1);
    if (g->features->units && space != LOCAL)
        count = 2048;
    if (kind > 4) { // read-only
        struct var *v = room_buffer(g, f, of, space, count, true);
        vec_push(p->arena, &g->rooms, v);
        v->same = true;
        if (base <= FLOAT)
            show(g, v);
        return;
    }
    struct var *whole;
    count = space == LOCAL && base_bits[base] == 64 ? 128 : count;
    if (space == LOCAL && chance(g, 50)) {
        whole = var_new(p, "room", type_array(p->arena, of, count * blocks), PLACE_GROUP);
        struct stmt *s = stmt_decl(p, whole, NULL);
        s->keep = true;
        push(g, body, s);
    } else {
        whole = room_buffer(g, f, of, space, count * blocks * (space == LOCAL ? 1 : groups), false);
    }
    struct var *room = var_new(p, "m", type_pointer(p->arena, of, space, count, false), PLACE_FRAME);
    struct expr *block = expr_binary(p, DIV, expr_var(p, space == LOCAL ? g->lid : gid), number(g, BLOCK));
    struct expr *at = expr_binary(p, MUL, block, number(g, (int)count));
    struct stmt *s = stmt_decl(p, room, node(g, E_OFFSET, room->type, expr_var(p, whole), at));
    s->keep = room->read_only = true;
    push(g, body, s);
    vec_push(p->arena, &g->rooms, room);
    if (space == LOCAL || chance(g, 20))
        fill_room(g, body, room, true);
    if (base <= FLOAT) { // other code may read it in any way
        struct var *view = var_new(p, "m", type_pointer(p->arena, of, space, count, true), PLACE_FRAME);
        s = stmt_decl(p, view, expr_var(p, room));
        s->keep = view->read_only = true;
        push(g, body, s);
        show(g, view);
    }
}

// Ensures that most programs have a product.
static void first_product(struct gen *g, struct stmts *body)
{
    const struct type *t = family_matrix(g, USE_ACCUMULATOR);
    struct expr *e = chance(g, 80) ? gen_product(g, t, gen_leaf(g, t), chance(g, 50)) : NULL;
    if (!e)
        return;
    struct stmt *s = stmt_decl(g->p, var_new(g->p, "x", t, PLACE_FRAME), e);
    push(g, body, s);
    hold(g, s->var);
}

void matrix_rooms(struct gen *g, struct function *f, struct stmts *body, struct var *gid)
{
    bool seen[BASE_COUNT] = {false};
    g->unknown = gen_number_argument(g, f, UNKNOWN);
    for (size_t i = 0; i < 3 * g->family_count; i++) {
        const struct family *k = &g->families[i / 3];
        enum base base = i % 3 == 0 ? k->a : i % 3 == 1 ? k->b : k->c;
        for (unsigned n = seen[base] ? chance(g, 20) : 1 + chance(g, 60); n; n--)
            add_room(g, f, body, base, gid);
        seen[base] = true;
    }
    first_product(g, body);
}

static unsigned count_held(const struct type *t, enum base base)
{
    unsigned n = t->kind == TYPE_MATRIX && t->base == base ? matrix_size(t) : 0;
    for (unsigned i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++)
        n += count_held(t->fields[i].type, base);
    return t->kind == TYPE_ARRAY ? t->count * count_held(t->of, base) : n;
}

// Writes all matrices of the component type in `e` to the output, one after the other.
static void write_out(struct gen *g, struct stmts *body, struct expr *e, struct var *out, unsigned *at)
{
    const struct type *t = e->type;
    if (t->kind == TYPE_MATRIX && t->base == out->type->of->base) {
        struct type *part = type_pointer(g->p->arena, out->type->of, GLOBAL, matrix_size(t), false);
        struct position position = {node(g, E_OFFSET, part, expr_var(g->p, out), number(g, (int)*at)), NULL, chance(g, 30)};
        position.stride = number(g, (int)(position.by_columns ? t->rows : t->columns));
        push(g, body, stmt_new(g->p, S_EXPR, store_of(g, e, &position)));
        *at += matrix_size(t);
    }
    for (unsigned i = 0; t->kind == TYPE_ARRAY && i < t->count; i++)
        write_out(g, body, node(g, E_INDEX, t->of, e, number(g, (int)i)), out, at);
    for (unsigned i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++) {
        struct expr *field = node(g, E_FIELD, t->fields[i].type, e, NULL);
        field->number = i;
        write_out(g, body, field, out, at);
    }
}

// Writes the final values of variables.
void matrix_results(struct gen *g, struct function *f, struct stmts *body, struct var *gid)
{
    struct program *p = g->p;
    unsigned blocks = group_items(g) / BLOCK * p->groups[0] * p->groups[1] * p->groups[2];
    for (unsigned base = 0; base < BASE_COUNT; base++) {
        unsigned count = 0, at = 0;
        for (size_t i = 0; i < g->held.count; i++)
            count += count_held(g->held.items[i]->type, (enum base)base);
        if (!count)
            continue;
        count = (count + 15) / 16 * 16;
        struct var *whole = gen_buffer(g, f, type_value((enum base)base, 1), GLOBAL, count * blocks, false);
        struct var *out = var_new(p, "m", type_pointer(p->arena, whole->type->of, GLOBAL, count, false), PLACE_FRAME);
        struct expr *block = expr_binary(p, DIV, expr_var(p, gid), number(g, BLOCK));
        struct stmt *s = stmt_decl(p, out, node(g, E_OFFSET, out->type, expr_var(p, whole),
                                                expr_binary(p, MUL, block, number(g, (int)count))));
        s->keep = true;
        push(g, body, s);
        for (size_t i = 0; i < g->held.count; i++)
            write_out(g, body, expr_var(p, g->held.items[i]), out, &at);
    }
}
