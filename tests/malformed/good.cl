// SPDX-License-Identifier: Apache-2.0
// Correct kernels for mutation: malformed.c breaks each in many ways.
//// reduction
kernel void reduce(global const float *in, global float *out, local float *tmp, uint n)
{
    size_t l = get_local_id(0);
    tmp[l] = get_global_id(0) < n ? in[get_global_id(0)] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
            tmp[l] += tmp[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = tmp[0];
}
//// structures
typedef struct { float4 position; int kind; uchar tag[4]; } Item;
float weight(const Item item)
{
    switch (item.kind) {
    case 0:
        return 1.0f;
    case 1:
    case 2:
        return item.position.x * 2.0f;
    default:
        return item.position.s3;
    }
}
kernel void items(global Item *items, global float *out)
{
    int i = get_global_id(0);
    Item item = items[i];
    do {
        item.kind--;
        out[i] += weight(item);
    } while (item.kind > 0);
    items[i].tag[1] = (uchar)(item.kind & 0xff);
}
//// macros
#define SQUARE(x) ((x) * (x))
#ifdef NEVER
# error never
#else
# define COUNT 4
#endif
constant int table[COUNT] = {1, 2, SQUARE(3), -4};
kernel void macros(global int *p)
{
    for (int i = 0; i < COUNT; i++)
        p[i] = table[i] > 0 ? SQUARE(table[i]) : ~p[i];
}
