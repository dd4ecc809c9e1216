// SPDX-License-Identifier: Apache-2.0
// Tests structurization of random control-flow graphs, including irreducible ones: ir_cfg [FIRST COUNT].
//
// Each node mixes its number into a hash and counts visits; its successor depends on the hash. The graph is walked
// here, and the tree that cfg_structurize() builds from it is interpreted; both must agree, and no code may be
// duplicated. Then the same with SSA values, which are used after loops left from arms of ifs, and with the exits
// added for them (lower_exits).
#include "ir/cfg.h"
#include "ir_machine.h"
#include "passes/passes.h"

enum { MOST_NODES = 24, MOST_VISITS = 150, WAYS = 4 };

struct plan { // of one node
    enum cfg_end end;
    unsigned to[WAYS], shift;
    bool stops; // after enough visits
};

struct graph {
    struct ir_module *m;
    struct ir_builder b;
    struct cfg cfg;
    struct ir_instr *hash, *visits; // addresses
    struct plan plans[MOST_NODES];
    unsigned count;
    uint64_t state;
};

static unsigned roll(struct graph *g, unsigned sides)
{
    g->state ^= g->state << 13;
    g->state ^= g->state >> 7;
    g->state ^= g->state << 17;
    return (unsigned)((g->state >> 20) % sides);
}

static void make_plans(struct graph *g)
{
    const bool stops = roll(g, 2);
    g->count = 2 + roll(g, MOST_NODES - 2);
    for (unsigned i = 0; i < g->count; i++) {
        struct plan *p = &g->plans[i];
        unsigned kind = roll(g, 10);
        p->end = kind == 0 ? CFG_EXIT : kind < 4 ? CFG_JUMP : kind < 9 ? CFG_BRANCH : CFG_SWITCH;
        p->shift = roll(g, 28);
        p->stops = stops || !roll(g, 4);
        for (unsigned k = 0; k < WAYS; k++) // mostly forward and near
            p->to[k] = roll(g, 3) ? (i + 1 + roll(g, 3)) % g->count : roll(g, g->count);
    }
}

// Code that some nodes have in common and that is loop-invariant.
static uint32_t factor(unsigned node) { return 2 * (node % 4) + 3; }

// False: it does not terminate.
static bool walk(const struct graph *g, uint32_t hash, uint32_t *result)
{
    unsigned at = 0;
    const uint32_t given = hash;
    for (unsigned visits = 1;; visits++) {
        const struct plan *p = &g->plans[at];
        hash = hash * 1664525 + 2 * at + 1;
        hash ^= given * factor(at);
        *result = hash;
        if ((p->stops && visits >= MOST_VISITS) || p->end == CFG_EXIT)
            return true;
        if (visits >= 4 * MOST_VISITS)
            return false;
        unsigned bits = hash >> p->shift;
        at = p->to[p->end == CFG_JUMP ? 0 : p->end == CFG_BRANCH ? !(bits & 1) : bits & 3];
    }
}

// ---- the same as IR ------------------------------------------------------------------------------

static const struct ir_mem own = {.space = IR_PRIVATE, .align = 4}, shared = {.space = IR_GLOBAL, .align = 4};

static struct ir_instr *number(struct graph *g, uint32_t value) { return ir_const_int(g->m, ir_int(32), value); }

static void finish(struct graph *g, struct ir_instr *hash)
{
    ir_store(&g->b, g->cfg.function->params[1], hash, shared);
    ir_jump(&g->b, IR_OP_return, NULL);
}

static struct ir_instr *make_code(struct graph *g, unsigned i)
{
    struct ir_builder *b = &g->b;
    struct ir_instr *hash = ir_load(b, ir_int(32), g->hash, own), *visits = ir_load(b, ir_int(32), g->visits, own);
    hash = ir_op2(b, IR_OP_imul, hash, number(g, 1664525));
    hash = ir_op2(b, IR_OP_iadd, hash, number(g, 2 * i + 1));
    hash = ir_op2(b, IR_OP_xor, hash, ir_op2(b, IR_OP_imul, g->cfg.function->params[0], number(g, factor(i))));
    visits = ir_op2(b, IR_OP_iadd, visits, number(g, 1));
    ir_store(b, g->hash, hash, own);
    ir_store(b, g->visits, visits, own);
    if (!g->plans[i].stops)
        return hash;
    struct ir_if *enough = ir_add_if(b, ir_op2(b, IR_OP_ule, number(g, MOST_VISITS), visits));
    ir_place_end(b, &enough->then_list);
    finish(g, hash);
    ir_place_after(b, &enough->node);
    return hash;
}

