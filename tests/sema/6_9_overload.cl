__attribute__((overloadable)) int pick(int a) { return 1; }
__attribute__((overloadable)) float pick(float a) { return 2; }
__attribute__((overloadable)) float4 pick(float4 a) { return a; }
__attribute__((overloadable)) int pick(global int *a, int b) { return *a + b; }
__attribute__((overloadable)) int pick(local int *a, int b) { return *a + b; }
kernel void k(global int *g, local int *l, float4 v)
{
    int n = pick(1);
    float x = pick(1.0f);
    v = pick(v);
    n = pick(g, 1) + pick(l, 2);
    n = pick((char)1);
    _Static_assert(sizeof(pick(v)) == 16, "the vector's");
}
// SPDX-License-Identifier: Apache-2.0
