// SPDX-License-Identifier: Apache-2.0
// Interprets the tree: computes the contents of each buffer after the launch.
//
// Statements are compiled to a list of instructions with jumps, so that goto, switch and loops of any shape need no
// special handling; expressions are walked. Every variable has one fixed offset in its work-item's frame (there is no
// recursion), and a pointer is an address of this process. The work-items of a group run one after the other up to
// the next barrier. Nodes whose result would be undefined are marked (see tree.h).
#include "interpret.h"

#include <assert.h>
#include <math.h>

// ---- statements to instructions -----------------------------------------------------------------

struct flattener {
    struct program *p;
    VEC(struct insn) code;
    VEC(unsigned) breaks, continues; // to be patched, innermost loop last
    VEC(struct choice) labels;
    VEC(struct choice) jumps; // number: label, target: instruction
    VEC(struct choice) cases; // of the innermost switch
    unsigned default_target;       // its default, 0: none
};

static unsigned emit(struct flattener *f, enum insn_op op, struct expr *e)
{
    struct insn insn = {.op = op, .e = e};
    vec_push(f->p->arena, &f->code, insn);
    return (unsigned)f->code.count - 1;
}

static void patch(struct flattener *f, unsigned *from, size_t count, unsigned target)
{
    for (size_t i = 0; i < count; i++)
        f->code.items[from[i]].target = target;
}

static void flatten_all(struct flattener *f, struct stmts *list);

// A loop or switch body; the caller patches its breaks and continues afterwards.
struct jumps {
    size_t breaks, continues;
};

static struct jumps enter(struct flattener *f)
{
    return (struct jumps){f->breaks.count, f->continues.count};
}

static void land(struct flattener *f, size_t *count, unsigned *items, size_t from, unsigned target)
{
    patch(f, items + from, *count - from, target);
    *count = from;
}

static void flatten_loop(struct flattener *f, struct stmt *s)
{
    struct jumps outer = enter(f);
    unsigned out = 0, top;
    if (s->first)
        flatten_all(f, &(struct stmts){&s->first, 1, 1});
    top = (unsigned)f->code.count;
    if (s->kind != S_DO)
        out = emit(f, I_UNLESS, s->e);
    flatten_all(f, &s->body);
    land(f, &f->continues.count, f->continues.items, outer.continues, (unsigned)f->code.count);
    if (s->step)
        emit(f, I_EVAL, s->step);
    if (s->kind == S_DO)
        out = emit(f, I_UNLESS, s->e);
    unsigned again = emit(f, I_JUMP, NULL);
    f->code.items[again].target = top;
    f->code.items[out].target = (unsigned)f->code.count;
    land(f, &f->breaks.count, f->breaks.items, outer.breaks, (unsigned)f->code.count);
}

static void flatten_switch(struct flattener *f, struct stmt *s)
{
    struct flattener outer = *f;
    size_t breaks = f->breaks.count;
    unsigned at = emit(f, I_SWITCH, s->e);
    memset(&f->cases, 0, sizeof f->cases);
    f->default_target = 0;
    flatten_all(f, &s->body);
    unsigned end = (unsigned)f->code.count;
    struct insn *insn = &f->code.items[at];
    insn->choices.items = f->cases.items;
    insn->choices.count = f->cases.count;
    insn->target = f->default_target ? f->default_target : end;
    land(f, &f->breaks.count, f->breaks.items, breaks, end);
    f->cases.items = outer.cases.items, f->cases.count = outer.cases.count,
    f->cases.capacity = outer.cases.capacity;
    f->default_target = outer.default_target;
}

static void flatten_if(struct flattener *f, struct stmt *s)
{
    unsigned past = emit(f, I_UNLESS, s->e);
    flatten_all(f, &s->body);
    if (s->other.count) {
        unsigned end = emit(f, I_JUMP, NULL);
        f->code.items[past].target = (unsigned)f->code.count;
        past = end;
        flatten_all(f, &s->other);
    }
    f->code.items[past].target = (unsigned)f->code.count;
}

