// SPDX-License-Identifier: Apache-2.0
// target: bindings
// expect: PhysicalStorageBuffer64
// never: DescriptorSet
// A pointer that is stored in memory needs an address, and then all pointers of the kernel are addresses.
kernel void k(global ulong *a, global int *b)
{
    a[0] = (ulong)b;
    b[1] = 2;
}
