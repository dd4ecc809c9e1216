// SPDX-License-Identifier: Apache-2.0
// Tests that random IR programs behave the same before and after each optimization pass: ir_random [FIRST COUNT
// [PASS]].
//
// A program operates on private variables (scalars, a vector, an array, two structs with overlapping fields), with
// nested ifs, loops, switches, breaks and continues, and writes its results to a global buffer. It is executed by a
// small interpreter based on the constant folder. Printing and parsing must not change the program either.
#include "ir_machine.h"
#include "passes/passes.h"

enum {
    INTS = 5,
    FLOATS = 3,
    MAX_STEPS = 60000
};

// ---- the generator ------------------------------------------------------------------------------

struct maker {
    struct ir_module *m;
    struct ir_builder b;
    uint64_t state;
    struct ir_var *ints[INTS], *floats[FLOATS], *vector, *array, *structs[2];
    unsigned depth, budget, counters, loops;
};

static unsigned roll(struct maker *g, unsigned sides)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return (unsigned)(g->state >> 33) % sides;
}

static struct ir_mem at_align(enum ir_space space, uint32_t align)
{
    return (struct ir_mem){.space = (uint8_t)space, .align = align};
}

static struct ir_instr *address(struct maker *g, struct ir_var *var, int64_t offset)
{
    return ir_ptr_index(&g->b, ir_addr(g->m, var), NULL, 0, offset);
}

static struct ir_instr *array_element(struct maker *g, struct ir_instr *index)
{
    index = ir_op2(&g->b, IR_OP_and, index, ir_const_int(g->m, ir_int(32), 7));
    return ir_ptr_index(&g->b, ir_addr(g->m, g->array),
                        ir_convert(&g->b, IR_OP_zext, ir_int(64), index), 4, 0);
}

static struct ir_instr *int_value(struct maker *g, unsigned depth);

static struct ir_instr *float_value(struct maker *g, unsigned depth)
{
    static const enum ir_op ops[] = {IR_OP_fadd, IR_OP_fsub, IR_OP_fmul, IR_OP_fmin, IR_OP_fmax};
    struct ir_instr *x;
    switch (roll(g, depth > 3 ? 3 : 8)) {
    case 0:
        return ir_const_float(g->m, ir_float(32), roll(g, 9) * 0.5 - 2);
    case 1:
        return ir_load(&g->b, ir_float(32), ir_addr(g->m, g->floats[roll(g, FLOATS)]),
                       at_align(IR_PRIVATE, 4));
    case 2:
        return ir_load(&g->b, ir_float(32), address(g, g->vector, 4 * roll(g, 4)),
                       at_align(IR_PRIVATE, 4));
    case 3:
        x = ir_load(&g->b, ir_with_lanes(ir_float(32), 4), ir_addr(g->m, g->vector),
                    at_align(IR_PRIVATE, 16));
        return ir_extract(&g->b, x, roll(g, 4));
    case 4:
        return ir_convert(&g->b, IR_OP_s2f, ir_float(32), int_value(g, depth + 1));
    case 5:
        return ir_load(&g->b, ir_float(32), address(g, g->structs[roll(g, 2)], 4 * roll(g, 3)),
                       at_align(IR_PRIVATE, 4));
    default:
        x = float_value(g, depth + 1);
        return ir_op2(&g->b, ops[roll(g, 5)], x, float_value(g, depth + 1));
    }
}

static struct ir_instr *bool_value(struct maker *g, unsigned depth)
{
    static const enum ir_op ops[] = {IR_OP_ieq, IR_OP_ine, IR_OP_slt,
                                     IR_OP_sle, IR_OP_ult, IR_OP_ule};
    struct ir_instr *x = int_value(g, depth + 1);
    if (roll(g, 6) == 0)
        return ir_op1(&g->b, IR_OP_not, bool_value(g, depth + 1));
    if (roll(g, 8) == 0)
        return ir_op2(&g->b, IR_OP_flt, float_value(g, depth + 1), float_value(g, depth + 1));
    return ir_op2(&g->b, ops[roll(g, 6)], x,
                  roll(g, 2) ? int_value(g, depth + 1)
                             : ir_const_int(g->m, ir_int(32), roll(g, 6)));
}