static void flatten(struct flattener *f, struct stmt *s)
{
    struct arena *arena = f->p->arena;
    struct choice here = {s->number, (unsigned)f->code.count};
    switch (s->kind) {
    case S_EXPR: {
        bool has_barriers = s->e->kind == E_CALL && s->e->callee->has_barriers;
        emit(f, has_barriers ? I_CALL : I_EVAL, s->e);
        break;
    }
    case S_DECL:
        emit(f, I_INIT, NULL);
        f->code.items[here.target].s = s;
        break;
    case S_IF:
        flatten_if(f, s);
        break;
    case S_WHILE:
    case S_DO:
    case S_FOR:
        flatten_loop(f, s);
        break;
    case S_SWITCH:
        flatten_switch(f, s);
        break;
    case S_CASE:
        vec_push(arena, &f->cases, here);
        break;
    case S_DEFAULT:
        f->default_target = here.target;
        break;
    case S_LABEL:
        vec_push(arena, &f->labels, here);
        break;
    case S_GOTO:
        emit(f, I_JUMP, NULL);
        vec_push(arena, &f->jumps, here);
        break;
    case S_BREAK:
        vec_push(arena, &f->breaks, emit(f, I_JUMP, NULL));
        break;
    case S_CONTINUE:
        vec_push(arena, &f->continues, emit(f, I_JUMP, NULL));
        break;
    case S_RETURN:
        emit(f, I_RETURN, s->e);
        break;
    case S_BLOCK:
        flatten_all(f, &s->body);
        break;
    case S_BARRIER:
        emit(f, I_BARRIER, NULL);
        break;
    case S_EACH:
        emit(f, I_EACH, s->e);
        break;
    }
}

static void flatten_all(struct flattener *f, struct stmts *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i]->removed)
            flatten(f, list->items[i]);
}

static void flatten_function(struct program *p, struct function *function)
{
    struct flattener f = {.p = p};
    flatten_all(&f, &function->body);
    emit(&f, I_RETURN, NULL);
    for (size_t i = 0; i < f.jumps.count; i++)
        for (size_t k = 0; k < f.labels.count; k++)
            if (f.labels.items[k].number == f.jumps.items[i].number)
                f.code.items[f.jumps.items[i].target].target = f.labels.items[k].target;
    function->code = f.code.items;
}

// ---- memory -------------------------------------------------------------------------------------

// In memory a pointer has the device's size. A 32-bit pointer consists of the index of a part of this process's
// address space and an offset in it; part 0 is that of NULL.
enum { PART_BITS = 28, PARTS = 16 };
static uintptr_t parts[PARTS];

static void load_pointer(const unsigned char *at, union value *v)
{
    uint32_t narrow;
    memcpy(address_bits == 64 ? (void *)&v->lane[0] : &narrow, at, address_bits / 8);
    if (address_bits == 32)
        v->lane[0] = parts[narrow >> PART_BITS] << PART_BITS | (narrow & ((1u << PART_BITS) - 1));
}

static void store_pointer(unsigned char *at, uint64_t pointer)
{
    unsigned part = 0;
    while (address_bits == 32 && part < PARTS && parts[part] != pointer >> PART_BITS && (!part || parts[part]))
        part++;
    assert(part < PARTS);
    if (address_bits == 32) {
        parts[part] = pointer >> PART_BITS;
        pointer = (uint64_t)part << PART_BITS | (pointer & ((1u << PART_BITS) - 1));
    }
    memcpy(at, &pointer, address_bits / 8);
}

static void load(const struct type *t, const unsigned char *at, union value *v)
{
    if (t->kind == TYPE_RECORD)
        memcpy(v->bytes, at, t->size);
    else if (t->kind == TYPE_POINTER)
        load_pointer(at, v);
    else if (t->kind != TYPE_VALUE)
        memcpy(&v->lane[0], at, 8);
    else
        for (unsigned i = 0; i < t->lanes; i++)
            v->lane[i] = lane_load(t->base, at + i * base_bits[t->base] / 8);
}

static void store(const struct type *t, unsigned char *at, const union value *v)
{
    if (t->kind == TYPE_RECORD)
        memcpy(at, v->bytes, t->size);
    else if (t->kind == TYPE_POINTER)
        store_pointer(at, v->lane[0]);
    else if (t->kind != TYPE_VALUE)
        memcpy(at, &v->lane[0], 8);
    else
        for (unsigned i = 0; i < t->lanes; i++)
            lane_store(t->base, at + i * base_bits[t->base] / 8, v->lane[i]);
}

