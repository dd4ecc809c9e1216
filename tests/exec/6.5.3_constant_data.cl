// SPDX-License-Identifier: Apache-2.0
// run: k global 5
// arg: out int 5
// arg: out float 5
// expect: arg0 int 2 3 5 7 11
// expect: arg1 float 0.5 1.5 2.5 0 0
constant int primes[5] = {2, 3, 5, 7, 11};
constant float halves[5] = {0.5f, 1.5f, 2.5f};

kernel void k(global int *a, global float *b)
{
    int i = get_global_id(0);
    a[i] = primes[i];
    b[i] = halves[i];
}