static struct ir_instr *wide_value(struct maker *g, unsigned depth)
{
    static const enum ir_op ops[] = {IR_OP_iadd, IR_OP_isub, IR_OP_imul, IR_OP_and,
                                     IR_OP_or,   IR_OP_udiv, IR_OP_urem, IR_OP_xor};
    struct ir_instr *x;
    if (depth > 3 || roll(g, 3) == 0)
        return ir_convert(&g->b, roll(g, 2) ? IR_OP_zext : IR_OP_sext, ir_int(64),
                          int_value(g, depth + 1));
    x = wide_value(g, depth + 1);
    return ir_op2(&g->b, ops[roll(g, 8)], x,
                  roll(g, 2) ? wide_value(g, depth + 1)
                             : ir_const_int(g->m, ir_int(64), 1 + roll(g, 16)));
}

static struct ir_instr *int_value(struct maker *g, unsigned depth)
{
    static const enum ir_op ops[] = {IR_OP_iadd, IR_OP_isub, IR_OP_imul, IR_OP_and,
                                     IR_OP_or,   IR_OP_xor,  IR_OP_shl,  IR_OP_lshr,
                                     IR_OP_ashr, IR_OP_smin, IR_OP_umax, IR_OP_sdiv,
                                     IR_OP_urem, IR_OP_srem, IR_OP_iadd, IR_OP_udiv};
    struct ir_instr *x, *y;
    switch (roll(g, depth > 3 ? 4 : 12)) {
    case 0:
        return ir_const_int(g->m, ir_int(32), roll(g, 17) - 4);
    case 1:
        return g->b.function->params[0];
    case 2:
        return ir_load(&g->b, ir_int(32), ir_addr(g->m, g->ints[roll(g, INTS)]),
                       at_align(IR_PRIVATE, 4));
    case 3:
        return ir_load(&g->b, ir_int(32), address(g, g->structs[roll(g, 2)], 4 * roll(g, 4)),
                       at_align(IR_PRIVATE, 4));
    case 4:
        return ir_load(&g->b, ir_int(32), array_element(g, int_value(g, depth + 1)),
                       at_align(IR_PRIVATE, 4));
    case 5:
        return ir_convert(&g->b, IR_OP_trunc, ir_int(32), wide_value(g, depth + 1));
    case 6:
        x = bool_value(g, depth + 1);
        y = int_value(g, depth + 1);
        return ir_select(&g->b, x, y, int_value(g, depth + 1));
    case 7:
        x = ir_load(&g->b, ir_int(16), address(g, g->structs[roll(g, 2)], 2 * roll(g, 8)),
                    at_align(IR_PRIVATE, 2));
        return ir_convert(&g->b, roll(g, 2) ? IR_OP_sext : IR_OP_zext, ir_int(32), x);
    case 8:
        return ir_convert(&g->b, IR_OP_zext, ir_int(32), bool_value(g, depth + 1));
    default:
        x = int_value(g, depth + 1);
        y = roll(g, 2) ? int_value(g, depth + 1) : ir_const_int(g->m, ir_int(32), 1u << roll(g, 5));
        return ir_op2(&g->b, ops[roll(g, 16)], x, y);
    }
}

