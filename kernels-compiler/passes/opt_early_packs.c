// SPDX-License-Identifier: Apache-2.0
// Words that are packed from computed bytes and used elsewhere are packed in halves.
//
//   %1 = or a, b << 8 ; %2 = or %1, c << 16 ; %3 = or %2, d << 24 ; elem_store %3 of $array
//   ->   %1 = or a, b << 8 ; %2 = or c << 16, d << 24 ; %3 = or %1, %2 ; elem_store %3 of $array
//
// RADV makes the first form one operation with one source, and moves such operations to the block that uses the result: until
// then, four registers are live instead of one. The second form is longer: it is for many words only, and for devices with
// scalar registers.
#include "passes/pressure.h"
#include "util/vec.h"

enum { BYTES = 4 }; // of a word

// The position of a byte in the word, in bits. UINT32_MAX: x is no computed byte.
static uint32_t position(const struct ir_instr *x)
{
    const bool shifted = x->op == IR_OP_shl && ir_is_const(x->src[1]);
    const struct ir_instr *byte = shifted ? x->src[0] : x;
    const bool extended = byte->op == IR_OP_zext && byte->src[0]->type.bits == 8 && !opt_is_floating(byte->src[0]);
    if (!extended || byte->src[0]->op == IR_OP_load || byte->src[0]->op == IR_OP_elem_load)
        return UINT32_MAX;
    return shifted ? (uint32_t)x->src[1]->lanes[0] : 0;
}

static bool is_or(const struct ir_instr *x)
{
    return x->op == IR_OP_or && x->type.base == IR_INT && x->type.bits == 32 && x->type.lanes == 1;
}

struct pack {
    struct ir_instr *steps[3]; // the last one first
    unsigned rest[2];          // the source that is the next step
};

// Whether x packs four bytes one after the other.
static bool is_pack(struct pack *p, struct ir_instr *x)
{
    uint32_t seen = 0;
    for (unsigned i = 0; i < 3; i++) {
        p->steps[i] = x;
        if (!is_or(x))
            return false;
        const unsigned rest = !is_or(x->src[0]);
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t at = i < 2 && k == rest ? 0 : position(x->src[k]);
            seen |= i < 2 && k == rest ? 0 : at < 32 ? 1u << at : UINT32_MAX;
        }
        if (i < 2)
            x = x->src[p->rest[i] = rest];
    }
    return seen == (1u | 1u << 8 | 1u << 16 | 1u << 24);
}

static bool is_stored(const struct ir_instr *x, const struct ir_instr *user)
{
    return user->op == IR_OP_elem_store && user->var->space == IR_PRIVATE && user->src[0] != x;
}

static void pack_in_halves(struct ir_function *f, const struct pack *p)
{
    struct ir_instr *last = p->steps[0], *middle = p->steps[1];
    struct ir_builder b = ir_before(f, last);
    last->src[!p->rest[0]] = ir_op2(&b, IR_OP_or, middle->src[!p->rest[1]], last->src[!p->rest[0]]);
    last->src[p->rest[0]] = p->steps[2];
    ir_remove(middle);
}

struct packs {
    VEC(struct pack) list;
    bool *here;             // by id: used in its own block, other than stored in a private array
    struct ir_var **arrays; // by id: the private array in which it is stored
};

static void find_uses(struct packs *p, const struct ir_function *f)
{
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (const struct ir_instr *x = b->first; x; x = x->next)
            for (uint32_t i = 0; i < x->src_count; i++) {
                const struct ir_instr *source = x->src[i];
                if (opt_is_floating(source))
                    continue;
                if (is_stored(source, x))
                    p->arrays[source->id] = x->var;
                else
                    p->here[source->id] |= x->op != IR_OP_phi && x->block == source->block;
            }
}

// The registers that the bytes of the words need, of work-items or of sub-groups. A store may be in a loop that the driver
// unrolls: all elements of the array count.
static uint32_t bytes_of(const struct packs *p, const bool *varies, const struct ir_function *f, bool of_items)
{
    uint32_t words = 0;
    for (size_t i = 0; i < f->vars.count; i++)
        f->vars.items[i]->id = 0;
    for (size_t i = 0; i < p->list.count; i++) {
        const struct ir_instr *x = p->list.items[i].steps[0];
        struct ir_var *array = p->arrays[x->id];
        if (varies[x->id] != of_items || (array && array->id))
            continue;
        words += array ? (uint32_t)array->count : 1;
        if (array)
            array->id = 1;
    }
    return words * BYTES * 4;
}

// Requires: small integers are lowered; no later pass combines operations. Keeps: values. Removes: nothing.
bool opt_early_packs(struct pass_context *c, struct ir_function *f)
{
    if (!c->target || !pressure_has_scalars(c->target))
        return false;
    const uint32_t *uses = opt_use_counts(f, c->scratch);
    struct packs p = {.here = ARENA_ARRAY(c->scratch, bool, f->instr_count + 1),
                      .arrays = ARENA_ARRAY(c->scratch, struct ir_var *, f->instr_count + 1)};
    struct pack pack;
    find_uses(&p, f);
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
        for (struct ir_instr *x = b->first; x; x = x->next)
            if (!p.here[x->id] && is_pack(&pack, x) && uses[pack.steps[1]->id] == 1)
                vec_push(c->scratch, &p.list, pack);
    if (!p.list.count)
        return false;
    const bool *varies = pressure_varies_in_row(f, c->scratch);
    const bool many[] = {bytes_of(&p, varies, f, false) > PRESSURE_SCALAR_BYTES,
                         bytes_of(&p, varies, f, true) > c->target->register_bytes / 4 * 3};
    for (size_t i = 0; i < p.list.count; i++)
        if (many[varies[p.list.items[i].steps[0]->id]])
            pack_in_halves(f, &p.list.items[i]);
    return many[false] || many[true];
}
