// SPDX-License-Identifier: Apache-2.0
// Copies through windows. See window.h.
#include "vulkan/window.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>

// Flushes the write-combining buffers, as a full fence does, too.
void vk_window_flush(void)
{
#ifdef __SSE__
    _mm_sfence();
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

enum { LINE = 64 };

// The fence ensures that lines read before are loaded again.
__attribute__((target("avx2"))) static void read_lines(uint8_t *to, const uint8_t *from, size_t size)
{
    _mm_mfence();
    for (size_t at = 0; at < size; at += LINE) {
        __m256i low = _mm256_stream_load_si256((const void *)(from + at));
        __m256i high = _mm256_stream_load_si256((const void *)(from + at + LINE / 2));
        _mm256_storeu_si256((void *)(to + at), low);
        _mm256_storeu_si256((void *)(to + at + LINE / 2), high);
    }
}

bool vk_window_readable(void)
{
    return __builtin_cpu_supports("avx2");
}

// Buffers begin at multiples of whole lines, so rounding does not leave the chunk.
void vk_window_read(void *to, const void *window, size_t size)
{
    uint8_t lines[VK_WINDOW_READ + 2 * LINE];
    uintptr_t begin = (uintptr_t)window / LINE * LINE, skip = (uintptr_t)window - begin;
    read_lines(lines, (const void *)begin, (skip + size + LINE - 1) / LINE * LINE);
    memcpy(to, lines + skip, size);
}
#else
void vk_window_flush(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

bool vk_window_readable(void)
{
    return false;
}

void vk_window_read(void *to, const void *window, size_t size)
{
    memcpy(to, window, size);
}
#endif