static void assign(struct maker *g)
{
    struct ir_instr *x, *lanes[4];
    struct ir_mem word = at_align(IR_PRIVATE, 4);
    switch (roll(g, 10)) {
    case 0:
        ir_store(&g->b, ir_addr(g->m, g->floats[roll(g, FLOATS)]), float_value(g, 0), word);
        break;
    case 1:
        ir_store(&g->b, address(g, g->vector, 4 * roll(g, 4)), float_value(g, 0), word);
        break;
    case 2:
        for (unsigned i = 0; i < 4; i++)
            lanes[i] = float_value(g, 2);
        ir_store(&g->b, ir_addr(g->m, g->vector), ir_vec(&g->b, lanes, 4),
                 at_align(IR_PRIVATE, 16));
        break;
    case 3:
        x = array_element(g, int_value(g, 2));
        ir_store(&g->b, x, int_value(g, 0), word);
        break;
    case 4:
        ir_store(&g->b, address(g, g->structs[roll(g, 2)], 4 * roll(g, 4)), int_value(g, 0), word);
        break;
    case 5:
        ir_store(&g->b, address(g, g->structs[roll(g, 2)], 8 * roll(g, 2)), wide_value(g, 0), word);
        break;
    case 6: {
        unsigned side = roll(g, 2);
        if (roll(g, 3))
            ir_copy(&g->b, address(g, g->structs[side], 4),
                    address(g, g->structs[1 - side], 4 * roll(g, 3)), 8, word, word);
        else if (roll(g, 2))
            ir_zero(&g->b, address(g, g->structs[side], 2 * roll(g, 4)), 6,
                    at_align(IR_PRIVATE, 2));
        else
            ir_copy(&g->b, ir_addr(g->m, g->structs[side]), g->b.function->params[1], 16, word,
                    at_align(IR_GLOBAL, 4));
        break;
    }
    case 7:
        x = ir_op2(&g->b, IR_OP_and, int_value(g, 2), ir_const_int(g->m, ir_int(32), 31));
        x = ir_ptr_index(&g->b, g->b.function->params[1],
                         ir_convert(&g->b, IR_OP_zext, ir_int(64), x), 4, 0);
        ir_store(&g->b, x, int_value(g, 0), at_align(IR_GLOBAL, 4));
        break;
    default:
        ir_store(&g->b, ir_addr(g->m, g->ints[roll(g, INTS)]), int_value(g, 0), word);
    }
}

static void statements(struct maker *g, unsigned count);

static void fill(struct maker *g, struct ir_list *list, enum ir_op jump)
{
    struct ir_block *back = g->b.block;
    struct ir_instr *before = g->b.before;
    bool dead = g->b.dead;
    ir_place_end(&g->b, list);
    statements(g, 1 + roll(g, 3));
    if (jump != IR_OP_const && !g->b.dead)
        ir_jump(&g->b, jump, NULL);
    g->b.block = back;
    g->b.before = before;
    g->b.dead = dead;
}

static void make_if(struct maker *g)
{
    struct ir_if *n = ir_add_if(&g->b, bool_value(g, 1));
    enum ir_op jump = IR_OP_const;
    if (g->loops && roll(g, 3) == 0)
        jump = roll(g, 2) ? IR_OP_break : IR_OP_continue;
    fill(g, &n->then_list, jump);
    if (roll(g, 2))
        fill(g, &n->else_list, g->loops && roll(g, 8) == 0 ? IR_OP_break : IR_OP_const);
    ir_place_after(&g->b, &n->node);
}

static void make_loop(struct maker *g)
{
    char name[16];
    snprintf(name, sizeof name, "n%u", g->counters++);
    struct ir_var *counter = ir_var_add(g->m, g->b.function, name, IR_PRIVATE, 4, 4);
    struct ir_mem word = at_align(IR_PRIVATE, 4);
    struct ir_type i32 = ir_int(32);
    struct ir_instr *limit =
        roll(g, 3) ? ir_const_int(g->m, i32, 1 + roll(g, 5))
                   : ir_op2(&g->b, IR_OP_and, g->b.function->params[0], ir_const_int(g->m, i32, 3));
    ir_store(&g->b, ir_addr(g->m, counter), ir_const_int(g->m, i32, 0), word);
    struct ir_loop *n = ir_add_loop(&g->b);
    bool at_end = roll(g, 3) == 0;
    ir_place_end(&g->b, &n->body);
    if (!at_end) {
        struct ir_instr *c =
            ir_op2(&g->b, IR_OP_slt, ir_load(&g->b, i32, ir_addr(g->m, counter), word), limit);
        bool swap = roll(g, 2);
        struct ir_if *test = ir_add_if(&g->b, swap ? ir_op1(&g->b, IR_OP_not, c) : c);
        ir_place_end(&g->b, swap ? &test->then_list : &test->else_list);
        ir_jump(&g->b, IR_OP_break, NULL);
        ir_place_after(&g->b, &test->node);
    }
    g->loops++;
    statements(g, 1 + roll(g, 3));
    if (roll(g, 2))
        ir_store(&g->b, array_element(g, ir_load(&g->b, i32, ir_addr(g->m, counter), word)),
                 int_value(g, 1), word);
    if (roll(g, 12) == 0)
        ir_jump(&g->b, IR_OP_break, NULL);
    g->loops--;
    ir_place_end(&g->b, &n->cont);
    struct ir_instr *next =
        ir_op2(&g->b, IR_OP_iadd, ir_load(&g->b, i32, ir_addr(g->m, counter), word),
               ir_const_int(g->m, i32, 1));
    ir_store(&g->b, ir_addr(g->m, counter), next, word);
    if (at_end)
        n->cond = ir_op2(&g->b, IR_OP_slt, next, limit);
    ir_place_after(&g->b, &n->node);
}

