// SPDX-License-Identifier: Apache-2.0
// Estimates how much a kernel gives the driver's compiler to do. Drivers inline every call, so the amounts of functions
// are added as often as there are paths to them.
#ifndef KC_PASSES_AMOUNT_H
#define KC_PASSES_AMOUNT_H

#include "passes/passes.h"

struct amount {
    double instructions, locals, phis, blocks;
    double buffers; // blocks that accesses to storage buffers become
    double loop_buffers; // such accesses in a loop times its blocks, without inner loops
    double masked;      // components that are loaded, stored or merged by phis: the driver masks each with the active work-items
    double array_pairs; // pairs of accesses to the same array by index, which the driver makes work-item by work-item
    double loop_pairs;  // pairs of blocks of the same loop, without inner loops
    double barriers;
    double registers; // virtual ones of Intel's compiler, where it combines constants: .99 to 1.37 of those of 19 kernels
};

// The kernel's amount with calls inlined; `most`: receives the function that contributes most instructions.
struct amount amount_inlined(struct pass_context *context, const struct ir_function **most);
// Upper bounds of all amounts except barriers, from the size of the code: cheap, and enough for most kernels. With calls,
// they are enormous.
struct amount amount_at_most(const struct pass_context *context);
// Time in which the driver compares accesses to the masks of active work-items.
double amount_pairs_ns(const struct pass_context *context, const struct amount *amount);

// Whether the kernel has so many blocks that values that are live in all of them take the driver's compiler seconds.
bool amount_has_many_blocks(struct pass_context *context);

#endif