// Converts a value of type `from` to `to`: C's implicit conversions.
static void convert(const struct type *to, const struct type *from, union value *v)
{
    if (to->kind != TYPE_VALUE || from->kind != TYPE_VALUE)
        return;
    uint64_t first = v->lane[0];
    for (unsigned i = 0; i < to->lanes; i++)
        v->lane[i] = lane_convert(to->base, from->base, from->lanes == 1 ? first : v->lane[i]);
}

// ---- expressions --------------------------------------------------------------------------------

static void call(struct item *it, struct expr *e, union value *v);

void eval_as(struct item *it, struct expr *e, const struct type *type, union value *v)
{
    eval(it, e, v);
    convert(type, e->type, v);
}

uint64_t eval_scalar(struct item *it, struct expr *e)
{
    union value v;
    eval(it, e, &v);
    return v.lane[0];
}

static bool truth(struct item *it, struct expr *e)
{
    uint64_t x = eval_scalar(it, e);
    return e->type->kind == TYPE_VALUE && e->type->base == FLOAT ? lane_float(x) != 0 : x != 0;
}

// An index below `count`, or the value that its guarded form has.
static unsigned eval_index(struct item *it, struct expr *e, struct expr *index, unsigned count)
{
    uint64_t i = eval_scalar(it, index);
    if (i >= count)
        e->guard = true;
    return i < count ? (unsigned)i
                     : (uint32_t)i % count; // masked counts are powers of two
}

static unsigned char *var_address(struct item *it, const struct var *var)
{
    unsigned char *blocks[] = {it->frame, it->group_block, it->run->constants};
    return blocks[var->place] + var->offset;
}

unsigned char *eval_pointer(struct item *it, struct expr *e)
{
    return e->type->kind == TYPE_ARRAY ? address(it, e)
                                       : (unsigned char *)(uintptr_t)eval_scalar(it, e);
}

unsigned char *address(struct item *it, struct expr *e)
{
    switch (e->kind) {
    case E_VAR:
        return var_address(it, e->var);
    case E_INDEX: {
        unsigned char *base = eval_pointer(it, e->args[0]);
        return base + eval_index(it, e, e->args[1], e->args[0]->type->count) * e->type->size;
    }
    case E_DEREF:
        return eval_pointer(it, e->args[0]);
    case E_ARROW:
        return eval_pointer(it, e->args[0]) + e->args[0]->type->of->fields[e->number].offset;
    case E_FIELD:
        return address(it, e->args[0]) + e->args[0]->type->fields[e->number].offset;
    case E_LANE_AT:
        return address(it, e->args[0]) + eval_index(it, e, e->args[1], e->args[0]->type->lanes) *
                                             (base_bits[e->type->base] / 8);
    default:
        assert(!"a place in memory");
        return NULL;
    }
}

static void eval_binary(struct item *it, struct expr *e, union value *v)
{
    union value a, b;
    const struct type *t = e->operand;
    bool compares = e->op >= LT && e->op <= NE;
    eval_as(it, e->args[0], t, &a);
    if ((e->op == SHL || e->op == SHR) && t->lanes == 1)
        eval(it, e->args[1], &b);
    else
        eval_as(it, e->args[1], t, &b);
    for (unsigned i = 0; i < t->lanes; i++) {
        v->lane[i] = lane_binary(e->op, t->base, a.lane[i], b.lane[i], &e->guard);
        if (compares && t->lanes > 1)
            v->lane[i] = 0 - v->lane[i];
    }
}

static void eval_unary(struct item *it, struct expr *e, union value *v)
{
    eval_as(it, e->args[0], e->operand, v);
    for (unsigned i = 0; i < e->operand->lanes; i++) {
        v->lane[i] = lane_unary(e->op, e->operand->base, v->lane[i], &e->guard);
        if (e->op == LNOT && e->operand->lanes > 1)
            v->lane[i] = 0 - v->lane[i];
    }
}

static void eval_choice(struct item *it, struct expr *e, union value *v)
{
    union value c, a, b;
    if (e->args[0]->type->lanes <= 1 || e->args[0]->type->kind == TYPE_POINTER) {
        eval_as(it, e->args[truth(it, e->args[0]) ? 1 : 2], e->type, v);
        return;
    }
    eval(it, e->args[0], &c);
    eval(it, e->args[1], &a);
    eval(it, e->args[2], &b);
    for (unsigned i = 0; i < e->type->lanes; i++)
        v->lane[i] = (int64_t)c.lane[i] < 0 ? a.lane[i] : b.lane[i];
}

