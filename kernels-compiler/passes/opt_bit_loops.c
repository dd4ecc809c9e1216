// SPDX-License-Identifier: Apache-2.0
// Loops that only count the bits of a value become one operation.
//
//   while (v) { v &= v - 1; n++; }     ->     n += popcount(v); v = 0;
//   while (v) { v >>= 1; n++; }        ->     n += width - clz(v); v = 0;
//   while (v) { v <<= 1; n++; }        ->     n += width - ctz(v); v = 0;
//
// The counters may have any constant step. Such loops have no other exit, no other values and no effects.
//
//   for (i = 0; i < n; i++) if (v >> i & 1) break;     ->     i = min(ctz(v), n);
//
// So are loops that search for the first 0. Drivers would unroll them, with an `if` inside of that of the previous bit for each bit.
#include "passes/rounds.h"

struct bit_loop {
    struct loop_form form;
    struct ir_instr *bits; // the phi
    enum ir_op count;      // popcount: of its ones, clz, ctz: of the zeros that remain
};

// Whether `x` is the phi, perhaps extended: OpenCL C computes small integers as int.
static bool is_bits(const struct ir_instr *x, const struct ir_instr *bits)
{
    return x == bits || ((x->op == IR_OP_zext || x->op == IR_OP_sext) && opt_resolved(x->src[0]) == bits);
}

// Whether `next` is the value without its lowest one.
static bool drops_lowest(const struct ir_instr *next, const struct ir_instr *bits)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct ir_instr *x = opt_resolved(next->src[i]), *y = opt_resolved(next->src[!i]);
        if (is_bits(x, bits) && y->op == IR_OP_iadd && opt_resolved(y->src[0]) == x && ir_is_const(y->src[1]) &&
            y->src[1]->lanes[0] == UINT64_MAX >> (64 - y->type.bits))
            return true;
    }
    return false;
}

static bool find_count(const struct kc_target *target, struct bit_loop *l)
{
    const struct ir_instr *start = opt_phi_source(l->bits, l->form.before);
    struct ir_instr *next = opt_phi_source(l->bits, l->form.cont_last);
    if (!start || !next)
        return false;
    next = opt_resolved(next);
    if (next->op == IR_OP_trunc)
        next = opt_resolved(next->src[0]);
    l->count = next->op == IR_OP_and ? IR_OP_popcount : next->op == IR_OP_shl ? IR_OP_ctz : IR_OP_clz;
    if (l->count == IR_OP_popcount)
        return drops_lowest(next, l->bits);
    if (next->op != IR_OP_shl && next->op != IR_OP_lshr && next->op != IR_OP_ashr)
        return false;
    const struct ir_instr *shifted = opt_resolved(next->src[0]);
    const bool copies_sign = shifted->op == IR_OP_sext || (shifted == l->bits && next->op == IR_OP_ashr);
    return is_bits(shifted, l->bits) && ir_is_const(next->src[1]) && next->src[1]->lanes[0] == 1 &&
           (next->op == IR_OP_shl || !copies_sign || opt_never_negative(target, start));
}

// The phi that the loop compares with zero, and leaves when it is.
static struct ir_instr *tested_bits(const struct loop_form *l)
{
    struct ir_instr *test = opt_resolved(l->test->cond);
    if (test->op != (l->leaves_if_true ? IR_OP_ieq : IR_OP_ine))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct ir_instr *x = opt_resolved(test->src[i]), *zero = opt_resolved(test->src[!i]);
        if (x->op == IR_OP_phi && x->block == l->header && x->type.lanes == 1 && ir_is_const(zero) && !zero->lanes[0])
            return x;
    }
    return NULL;
}

// The step of a counter; NULL: the phi is none.
static struct ir_instr *step_of(const struct loop_form *l, const struct ir_instr *phi)
{
    struct ir_instr *next = opt_phi_source(phi, l->cont_last);
    next = next ? opt_resolved(next) : NULL;
    const bool counts = next && phi->type.base == IR_INT && phi->type.lanes == 1 && next->op == IR_OP_iadd &&
                        opt_resolved(next->src[0]) == phi && ir_is_const(next->src[1]);
    return counts ? next->src[1] : NULL;
}

