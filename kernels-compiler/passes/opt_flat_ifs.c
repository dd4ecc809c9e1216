// SPDX-License-Identifier: Apache-2.0
// Small ifs that load become selects, where work-items are lanes that run both sides of an if.
//
//   if %c { %3 = load %a ; %4 = ieq %3, 0 } ; %5 = phi b1: %4, b2: false      (a && *p == 0)
//   ->  %2 = select %c, %a, %b ; %3 = load %2 ; %4 = ieq %3, 0 ; %5 = and %c, %4
//
// %b is an address at which the work-item has loaded or stored before. Mesa's CPU driver has masks of the lanes that are
// active, which it changes at each if, and a variable for each phi; its compiler's time grows with the square of their
// uses. Programs with many options have hundreds of such ifs: `if (n >= p->first && n < p->last)`.
#include "passes/opt.h"

enum { MAX_COST = 16 };

// Requires: lower_memory. Keeps: values. Removes: ifs.
bool opt_flat_ifs(struct pass_context *context, struct ir_function *f)
{
    return context->target->flat_ifs && opt_convert_ifs(context, f, MAX_COST, true);
}
