// SPDX-License-Identifier: Apache-2.0
// Puts the usual cases of several operations side by side, and their rare cases into one if.
//
//   %1 = phi (if %a {} else { call rare(...) }) ; X ; %2 = phi (if %b {} else { call rare(...) })
//   ->   X' ; if %a && %b' {} else { call rare(...) ; X'' ; call rare(...) } ; phis
//
// A quotient of doubles, for example, is a few operations and, for numbers at the ends of the range, a call of a function
// that is right for all numbers. A driver that inlines the function puts it between the usual cases: many quotients are
// many jumps over code that is hardly ever executed (H200, Black-Scholes with 48 such ifs: 53 -> 27 us). With unusual
// numbers X' computes nonsense, which is not used. Such functions have no effects, and give what the usual case does where
// that is right.
#include "passes/opt.h"
#include "util/map.h"

enum {
    MAX_JOINED = 16, // ifs
    MAX_COPIED = 200 // instructions of the usual cases that are copied for the rare ones
};

// An if that calls in one case, and only computes in both
struct rare {
    struct ir_if *node;
    struct ir_list *usual, *calls;
};

struct joining {
    struct ir_function *f;
    struct arena *scratch;
    struct rare rares[MAX_JOINED];
    unsigned count;
    struct map usual, unusual;          // values of the original code -> of the two copies
    struct ir_builder fast, slow, after; // these, and the phis
    struct ir_instr *all_usual;
};

static struct ir_block *block_before(const struct rare *r) { return (struct ir_block *)r->node->node.prev; }
static struct ir_block *block_after(const struct rare *r) { return (struct ir_block *)r->node->node.next; }

// ---- what can be joined ---------------------------------------------------------------------------

static bool is_rare_call(const struct ir_instr *x)
{
    if (x->op != IR_OP_call || !x->callee->no_inline || !x->callee->from_library)
        return false;
    for (uint32_t i = 0; i < x->src_count; i++)
        if (x->src[i]->type.base != IR_FLOAT)
            return false;
    return true;
}

// Whether the list is one block of computations; *calls: and such calls
static bool only_computes(const struct ir_list *list, bool *calls)
{
    *calls = false;
    if (list->first != list->last)
        return false;
    for (const struct ir_instr *x = ((const struct ir_block *)list->first)->first; x; x = x->next) {
        bool call = is_rare_call(x);
        *calls |= call;
        if (!call && !ir_has_flag(x, IR_FLAG_P))
            return false;
    }
    return true;
}

static bool find_rare(struct rare *r, struct ir_node *node)
{
    bool then_calls, else_calls;
    if (!node || node->kind != IR_IF)
        return false;
    r->node = (struct ir_if *)node;
    if (!only_computes(&r->node->then_list, &then_calls) || !only_computes(&r->node->else_list, &else_calls))
        return false;
    r->usual = then_calls ? &r->node->else_list : &r->node->then_list;
    r->calls = then_calls ? &r->node->then_list : &r->node->else_list;
    return then_calls != else_calls;
}

static bool has_marked_source(const struct ir_instr *x)
{
    for (uint32_t i = 0; i < x->src_count; i++)
        if (opt_resolved(x->src[i])->mark)
            return true;
    return false;
}

static void unmark(struct ir_block *block)
{
    for (struct ir_instr *x = block->first; x; x = x->next)
        x->mark = 0;
}

// Marks the block's phis and what depends on them or on other marked values. Fewer than 0: some of these have effects or
// cannot be phis; otherwise how many there are.
static int mark_dependent(struct ir_block *block)
{
    int count = 0;
    for (struct ir_instr *x = block->first; x; x = x->next) {
        x->mark = x->op == IR_OP_phi || has_marked_source(x);
        count += x->mark;
        bool is_value = x->type.base == IR_FLOAT || x->type.base == IR_INT || x->type.base == IR_BOOL;
        if (x->mark && (!is_value || (x->op != IR_OP_phi && !ir_has_flag(x, IR_FLAG_P))))
            return -1;
    }
    return count;
}

// The ifs from `first` on, with marked blocks between them
static void find_run(struct joining *j, const struct rare *first)
{
    int copied = 0;
    j->rares[0] = *first;
    for (j->count = 1; j->count < MAX_JOINED; j->count++) {
        struct ir_block *between = block_after(&j->rares[j->count - 1]);
        if (!find_rare(&j->rares[j->count], between->node.next))
            return;
        int dependent = mark_dependent(between);
        copied += dependent;
        if (dependent >= 0 && copied <= MAX_COPIED)
            continue;
        unmark(between);
        return;
    }
}

// ---- joining ----------------------------------------------------------------------------------------

static struct ir_instr *copied(const struct map *map, struct ir_instr *x)
{
    x = opt_resolved(x);
    struct ir_instr *copy = map_get(map, x);
    return copy ? copy : x;
}

