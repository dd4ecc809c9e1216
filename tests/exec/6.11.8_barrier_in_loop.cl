// SPDX-License-Identifier: Apache-2.0
// run: k global 8 local 8
// arg: out int 8
// expect: arg0 int 1 1 2 3 5 8 13 21
kernel void k(global int *out)
{
    local int fib[8];
    int l = get_local_id(0);
    for (int n = 0; n < 8; n++) {
        if (l == n)
            fib[n] = n < 2 ? 1 : fib[n - 1] + fib[n - 2];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = fib[l];
}
