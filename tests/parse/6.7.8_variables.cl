struct P { int x; float y; };
void f(struct P p, int n)
{
    struct P a = p, b[2] = {p, {n}};
    int c = {n}, d[] = {n, n}, e[4] = {}, own = sizeof own;
    float4 v = {n, 2, (float2)(3)}, w[2] = {n};
}
// SPDX-License-Identifier: Apache-2.0
