// SPDX-License-Identifier: Apache-2.0
// A value in memory that a loop keeps in a register is the same after the loop as with an access in each iteration: no iteration,
// early exits, nested loops, addresses that only some or no iterations store to, conditional stores.

// run: plain global 3
// arg: buffer float 1 2 3
// arg: buffer float 1 2 3 4
// arg: int 4
// expect: arg0 float 11 12 13
kernel void plain(global float *sum, global const float *restrict x, int n)
{
    for (int i = 0; i < n; i++)
        sum[get_global_id(0)] += x[i];
}

// run: plain global 3
// arg: buffer float 1 2 3
// arg: buffer float 1 2 3 4
// arg: int 0
// expect: arg0 float 1 2 3

struct four {
    float v, x, y, z;
};

// run: nested global 2
// arg: buffer float 0 0 0 0 1 1 1 1
// arg: buffer float 1 2 3
// arg: int 3
// arg: int 2
// expect: arg0 float 12 24 36 6 13 25 37 7
kernel void nested(global struct four *f, global float *from, int n, int m)
{
    local float t[3];
    int g = get_global_id(0);
    if (get_local_id(0) == 0)
        for (int i = 0; i < n; i++)
            t[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < m; k++)
        for (int j = 0; j < n; j++) {
            f[g].v += t[j];
            f[g].x += 2 * t[j];
            f[g].y += 3 * t[j];
            f[g].z += 1;
        }
}

// run: nested global 2
// arg: buffer float 0 0 0 0 1 1 1 1
// arg: buffer float 1 2 3
// arg: int 0
// arg: int 2
// expect: arg0 float 0 0 0 0 1 1 1 1

// run: nested global 2
// arg: buffer float 0 0 0 0 1 1 1 1
// arg: buffer float 1 2 3
// arg: int 2
// arg: int 0
// expect: arg0 float 0 0 0 0 1 1 1 1

// run: leaves global 4
// arg: buffer int 0 0 0 0
// arg: int 10
// expect: arg0 int 0 1 3 6
kernel void leaves(global int *x, int n)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++) {
        x[g] += i;
        if (i == g)
            break;
    }
}

// run: leaves_before global 4
// arg: buffer int 5 5 5 5
// arg: int 3
// expect: arg0 int 5 5 6 8
kernel void leaves_before(global int *x, int n)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++) {
        if (i == g - 1 || g == 0)
            break;
        if (g == 3 && i == 2)
            continue;
        x[g] += i + 1;
    }
}

// run: largest global 2
// arg: buffer int 3 9
// arg: buffer int 1 7 5
// arg: int 3
// expect: arg0 int 7 9
kernel void largest(global int *x, global int *restrict y, int n)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++)
        if (x[g] < y[i])
            x[g] = y[i];
}

// run: asked global 4
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: null
// arg: int 3
// expect: arg0 int 1 5 3 7 5 6 7 8
kernel void asked(global int *x, global int *maybe, int n)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++) {
        if (maybe)
            maybe[0] += i;
        if (g & 1)
            x[g] += 1;
        else if (g > 100)
            x[g + 4] += 1;
    }
}

// run: counts_down global 1
// arg: buffer int 10 0
// expect: arg0 int 0 10
kernel void counts_down(global int *x)
{
    do {
        x[1]++;
        x[0]--;
    } while (x[0] > 0);
}

// run: while_memory global 1
// arg: buffer int 0 0
// expect: arg0 int 0 0
kernel void while_memory(global int *x)
{
    while (x[0] > 0) {
        x[1]++;
        x[0]--;
    }
}

// run: pointers global 1
// arg: buffer int 1 2 3 4 5
// arg: int 5
// expect: arg0 int 15 2 3 4 5
kernel void pointers(global int *x, int n)
{
    for (global int *p = x + 1; p < x + n; p++)
        x[0] += *p;
}

// run: moves global 1
// arg: buffer int 1 2 3 4 5
// arg: int 4
// expect: arg0 int 1 3 6 10 15
kernel void moves(global int *x, int n)
{
    global int *p = x;
    for (int i = 0; i < n; i++, p++)
        p[1] += p[0];
}

// run: local_rows global 4 local 4
// arg: out int 4
// expect: arg0 int 6 7 8 9
kernel void local_rows(global int *out)
{
    local int row[4], other[4];
    int l = get_local_id(0);
    row[l] = l;
    other[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++)
        row[l] += other[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = row[l];
}

// run: halves global 1
// arg: buffer short 1 1
// arg: int 70000
// expect: arg0 short 4465 1
kernel void halves(global short *x, int n)
{
    for (int i = 0; i < n; i++)
        x[0]++;
}

// run: vectors global 1
// arg: buffer float 1 2 3 4 5 6 7 8
// arg: int 3
// expect: arg0 float 16 20 24 28 5 6 7 8
kernel void vectors(global float4 *x, int n)
{
    for (int i = 0; i < n; i++)
        x[0] += x[1];
}

// run: branches global 2
// arg: buffer int 0 0
// arg: int 4
// arg: out int 2
// expect: arg0 int 6 -6
// expect: arg2 int 3 3
kernel void branches(global int *x, int n, global int *last)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++) {
        if (g)
            x[g] -= i;
        else
            x[g] += i;
        last[g] = i;
    }
}

// run: last_of_some global 3
// arg: buffer int 5 5 5
// arg: buffer int 3 -1 4 -1 5
// arg: int 5
// expect: arg0 int 3 3 5
kernel void last_of_some(global int *x, global const int *restrict y, int n)
{
    int g = get_global_id(0);
    for (int i = 0; i < n; i++)
        if (y[i] < 1 - g)
            x[g] = i;
}
