// SPDX-License-Identifier: Apache-2.0
// run: k global 1024 local 64
// arg: buffer uint 0
// arg: out uint 1024
// expect: arg0 uint 523776
// expect: arg1 uint 0..1023
kernel void k(global uint *sum, global uint *out)
{
    uint i = get_global_id(0);
    out[i] = get_group_id(0) * get_local_size(0) + get_local_id(0);
    atomic_add(sum, i);
}