static void make_end(struct graph *g, unsigned i, struct ir_instr *hash)
{
    static const uint64_t values[] = {0, 1, 2};
    struct plan *p = &g->plans[i];
    struct cfg_node *node = g->cfg.nodes.items[i], *to[WAYS];
    for (unsigned k = 0; k < WAYS; k++)
        to[k] = g->cfg.nodes.items[p->to[k]];
    struct ir_instr *bits = ir_op2(&g->b, IR_OP_lshr, hash, number(g, p->shift));
    if (p->end == CFG_EXIT) {
        finish(g, hash);
    } else if (p->end == CFG_JUMP) {
        cfg_end_jump(&g->cfg, node, to[0]);
    } else if (p->end == CFG_BRANCH) {
        bits = ir_op2(&g->b, IR_OP_and, bits, number(g, 1));
        cfg_end_branch(&g->cfg, node, ir_op2(&g->b, IR_OP_ine, bits, number(g, 0)), to[0], to[1]);
    } else {
        cfg_end_switch(&g->cfg, node, ir_op2(&g->b, IR_OP_and, bits, number(g, 3)), values, to, WAYS - 1);
    }
}

static void make_tree(struct graph *g)
{
    const struct ir_type params[] = {ir_int(32), ir_ptr(8, IR_GLOBAL)};
    struct ir_function *f = ir_function_get(g->m, "f", ir_void(), params, 2);
    ir_function_define(f);
    g->cfg = (struct cfg){.function = f, .arena = g->m->arena};
    g->b = ir_at_end(f);
    g->hash = ir_addr(g->m, ir_var_add(g->m, f, "hash", IR_PRIVATE, 4, 4));
    g->visits = ir_addr(g->m, ir_var_add(g->m, f, "visits", IR_PRIVATE, 4, 4));
    for (unsigned i = 0; i < g->count; i++)
        cfg_node_add(&g->cfg);
    for (unsigned i = 0; i < g->count; i++) {
        ir_place_end(&g->b, &g->cfg.nodes.items[i]->code);
        if (!i) {
            ir_store(&g->b, g->hash, f->params[0], own);
            ir_store(&g->b, g->visits, number(g, 0), own);
        }
        make_end(g, i, make_code(g, i));
    }
    cfg_structurize(&g->cfg);
}

// The number of copies of a node's code.
static unsigned most_copies(const struct graph *g)
{
    unsigned copies[MOST_NODES] = {0}, most = 0;
    for (struct ir_block *b = ir_first_block(g->cfg.function); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_iadd && x->src[0]->op == IR_OP_imul) {
                unsigned *node = &copies[(x->src[1]->lanes[0] - 1) / 2];
                most = ++*node > most ? *node : most;
            }
    return most;
}

// The entry initializes the variables, so it must not have predecessors.
static void remove_edges_to_entry(struct graph *g)
{
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < WAYS; k++)
            if (!g->plans[i].to[k])
                g->plans[i].to[k] = 1 + roll(g, g->count - 1);
}

static unsigned exits; // number of graphs to which exits were added

static bool has_exits(const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (x->op == IR_OP_sys)
                return true;
    return false;
}

static const char *check_runs(struct graph *g)
{
    static const uint32_t inputs[] = {0, 1, 77, 0x80000005u};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        uint8_t result[BUFFER];
        uint32_t got, wanted;
        if (!walk(g, inputs[i], &wanted))
            continue;
        if (!execute(g->m, g->cfg.function, inputs[i], 100000, result))
            return "does not end";
        memcpy(&got, result, 4);
        if (got != wanted)
            return "another result";
    }
    return NULL;
}

static const char *check_passes(struct graph *g, const struct kc_target *target)
{
    static const char *const passes[] = {"lower_returns", "opt_mem2reg", "opt_cse", "opt_branches", "opt_cse", "opt_dce"};
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        pipeline_run_one(g->m, target, passes[i]);
    const char *wrong = ir_verify(g->m) ? "no sound IR as values" : check_runs(g);
    if (wrong)
        return wrong;
    pipeline_run_one(g->m, target, "lower_exits");
    exits += has_exits(g->cfg.function);
    return ir_verify(g->m) ? "no sound IR with exits" : check_runs(g);
}

static const char *check_seed(uint64_t seed)
{
    struct arena arena;
    struct intern intern;
    struct kc_target target = {.int8 = true, .int16 = true, .int64 = true};
    *(seed % 2 ? &target.exits_by_phis : &target.second_exits) = true;
    arena_init(&arena, 0, NULL);
    intern_init(&intern, &arena);
    struct graph *g = ARENA_NEW(&arena, struct graph);
    g->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    g->m = ir_module_create(&arena, &intern, &target);
    make_plans(g);
    remove_edges_to_entry(g);
    make_tree(g);
    const char *wrong = ir_verify(g->m) ? "no sound IR" : most_copies(g) > 1 ? "code is there twice" : check_runs(g);
    if (!wrong)
        wrong = check_passes(g, &target);
    arena_finish(&arena);
    return wrong;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 10) : 3000;
    int failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        const char *wrong = check_seed(seed);
        if (wrong && ++failed < 10)
            printf("seed %llu: %s\n", (unsigned long long)seed, wrong);
    }
    printf("%llu graphs, %u with other exits, %d wrong\n", (unsigned long long)count, exits, failed);
    return failed || (count >= 1000 && exits < count / 100);
}
