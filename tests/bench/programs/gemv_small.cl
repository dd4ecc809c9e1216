// SPDX-License-Identifier: Apache-2.0
// y = M x in work-groups of 16 work-items: M column-major, x in pieces of 16 in local memory.
kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void gemv_small(global const float *restrict a, global const float *restrict b, global float *restrict out, int n)
{
    local float piece[16];
    int row = get_global_id(0), item = get_local_id(0);
    float sum = 0.0f;
    for (int start = 0; start < n; start += 16) {
        piece[item] = b[start + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += a[(size_t)(start + k) * n + row] * piece[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row] = sum;
}
