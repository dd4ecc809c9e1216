// SPDX-License-Identifier: Apache-2.0
// options: -DN=3 -D NAME=k -DTWICE(x)=((x)*2)
// run: k global 1
// arg: out int 4
// expect: arg0 int 3 10 1 14
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if N > 2 && defined(NAME)
#define VALUE 1
#else
#define VALUE 0
#endif

kernel void NAME(global int *out)
{
    int ab = TWICE(7);
    out[0] = N;
    out[1] = TWICE(N + 2);
    out[2] = VALUE;
    out[3] = CAT(a, b);
}
