__attribute__((overloadable)) int pick(int a) { return 1; }
__attribute__((overloadable)) int pick(global int *a) { return 2; }
kernel void k(local int *l, float4 v)
{
    int n = pick(l);
    n = pick(v);
    n = pick();
}
// SPDX-License-Identifier: Apache-2.0