// Integers are converted to float only below FLOAT_LIMIT.
static void eval_conversion(struct item *it, struct expr *e, union value *v)
{
    const struct type *from = e->args[0]->type, *to = e->type;
    eval(it, e->args[0], v);
    for (unsigned i = 0;
         to->kind == TYPE_VALUE && to->base == FLOAT && !base_is_float(from->base) && i < from->lanes;
         i++) {
        bool outside = base_signed(from->base) ? (int64_t)v->lane[i] >= FLOAT_LIMIT ||
                                                     (int64_t)v->lane[i] <= -FLOAT_LIMIT
                                               : v->lane[i] >= FLOAT_LIMIT;
        if (outside) {
            e->guard = true;
            v->lane[i] = base_signed(from->base) ? (uint64_t)((int64_t)v->lane[i] % FLOAT_LIMIT)
                                                 : v->lane[i] % FLOAT_LIMIT;
        }
    }
    if (to->kind == TYPE_VALUE && to->base > BOOL && fabsf(lane_float(v->lane[0])) >= lane_limit(to->base))
        v->lane[0] = lane_from_float(1); // as the guards half_of() and the like do
    if (e->saturate)
        for (unsigned i = 0; i < to->lanes; i++)
            v->lane[i] = lane_saturate(to->base, from->base, v->lane[i]);
    else
        convert(to, from, v);
}

static void eval_builtin(struct item *it, struct expr *e, union value *v)
{
    union value args[3];
    const struct builtin *b = &builtins[e->builtin];
    memset(args, 0, sizeof args);
    for (unsigned i = 0; i < e->count; i++)
        eval(it, e->args[i], &args[i]);
    for (unsigned i = 0; i < e->type->lanes; i++)
        v->lane[i] = b->lane(e->args[0]->type->base, args[0].lane[i], args[1].lane[i],
                             args[2].lane[i], &e->guard);
}

static void eval_shuffle(struct item *it, struct expr *e, union value *v)
{
    union value x[2], mask;
    unsigned n = e->args[0]->type->lanes;
    for (unsigned i = 0; i + 1 < e->count; i++)
        eval(it, e->args[i], &x[i]);
    eval(it, e->args[e->count - 1], &mask);
    for (unsigned i = 0; i < e->type->lanes; i++) {
        unsigned from = (unsigned)(mask.lane[i] & (n * (e->count - 1) - 1));
        v->lane[i] = x[from / n].lane[from % n];
    }
}

static void eval_vector(struct item *it, struct expr *e, union value *v)
{
    unsigned n = 0;
    for (unsigned i = 0; i < e->count; i++) {
        union value part;
        eval(it, e->args[i], &part);
        for (unsigned k = 0; k < e->args[i]->type->lanes; k++)
            v->lane[n++] = lane_convert(e->type->base, e->args[i]->type->base, part.lane[k]);
    }
    for (; n < e->type->lanes; n++)
        v->lane[n] = v->lane[0]; // (int4)(x)
}

static void eval_bits(struct item *it, struct expr *e, union value *v) // as_T
{
    unsigned char bytes[128] = {0};
    union value from;
    eval(it, e->args[0], &from);
    store(e->args[0]->type, bytes, &from);
    load(e->type, bytes, v);
}

static void eval_vload(struct item *it, struct expr *e, union value *v)
{
    unsigned bytes = base_bits[e->type->base] / 8 * e->type->lanes;
    unsigned i = eval_index(it, e, e->args[0], e->args[1]->type->count / e->type->lanes);
    load(e->type, eval_pointer(it, e->args[1]) + i * bytes, v);
}

static void eval_vstore(struct item *it, struct expr *e, union value *v)
{
    (void)v;
    union value vector;
    const struct type *t = e->args[0]->type;
    eval(it, e->args[0], &vector);
    unsigned i = eval_index(it, e, e->args[1], e->args[2]->type->count / t->lanes);
    store(t, eval_pointer(it, e->args[2]) + i * (base_bits[t->base] / 8 * t->lanes), &vector);
}

