// SPDX-License-Identifier: Apache-2.0
// target: bindings
// expect: PhysicalStorageBuffer64
// never: DescriptorSet
// A pointer that is kept in memory is an address, and so are all of the kernel's.
kernel void k(global ulong *a, global int *b)
{
    a[0] = (ulong)b;
    b[1] = 2;
}
