// SPDX-License-Identifier: Apache-2.0
// target: hasvk_bdw
// expect: DenormPreserve 32
// A flushed denormal would compare equal to zero.
kernel void k(global const float *a, global int *n)
{
    size_t i = get_global_id(0);
    n[i] = a[i] > 0.0f;
}