static void eval_atomic(struct item *it, struct expr *e, union value *v)
{
    static const enum op ops[] = {ADD, SUB, OR, AND, XOR};
    unsigned char *at = eval_pointer(it, e->args[0]);
    enum base base = e->args[0]->type->of->base;
    union value x;
    bool bad = false;
    (void)v;
    eval_as(it, e->args[1], e->args[0]->type->of, &x);
    uint64_t old = lane_load(base, at), b = x.lane[0];
    if (e->builtin < 5)
        b = lane_binary(ops[e->builtin], base, old, b, &bad);
    else if ((e->builtin == 5) == (bool)lane_binary(LT, base, old, b, &bad))
        b = old;
    memcpy(at, &b, base_bits[base] / 8);
}

static uint64_t work_item(const struct item *it, unsigned function, unsigned dim)
{
    const struct program *p = it->run->p;
    const unsigned known[] = {it->group[dim] * p->local[dim] + it->local[dim],
                              it->local[dim],
                              it->group[dim],
                              p->local[dim],
                              p->local[dim] * p->groups[dim],
                              p->groups[dim]};
    return known[function];
}

static void eval_assign(struct item *it, struct expr *e, union value *v)
{
    struct expr *to = e->args[0];
    eval_as(it, e->args[1], e->type, v);
    if (to->kind != E_LANES) {
        store(e->type, address(it, to), v);
        return;
    }
    unsigned char *at = address(it, to->args[0]);
    for (unsigned i = 0; i < e->type->lanes; i++)
        memcpy(at + to->lanes[i] * (base_bits[e->type->base] / 8), &v->lane[i],
               base_bits[e->type->base] / 8);
}

static void eval_step(struct item *it, struct expr *e, union value *v)
{
    unsigned char *at = address(it, e->args[0]);
    union value now;
    load(e->type, at, v);
    now = *v;
    for (unsigned i = 0; i < e->type->lanes; i++)
        now.lane[i] = lane_normal(e->type->base, e->op == ADD ? v->lane[i] + 1 : v->lane[i] - 1);
    store(e->type, at, &now);
    if (e->before)
        *v = now;
}

static void eval_pointers(struct item *it, struct expr *e, union value *v)
{
    unsigned char *a =
        e->kind == E_ADDRESS ? address(it, e->args[0]) : eval_pointer(it, e->args[0]);
    unsigned size = e->kind == E_ADDRESS ? 1 : e->args[0]->type->of->size;
    if (e->kind == E_OFFSET)
        a += eval_index(it, e, e->args[1], e->args[0]->type->count - e->type->count + 1) * size;
    if (e->kind == E_DISTANCE)
        v->lane[0] = (uint64_t)((a - eval_pointer(it, e->args[1])) / (int64_t)size);
    else if (e->kind == E_SAME)
        v->lane[0] = (a == eval_pointer(it, e->args[1])) == (e->op == EQ);
    else
        v->lane[0] = (uintptr_t)a;
}

static void eval_field_of_value(struct item *it, struct expr *e, union value *v) // f().x
{
    union value record;
    eval(it, e->args[0], &record);
    load(e->type, record.bytes + e->args[0]->type->fields[e->number].offset, v);
}

static bool has_address(const struct expr *e)
{
    while (e->kind == E_FIELD)
        e = e->args[0];
    return e->kind != E_CALL;
}

static void eval_literal(struct item *it, struct expr *e, union value *v)
{
    (void)it;
    v->lane[0] = e->literal;
}

static void eval_place(struct item *it, struct expr *e, union value *v)
{
    if (e->type->kind == TYPE_ARRAY)
        v->lane[0] = (uintptr_t)address(it, e);
    else
        load(e->type, address(it, e), v);
}

static void eval_field(struct item *it, struct expr *e, union value *v)
{
    if (has_address(e))
        eval_place(it, e, v);
    else
        eval_field_of_value(it, e, v);
}

static void eval_lanes(struct item *it, struct expr *e, union value *v)
{
    union value whole;
    eval(it, e->args[0], &whole);
    for (unsigned i = 0; i < e->type->lanes; i++)
        v->lane[i] = whole.lane[e->lanes[i]];
}

static void eval_logic(struct item *it, struct expr *e, union value *v)
{
    v->lane[0] = e->op == AND ? truth(it, e->args[0]) && truth(it, e->args[1])
                              : truth(it, e->args[0]) || truth(it, e->args[1]);
}

