// SPDX-License-Identifier: Apache-2.0
// An estimate of how many bytes of registers a function's values occupy.
#ifndef KC_PASSES_PRESSURE_H
#define KC_PASSES_PRESSURE_H

#include "passes/opt.h"

// Scalar registers for values: AMD has 106, of which control flow and constants need some.
enum { PRESSURE_SCALAR_BYTES = 64 * 4 };
// Where no more bytes than these are live, NVIDIA's kernels gain by values that are computed or loaded early: those with groups
// of 1,000 gain with up to 350 and lose with 400 (H200).
enum { PRESSURE_CROWDED_BYTES = 384 };

struct pressure {
    uint32_t *begin; // by block index: position before its first instruction; one more entry for the end of the function
    uint32_t *live;  // by position: bytes that are live before the instruction with this id
    uint32_t *firm;  // likewise, without conditions, extensions and addresses, which drivers fold into their users
    uint32_t *shared; // likewise, of values that are the same for all work-items of a sub-group, which `live` leaves out
    uint32_t *last;  // by id: position of the last use, in all iterations of the loops around it; 0: none
    bool *varies;    // by id: work-items of a sub-group may have different values
    bool row;        // `varies` compares work-items that differ in dimension 0 only
};

// Numbers the function's instructions and blocks.
struct pressure pressure_of(struct ir_function *function, struct arena *arena);
// By id: whether work-items that differ in dimension 0 only may have different values. The driver knows the work-group
// size, and most have one row. Numbers the function's instructions.
bool *pressure_varies_in_row(struct ir_function *function, struct arena *arena);
// Whether a sub-group of more lanes has fewer registers for each.
bool pressure_by_lanes(const struct kc_target *target);
// Whether there are separate registers for values that are the same for all work-items of a sub-group.
bool pressure_has_scalars(const struct kc_target *target);
// The most bytes that are live at some point of the loop, values that are the same for all work-items included.
uint32_t pressure_most(const struct pressure *pressure, const struct ir_loop *loop);
// What remains of the target's registers at the point of the loop where the most bytes are live.
uint32_t pressure_room(const struct pressure *pressure, const struct ir_loop *loop, const struct kc_target *target);
// What remains of them at the loop's worst point for values that are the same for all work-items of a sub-group, if the
// device keeps them with the others.
uint32_t pressure_shared_room(const struct pressure *pressure, const struct ir_loop *loop, uint32_t registers);
// Bytes that a value occupies; 0 if it is the same for all work-items of a sub-group: it hardly occupies any register.
uint32_t pressure_bytes(const struct pressure *pressure, const struct ir_instr *x);

#endif
