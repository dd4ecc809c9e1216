// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_generic_address_space
// run: k global 8 local 4
// arg: buffer int 100..107
// arg: out int 8
// expect: arg1 int 100 5 102 0 104 9 106 0
// One function, pointers of three address spaces: known after inlining, and known only at run time.
int read(int *p) { return *p; }
kernel void k(global int *in, global int *out)
{
    local int shared[4];
    int own[4] = {0, 0, 0, 0};
    uint i = get_global_id(0), l = get_local_id(0);
    shared[l] = (int)i + 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = (l & 1) == 0 ? (int *)&in[i] : l == 1 ? (int *)&shared[l] : (int *)&own[l];
    out[i] = read(p);
}
// run: spaces global 4 local 4
// arg: out int 4
// expect: arg0 int 0x112 0x121 0x211 0x000
kernel void spaces(global int *out)
{
    local int shared;
    int own;
    uint i = get_global_id(0);
    int *p = i == 0 ? (int *)&out[0] : i == 1 ? (int *)&shared : i == 2 ? (int *)&own : (int *)0;
    int g = to_global(p) != 0, l = to_local(p) != 0, w = to_private(p) != 0;
    int any = g ? 0x112 : l ? 0x121 : w ? 0x211 : 0;
    out[i] = any;
}
// run: memory global 4 local 4
// arg: buffer int 1..4
// arg: out int 4
// expect: arg1 int 11 107 13 107
struct box { int *p; int n; };
void fill(struct box *b, int *p) { b->p = p; b->n = 10; }
kernel void memory(global int *in, global int *out)
{
    local struct box boxes[4];
    local int shared;
    uint i = get_local_id(0);
    shared = 107 - 10;
    fill(&boxes[i], i & 1 ? (int *)&shared : (int *)&in[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = *boxes[i].p + boxes[i].n;
}
// run: mixed global 4 local 4
// arg: buffer int 0*4
// arg: out float 8
// expect: arg0 int 1 2 3 4
// expect: arg1 float 1.5 10 3.5 10 5.5 10 7.5 10
void put(void *to, int k, int kind)
{
    if (kind) ((float *)to)[k] = 10; else ((int *)to)[k] = k + 1;
}
kernel void mixed(global int *in, global float *out)
{
    uint i = get_local_id(0);
    float v[4];
    local float w[8];
    uchar bytes[16];
    for (int k = 0; k < 4; k++) v[k] = 2 * k + 1.5f;
    for (int k = 0; k < 4; k++) put(in, k, 0);
    int *number = (int *)bytes;
    put(i & 1 ? (void *)w : (void *)bytes, 2, 1);
    put(i & 1 ? (void *)bytes : (void *)w, 2, 1);
    bytes[15] = 0;
    float *src[2];
    src[0] = v + i;
    src[1] = i & 1 ? w + 2 : (float *)(bytes + 8);
    for (int k = 0; k < 2; k++) out[2 * i + k] = *src[k];
}
// run: numbers global 2 local 2
// arg: out int 2
// expect: arg0 int 7 7
kernel void numbers(global int *out)
{
    local int shared;
    int own = 3;
    uint i = get_local_id(0);
    shared = 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong a = (ulong)&own, b = (ulong)&shared;
    int *p = (int *)a, *q = (int *)b, *r = &own;
    out[i] = (*p + *q) * (p != q && p == r && p - r == 0);
}
// run: bump global 64 local 64
// arg: buffer uint 0
// arg: out uint 1
// expect: arg0 uint 22
// expect: arg1 uint 42
void count(volatile uint *p) { atomic_inc(p); }
kernel void bump(global uint *g, global uint *out)
{
    local uint shared;
    uint own = 0, i = get_local_id(0);
    if (i == 0) shared = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    count(i % 3 == 0 ? (volatile uint *)g : i % 3 == 1 ? (volatile uint *)&shared : (volatile uint *)&own);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&shared, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) *out = shared;
}
// run: fences global 2
// arg: out uint 4
// expect: arg0 uint 2 1 2 1
kernel void fences(global uint *out)
{
    local int shared;
    uint i = get_global_id(0);
    void *p = i ? (void *)&shared : (void *)out;
    out[i] = get_fence(p);
    out[2] = get_fence(out); out[3] = get_fence(&shared);
}
