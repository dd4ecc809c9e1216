// Indices into a read-only buffer that are elements of private arrays, which stay arrays in registers.
#define INDEXED(type, name, i)                                                                                                     \
    kernel void name(global const uint *restrict a, global uint *o, uint n)                                                        \
    {                                                                                                                              \
        type t[12] = {0};                                                                                                          \
        uint id = get_global_id(0);                                                                                                \
        for (uint k = 0; k < n; k++)                                                                                               \
            t[(id + k * k) % 12] += k;                                                                                             \
        o[id] = a[i];                                                                                                              \
    }
INDEXED(uint, scalars, t[3])
INDEXED(float, bits, as_uint(t[3]))
INDEXED(uint, sums, t[3] + n)
// SPDX-License-Identifier: Apache-2.0
