// SPDX-License-Identifier: Apache-2.0
// Every old value is returned exactly once.
// run: k global 32
// arg: buffer uint 0
// arg: buffer uint 0*32
// expect: arg0 uint 32
// expect: arg1 uint 1*32
kernel void k(global uint *counter, global uint *seen)
{
    uint ticket = atomic_inc(counter);
    atomic_add(&seen[ticket], 1);
}
