// SPDX-License-Identifier: Apache-2.0
// Run by physical_module.c: program-scope constants, some of which are pointers to others, local memory of the
// caller's size, and an argument that is too large for push constants.
constant int table[4] = {3, 1, 4, 1};
constant int *constant rows[2] = {table, table + 1};

kernel void scale(global float *out, global const float *in, float by, ushort shift)
{
    size_t i = get_global_id(0);
    out[i] = in[i] * by + table[i & 3] + rows[i & 1][1] + shift + get_global_size(1);
}

kernel void sums(global int *out, global const float *in, local int *part)
{
    size_t l = get_local_id(0);
    part[l] = (int)in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l)
        return;
    int sum = 0;
    for (size_t i = 0; i < get_local_size(0); i++)
        sum += part[i];
    out[get_group_id(0)] = sum;
}

struct wide {
    float values[80];
};

kernel void wide(global float *out, struct wide all) { out[get_global_id(0)] = all.values[16 + get_global_id(0)]; }