static bool does_nothing_else(const struct bit_loop *l)
{
    const struct ir_block *end = (const struct ir_block *)l->form.loop->node.next;
    for (const struct ir_block *b = l->form.header; b != end; b = ir_next_block(b)) {
        if (b->node.next && b->node.next != &l->form.test->node)
            return false;
        for (const struct ir_instr *x = b->first; x; x = x->next) {
            const bool may = x->op == IR_OP_phi ? x == l->bits || step_of(&l->form, x) : x->op == IR_OP_break || ir_has_flag(x, IR_FLAG_P);
            if (!may)
                return false;
        }
    }
    return true;
}

static void write_out(struct pass_context *context, struct ir_function *f, const struct bit_loop *l)
{
    const struct loop_form *form = &l->form;
    struct ir_builder b = {.module = f->module, .function = f, .block = form->before};
    struct ir_instr *bits = opt_phi_source(l->bits, form->before), *trips = ir_op1(&b, l->count, bits);
    struct ir_instr **ends = ARENA_ARRAY(context->scratch, struct ir_instr *, loop_phi_count(form) + 1);
    if (l->count != IR_OP_popcount)
        trips = ir_op2(&b, IR_OP_isub, ir_const_int(b.module, bits->type, bits->type.bits), trips);
    uint32_t i = 0;
    for (struct ir_instr *x = form->header->first; x && x->op == IR_OP_phi; x = x->next) {
        if (x == l->bits) {
            ends[i++] = ir_const_int(b.module, x->type, 0);
            continue;
        }
        const enum ir_op convert = x->type.bits > bits->type.bits ? IR_OP_zext : IR_OP_trunc;
        struct ir_instr *count = x->type.bits == bits->type.bits ? trips : ir_convert(&b, convert, x->type, trips);
        count = ir_op2(&b, IR_OP_imul, count, step_of(form, x));
        ends[i++] = ir_op2(&b, IR_OP_iadd, opt_phi_source(x, form->before), count);
    }
    loop_write_out_end(f, form, ends, context->scratch);
}

// ---- searches -----------------------------------------------------------------------------------

enum { SEARCH_SIZE = 24 }; // instructions

struct bit_search {
    struct ir_loop *loop;
    struct ir_block *before, *header, *after;
    struct ir_block *breaks[2]; // at the limit, at the bit
    struct ir_instr *index;     // the phi
    struct ir_instr *bits;
    bool for_ones;
    uint32_t limit;
};

static bool breaks(const struct ir_list *list)
{
    const struct ir_block *b = ir_list_first(list);
    return list->first == list->last && b->last && b->last->op == IR_OP_break;
}

// The test after the block, which leaves the loop. NULL: there is none.
static const struct ir_if *exit_after(const struct ir_block *block, bool *leaves_if_true)
{
    const struct ir_if *test = (const struct ir_if *)block->node.next;
    if (!test || test->node.kind != IR_IF || ir_ends_in_jump(block))
        return NULL;
    *leaves_if_true = breaks(&test->then_list);
    const bool else_breaks = breaks(&test->else_list);
    const struct ir_list *rest = *leaves_if_true ? &test->else_list : &test->then_list;
    const struct ir_block *next = (const struct ir_block *)test->node.next;
    return *leaves_if_true != else_breaks && opt_list_is_empty(rest) && !(next->first && next->first->op == IR_OP_phi) ? test : NULL;
}

static struct ir_block *break_of(const struct ir_if *test, bool leaves_if_true)
{
    return ir_list_first(leaves_if_true ? &test->then_list : &test->else_list);
}

