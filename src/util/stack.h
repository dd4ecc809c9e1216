// SPDX-License-Identifier: Apache-2.0
// Stacks of a size of our own choice, for code that recurses: the compiler, and the compilers of Vulkan drivers.
//
// The thread that calls may have a stack of 64 KB (Java, musl, an application's own choice). stack_run() therefore runs a
// function of the same thread on another stack. Each is aligned to its size, so that the address of a frame tells how
// much is left: every recursion calls stack_check(), which unwinds to stack_run() when the stack is nearly full.
#ifndef PUMICE_UTIL_STACK_H
#define PUMICE_UTIL_STACK_H

#include <stdatomic.h>
#include <stdint.h>

enum stack_end { STACK_RETURNED, STACK_FULL, STACK_NO_MEMORY };

// Calls run(data) on a stack of its own, with cancellation disabled. STACK_FULL: stack_check() has ended it.
enum stack_end stack_run(void (*run)(void *data), void *data);

// A power of two: PUMICE_STACK, or the default. Memory is only taken as far as a stack has been used.
extern atomic_uintptr_t stack_size;
#define STACK_RESERVE ((uintptr_t)256 << 10) // for what a function that has checked calls without checking

// Unwinds to stack_run() if the stack is one of ours; returns otherwise.
void stack_check_full(uintptr_t frame);

static inline void stack_check(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t left = frame & (atomic_load_explicit(&stack_size, memory_order_relaxed) - 1);
    if (__builtin_expect(left < STACK_RESERVE, 0))
        stack_check_full(frame);
}

#endif
