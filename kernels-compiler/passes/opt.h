// SPDX-License-Identifier: Apache-2.0
// Analyses and helpers shared by the optimization passes.
#ifndef KC_PASSES_OPT_H
#define KC_PASSES_OPT_H

#include "passes/passes.h"

struct opt_nodes { // the ifs, loops and switches in source order: in reverse, inner ones come before outer ones
                   // outer ones
    struct ir_node **items;
    size_t count;
};

struct opt_nodes opt_nodes(const struct ir_function *function, struct arena *arena);

// If-conversion: turns ifs whose arms cost at most `limit` into selects; `loads`: also arms that load from device
// addresses.
bool opt_convert_ifs(struct pass_context *context, struct ir_function *function, unsigned limit, bool loads);

// Whether y computes the same as x: operation, type, immediates and sources, of which only y's may have been
// replaced.
bool opt_same(const struct ir_instr *x, const struct ir_instr *y);

// The number of uses of every instruction by its id; numbers the instructions. Conditions count as uses. Counts in
// unreachable code may be wrong.
uint32_t *opt_use_counts(struct ir_function *function, struct arena *arena);

// Reinterprets the bits as another type of the same size (pointers by ptr_to_int and int_to_ptr).
bool opt_can_recast(struct ir_type from, struct ir_type to);
struct ir_instr *opt_recast(struct ir_builder *b, struct ir_instr *x, struct ir_type to);

// Whether an address is undefined, so that the access is never executed. Such accesses must be hidden from drivers:
// for some, LLVM 15 emits instructions that no processor has.
bool opt_is_undefined_address(const struct ir_instr *address);

// The value of a load from a known offset in a constant; NULL: not such a load, or it contains an address.
struct ir_instr *opt_constant_load(struct ir_module *module, const struct ir_instr *load);

// The variable and constant offset that an address consists of; NULL: it is computed otherwise.
struct ir_var *opt_var_at(const struct ir_instr *address, int64_t *offset);

bool opt_is_inside(const struct ir_node *node, const struct ir_instr *x); // in one of its lists
bool opt_runs_once(const struct ir_loop *loop); // has no second iteration: lower_returns makes such loops
const struct ir_node *opt_iterating_loop(const struct ir_block *block); // the innermost loop around it that may iterate; NULL: none
bool opt_list_is_empty(const struct ir_list *list); // one empty block
struct ir_instr *opt_phi_source(const struct ir_instr *phi,
                                const struct ir_block *pred); // NULL: no such edge
void opt_move_to_end(struct ir_block *to, struct ir_instr *x); // the block ends in no jump
uint32_t opt_list_size(const struct ir_list *list);           // instructions, including those in nested lists

// An i32 zero that drivers do not recognize: the highest bit of the work-group id, which never gets that large.
struct ir_instr *opt_hidden_zero(struct ir_builder *b);

// Whether a value is known to be uniform in the work-group: made of constants, arguments and sizes; `counters`: also of
// phis of such values, although work-items may take different ways and leave loops in different iterations.
bool opt_is_uniform(const struct ir_instr *x, bool counters);

// Whether the work-items of a group are known to compute different values, even if they take the same way.
bool opt_differs(const struct ir_instr *x);

// Whether the system value differs between the work-items of a work-group (after lower_sys).
bool opt_is_of_item(const struct ir_instr *sys);

static inline struct ir_instr *opt_resolved(struct ir_instr *x) // through `forward`
{
    while (x->forward)
        x = x->forward;
    return x;
}

// Whether two instructions of the same operation have the same immediates.
bool opt_same_immediates(const struct ir_instr *x, const struct ir_instr *y);

static inline bool
opt_is_floating(const struct ir_instr *x) // not in a block: const, undef, param, addr
{
    return x->op <= IR_OP_addr;
}

// opt_range.c: the largest and the smallest value, with every lane taken as unsigned; whether the sign bit is always zero.
uint64_t opt_max(const struct kc_target *target, const struct ir_instr *x);
uint64_t opt_min(const struct kc_target *target, const struct ir_instr *x);
unsigned opt_zero_bits(const struct ir_instr *x); // number of low bits of an integer that are known to be 0
bool opt_never_negative(const struct kc_target *target, const struct ir_instr *x);
// Whether conditions that dominate `at` leave only non-negative values of an integer.
bool opt_tested_not_negative(const struct ir_instr *x, const struct ir_block *at);

// Kinds of memory that do not overlap, except OPT_ANYWHERE: memory reached by generic pointers.
enum opt_kind { OPT_DEVICE, OPT_LOCAL, OPT_PRIVATE, OPT_IMAGES, OPT_ANYWHERE, OPT_KINDS };

static inline bool opt_is_elem(const struct ir_instr *x) // accesses an array by its variable
{
    return (x->op >= IR_OP_elem_load && x->op <= IR_OP_elem_atomic) || x->op == IR_OP_mat_elem_load || x->op == IR_OP_mat_elem_store;
}

enum opt_kind opt_kind(const struct ir_instr *access);
unsigned
opt_written(const struct ir_instr *x); // bits of the kinds in which `x` may change something
unsigned opt_written_in(const struct ir_loop *loop);
bool opt_is_image_read(const struct ir_instr *x);
bool opt_is_pure_load(const struct ir_instr *x); // from memory that is never written
static inline bool opt_is_push(const struct ir_instr *x) { return x->op == IR_OP_elem_load && x->var->space == IR_PUSH; }

// The alignment of an access that is `offset` bytes after one of alignment `align`.
static inline uint32_t opt_align_at(uint32_t align, uint64_t offset)
{
    uint64_t low = offset & (0 - offset);
    return low && low < align ? (uint32_t)low : align;
}

#endif
