// SPDX-License-Identifier: Apache-2.0
// y = M x with M in half precision, 8 elements at a time; one work-group for each row of n columns.
kernel void matvec_half(global const half *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float part[128];
    int item = get_local_id(0);
    size_t row = get_group_id(0);
    float8 sums = 0.0f;
    for (int i = item; i < n / 8; i += 128)
        sums = mad(vload_half8(i + row * (n / 8), a), vload8(i, b), sums);
    float4 four = sums.lo + sums.hi;
    part[item] = four.x + four.y + four.z + four.w;
    for (int half_way = 64; half_way; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_way)
            part[item] += part[item + half_way];
    }
    if (!item)
        out[row] = part[0];
}
