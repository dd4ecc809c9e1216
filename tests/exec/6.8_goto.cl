// SPDX-License-Identifier: Apache-2.0
// goto in its forms: out of nested loops, into a loop, between two loops (irreducible), Duff's device.
// run: out_of_loops global 4
// arg: buffer int 0 3 6 100
// arg: out int 4
// expect: arg1 int 0 13 23 -1
// run: into_loop global 4
// arg: buffer int 0 1 2 5
// arg: out int 4
// expect: arg1 int 10 110 220 550
// run: irreducible global 4
// arg: buffer int 0 1 6 7
// arg: out int 4
// expect: arg1 int 1 12 1212121 12121212
// run: duff global 5
// arg: buffer int 0 1 4 5 11
// arg: out int 5
// expect: arg1 int 0 1 10 15 66
__kernel void out_of_loops(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int x, y, found = -1;
    for (x = 0; x < 5; x++)
        for (y = 0; y < 5; y++)
            if (x * y == in[i])
                goto done;
    x = -1;
done:
    if (x >= 0)
        found = x * 10 + y;
    out[i] = found;
}

__kernel void into_loop(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int n = in[i], sum = 0;
    if (n)
        goto middle;
    while (n > 0) {
        sum += 10;
    middle:
        sum += 100;
        n--;
    }
    sum += 10;
    out[i] = n == 0 && in[i] == 0 ? sum : sum + (in[i] - 1) * 0 - (in[i] > 1 ? 0 : 0);
}

// Two labels jump to each other, and either may be reached first: the loop has no single head.
__kernel void irreducible(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int n = in[i], trace = 0;
    if (n & 8)
        goto second;
first:
    trace = trace * 10 + 1;
    if (n-- <= 0)
        goto end;
second:
    trace = trace * 10 + 2;
    if (n-- <= 0)
        goto end;
    goto first;
end:
    out[i] = trace;
}

__kernel void duff(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int n = in[i], sum = 0, k = 0, rounds = (n + 3) / 4;
    if (n == 0) {
        out[i] = 0;
        return;
    }
    switch (n % 4) {
    case 0:
        do {
            sum += ++k;
    case 3:
            sum += ++k;
    case 2:
            sum += ++k;
    case 1:
            sum += ++k;
        } while (--rounds > 0);
    }
    out[i] = sum;
}
