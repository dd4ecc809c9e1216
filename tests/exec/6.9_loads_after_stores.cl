// SPDX-License-Identifier: Apache-2.0
// Loads that follow stores: from other buffers and from the same one, of other bytes and of those that were stored.
// run: shifted global 2 local 2
// arg: buffer int 1 2 3 4 5 10 20 30 40 50
// arg: buffer int 1 1 1 1 1 2 2 2 2 2
// expect: arg0 int 1 3 4 5 6 10 22 32 42 52
// run: shifted global 2 local 2
// arg: buffer int 1 2 3 4 5 10 20 30 40 50
// arg: same 0
// expect: arg0 int 1 3 6 10 15 10 30 60 100 150
// run: by_distance global 2 local 2
// arg: buffer int 1 2 3 4 5 10 20 30 40 50
// arg: int 1
// expect: arg0 int 1 3 6 10 15 10 30 60 100 150
// run: by_distance global 2 local 2
// arg: buffer int 1 2 3 4 5 10 20 30 40 50
// arg: int 0
// expect: arg0 int 1 4 6 8 10 10 40 60 80 100
// run: bytes global 2 local 2
// arg: buffer int 0x01020304 0x05060708
// arg: out int 2
// expect: arg0 int 0x01020007 0x05060009
// expect: arg1 int 0x01020007 0x05060009
// run: chosen global 2 local 2
// arg: buffer int 0 1
// arg: buffer int 5 6 7 8
// arg: out int 2
// expect: arg1 int 9 9 7 8
// expect: arg2 int 14 15

kernel void shifted(global int *u, global int *r)
{
    size_t b = 5 * get_global_id(0);
    for (int m = 1; m < 5; m++)
        u[b + m] = u[b + m] + r[b + m - 1];
}

kernel void by_distance(global int *u, int d)
{
    size_t b = 5 * get_global_id(0);
    for (int m = 1; m < 5; m++)
        u[b + m] = u[b + m] + u[b + m - d];
}

kernel void bytes(global int *words, global int *out)
{
    size_t i = get_global_id(0);
    global ushort *parts = (global ushort *)words;
    parts[2 * i] = 7 + 2 * i;
    out[i] = words[i];
}

kernel void chosen(global const int *index, global int *values, global int *out)
{
    size_t i = get_global_id(0);
    int before = values[i];
    values[i] = 9;
    out[i] = before + values[index[i]];
}
