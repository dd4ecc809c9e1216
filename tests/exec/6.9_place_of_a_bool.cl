// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3.4, 6.9: a comparison's result as an index of a private array, selections of small constants as divisors.
// run: places global 4
// arg: buffer uchar 1 2 0 1
// arg: out int 4
// arg: out int 4
// expect: arg1 int 105 501 501 105
// expect: arg2 int 30 40 40 30
// run: quotients global 4
// arg: buffer char 0 1 2 -1
// arg: out char 32
// expect: arg1 char 20 -1 0 0 -25 10 -1 1 9 12 0 -1 1 -16 0 1 9 12 0 -1 1 -16 0 1 9 12 0 -1 1 -16 0 1
kernel void places(global const uchar *x, global int *a, global int *b)
{
    size_t i = get_global_id(0);
    int one[4] = {1, 1, 1, 1}, two[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    one[(x[i] != 1) & 3] = 5;
    two[x[i] == 1 ? 3 : 2] += 100;
    a[i] = one[0] * 100 + one[1] + (one[0] == 5 ? -396 : 0) + (one[1] == 5 ? 396 : 0);
    b[i] = two[2] > 100 ? two[3] : two[2];
}

kernel void quotients(global const char *x, global char *y)
{
    size_t i = get_global_id(0);
    char8 n = (char8)(100, 127, -3, 4, 126, -128, 7, -9);
    char8 d = x[i] ? (char8)(11, 10, -7, -4, 98, 8, 100, -9) : (char8)(5, -90, 13, 127, -5, -12, -6, -8);
    vstore8(n / d, 0, y + 8 * i);
}
