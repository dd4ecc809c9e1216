// Loops over an array that stays in memory are not unrolled. (RADV's compiler does that itself.)
// instructions: rounds_64 1.2 rounds_32
// instructions: sorted_32 1.2 sorted_16
#define ROUNDS(n)                                                                                                                  \
    kernel void rounds_##n(global const int *a, global int *o)                                                                     \
    {                                                                                                                              \
        int t[64];                                                                                                                 \
        for (int i = 0; i < n; i++)                                                                                                \
            t[i] = a[i * 64 + get_local_id(0)];                                                                                    \
        int s = 0;                                                                                                                 \
        for (int i = 0; i < n; i++)                                                                                                \
            s += t[a[i] & 63];                                                                                                     \
        o[get_global_id(0)] = s;                                                                                                   \
    }                                                                                                                              \
    kernel void sorted_##n(global const int *a, global int *o)                                                                     \
    {                                                                                                                              \
        int t[n], at;                                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                              \
            int value = a[i * 64 + get_local_id(0)];                                                                               \
            for (at = i; at > 0 && t[at - 1] > value; at--)                                                                        \
                t[at] = t[at - 1];                                                                                                 \
            t[at] = value;                                                                                                         \
        }                                                                                                                          \
        o[get_global_id(0)] = t[n / 2];                                                                                            \
    }
ROUNDS(16)
ROUNDS(32)
ROUNDS(64)
// SPDX-License-Identifier: Apache-2.0
