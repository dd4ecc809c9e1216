// SPDX-License-Identifier: Apache-2.0
// Only some work-items reach the barriers in a loop and a called function.
// run: k global 32 local 32
// arg: out int 32
// expect: arg0 int 11 11 11 11 11 11 11 11 11 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
__attribute__((noinline)) int next(int j)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return j;
}

kernel void k(global int *out)
{
    int id = get_local_id(0), sum = 1;
    for (int j = 0; j < 5; j++)
        if (id < 9) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += next(j);
        }
    out[id] = sum;
}
