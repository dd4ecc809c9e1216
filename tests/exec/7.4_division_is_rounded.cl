// SPDX-License-Identifier: Apache-2.0
// needs: rounded_division
// options: -cl-fp32-correctly-rounded-divide-sqrt
// needs: cl_khr_fp64
// run: k global 16384
// arg: buffer uint 0 0
// expect: arg0 uint 0 262144
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

int right(float x, float y)
{
    float q = x / y;
    double below = 0.5 * ((double)q + as_float(as_uint(q) - 1)), above = 0.5 * ((double)q + as_float(as_uint(q) + 1));
    return below * (double)y <= (double)x && (double)x <= above * (double)y;
}

kernel void k(global uint *count)
{
    uint state = get_global_id(0) * 747796405u + 2891336453u;
    for (int i = 0; i < 16; i++) {
        state = state * 1664525u + 1013904223u;
        float x = as_float((state >> 7) % 0x20000000u + 0x30000000u);
        state = state * 1664525u + 1013904223u;
        float y = as_float((state >> 7) % 0x20000000u + 0x30000000u);
        atomic_inc(&count[right(x, y)]);
    }
}
