void f(int n)
{
    int a = {1, 2}, b[2] = {1, 2, 3}, c = {}, d[2] = 1;
    struct { int x, y; } s = {1, 2, 3}, t = {.z = 1}, u = 1;
    int e[2] = {[2] = 1, [n] = 2, .x = 3};
    float4 g = {1, 2}, h = {1, 2, 3, 4, 5};
    char i[2] = "abc", j[] = {1, "x"};
    local int k[2] = {1, 2};
}
constant int m = 1;
constant int l[] = {1, 2 3, 4};
constant int o = m, q[2] = {get_work_dim()};
constant int *constant r = &m;
// SPDX-License-Identifier: Apache-2.0
