// SPDX-License-Identifier: Apache-2.0
// A work-group of one work-item: each work-group has its own local memory.
// run: k global 4 local 1
// arg: buffer int 3 5 7 9
// arg: out int 8
// expect: arg1 int 6 21 20 47 42 97 72 163
struct pair {
    int sum;
    short part[2];
};

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void k(global const int *a, global int *b)
{
    local int row[64][1];
    local struct pair p;
    int n = a[get_global_id(0)], l = get_local_id(0);
    for (int i = 0; i < n; i++) {
        row[i][l] = i;
        row[i][l] += get_local_id(0) + i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    p.sum = 0;
    p.part[l + 1] = n;
    for (int i = n; i-- > 0;) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        p.sum += row[i][l];
    }
    local int *q = n > 4 ? &row[n - 4][0] : &p.sum;
    b[2 * get_global_id(0)] = p.sum;
    b[2 * get_global_id(0) + 1] = *q + n * p.part[1] + p.sum;
}
