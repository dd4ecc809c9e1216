// SPDX-License-Identifier: Apache-2.0
// Computes the address of an access from that of a nearby access in the same block.
//
//   %3 = ptr_index %1, zext(%2 - 1), 4      ->   %3 = ptr_index %1, zext(%2 - 1), 4
//   %4 = ptr_index %1, zext(%2 - 2), 4           %4 = ptr_index %3, -4
//   load %3 ; load %4                            load %3 ; load %4
//
// The second form is less work where the index is a longer sum (a[(y + 1) * 128 + x]), and most GPUs add such a constant
// in the access itself. Drivers that combine accesses see the constant distance only in that form, because %2 - 2 may
// wrap where %2 - 1 does not. Then the two addresses are 4 bytes and a multiple of 2^32 * 4 bytes apart. But both are
// accessed, and both are inside of the object that %1 points into, which is smaller than that if no buffer is larger
// (kc_target.small_buffers). (Passes that access what the program does not, opt_flat_ifs, run later.)
#include "passes/alias.h"

enum { MOST_PLACES = 16, FAR = 1 << 16, VERY_FAR = 1 << 22 };
#define LARGEST_BUFFER (UINT64_C(1) << 32)

struct neighbor {
    struct alias_place place;
    struct ir_instr *address;
};

struct neighbors { // those of a block, the oldest is replaced
    const struct ir_function *f;
    bool small_buffers;
    struct neighbor items[MOST_PLACES];
    unsigned count;
    bool changed;
};

// The pointer that the address is a constant distance from.
static const struct ir_instr *start_of(const struct ir_instr *x)
{
    x = opt_resolved((struct ir_instr *)x);
    while (x->op == IR_OP_ptr_index && x->src_count < 2)
        x = opt_resolved(x->src[0]);
    return x;
}

static bool has_pointer(const struct alias_place *place)
{
    unsigned pointers = 0;
    for (unsigned i = 0; i < place->count; i++)
        pointers += place->terms[i].value->type.base == IR_PTR && place->terms[i].factor == 1;
    return pointers == 1;
}

static bool is_near(const struct neighbors *n, const struct neighbor *from, const struct alias_place *to, int64_t *bytes)
{
    uint64_t period;
    if (!from->place.wraps && !to->wraps)
        return alias_distance(&from->place, to, bytes) && *bytes > -VERY_FAR && *bytes < VERY_FAR;
    return n->small_buffers && alias_distance_modulo(&from->place, to, bytes, &period) && *bytes > -FAR && *bytes < FAR && period >= LARGEST_BUFFER + FAR;
}

static void see(struct neighbors *n, struct ir_instr *x)
{
    if (opt_kind(x) != OPT_DEVICE)
        return;
    struct ir_instr *address = opt_resolved(x->src[0]);
    const struct alias_place place = alias_place(n->f, x);
    const unsigned count = n->count < MOST_PLACES ? n->count : MOST_PLACES;
    int64_t bytes;
    if (!has_pointer(&place))
        return;
    for (unsigned i = 0; i < count; i++) {
        const struct neighbor *near = &n->items[i];
        if (start_of(near->address) == start_of(address))
            return;
        if (!ir_type_eq(near->address->type, address->type) || !is_near(n, near, &place, &bytes))
            continue;
        struct ir_builder b = ir_before((struct ir_function *)n->f, x);
        x->src[0] = ir_ptr_index(&b, near->address, NULL, 0, bytes);
        n->changed = true;
        return;
    }
    n->items[n->count++ % MOST_PLACES] = (struct neighbor){place, address};
}

// Requires: pointers; runs before lower_memory. Keeps: which bytes are accessed.
bool opt_neighbors(struct pass_context *c, struct ir_function *f)
{
    struct neighbors *n = arena_alloc(c->scratch, sizeof *n);
    n->f = f;
    n->small_buffers = c->target->small_buffers;
    n->changed = false;
    for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b)) {
        n->count = 0;
        for (struct ir_instr *x = b->first; x; x = x->next)
            if ((x->op == IR_OP_load || x->op == IR_OP_store) && !ir_is_matrix(x->op == IR_OP_load ? x->type : x->src[1]->type))
                see(n, x);
    }
    return n->changed;
}
