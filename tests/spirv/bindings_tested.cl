// SPDX-License-Identifier: Apache-2.0
// target: bindings
// expect: OpMemoryModel Logical GLSL450
// expect: Binding 1
// never: PhysicalStorageBuffer
// A pointer as a condition is compared with null, which does not make it a number.
kernel void k(global const int *a, global int *b)
{
    size_t i = get_global_id(0);
    if (a && b)
        b[i] = !a ? 1 : a[i];
}
