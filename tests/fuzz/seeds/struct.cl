typedef struct { int a; float4 b[2]; union { uchar c[4]; uint d; } e; } S;
constant S s[2] = {{1, {(float4)(1.0f)}, {{1,2,3,4}}}};
kernel void f(global S *out, local int *tmp)
{
    private S x = s[get_local_id(0) & 1];
    switch (x.a) { case 1: x.e.d++; break; default: goto end; }
    for (int i = 0; i < 4; i++) x.b[i & 1].yzwx += vload4(i, (global float *)out);
end:
    out[get_global_id(0)] = x;
}
// SPDX-License-Identifier: Apache-2.0
