// Only pointers may be restricted (C99 6.7.3).
typedef int number;
typedef int numbers[3];
typedef int *pointers[3];
typedef int function(int);
typedef global int *pointer;
kernel void good(global int *restrict a, pointer restrict b, restrict pointer c, global pointer *__restrict d)
{
    int *restrict e[3], *restrict *__restrict__ f;
    __typeof__(a) restrict g = a;
    g[0] = b[0] + c[0];
}
void good_array(int a[restrict 3], int b[const restrict]);
kernel void bad(restrict global int *a, global int restrict *b, int restrict c, number restrict d)
{
    int restrict e = 1;
    number __restrict f[2] = {2, 3};
    float4 __restrict__ g;
    restrict numbers h;
    restrict pointers i;
    e = (int restrict)3 + sizeof(char restrict);
    struct t { int x; } restrict j;
    enum { A } restrict k;
}
struct s { float restrict x; };
restrict function f;
void g(read_only image2d_t restrict a, sampler_t restrict b, const int restrict volatile c);
constant restrict x = 1;
// SPDX-License-Identifier: Apache-2.0
