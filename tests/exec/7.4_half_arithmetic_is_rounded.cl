// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_fp16
// run: k global 65536
// arg: buffer uint 0 0 0 0 0 0
// expect: arg0 uint 0 0 0 0 0 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

int differ(half x, float y)
{
    half z = convert_half_rte(y);
    return as_ushort(x) != as_ushort(z) && !(isnan(x) && isnan(z));
}

kernel void k(global uint *wrong)
{
    half x = as_half((ushort)get_global_id(0)), y = as_half((ushort)(get_global_id(0) * 40503u + 7u));
    float a = x, b = y;
    if (differ(x + y, a + b))
        atomic_inc(&wrong[0]);
    if (differ(x * y, a * b))
        atomic_inc(&wrong[1]);
    if (differ(x / y, a / b))
        atomic_inc(&wrong[2]);
    if (differ(sqrt(x), sqrt(a)))
        atomic_inc(&wrong[3]);
    if (differ(-x, -a))
        atomic_inc(&wrong[4]);
    if (differ(fabs(x), fabs(a)))
        atomic_inc(&wrong[5]);
}
