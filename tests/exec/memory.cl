// OpenCL C 6.7: memory of every address space, reinterpreted, indexed, shared, passed around.
// run: bytes global 8 local 8
// arg: out uint 8
// expect: arg0 uint 0x03020100 0x04030201 0x05040302 0x06050403 0x07060504 0x08070605 0x09080706 0x0a090807
kernel void bytes(global uint *out)
{
    uchar buf[16];
    uint i = get_global_id(0);
    for (int k = 0; k < 16; k++) buf[k] = k;
    uint r = 0;
    for (int k = 0; k < 4; k++) r |= (uint)buf[i + k] << (8 * k);
    out[i] = r;
}
// run: reinterpret global 4 local 4
// arg: out uint 4
// expect: arg0 uint 0x03020105 0x07060509 0x0b0a090d 0x0f0e0d11
kernel void reinterpret(global uint *out)
{
    uchar buf[16] __attribute__((aligned(4)));
    uint i = get_global_id(0);
    for (int k = 0; k < 16; k++) buf[k] = k;
    uint *w = (uint *)buf;
    w[i] += 5;
    out[i] = w[i];
}
struct node { float v[4]; int k; char tag; };
// run: structs global 2 local 2
// arg: out int 4
// expect: arg0 int 3 9 3 10
kernel void structs(global int *out)
{
    int i = get_global_id(0);
    struct node n[3];
    for (int k = 0; k < 3; k++) { n[k].tag = k + 7; n[k].k = k * 2; n[k].v[i] = k; }
    struct node m = n[i + 1];
    struct node *p = i ? &n[1] : &m;
    p->tag++;
    out[2 * i] = (int)p->v[i] + p->k;
    out[2 * i + 1] = m.tag + (p == &m ? 0 : 1);
}
// run: tile global 8 local 8
// arg: out float 8
// arg: local 32
// expect: arg0 float 7 6 5 4 3 2 1 0
kernel void tile(global float *out, local float *t)
{
    int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[7 - i];
}
// run: lbytes global 8 local 8
// arg: out uint 2
// expect: arg0 uint 0x03020100 0x07060504
kernel void lbytes(global uint *out)
{
    local uchar t[8];
    local uint *w = (local uint *)t;
    int i = get_local_id(0);
    if (i < 2) w[i] = 0xffffffff;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 2) out[i] = w[i];
}
// run: shared global 4 local 4
// arg: out int 8
// arg: local 16
// expect: arg0 int 100 11 102 13 0 1 2 3
kernel void shared(global int *out, local int *a)
{
    local int b[4];
    int i = get_local_id(0);
    a[i] = i; b[i] = 10 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *p = i & 1 ? b : a;
    if (!(i & 1)) p[i] += 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = p[i];
    out[4 + i] = a[i] % 100;
}
// run: scratch global 4 local 2
// arg: out int 4
// expect: arg0 int 1000 1001 1002 1003
kernel void scratch(global int *out)
{
    int big[9000];
    int i = get_global_id(0);
    for (int k = 0; k < 9000; k++) big[k] = k;
    big[1000 + i] += 0;
    out[i] = big[1000 + i];
}
constant int table[5] = {5, 6, 7, 8, 9};
constant int *constant where[2] = {table + 1, table};
// run: consts global 4 local 4
// arg: out int 4
// expect: arg0 int 11 13 15 17
kernel void consts(global int *out)
{
    int i = get_global_id(0);
    out[i] = table[i] + where[i & 1][i] + (i & 1);
}
int find(global const int *p, int n, int what)
{
    for (int i = 0; i < n; i++) {
        switch (p[i]) {
        case -1: return -5;
        default: if (p[i] == what) return i;
        }
    }
    return -1;
}
// run: finder global 4 local 4
// arg: buffer int 3 2 1 4 -1
// arg: out int 4
// expect: arg1 int -5 2 1 0
kernel void finder(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = find(in, 5, i);
}
// run: vecs global 2 local 2
// arg: buffer float 1 2 3 4 5 6 7 8 9
// arg: out float 8
// expect: arg1 float 2 3 4 5 6 7 8 9
kernel void vecs(global float *in, global float4 *out)
{
    int i = get_global_id(0);
    float4 v[2];
    v[0] = vload4(0, in + 1);
    v[1] = vload4(1, in + 1);
    out[i] = v[i];
}
// run: vec3s global 2 local 2
// arg: buffer uchar 1 2 3 4 5 6 7 8 9
// arg: out uchar 6
// expect: arg1 uchar 4 5 6 1 2 3
kernel void vec3s(global uchar *in, global uchar *out)
{
    int i = get_global_id(0);
    vstore3(vload3(1 - i, in), i, out);
}
// run: count global 8 local 4
// arg: buffer int 0 0
// expect: arg0 int 8 28
kernel void count(global int *out)
{
    local int c;
    if (get_local_id(0) == 0) c = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&c, (int)get_global_id(0));
    atomic_inc(out);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(out + 1, c);
}
// SPDX-License-Identifier: Apache-2.0
