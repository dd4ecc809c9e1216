// SPDX-License-Identifier: Apache-2.0
// Whether two accesses of memory may touch the same bytes.
//
// An address is taken apart into a sum: a constant and a few values, each times a factor. What is known of two:
//  - kinds of memory have nothing in common, nor have two variables, nor do bytes whose distance is constant and
//    large enough, whatever the remaining values are (or whatever they are times a common factor: a struct's members);
//  - C's promises: through a restrict argument alone goes what is written and reached by it (C99 6.7.3.1), and device memory is
//    accessed by its own type (6.5, enum ir_effective), which is believed only where nothing better is known. Nothing is
//    made of the types of private and local memory, which is often used again for other things.
// Two arguments without restrict may be one buffer.
//
// Values are compared as they are: both accesses must stand in the same round of every loop around both, or the values of
// one must be those of outside of the loops.
#ifndef KC_PASSES_ALIAS_H
#define KC_PASSES_ALIAS_H

#include "passes/opt.h"

enum { ALIAS_TERMS = 6 };

struct alias_term {
    const struct ir_instr *value;
    enum ir_op extension; // IR_OP_sext, IR_OP_zext: of its 32 bits; else IR_OP_const
    int64_t factor;
};

struct alias_place {
    enum opt_kind kind;
    uint8_t effective;   // enum ir_effective
    bool restricted;     // `origin` is a restrict argument
    bool wraps;          // of the constant only the lower 32 bits are sure
    const void *origin;  // the argument (struct kc_arg) or variable that it lies in; NULL: not known
    const struct ir_instr *address; // NULL: of a lane of an element
    struct ir_var *var;  // elem_*: the array
    struct alias_term terms[ALIAS_TERMS];
    unsigned count;
    int64_t offset;
    uint64_t bytes; // 0: not known
    uint64_t unit;  // divides whole multiples that indices may lose by wrapping, but for powers of 2
};

// Of a load, store, atomic, image read, or what else has one address; of a copy where it writes. `f`: where it stands.
struct alias_place alias_place(const struct ir_function *f, const struct ir_instr *access);
struct alias_place alias_place_read(const struct ir_function *f, const struct ir_instr *access); // of a copy where it reads

enum alias { ALIAS_APART, ALIAS_MAY, ALIAS_SAME }; // SAME: the same bytes, all of them

enum alias alias_of(const struct alias_place *x, const struct alias_place *y);
// Bytes from `x` on to `y` where that is a constant.
bool alias_distance(const struct alias_place *x, const struct alias_place *y, int64_t *bytes);
// Whether all of `x` lies in `y`.
bool alias_inside(const struct alias_place *x, const struct alias_place *y);

// What divides the address but for its constant, a power of two; of local variables `widest`, which they can be placed at.
uint32_t alias_align(const struct alias_place *x, const struct kc_target *target, uint32_t widest);
// The same bytes are reached whatever the work-item and the round.
bool alias_is_fixed(const struct alias_place *x);

// Whether the instruction `x` may change bytes of the place, or let others' changes be seen; may look at what was stored there,
// or let others do so.
bool alias_may_write(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place);
bool alias_may_read(const struct ir_function *f, const struct ir_instr *x, const struct alias_place *place);

// The kernel's argument that `x` is: a buffer, or an address in its field of the push block; NULL: none.
const struct kc_arg *alias_argument(const struct kc_kernel *info, const struct ir_instr *x);

#endif
