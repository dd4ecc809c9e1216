// SPDX-License-Identifier: Apache-2.0
// Loops over rows of a matrix, with bounds of several parts, with what does not change in them, and with barriers.
// run: rows global 3
// arg: out int 3
// arg: buffer int 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
// arg: int 0
// arg: int 3
// arg: int 12
// expect: arg0 int 210 222 234
// run: rows global 3
// arg: out int 3
// arg: buffer int 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
// arg: int 33
// arg: int -3
// arg: int 11
// expect: arg0 int 209 220 231
// run: parts global 4
// arg: out int 8
// arg: int 7
// arg: int 5
// expect: arg0 int 0 7 5 7 7 2 5 7
// run: none global 2
// arg: buffer int 0 0
// arg: buffer int 3
// arg: int 1000000000
// arg: int 0
// expect: arg0 int 7 7
// run: none global 2
// arg: buffer int 0 0
// arg: buffer int 3
// arg: int 0
// arg: int 5
// expect: arg0 int 2064 2064
// run: turns global 4 local 4
// arg: out int 4
// arg: int 0
// expect: arg0 int 0 1 2 3
// run: turns global 4 local 4
// arg: out int 4
// arg: int 21
// expect: arg0 int 1 2 3 0
kernel void rows(global int *out, global const int *a, int first, int width, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[first + (int)get_global_id(0) + i * width];
    out[get_global_id(0)] = sum;
}

// The number of rounds of loops that are left for several reasons
kernel void parts(global int *out, int n, int m)
{
    int id = get_global_id(0), count = 0, down = 0;
    bool some = id & 1, few = id & 2;
    for (int i = 0; i < n && (few ? i < m : 1) && id; i++)
        count++;
    out[id] = id == 3 ? n : count;
    for (unsigned i = 20; i > (unsigned)(20 - n) && (some || i > (unsigned)(20 - m)); i--)
        down++;
    out[id + 4] = id == 2 ? m : id == 0 ? n : id == 1 ? down - m : down;
}

// There is nothing at `factor` if there are no rounds.
kernel void none(global int *out, global const int *factor, int away, int n)
{
    int sum = 7;
    factor += away;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + *factor;
    out[get_global_id(0)] = sum;
}

// Each round, all values move to their left.
kernel void turns(global int *out, int n)
{
    local int t[2][4];
    int id = get_local_id(0);
    t[0][id] = id;
    for (int i = 0; i < n; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[~i & 1][id] = t[i & 1][(id + 1) & 3];
    }
    out[id] = t[n & 1][id];
}
