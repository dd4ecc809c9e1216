// SPDX-License-Identifier: Apache-2.0
// run: shifted global 3
// arg: buffer int 0..15
// arg: buffer int -1*16
// expect: arg1 int -1 10 21 32 43 50 61 72 83 90 101 112 123 -1 -1 -1
// run: parted global 4
// arg: buffer int 0..15
// arg: buffer int 100*16
// expect: arg1 int 100 103 106 109 112 115 118 121 124 127 130 133 136 139 142 145
// run: in_place global 1
// arg: buffer int 1 2 3 4
// arg: buffer int 1 2 3 4 5 6 7 8
// expect: arg0 int 2 3 4 2
// expect: arg1 int 1 11 21 31 41 6 7 8
// run: rows global 4 local 4
// arg: out int 4
// expect: arg0 int 3064 3064 3064 3064
// run: odd_rows global 5 local 5
// arg: out int 5
// expect: arg0 int 4860 4860 4860 4860 4860
// run: computed global 4 local 4
// arg: out int 4
// arg: local 64
// expect: arg0 int 120 220 320 20
// run: between global 1
// arg: out int 1
// expect: arg0 int 7391
// run: bytes global 3
// arg: buffer uchar 0..12
// arg: buffer uchar 7*13
// expect: arg1 uchar 7 254 253 252 251 250 249 248 247 246 245 244 243
// Adjacent elements, loaded and stored one by one: at addresses that are not multiples of 16, with gaps, in any order.
kernel void shifted(global int *a, global int *b)
{
    size_t i = get_global_id(0);
    a += 1;
    b += 1;
    for (int k = 0; k < 4; k++) b[4 * i + k] = a[4 * i + k] * 10 + k;
}
kernel void parted(global const int *restrict a, global int *restrict b)
{
    int i = get_global_id(0) * 4;
    b[i] += 3 * a[i];
    b[i + 1] += 3 * a[i + 1];
    b[i + 2] += 3 * a[i + 2];
    b[i + 3] += 3 * a[i + 3];
}
kernel void in_place(global int *p, global int *q)
{
    p[0] = p[1];
    p[1] = p[2];
    p[2] = p[3];
    p[3] = p[0];
    global int *next = q + 1;
    for (int k = 0; k < 4; k++) next[k] = q[k] + 10;
}
kernel void rows(global int *o)
{
    local int t[4][4];
    int id = get_local_id(0), sum = 0;
    for (int k = 0; k < 4; k++) t[k][id] = 10 * k + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 4; c++) sum += t[k][c] * (4 * k + c + 1);
    o[id] = sum;
}
kernel void odd_rows(global int *o)
{
    local int t[4][5];
    int id = get_local_id(0), sum = 0;
    for (int k = 0; k < 4; k++) t[k][id] = 10 * k + id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 5; c++) sum += t[k][c] * (5 * k + c + 1);
    o[id] = sum;
}
kernel void computed(global int *o, local int *t)
{
    int id = get_local_id(0), at = (id + 1 & 3) * 4, sum = 0;
    for (int k = 0; k < 4; k++) t[id * 4 + k] = id * 10 + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) sum += t[at + k] * (k + 1);
    o[id] = sum;
}
kernel void between(global int *o)
{
    local int t[4];
    local int *p = t + get_local_id(0);
    t[0] = 1;
    t[1] = 2;
    t[2] = 3;
    t[3] = 4;
    int sum = t[0];
    p[1] = 9;
    sum += t[1] * 10 + t[2] * 100;
    t[3] = 7;
    o[0] = sum + p[3] * 1000;
}
kernel void bytes(global const uchar *restrict a, global uchar *restrict b)
{
    size_t i = get_global_id(0) * 4 + 1;
    for (int k = 0; k < 4; k++) b[i + k] = a[i + k] ^ 255;
}
