// SPDX-License-Identifier: Apache-2.0
// A float sum by compare and exchange.
// run: k global 16
// arg: buffer uint 0
// arg: out float 1
// expect: arg0 uint 0x42f00000
kernel void k(global volatile uint *sum, global float *out)
{
    uint old, want;
    do {
        old = *sum;
        want = as_uint(as_float(old) + (float)get_global_id(0));
    } while (atomic_cmpxchg(sum, old, want) != old);
}
