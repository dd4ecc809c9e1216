// SPDX-License-Identifier: Apache-2.0
// Rejects a kernel that the driver's compiler cannot compile, before it exhausts the machine's memory.
//
// The cost is estimated with measured rates of the driver (kc_target.cost).
#include "passes/amount.h"
#include "passes/call_order.h"

enum { MOST_SECONDS = 600, MOST_GB = 16 };

// Cost of an access in thirds of a one-component access; four components cost 2.7 times as much as one.
static uint32_t access_thirds(const struct ir_instr *x)
{
    const bool access = x->op == IR_OP_load || x->op == IR_OP_store || x->op == IR_OP_atomic;
    const struct ir_type type = x->op == IR_OP_store ? x->src[1]->type : x->type;
    return access ? (4 + 5 * type.lanes) / 3 : 0;
}

// Number of accesses in the longest code without branches, with calls inlined. In `order`, functions follow their
// callers.
static double straight_accesses(struct pass_context *c)
{
    const struct call_order order = call_order_find(c);
    double *longest = ARENA_ARRAY(c->scratch, double, c->module->functions.count), all = 0;
    for (size_t i = order.functions.count; i--;) {
        const struct ir_function *f = order.functions.items[i];
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
            double thirds = 0;
            for (const struct ir_instr *x = b->first; x; x = x->next)
                thirds += is_known_call(x) ? longest[x->callee->id] : access_thirds(x);
            longest[f->id] = thirds > longest[f->id] ? thirds : longest[f->id];
        }
        all = longest[f->id] > all ? longest[f->id] : all;
    }
    return all / 3;
}

static void limit_accesses(struct pass_context *c)
{
    const double most = (double)c->target->cost.most_accesses * (c->target->physical_addressing ? 1 : 2);
    const double accesses = most > 0 ? straight_accesses(c) : 0;
    if (accesses > most)
        c->module->error = arena_printf(c->module->arena,
                                        "the device's driver crashes on more than about %.0f memory accesses without a branch; "
                                        "this kernel has %.0f after inlining (PUMICE_LIMIT=none compiles it anyway)",
                                        most, accesses);
}

// Intel's compiler keeps 16 bits of the numbers of registers in which it puts constants, and overwrites others.
static void limit_registers(struct pass_context *c)
{
    const struct ir_function *most = NULL;
    const double limit = (double)c->target->cost.most_registers;
    const double registers = limit > 0 && amount_at_most(c).registers > limit ? amount_inlined(c, &most).registers : 0;
    c->module->too_large = registers > limit;
    if (registers > limit)
        c->module->error = arena_printf(c->module->arena,
                                        "the device's driver compiles kernels of more than about %.0f registers wrongly; this kernel "
                                        "has %.0f after inlining, most of them in '%s' (PUMICE_LIMIT=none compiles it anyway)",
                                        limit, registers, most->name);
}

static double compile_ns(const struct pass_context *c, const struct amount *a)
{
    enum { PLACES = 24 }; // blocks that a component in local memory becomes
    const struct kc_compile_cost *cost = &c->target->cost;
    return a->instructions * (double)cost->instruction_ns + a->locals * (double)cost->local_ns + a->blocks * (double)cost->block_ns +
           (a->phis + a->locals + a->blocks) * (a->blocks + PLACES * a->locals) * (double)cost->block_pair_ns +
           a->buffers * (a->buffers + 2 * a->blocks) * (double)cost->buffer_pair_ns +
           a->loop_buffers * (double)cost->loop_buffer_ns + amount_pairs_ns(c, a);
}

static double compile_bytes(const struct pass_context *c, const struct amount *a)
{
    enum {
        BUFFER_PAIRS = 2,     // in a byte: 1.1 GB for 46,000 blocks of accesses to buffers
        BLOCK_PAIR_BYTES = 7, // the driver stores which values are live where: 3.0 GB in all for 19,000 blocks
    };
    const struct kc_compile_cost *cost = &c->target->cost;
    return a->instructions * (double)cost->instruction_bytes + a->locals * (double)cost->local_bytes +
           a->blocks * a->blocks * BLOCK_PAIR_BYTES + a->buffers * (a->buffers + 2 * a->blocks) / BUFFER_PAIRS;
}

static bool is_too_much(const struct pass_context *c, const struct amount *a)
{
    return compile_ns(c, a) > MOST_SECONDS * 1e9 || compile_bytes(c, a) > MOST_GB * 1e9;
}

static void limit_time_and_memory(struct pass_context *c)
{
    const struct ir_function *most = NULL;
    const struct amount bound = amount_at_most(c);
    if (!c->target->cost.instruction_ns || !is_too_much(c, &bound))
        return;
    const struct amount a = amount_inlined(c, &most);
    if (is_too_much(c, &a))
        c->module->error = arena_printf(
            c->module->arena,
            "the device's driver would take about %.0f minutes and %.1f GB to compile this kernel, which has %.0f instructions "
            "after inlining, most of them in '%s' (PUMICE_LIMIT=none compiles it anyway)",
            compile_ns(c, &a) / 60e9 + 1, compile_bytes(c, &a) / 1e9, a.instructions, most->name);
}

// Requires: all that changes functions. Keeps: everything. Removes: nothing; fails where the driver would crash, or take too
// long or too much memory.
bool limit_size(struct pass_context *c)
{
    if (c->module->error || c->target->no_cost_limit)
        return false;
    limit_accesses(c);
    limit_registers(c);
    if (!c->module->error)
        limit_time_and_memory(c);
    return false;
}
