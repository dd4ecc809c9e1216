// SPDX-License-Identifier: Apache-2.0
// target: hasvk_bdw
// expect: SignedZeroInfNanPreserve 32
// never: DenormPreserve
// never: RoundingModeRTE
// The kernel moves floats and converts some: the modes of denormals and of rounding have no effect on it.
kernel void k(global float *a, global const int *n)
{
    size_t i = get_global_id(0);
    local float tile[64];
    tile[get_local_id(0)] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = n[i] < 8 ? (float)n[i] : tile[63 - get_local_id(0)];
    a[i + 64] = as_float((int)a[i + 128]);
}
