// SPDX-License-Identifier: Apache-2.0
// Accesses that may alias are ordered: two arguments, two indices, a union's members, characters, vectors and
// their lanes; volatile accesses; values that barriers and atomics publish.

// run: arguments global 1
// arg: buffer int 1 2 3 4
// arg: same 0
// arg: int 4
// expect: arg0 int 1 2 16 4
kernel void arguments(global int *x, global int *y, int n)
{
    for (int i = 0; i < n; i++)
        x[2] += y[i];
}

// run: apart global 1
// arg: buffer int 1 2 3 4
// arg: buffer int 10 20 30 40
// arg: int 4
// expect: arg0 int 101 2 3 4
kernel void apart(global int *x, global int *y, int n)
{
    for (int i = 0; i < n; i++)
        x[0] += y[i];
}

// run: offsets global 1
// arg: buffer int 1 2 3 4 5 6
// arg: int 2
// arg: int 6
// expect: arg0 int 1 2 27 4 5 6
kernel void offsets(global int *x, int at, int n)
{
    for (int i = 0; i < n; i++)
        x[at] += x[i];
}

// run: overlapping global 1
// arg: buffer int 1 2 3 4 5 6 0
// arg: int 1
// arg: out int 2
// expect: arg0 int 1 1 1 1 1 1 1
// expect: arg2 int 1 2
kernel void overlapping(global int *x, int by, global int *out)
{
    int before = x[by];
    out[0] = x[0];
    for (int i = 0; i < 6; i++)
        x[i + by] = x[i];
    out[1] = before;
}

union number {
    float f;
    int i;
    short s[2];
};

// run: members global 1
// arg: buffer float 1 2
// arg: out int 4
// expect: arg1 int 0x3f800000 0x40000000 0x00005555 0x40005555
kernel void members(global union number *x, global int *out)
{
    out[0] = x[0].i;
    x[0].f = 2;
    out[1] = x[0].i;
    x[0].s[0] = 0x5555;
    out[2] = x[0].i & 0xffff;
    out[3] = x[0].i;
}

// run: members_in_loop global 1
// arg: buffer float 1
// arg: int 3
// arg: out int 3
// expect: arg0 float 4
// expect: arg2 int 0x3f800000 0x40000000 0x40400000
kernel void members_in_loop(global union number *x, int n, global int *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = x->i;
        x->f += 1;
    }
}

// run: characters global 1
// arg: buffer int 0x01020304 0
// arg: int 4
// expect: arg0 int 0x01020304 10
kernel void characters(global int *x, int n)
{
    global char *bytes = (global char *)x;
    for (int i = 0; i < n; i++)
        x[1] += bytes[i];
}

// run: characters_written global 1
// arg: buffer int 0
// arg: int 4
// arg: out int 4
// expect: arg2 int 7 0x0707 0x070707 0x07070707
kernel void characters_written(global int *x, int n, global int *out)
{
    global char *bytes = (global char *)x;
    for (int i = 0; i < n; i++) {
        bytes[i] = 7;
        out[i] = x[0];
    }
}

// run: lanes global 1
// arg: buffer float 1 2 3 4
// arg: int 4
// arg: out float 4
// expect: arg0 float 1 2 15 4
// expect: arg2 float 3 6 9 12
kernel void lanes(global float4 *x, int n, global float *out)
{
    global float *one = (global float *)x;
    for (int i = 0; i < n; i++) {
        out[i] = x->z;
        one[2] += 3;
    }
}

// run: volatile_sum global 1
// arg: buffer int 1 2 3
// arg: int 3
// expect: arg0 int 7 2 3
kernel void volatile_sum(global volatile int *x, int n)
{
    for (int i = 0; i < n; i++)
        x[0] += i == 0 ? 1 : i + 1;
}

// run: shared global 4 local 4
// arg: out int 4
// expect: arg0 int 6 6 6 6
kernel void shared(global int *out)
{
    local int sum[1];
    int l = get_local_id(0);
    if (l == 0)
        sum[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; i++) {
        if (i == l)
            sum[0] += l;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = sum[0];
}

// run: by_atomics global 4 local 4
// arg: buffer int 0 0
// arg: out int 4
// expect: arg0 int 24 24
// expect: arg1 int 1 1 1 1
kernel void by_atomics(global int *x, global int *out)
{
    int l = get_local_id(0), last = 0;
    for (int i = 0; i < 6; i++) {
        atomic_inc(&x[0]);
        barrier(CLK_GLOBAL_MEM_FENCE);
        last = x[0];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (l == 0)
        x[1] = x[0];
    out[l] = last == 24;
}

// run: own_atomics global 1
// arg: buffer int 0 0
// arg: int 5
// expect: arg0 int 15 0
kernel void own_atomics(global int *x, int n)
{
    for (int i = 0; i < n; i++) {
        atomic_add(&x[0], 1);
        x[0] += 2;
    }
}

struct pair {
    int a;
    float b;
};

// run: structs global 1
// arg: buffer int 1 0 2 0 3 0
// arg: int 3
// arg: out int 2
// expect: arg0 int 1 0 2 0 6 0
// expect: arg2 int 6 0
kernel void structs(global struct pair *x, int n, global int *out)
{
    for (int i = 0; i < n - 1; i++) {
        struct pair p = x[i];
        x[n - 1].a += p.a;
        x[n - 1].b = 0;
    }
    struct pair last = x[n - 1];
    out[0] = last.a;
    out[1] = last.b;
}

// run: private_array global 1
// arg: buffer int 3 1 3 0 3
// arg: int 5
// arg: out int 4
// expect: arg2 int 1 1 0 3
kernel void private_array(global int *x, int n, global int *out)
{
    int count[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        count[x[i]]++;
    for (int i = 0; i < 4; i++)
        out[i] = count[i];
}
