// SPDX-License-Identifier: Apache-2.0
// Converts small ifs with loads into selects, for devices that execute both arms with lane masks.
//
//   if %c { %3 = load %a ; %4 = ieq %3, 0 } ; %5 = phi b1: %4, b2: false      (a && *p == 0)
//   ->  %2 = select %c, %a, %b ; %3 = load %2 ; %4 = ieq %3, 0 ; %5 = and %c, %4
//
// %b is an address that the work-item has loaded from or stored to before. Mesa's CPU driver keeps a mask of active
// lanes, which it updates at each if, and a variable for each phi; its compile time grows with the square of their
// uses. Programs with many options have hundreds of such ifs: `if (n >= p->first && n < p->last)`.
#include "passes/opt.h"

enum { MAX_COST = 16 };

// Requires: lower_memory. Keeps: values. Removes: ifs.
bool opt_flat_ifs(struct pass_context *context, struct ir_function *f)
{
    return context->target->flat_ifs && opt_convert_ifs(context, f, MAX_COST, true);
}
