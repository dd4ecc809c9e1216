// SPDX-License-Identifier: Apache-2.0
// Private arrays of more than 1 KiB for each work-item, which are in device memory: scalars, vectors, structs, bytes, several arrays,
// pointers to them as arguments, smaller alignment than that of their vectors.
// needs: cl_khr_fp64
// run: scalars global 70 local 10
// arg: out int 70
// expect: arg0 int 0 300 600 900 1200 1500 1800 2100 2400 2700 3000 3300 3600 3900 4200 4500 4800 5100 5400 5700 6000 6300 6600 6900 7200 7500 7800 8100 8400 8700 9000 9300 9600 9900 10200 10500 10800 11100 11400 11700 12000 12300 12600 12900 13200 13500 13800 14100 14400 14700 15000 15300 15600 15900 16200 16500 16800 17100 17400 17700 18000 18300 18600 18900 19200 19500 19800 20100 20400 20700
// run: several global 3 local 3
// arg: out float 3
// arg: int 300
// expect: arg0 float 1250 2000 2750
// run: unaligned global 2 local 1
// arg: out int 8
// arg: int 3
// expect: arg0 int 3 4 5 6 4 5 6 7
// run: distances global 3 local 3
// arg: out int 6
// arg: int 400
// expect: arg0 int 2384 3 2384 12 2384 21

kernel void scalars(global int *out)
{
    int a[600], id = get_global_id(0);
    for (int i = 0; i < 600; i++)
        a[i] = i % 2 ? id : 0;
    int sum = 0;
    for (int i = 0; i < 600; i++)
        sum += a[(i * 7 + id) % 600];
    out[id] = sum;
}

struct record {
    char tag;
    double weight;
    float4 place;
    short few[3];
};

static float of(const struct record *r, int i) { return r[i].tag + (float)r[i].weight + r[i].place.z + r[i].few[i % 3]; }

kernel void several(global float *out, int n)
{
    struct record records[100];
    uchar bytes[2000];
    double4 wide[50];
    int id = get_global_id(0);
    for (int i = 0; i < n; i++) {
        bytes[i * 6] = (uchar)(i & 1);
        wide[i % 50] = (double4)(i, id, 1, 2);
        records[i % 100].tag = 1;
        records[i % 100].weight = id;
        records[i % 100].place = (float4)(9, 9, 2, 9);
        for (int k = 0; k < 3; k++)
            records[i % 100].few[k] = (short)k;
    }
    float sum = 0;
    for (int i = 0; i < 100; i++)
        sum += of(records, i) - i % 3 + bytes[i * 6];
    for (int i = 0; i < 50; i++)
        sum += (float)(wide[i].y * 13 + wide[i].z * 4 + wide[i].w * 7 + wide[i].x * 0);
    out[id] = sum;
}

kernel void unaligned(global int *out, int from)
{
    int a[1000], id = get_global_id(0);
    for (int i = 0; i < 1000; i++)
        a[i] = i + id;
    vstore4(vload4(0, a + from) , id, out);
}

// Accesses at constant distances, in both directions; indices that start below zero.
kernel void distances(global int *out, int n)
{
    int a[900], id = get_global_id(0);
    uchar bytes[1200];
    for (int i = 0; i < n; i++) {
        a[2 * i + 1] = i + id;
        a[2 * i] = i;
        bytes[3 * i + 2] = i;
        bytes[3 * i] = id;
        bytes[3 * i + 1] = i + 1;
    }
    int k = n - 600 - id, sum = 0; // -200 and less
    int *p = a + 800;
    for (int i = 0; i < 4; i++, k--)
        sum += p[k - 3] + p[k - 2] - p[k - 1] + p[k];
    out[2 * id] = sum;
    out[2 * id + 1] = bytes[id * 6 + 1] + bytes[id * 6 + 2] + bytes[id * 6 + 4] + bytes[id * 6] * 3;
}
