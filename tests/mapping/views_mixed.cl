// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// expect: OpTypeRuntimeArray %uint
// expect: OpBitcast %float
// expect: OpAtomicIAdd
// never: OpTypeRuntimeArray %float
// If it saves one bitcast only, or words are accessed atomically, there is no second type of blocks.
kernel void foo(global int *a, global float *b, global int *bits)
{
    uint i = get_global_id(0);
    a[i] = b[i] < 1.0f;
    atomic_add(bits, 1);
    float sum = 0.0f;
    for (int k = 1; k < 9; k++)
        sum += as_float(bits[k]) * as_float(bits[k + 8]);
    a[i + 1] = sum > 2.0f;
}