// The number of iterations after which the counter's test leaves the loop; 0: unknown.
static uint64_t limit_of(const struct bit_search *s, const struct ir_instr *cond, bool leaves_if_true)
{
    static const struct {
        enum ir_op op;
        bool constant_first, leaves;
        uint8_t more;
    } tests[] = {{IR_OP_sle, true, true, 0},  {IR_OP_ule, true, true, 0},   {IR_OP_slt, true, true, 1},   {IR_OP_ult, true, true, 1},
                 {IR_OP_slt, false, false, 0}, {IR_OP_ult, false, false, 0}, {IR_OP_sle, false, false, 1}, {IR_OP_ule, false, false, 1},
                 {IR_OP_ieq, false, true, 0}, {IR_OP_ine, false, false, 0}};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (cond->op != tests[i].op || leaves_if_true != tests[i].leaves)
            continue;
        const struct ir_instr *constant = opt_resolved(cond->src[!tests[i].constant_first]);
        if (opt_resolved(cond->src[tests[i].constant_first]) == s->index && ir_is_const(constant))
            return constant->lanes[0] + tests[i].more;
    }
    return 0;
}

// Whether x is the counter, perhaps of another width or masked, as an amount of shifts of `bits` bits.
static bool is_index(const struct bit_search *s, const struct ir_instr *x, unsigned bits)
{
    for (;;) {
        x = x->forward ? opt_resolved(x->forward) : x;
        const bool masked = x->op == IR_OP_and && ir_is_const(x->src[1]) && !(~x->src[1]->lanes[0] & (bits - 1));
        if (!masked && x->op != IR_OP_zext && x->op != IR_OP_sext && x->op != IR_OP_trunc)
            return x == s->index;
        x = x->src[0];
    }
}

static bool is_one(const struct ir_instr *x) { return ir_is_const(x) && x->lanes[0] == 1; }

// The source of an extension in the loop; otherwise x.
static struct ir_instr *unextended(const struct bit_search *s, struct ir_instr *x)
{
    const bool extends = (x->op == IR_OP_zext || x->op == IR_OP_sext) && opt_is_inside(&s->loop->node, x);
    return extends ? opt_resolved(x->src[0]) : x;
}

// Whether x is v >> i & 1 or v & 1 << i: sets `bits`, and whether a set bit gives 1.
static bool is_bit(struct bit_search *s, const struct ir_instr *x, bool *gives_one)
{
    for (unsigned i = 0; i < 2 && x->op == IR_OP_and && x->type.lanes == 1; i++) {
        const struct ir_instr *shift = opt_resolved(x->src[i]);
        struct ir_instr *other = opt_resolved(x->src[!i]);
        *gives_one = shift->op != IR_OP_shl;
        if ((shift->op != IR_OP_shl && shift->op != IR_OP_lshr && shift->op != IR_OP_ashr) || !is_index(s, shift->src[1], x->type.bits))
            continue;
        if (!is_one(*gives_one ? other : opt_resolved(shift->src[0])))
            continue;
        s->bits = *gives_one ? opt_resolved(shift->src[0]) : other;
        return !opt_is_inside(&s->loop->node, unextended(s, s->bits));
    }
    return false;
}

static bool tests_bit(struct bit_search *s, const struct ir_instr *cond, bool leaves_if_true)
{
    bool gives_one;
    if ((cond->op != IR_OP_ieq && cond->op != IR_OP_ine) || !is_bit(s, opt_resolved(cond->src[0]), &gives_one) || !ir_is_const(cond->src[1]))
        return false;
    const uint64_t with = cond->src[1]->lanes[0];
    s->for_ones = ((cond->op == IR_OP_ine) == !with) == leaves_if_true;
    return !with || (gives_one && with == 1);
}

