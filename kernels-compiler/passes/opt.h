// SPDX-License-Identifier: Apache-2.0
// What several optimising passes need.
#ifndef KC_PASSES_OPT_H
#define KC_PASSES_OPT_H

#include "passes/passes.h"

struct opt_nodes { // the ifs, loops and switches in source order: backwards, inner ones come before
                   // outer ones
    struct ir_node **items;
    size_t count;
};

struct opt_nodes opt_nodes(const struct ir_function *function, struct arena *arena);

// Makes selects of ifs whose arms cost no more than `limit`; `loads`: also of those that load from device addresses.
bool opt_convert_ifs(struct pass_context *context, struct ir_function *function, unsigned limit, bool loads);

// Whether y is x once more: operation, type, immediates and sources, of which only y's may have been replaced.
bool opt_same(const struct ir_instr *x, const struct ir_instr *y);

// Uses of every instruction by its id; numbers the instructions. Conditions count. Code that nothing reaches may be
// counted wrong.
uint32_t *opt_use_counts(struct ir_function *function, struct arena *arena);

// The same bits as another type of the same size (pointers by ptr_to_int and int_to_ptr).
bool opt_can_recast(struct ir_type from, struct ir_type to);
struct ir_instr *opt_recast(struct ir_builder *b, struct ir_instr *x, struct ir_type to);

// Whether an address has no value, so that no access by it is ever made. A driver must not see such accesses: LLVM 15 makes
// instructions of some that no processor has.
bool opt_is_nowhere(const struct ir_instr *address);

// What a load of numbers from a known place in a constant gives; NULL: it is none.
struct ir_instr *opt_constant_load(struct ir_module *module, const struct ir_instr *load);

// What an address is made of when it is a variable plus a constant; NULL: something else.
struct ir_var *opt_var_at(const struct ir_instr *address, int64_t *offset);

bool opt_is_inside(const struct ir_node *node, const struct ir_instr *x); // in one of its lists
bool opt_list_is_empty(const struct ir_list *list); // one block, nothing in it
struct ir_instr *opt_phi_source(const struct ir_instr *phi,
                                const struct ir_block *pred); // NULL: no such edge
void opt_move_to_end(struct ir_block *to, struct ir_instr *x); // which ends in no jump
uint32_t opt_list_size(const struct ir_list *list);           // instructions, with all inside

// An i32 that is 0, which drivers do not know: the highest bit of the work-group's number, which has fewer.
struct ir_instr *opt_hidden_zero(struct ir_builder *b);

static inline struct ir_instr *opt_resolved(struct ir_instr *x) // through `forward`
{
    while (x->forward)
        x = x->forward;
    return x;
}

// Whether two instructions of one operation have the same immediates.
bool opt_same_immediates(const struct ir_instr *x, const struct ir_instr *y);

static inline bool
opt_is_floating(const struct ir_instr *x) // has no place: const, undef, param, addr
{
    return x->op <= IR_OP_addr;
}

// opt_range.c: the largest value, every lane taken as unsigned; whether the sign bits are always
// zero.
uint64_t opt_max(const struct kc_target *target, const struct ir_instr *x);
unsigned opt_zero_bits(const struct ir_instr *x); // low bits of an integer that are 0, at least
bool opt_never_negative(const struct kc_target *target, const struct ir_instr *x);
// Whether tests on the way to `at` leave only values of an integer that are not negative.
bool opt_tested_not_negative(const struct ir_instr *x, const struct ir_block *at);

// Kinds of memory that have no place in common, but for OPT_ANYWHERE: what generic pointers reach.
enum opt_kind { OPT_DEVICE, OPT_LOCAL, OPT_PRIVATE, OPT_IMAGES, OPT_ANYWHERE, OPT_KINDS };

enum opt_kind opt_kind(const struct ir_instr *access);
unsigned
opt_written(const struct ir_instr *x); // bits of the kinds in which `x` may change something
bool opt_is_image_read(const struct ir_instr *x);
bool opt_is_pure_load(const struct ir_instr *x); // of what is never written

// The next alignment of an access `offset` bytes from one of alignment `align`.
static inline uint32_t opt_align_at(uint32_t align, uint64_t offset)
{
    uint64_t low = offset & (0 - offset);
    return low && low < align ? (uint32_t)low : align;
}

#endif