// A counter of any kind, from any value to one near it: the range may include the point where it wraps.
static void make_counting_loop(struct maker *g)
{
    static const uint64_t places[] = {0, 5, 0x7ffffff0, 0x80000003, 0xfffffff8, 0x7ffffffffffffff4};
    static const uint16_t ops[] = {IR_OP_slt, IR_OP_sle, IR_OP_ult, IR_OP_ule, IR_OP_ine};
    static const uint16_t up_to[] = {IR_OP_zext, IR_OP_sext};
    char name[16];
    snprintf(name, sizeof name, "n%u", g->counters++);
    struct ir_type type = ir_int(roll(g, 3) ? 32 : 64), wide = ir_int(64);
    struct ir_var *counter = ir_var_add(g->m, g->b.function, name, IR_PRIVATE, type.bits / 8, 8);
    struct ir_mem at = at_align(IR_PRIVATE, type.bits / 8);
    bool down = roll(g, 2), at_end = roll(g, 3) == 0, ahead = roll(g, 4) == 0;
    bool extended = type.bits == 32 && roll(g, 4) == 0;
    enum ir_op op = (enum ir_op)ops[roll(g, 5)], conversion = (enum ir_op)up_to[roll(g, 2)];
    uint64_t step = op == IR_OP_ine ? UINT64_C(1) << roll(g, 2) : 1 + roll(g, 4);
    uint64_t from = places[roll(g, 6)] + roll(g, 4), to = from + (down ? 0 - step : step) * roll(g, 40);
    struct ir_instr *input = ir_op2(&g->b, IR_OP_and, ir_convert(&g->b, IR_OP_zext, wide, g->b.function->params[0]),
                                    ir_const_int(g->m, wide, 3));
    struct ir_instr *start = ir_const_int(g->m, wide, from), *bound = ir_const_int(g->m, wide, to);
    if (roll(g, 4))
        bound = ir_op2(&g->b, IR_OP_iadd, bound,
                       ir_op2(&g->b, IR_OP_imul, input, ir_const_int(g->m, wide, step)));
    if (roll(g, 2))
        start = ir_op2(&g->b, IR_OP_iadd, start,
                       ir_op2(&g->b, IR_OP_imul, input, ir_const_int(g->m, wide, step)));
    struct ir_instr *limit = type.bits == 32 ? ir_convert(&g->b, IR_OP_trunc, type, bound) : bound;
    if (extended)
        limit = roll(g, 2) ? bound : ir_convert(&g->b, conversion, wide, limit);
    ir_store(&g->b, ir_addr(g->m, counter),
             type.bits == 32 ? ir_convert(&g->b, IR_OP_trunc, type, start) : start, at);
    struct ir_loop *n = ir_add_loop(&g->b);
    n->unroll = roll(g, 2) ? 0 : 2 + (int32_t)roll(g, 6);
    for (unsigned part = 0; part < 2; part++) { // body, then the continue list
        ir_place_end(&g->b, part ? &n->cont : &n->body);
        struct ir_instr *now = ir_load(&g->b, type, ir_addr(g->m, counter), at);
        struct ir_instr *next = ir_op2(&g->b, IR_OP_iadd, now,
                                       ir_const_int(g->m, type, down ? 0 - step : step));
        struct ir_instr *x = ahead ? next : now;
        x = extended ? ir_convert(&g->b, conversion, wide, x) : x;
        struct ir_instr *goes = ir_op2(&g->b, op, down ? limit : x, down ? x : limit);
        if (part) {
            ir_store(&g->b, ir_addr(g->m, counter), next, at);
            n->cond = at_end ? goes : NULL;
            continue;
        }
        if (!at_end) {
            struct ir_if *test = ir_add_if(&g->b, goes);
            ir_place_end(&g->b, &test->else_list);
            ir_jump(&g->b, IR_OP_break, NULL);
            ir_place_after(&g->b, &test->node);
        }
        ir_store(&g->b, array_element(g, type.bits == 32 ? now : ir_convert(&g->b, IR_OP_trunc, ir_int(32), now)),
                 int_value(g, 1), at_align(IR_PRIVATE, 4));
        assign(g);
    }
    ir_place_after(&g->b, &n->node);
}

