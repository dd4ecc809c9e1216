// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -g -O0
// env: vulkan1.0
// expect: /lines.cl"
// expect: OpSource OpenCL_C 120 %1
// expect: OpLine %1 15 18
// expect: OpLine %1 23 7
// expect: OpLine %1 24 13
#define TWICE(x) \
    ((x) * 2)

static float twice_the_root(float x)
{
    return TWICE(sqrt(x));
}

kernel void foo(global float *out, int n)
{
    for (int i = 0; i < n; i++)
        if (i & 1)
            out[i] =
    n + twice_the_root(
            out[i]);
}
