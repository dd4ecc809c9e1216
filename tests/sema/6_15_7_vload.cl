kernel void k(global int *g, local int *l, global float *gf, const global int *cg, global char *gc, constant float *cf)
{
    int *p = 0;
    char4 c4 = 1;
    float4 f = 1;
    float3 f3 = 1;
    float16 f16 = 1;
    int4 i = 1;
    int n = 1;
    float x = 1;
    half *hp = 0;
    int arr[4];
    f = vload4(0, gf); f = vload4(n, cf); i = vload4(0, g); i = vload4(0, p); i = vload4(1, cg); i = vload4(2, l); c4 = vload4(0, gc); i = vload4(0, arr);
    vstore4(f, 0, gf); vstore4(i, 0, p); vstore4(i, 0, arr); f3 = vload3(0, gf); vstore3(f3, n, gf); f16 = vload16(0, gf);
    x = vload_half(0, hp); f = vload_half4(0, hp); f = vloada_half4(1, hp); vstore_half(x, 0, hp); vstore_half4_rte(f, 0, hp); vstorea_half4_rtz(f, 0, hp);
}
// SPDX-License-Identifier: Apache-2.0