static void make_switch(struct maker *g)
{
    uint32_t count = 1 + roll(g, 4), fallback = roll(g, count);
    struct ir_switch *n = ir_add_switch(
        &g->b, roll(g, 5) ? int_value(g, 1) : ir_const_int(g->m, ir_int(32), roll(g, 4)), count);
    for (uint32_t i = 0; i < count; i++) {
        n->cases[i].is_default = i == fallback;
        n->cases[i].values = ARENA_ARRAY(g->m->arena, uint64_t, 2);
        n->cases[i].value_count = i == fallback ? roll(g, 2) : 1 + roll(g, 2);
        for (uint32_t k = 0; k < n->cases[i].value_count; k++)
            n->cases[i].values[k] = i * 2 + k;
        fill(g, &n->cases[i].list, roll(g, 3) ? IR_OP_break : IR_OP_const);
    }
    ir_place_after(&g->b, &n->node);
}

static void statements(struct maker *g, unsigned count)
{
    g->depth++;
    while (count-- && g->budget && !g->b.dead) {
        g->budget--;
        unsigned kind = g->depth > 5 ? 0 : roll(g, 10);
        if (kind < 6)
            assign(g);
        else if (kind < 8)
            make_if(g);
        else if (kind < 9 && roll(g, 3) == 0)
            make_counting_loop(g);
        else if (kind < 9)
            make_loop(g);
        else
            make_switch(g);
    }
    g->depth--;
}

static void results(struct maker *g)
{
    struct ir_mem word = at_align(IR_PRIVATE, 4), out = at_align(IR_GLOBAL, 4);
    struct ir_instr *to = g->b.function->params[1];
    struct ir_type i32 = ir_int(32);
    for (unsigned i = 0; i < INTS; i++)
        ir_store(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 128 + 4 * i),
                 ir_load(&g->b, i32, ir_addr(g->m, g->ints[i]), word), out);
    for (unsigned i = 0; i < FLOATS; i++)
        ir_store(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 148 + 4 * i),
                 ir_load(&g->b, ir_float(32), ir_addr(g->m, g->floats[i]), word), out);
    ir_store(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 160),
             ir_load(&g->b, ir_with_lanes(ir_float(32), 4), ir_addr(g->m, g->vector),
                     at_align(IR_PRIVATE, 16)),
             out);
    ir_copy(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 176), ir_addr(g->m, g->structs[0]), 16, out,
            word);
    ir_copy(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 192), ir_addr(g->m, g->structs[1]), 16, out,
            word);
    ir_copy(&g->b, ir_ptr_index(&g->b, to, NULL, 0, 208), ir_addr(g->m, g->array), 32, out, word);
}

static struct ir_var *variable(struct maker *g, const char *name, uint64_t size, uint32_t align)
{
    struct ir_var *var = ir_var_add(g->m, g->b.function, name, IR_PRIVATE, size, align);
    ir_zero(&g->b, ir_addr(g->m, var), size, at_align(IR_PRIVATE, align));
    return var;
}

static struct ir_function *make_program(struct ir_module *m, uint64_t seed)
{
    struct ir_type params[] = {ir_int(32), ir_ptr(8, IR_GLOBAL)};
    struct ir_function *f = ir_function_get(m, "f", ir_void(), params, 2);
    struct maker g = {.m = m, .state = seed * 0x9e3779b97f4a7c15u + 1, .budget = 60};
    for (unsigned i = 0; i < 5; i++)
        roll(&g, 2);
    ir_function_define(f);
    g.b = ir_at_end(f);
    for (unsigned i = 0; i < INTS; i++)
        g.ints[i] = variable(&g, "i", 4, 4);
    for (unsigned i = 0; i < FLOATS; i++)
        g.floats[i] = variable(&g, "x", 4, 4);
    g.vector = variable(&g, "v", 16, 16);
    g.array = variable(&g, "a", 32, 4);
    g.structs[0] = variable(&g, "s", 16, 8);
    g.structs[1] = variable(&g, "t", 16, 8);
    statements(&g, 14);
    results(&g);
    return f;
}

