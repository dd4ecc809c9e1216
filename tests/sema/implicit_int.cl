// As in clang 15, with warnings: a missing type is int.
f(int a) { return a; }
g(a, b) int a; { return a + b; }
void h(global int *o)
{
    const x = 3;
    o[0] = x + f(1) + g(2, 3) + (const)1.5f + sizeof(const);
}
// SPDX-License-Identifier: Apache-2.0
