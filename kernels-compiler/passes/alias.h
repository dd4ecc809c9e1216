// SPDX-License-Identifier: Apache-2.0
// Alias analysis: whether two memory accesses may touch the same bytes.
//
// An address is decomposed into a sum: a constant and a few values, each times a factor. Two accesses do not overlap
// if
//  - they are in different kinds of memory or different variables, or their distance is a sufficiently large constant, whatever the
//    remaining values are (or modulo a common factor of these, for example members of structs in an array);
//  - C guarantees it: memory that is written and reached through a restrict argument is only accessed through it (C99 6.7.3.1), and
//    device memory is accessed through its effective type (6.5, enum ir_effective), which is used only if nothing better is known.
//    Types say nothing about private and local memory, which is often reused for other data.
// Two arguments without restrict may be the same buffer. A pass may rely on that they are not if the runtime can check
// it at each launch: alias_is_checked().
//
// Values are compared by identity: both accesses must be in the same iteration of every loop around both, or one
// address must be loop-invariant.
#ifndef KC_PASSES_ALIAS_H
#define KC_PASSES_ALIAS_H

#include "passes/opt.h"

enum { ALIAS_TERMS = 6 };

struct alias_term {
    const struct ir_instr *value;
    enum ir_op extension; // IR_OP_sext, IR_OP_zext: value extended from 32 bits; else IR_OP_const
    int64_t factor;
};

struct alias_place {
    enum opt_kind kind;
    uint8_t effective;   // enum ir_effective
    bool restricted;     // `origin` is a restrict argument
    struct kc_arg *checked; // `origin` as an argument that the runtime checks at a launch; else NULL
    uint32_t argument;      // its index
    bool wraps;          // only the lower 32 bits of the constant are exact
    const void *origin;  // argument (struct kc_arg) or variable that contains it; NULL: unknown
    const struct ir_instr *address; // NULL: a lane of an element
    struct ir_var *var;  // elem_*: the array
    struct alias_term terms[ALIAS_TERMS];
    unsigned count;
    int64_t offset;
    uint64_t bytes; // 0: unknown
    uint64_t unit;  // divides the multiples that indices may lose by wrapping, except for powers of 2
};

// The place of a load, store, atomic, image read, or other instruction with one address; for a copy, the destination.
// `f` contains it.
struct alias_place alias_place(const struct ir_function *f, const struct ir_instr *access);
struct alias_place alias_place_read(const struct ir_function *f, const struct ir_instr *access); // for a copy, the source

enum alias { ALIAS_NONE, ALIAS_MAY, ALIAS_SAME }; // SAME: exactly the same bytes

enum alias alias_of(const struct alias_place *x, const struct alias_place *y);
// Whether the runtime can check that the arguments of the two places do not overlap, and run another form of the kernel
// if they do. A pass that relies on it says so: kc_arg.disjoint.
bool alias_is_checked(const struct alias_place *x, const struct alias_place *y);
void alias_rely(const struct alias_place *x, const struct alias_place *y);
// The distance from `x` to `y` in bytes, if it is constant.
bool alias_distance(const struct alias_place *x, const struct alias_place *y, int64_t *bytes);
// The same modulo `period`, if sums of indices may wrap.
bool alias_distance_modulo(const struct alias_place *x, const struct alias_place *y, int64_t *bytes, uint64_t *period);
// Whether `x` is completely inside of `y`.
bool alias_inside(const struct alias_place *x, const struct alias_place *y);

// Alignment (a power of two) of the variable part of the address; for local variables `widest`, because they can be
// aligned to that.
uint32_t alias_align(const struct alias_place *x, const struct kc_target *target, uint32_t widest);
// Whether the address is the same for all work-items and iterations.
bool alias_is_fixed(const struct alias_place *x);

// Whether the instruction `x` may change bytes of the place or make others' changes visible; whether it may read what
// was stored there or make it visible to others.
bool alias_may_write(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place);
bool alias_may_read(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place);

// The kernel argument that `x` is: a buffer, or an address in its push block field; NULL if none.
const struct kc_arg *alias_argument(const struct kc_kernel *info, const struct ir_instr *x);

#endif