static void eval_comma(struct item *it, struct expr *e, union value *v)
{
    union value unused;
    eval(it, e->args[0], &unused);
    eval(it, e->args[1], v);
}

static void eval_item(struct item *it, struct expr *e, union value *v)
{
    v->lane[0] = work_item(it, e->builtin, e->number);
}

static void eval_sizeof(struct item *it, struct expr *e, union value *v)
{
    (void)it;
    v->lane[0] = e->operand->size;
}

static void (*const evaluators[])(struct item *it, struct expr *e, union value *v) = {
    [E_LITERAL] = eval_literal,
    [E_VAR] = eval_place,
    [E_INDEX] = eval_place,
    [E_DEREF] = eval_place,
    [E_FIELD] = eval_field,
    [E_ARROW] = eval_place,
    [E_LANES] = eval_lanes,
    [E_LANE_AT] = eval_place,
    [E_UNARY] = eval_unary,
    [E_BINARY] = eval_binary,
    [E_LOGIC] = eval_logic,
    [E_CHOICE] = eval_choice,
    [E_COMMA] = eval_comma,
    [E_CAST] = eval_conversion,
    [E_CONVERT] = eval_conversion,
    [E_AS] = eval_bits,
    [E_VECTOR] = eval_vector,
    [E_BUILTIN] = eval_builtin,
    [E_SHUFFLE] = eval_shuffle,
    [E_VLOAD] = eval_vload,
    [E_VSTORE] = eval_vstore,
    [E_ATOMIC] = eval_atomic,
    [E_ITEM] = eval_item,
    [E_SIZEOF] = eval_sizeof,
    [E_CALL] = call,
    [E_ADDRESS] = eval_pointers,
    [E_OFFSET] = eval_pointers,
    [E_DISTANCE] = eval_pointers,
    [E_SAME] = eval_pointers,
    [E_ASSIGN] = eval_assign,
    [E_STEP] = eval_step,
};

void eval(struct item *it, struct expr *e, union value *v)
{
    it->run->steps++;
    if (!eval_matrix(it, e, v))
        evaluators[e->kind](it, e, v);
}

// ---- running ------------------------------------------------------------------------------------

static void pass_args(struct item *it, struct expr *e)
{
    union value args[16];
    for (unsigned i = 0; i < e->count; i++) // all of them first: they may call the same function
        eval_as(it, e->args[i], e->callee->params.items[i]->type, &args[i]);
    for (unsigned i = 0; i < e->count; i++)
        store(e->callee->params.items[i]->type, var_address(it, e->callee->params.items[i]),
              &args[i]);
}

static void initialise(struct item *it, struct stmt *s)
{
    struct leaf leaves[MAX_LEAVES];
    union value v;
    unsigned char *at = var_address(it, s->var);
    if (!s->inits.count)
        return;
    if (s->inits.items[0]->type->kind == TYPE_RECORD) {
        eval(it, s->inits.items[0], &v);
        store(s->var->type, at, &v);
        return;
    }
    unsigned char fresh[8192] = {0};
    assert(s->var->type->size <= sizeof fresh);
    type_leaves(s->var->type, leaves);
    for (size_t i = 0; i < s->inits.count; i++) {
        eval_as(it, s->inits.items[i], leaves[i].type, &v);
        store(leaves[i].type, fresh + leaves[i].offset, &v);
    }
    memcpy(at, fresh, s->var->type->size);
}

static void enter_function(struct item *it, struct function *function)
{
    assert(it->depth < MAX_CALLS);
    it->calls[it->depth].function = function;
    it->calls[it->depth++].pc = 0;
}

static unsigned chosen(const struct insn *insn, int number)
{
    for (size_t i = 0; i < insn->choices.count; i++)
        if (insn->choices.items[i].number == number)
            return insn->choices.items[i].target;
    return insn->target;
}