static bool is_pure(const struct bit_search *s)
{
    uint32_t size = 0;
    for (const struct ir_block *b = s->header; b != s->after; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            if (size++ == SEARCH_SIZE || !(x == s->index || x->op == IR_OP_break || (x->op != IR_OP_phi && ir_has_flag(x, IR_FLAG_P))))
                return false;
    return true;
}

static bool joins_plain_values(const struct bit_search *s)
{
    for (const struct ir_instr *x = s->after->first; x && x->op == IR_OP_phi; x = x->next)
        if (x->src_count != 2 || x->type.base == IR_PTR || x->type.lanes != 1 || ir_is_matrix(x->type))
            return false;
    return true;
}

static bool understand_search(struct bit_search *s, struct ir_loop *loop)
{
    bool at_limit, at_bit;
    *s = (struct bit_search){.loop = loop, .before = (struct ir_block *)loop->node.prev, .header = ir_list_first(&loop->body),
                             .after = (struct ir_block *)loop->node.next, .index = ir_list_first(&loop->body)->first};
    const struct ir_if *limit = loop->cond ? NULL : exit_after(s->header, &at_limit);
    const struct ir_if *bit = limit ? exit_after((const struct ir_block *)limit->node.next, &at_bit) : NULL;
    if (!bit || bit->node.next != loop->body.last || ir_ends_in_jump(ir_list_last(&loop->body)) || loop->cont.first != loop->cont.last ||
        !s->index || s->index->op != IR_OP_phi || s->index->type.base != IR_INT || s->index->type.lanes != 1)
        return false;
    const struct loop_form form = {.loop = loop, .cont_last = ir_list_last(&loop->cont)};
    const struct ir_instr *start = opt_phi_source(s->index, s->before), *step = step_of(&form, s->index);
    const uint64_t most = limit_of(s, opt_resolved(limit->cond), at_limit);
    s->breaks[0] = break_of(limit, at_limit);
    s->breaks[1] = break_of(bit, at_bit);
    s->limit = (uint32_t)most;
    return start && ir_is_const(start) && !start->lanes[0] && step && is_one(step) && tests_bit(s, opt_resolved(bit->cond), at_bit) &&
           most && most <= s->bits->type.bits && is_pure(s) && joins_plain_values(s);
}

static void move_out(const struct bit_search *s)
{
    for (struct ir_block *b = s->header; b != s->after; b = ir_next_block(b))
        for (struct ir_instr *x = b->first, *next; x && b->node.list != &s->loop->cont; x = next) {
            next = x->next;
            if (x->op != IR_OP_break)
                opt_move_to_end(s->before, x);
        }
}

static void write_search(struct ir_function *f, const struct bit_search *s)
{
    struct ir_builder b = {.module = f->module, .function = f, .block = s->before};
    const struct ir_type type = s->index->type;
    struct ir_instr *bits = unextended(s, s->bits);
    if (bits != s->bits)
        bits = ir_convert(&b, s->bits->op, s->bits->type, bits);
    bits = s->for_ones ? bits : ir_op1(&b, IR_OP_not, bits);
    struct ir_instr *first = ir_op1(&b, IR_OP_ctz, bits), *limit = ir_const_int(f->module, type, s->limit);
    if (type.bits != bits->type.bits)
        first = ir_convert(&b, type.bits > bits->type.bits ? IR_OP_zext : IR_OP_trunc, type, first);
    if (s->limit < bits->type.bits)
        first = ir_op2(&b, IR_OP_umin, first, limit);
    struct ir_instr *found = ir_op2(&b, IR_OP_ult, first, limit);
    ir_replace(s->index, first);
    move_out(s);
    b = (struct ir_builder){.module = f->module, .function = f, .block = s->before};
    for (struct ir_instr *x = s->after->first, *next; x && x->op == IR_OP_phi; x = next) {
        next = x->next;
        ir_replace(x, ir_select(&b, found, opt_resolved(opt_phi_source(x, s->breaks[1])), opt_resolved(opt_phi_source(x, s->breaks[0]))));
    }
    ir_node_remove(&s->loop->node);
}

// Requires: phis (after opt_mem2reg). Keeps: values. Removes: loops.
bool opt_bit_loops(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = nodes.count; i-- > 0;) {
        struct bit_loop l;
        struct bit_search search;
        struct ir_loop *loop = (struct ir_loop *)nodes.items[i];
        if (loop->node.kind == IR_LOOP && understand_search(&search, loop)) {
            write_search(f, &search);
            changed = true;
            continue;
        }
        if (loop->node.kind != IR_LOOP || !loop_understand(&l.form, loop) || !l.form.test || !(l.bits = tested_bits(&l.form)) ||
            !find_count(context->target, &l) || !does_nothing_else(&l))
            continue;
        write_out(context, f, &l);
        changed = true;
    }
    if (changed)
        ir_resolve(f);
    return changed;
}
