// SPDX-License-Identifier: Apache-2.0
// source: llvm-spirv treats component 7 of a vector of three as dimension 7
// run: k global 2
// arg: out int 5
// arg: uint 3
// expect: arg0 int 0 1 1 0 1
kernel void k(global int *out, uint dim)
{
    out[0] = get_global_id(dim);
    out[1] = get_global_size(dim);
    out[2] = get_local_size(1);
    out[3] = get_group_id(2);
    out[4] = get_num_groups(7);
}