// ---- comparing ----------------------------------------------------------------------------------

static const char *const sequence[] = {
    "opt_split_vars", "opt_mem2reg",   "opt_algebraic", "opt_branches",   "opt_cse",
    "opt_if_convert", "opt_unroll",    "opt_dce",       "opt_split_vars", "opt_mem2reg",
    "opt_narrow", "opt_narrow_floats", "opt_algebraic", "opt_branches",  "opt_cse",        "opt_fuse_ifs",  "opt_if_convert",
    "opt_unroll",     "opt_dce",       "opt_algebraic", "opt_narrow",     "opt_cse",
    "opt_hoist",      "opt_hoist_indices", "opt_guarded_loads", "opt_rare_calls", "opt_loop_tests", "opt_strides", "opt_unroll_some", "opt_early_exits", "opt_bit_loops", "opt_bit_moves", "opt_reciprocals", "opt_algebraic", "opt_cuts",  "opt_dce"};

static const uint32_t inputs[] = {0, 3, 0x80000005u};

static bool differs(struct ir_module *m, uint64_t seed, const char *pass,
                    uint8_t expected[3][BUFFER], const bool *runs)
{
    uint8_t got[BUFFER];
    const char *wrong = ir_verify(m);
    if (wrong) {
        fprintf(stderr, "seed %llu: after %s: %s\n", (unsigned long long)seed, pass, wrong);
        return true;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (!runs[i] || (execute(m, m->functions.items[0], inputs[i], 4 * MAX_STEPS, got) &&
                         !memcmp(got, expected[i], BUFFER)))
            continue;
        unsigned at = 0;
        while (at < BUFFER && got[at] == expected[i][at])
            at++;
        fprintf(stderr, "seed %llu: after %s: other results for input %u, from byte %u\n",
                (unsigned long long)seed, pass, inputs[i], at);
        return true;
    }
    return false;
}

static bool reads_back(struct ir_module *m, struct arena *arena, uint64_t seed)
{
    struct str first, second;
    struct ir_module *again = ir_module_create(arena, m->intern, NULL);
    str_init(&first, arena);
    str_init(&second, arena);
    ir_print_module(&first, m);
    const char *wrong = ir_parse(again, first.text, first.length);
    if (!wrong)
        ir_print_module(&second, again);
    if (!wrong && !strcmp(first.text, second.text))
        return true;
    fprintf(stderr, "seed %llu: reads back differently: %s\n", (unsigned long long)seed,
            wrong ? wrong : "other text");
    return false;
}

// Whether the program of this seed passes; with `dump`, prints it before the pass of that number.
static bool check_seed(uint64_t seed, int dump)
{
    struct arena arena;
    struct intern intern;
    uint8_t expected[3][BUFFER];
    bool runs[3], ok = true;
    arena_init(&arena, 0, NULL);
    intern_init(&intern, &arena);
    struct kc_target target = {.max_local_size = {1024, 1024, 64}, .max_local_invocations = 1024, .unroll_room = 64};
    struct ir_module *m = ir_module_create(&arena, &intern, &target);
    struct ir_function *f = make_program(m, seed);
    for (unsigned i = 0; i < 3; i++)
        runs[i] = execute(m, f, inputs[i], MAX_STEPS, expected[i]);
    ok = !differs(m, seed, "making it", expected, runs);
    for (size_t i = 0; ok && i < sizeof sequence / sizeof *sequence; i++) {
        if (dump == (int)i) {
            struct str text;
            str_init(&text, &arena);
            ir_print_module(&text, m);
            fputs(text.text, stdout);
        }
        pipeline_run_one(m, &target, sequence[i]);
        ok = !differs(m, seed, sequence[i], expected, runs) &&
             (i % 7 || reads_back(m, &arena, seed));
        if (!ok)
            fprintf(stderr, "that was pass %zu\n", i);
    }
    arena_finish(&arena);
    return ok;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1,
             count = argc > 2 ? strtoull(argv[2], NULL, 0) : 200;
    int dump = argc > 3 ? atoi(argv[3]) : -1, failures = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        failures += !check_seed(seed, dump);
    printf("%llu programs, %d failures\n", (unsigned long long)count, failures);
    return failures != 0;
}
