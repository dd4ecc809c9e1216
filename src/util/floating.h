// SPDX-License-Identifier: Apache-2.0
// The calling thread's floating-point environment: traps, rounding, denormals.
#ifndef PUMICE_UTIL_FLOATING_H
#define PUMICE_UTIL_FLOATING_H

#include <stdbool.h>
#include <stdint.h>

// Faster than fegetenv(). False if this cannot be known.
static inline bool floating_is_default(void)
{
#if defined(__SSE__)
    return (__builtin_ia32_stmxcsr() & 0xFFC0u) == 0x1F80; // all but the flags; all exceptions masked
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return !control;
#else
    return false;
#endif
}

#endif