// Runs until at most `depth` calls are active or a barrier is reached.
static void step_until(struct item *it, unsigned depth, union value *result)
{
    union value v;
    while (it->depth > depth && it->run->steps < MAX_STEPS) {
        size_t *pc = &it->calls[it->depth - 1].pc;
        struct function *function = it->calls[it->depth - 1].function;
        struct insn *insn = &function->code[(*pc)++];
        it->run->steps++;
        switch (insn->op) {
        case I_EVAL:
            eval(it, insn->e, &v);
            break;
        case I_INIT:
            initialise(it, insn->s);
            break;
        case I_UNLESS:
            *pc = truth(it, insn->e) ? *pc : insn->target;
            break;
        case I_JUMP:
            *pc = insn->target;
            break;
        case I_SWITCH:
            eval_as(it, insn->e, type_value(INT, 1), &v);
            *pc = chosen(insn, (int)v.lane[0]);
            break;
        case I_CALL:
            pass_args(it, insn->e);
            enter_function(it, insn->e->callee);
            break;
        case I_RETURN:
            if (insn->e)
                eval_as(it, insn->e, function->result, result);
            it->depth--;
            break;
        case I_BARRIER:
            return;
        case I_EACH:
            eval_each(it, insn->e);
            break;
        }
    }
}

static void call(struct item *it, struct expr *e, union value *v)
{
    unsigned depth = it->depth;
    pass_args(it, e);
    enter_function(it, e->callee);
    step_until(it, depth, v);
}

static void set_up_item(struct item *it, struct run *run, unsigned char *group_block, unsigned n)
{
    struct program *p = run->p;
    it->is_block_leader = n % BLOCK == 0;
    for (unsigned d = 0; d < 3; n /= p->local[d++])
        it->local[d] = n % p->local[d];
    it->run = run;
    it->group_block = group_block;
    it->frame = arena_zalloc(run->arena, p->frame_size + 16);
    for (size_t i = 0; i < p->args.count; i++) {
        struct arg *arg = &p->args.items[i];
        unsigned char *to = it->frame + arg->param->offset;
        void *pointer = arg->kind == ARG_LOCAL ? group_block + arg->group_offset : arg->expected;
        if (arg->kind == ARG_VALUE)
            memcpy(to, arg->initial, arg->size);
        else
            store_pointer(to, (uintptr_t)pointer);
    }
    enter_function(it, p->functions.items[p->functions.count - 1]);
}

static void run_group(struct run *run, unsigned group)
{
    struct program *p = run->p;
    unsigned count = p->local[0] * p->local[1] * p->local[2];
    unsigned char *block = arena_zalloc(run->arena, p->group_size + 16);
    struct item *items = ARENA_ARRAY(run->arena, struct item, count);
    union value none;
    for (unsigned i = 0; i < count; i++) {
        unsigned n = group;
        set_up_item(&items[i], run, block, i);
        for (unsigned d = 0; d < 3; n /= p->groups[d++])
            items[i].group[d] = n % p->groups[d];
    }
    while (items[0].depth && run->steps < MAX_STEPS)
        for (unsigned i = 0; i < count; i++)
            step_until(&items[i], 0, &none);
    for (unsigned i = 0; i < count; i++)
        assert(!items[i].depth || run->steps >= MAX_STEPS);
}

// Buffers as they are before the launch.
static void fill_buffers(struct program *p)
{
    for (size_t i = 0; i < p->args.count; i++) {
        struct arg *arg = &p->args.items[i];
        if (arg->kind != ARG_BUFFER)
            continue;
        if (!arg->expected)
            arg->expected = arena_alloc(p->arena, arg->size);
        memcpy(arg->expected, arg->initial, arg->size);
    }
}

static void run_groups(struct run *run)
{
    struct program *p = run->p;
    struct item constants = {.run = run};
    run->steps = 0;
    run->again = false;
    run->constants = arena_zalloc(run->arena, p->program_size + 16);
    for (size_t i = 0; i < p->constant_decls.count; i++)
        if (!p->constant_decls.items[i]->removed)
            initialise(&constants, p->constant_decls.items[i]);
    fill_buffers(p);
    for (unsigned g = 0; g < p->groups[0] * p->groups[1] * p->groups[2]; g++)
        run_group(run, g);
}

bool interpret(struct program *p)
{
    struct arena arena;
    struct run run = {.p = p, .arena = &arena};
    memset(parts, 0, sizeof parts);
    for (size_t i = 0; i < p->functions.count; i++)
        flatten_function(p, p->functions.items[i]);
    arena_init(&arena, (size_t)1 << 30, p->arena->on_full);
    do {
        arena_reset(&arena);
        run_groups(&run);
    } while (run.again && run.steps < MAX_STEPS);
    arena_finish(&arena);
    return run.steps < MAX_STEPS;
}
