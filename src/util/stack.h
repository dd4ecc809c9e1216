// SPDX-License-Identifier: Apache-2.0
// Stacks of a chosen size for recursive code: the compiler, and the compilers of Vulkan drivers.
//
// The calling thread may have a stack of only 64 KB (Java, musl, an application's choice). So
// stack_run() runs a function in the same thread on another stack. Each stack is aligned to its
// size, so the remaining space follows from a frame's address: every recursion calls stack_check(),
// which unwinds to stack_run() when the stack is nearly full.
#ifndef PUMICE_UTIL_STACK_H
#define PUMICE_UTIL_STACK_H

#include <stdatomic.h>
#include <stdint.h>

enum stack_end { STACK_RETURNED, STACK_FULL, STACK_NO_MEMORY };

// Calls run(data) on another stack, with cancellation disabled. STACK_FULL: stack_check() has ended
// it.
enum stack_end stack_run(void (*run)(void *data), void *data);

// A power of two: PUMICE_STACK, or the default. Memory is allocated only for the used part of a
// stack.
extern atomic_uintptr_t stack_size;
#define STACK_RESERVE ((uintptr_t)256 << 10) // for calls without checks by a function that has
                                             // checked

// Unwinds to stack_run() if the stack is one of ours; otherwise returns.
void stack_check_full(uintptr_t frame);

static inline void stack_check(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t left = frame & (atomic_load_explicit(&stack_size, memory_order_relaxed) - 1);
    if (__builtin_expect(left < STACK_RESERVE, 0))
        stack_check_full(frame);
}

#endif