static void copy(struct joining *j, struct ir_builder *b, struct map *map, struct ir_instr *x)
{
    struct ir_instr **src = ARENA_ARRAY(j->scratch, struct ir_instr *, x->src_count + 1);
    for (uint32_t i = 0; i < x->src_count; i++)
        src[i] = copied(map, x->src[i]);
    map_set(j->scratch, map, x, ir_build_like(b, (enum ir_op)x->op, x->type, src, x->src_count, x));
}

static void copy_list(struct joining *j, struct ir_builder *b, struct map *map, struct ir_list *list)
{
    for (struct ir_instr *x = ir_list_first(list)->first; x; x = x->next)
        copy(j, b, map, x);
}

// `x`, which both copies have, outside of them
static void replace_by_phi(struct joining *j, struct ir_instr *x)
{
    const struct ir_if *joined = (const struct ir_if *)j->after.block->node.prev;
    struct ir_instr *phi = ir_phi(&j->after, x->type, 2);
    phi->src[0] = map_get(&j->usual, x);
    phi->src[1] = map_get(&j->unusual, x);
    phi->preds[0] = ir_list_last(&joined->then_list);
    phi->preds[1] = ir_list_last(&joined->else_list);
    ir_replace(x, phi);
}

static void join_if(struct joining *j, const struct rare *r)
{
    copy_list(j, &j->fast, &j->usual, r->usual);
    copy_list(j, &j->slow, &j->unusual, r->calls);
    struct ir_instr *usual = copied(&j->usual, r->node->cond);
    if (r->usual == &r->node->else_list)
        usual = ir_op1(&j->fast, IR_OP_not, usual);
    j->all_usual = j->all_usual ? ir_op2(&j->fast, IR_OP_and, j->all_usual, usual) : usual;
}

static void join_phi(struct joining *j, const struct rare *r, struct ir_instr *phi)
{
    map_set(j->scratch, &j->usual, phi, copied(&j->usual, opt_phi_source(phi, ir_list_last(r->usual))));
    map_set(j->scratch, &j->unusual, phi, copied(&j->unusual, opt_phi_source(phi, ir_list_last(r->calls))));
}

// The marked instructions are copied; the others move before the if.
static void join_between(struct joining *j, const struct rare *r)
{
    for (struct ir_instr *x = block_after(r)->first, *next; x; x = next) {
        next = x->next;
        if (!x->mark) {
            opt_move_to_end(j->fast.block, x);
            continue;
        }
        if (x->op == IR_OP_phi) {
            join_phi(j, r, x);
            continue;
        }
        copy(j, &j->fast, &j->usual, x);
        copy(j, &j->slow, &j->unusual, x);
    }
}

static void replace_all(struct joining *j, struct ir_block *block, bool only_phis)
{
    for (struct ir_instr *x = block->first, *next; x && (!only_phis || x->op == IR_OP_phi); x = next) {
        next = x->next;
        x->mark = 0;
        replace_by_phi(j, x);
    }
}

static void join(struct joining *j)
{
    struct rare *last = &j->rares[j->count - 1];
    struct ir_builder b = {.module = j->f->module, .function = j->f, .block = block_before(&j->rares[0])};
    struct ir_if *joined = ir_add_if(&b, j->rares[0].node->cond);
    j->fast = j->slow = j->after = b;
    j->fast.block = (struct ir_block *)joined->node.prev;
    ir_place_end(&j->slow, &joined->else_list);
    for (unsigned i = 0; i < j->count; i++) {
        join_if(j, &j->rares[i]);
        if (&j->rares[i] != last)
            join_between(j, &j->rares[i]);
    }
    joined->cond = j->all_usual;
    for (struct ir_instr *x = block_after(last)->first; x && x->op == IR_OP_phi; x = x->next)
        join_phi(j, last, x);
    for (unsigned i = 0; i < j->count; i++)
        replace_all(j, block_after(&j->rares[i]), &j->rares[i] == last);
    for (unsigned i = 0; i < j->count; i++)
        ir_node_remove(&j->rares[i].node->node);
}

static bool visit(struct pass_context *context, struct ir_function *f, struct ir_node *node)
{
    struct joining j = {.f = f, .scratch = context->scratch};
    struct rare first;
    if (!find_rare(&first, node))
        return false;
    find_run(&j, &first);
    if (j.count < 2)
        return false;
    join(&j);
    return true;
}

// Requires: resolved values. Keeps: effects and values. Removes: ifs.
bool opt_rare_calls(struct pass_context *context, struct ir_function *f)
{
    struct opt_nodes nodes = opt_nodes(f, context->scratch);
    bool changed = false;
    for (size_t i = 0; i < nodes.count; i++)
        changed |= nodes.items[i]->list && visit(context, f, nodes.items[i]); // else removed with another one
    if (changed)
        ir_resolve(f);
    return changed;
}
