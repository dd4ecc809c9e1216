// SPDX-License-Identifier: Apache-2.0
// Loops whose number of iterations depends on the first value by one: at most once, once or twice, two or three times.
// run: strides global 8 local 8
// arg: buffer int 3 10 17 24 0 7 14 21 28 4 11 18 25 1 8 15 22 29 5 12 19 26 2 9 16 23 30 6 13 20 27 3
// arg: buffer int 0*64
// expect: arg1 int 9 801 3 3332 1431 780 101 1  30 901 10 11132 3007 1387 3 1  51 1001 17 19212 2206 529 6 1  0 300 -1 30292 919 586 3 1  0 400 -1 4322 147 114 3 1  0 500 -1 12001 281 203 1 0  0 600 -1 20001 144 105 1 0  0 700 -1 25001 155 113 1 0
kernel void strides(global const int *in, global int *out)
{
    local int shared[32];
    int id = get_local_id(0), lane = id % 8, sum = 0, rounds = 0, at, last = -1;
    for (int i = lane; i < 32; i += 8)
        shared[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (at = lane; at < 3; at += 8, rounds++) {
        last = shared[at];
        sum += last * 3;
    }
    out[id * 8] = sum;
    out[id * 8 + 1] = at * 100 + rounds;
    out[id * 8 + 2] = last;
    int kept[3] = {0, 0, 0};
    rounds = 0;
    for (int i = lane; i < 13; i += 8, ++rounds) {
        kept[rounds] = shared[i] + i;
        if (in[i] > 20)
            kept[rounds] ^= 5;
    }
    out[id * 8 + 3] = kept[0] * 1000 + kept[1] * 10 + rounds;
    for (int i = lane, k = 1; i < 20; i += 8) {
        k = k * 7 + i;
        for (int j = id & 3; j < 2; j += 4)
            k += in[j + i];
        sum = sum * 3 + k;
        last = k;
    }
    out[id * 8 + 4] = sum;
    out[id * 8 + 5] = last;
    unsigned product = 1, count = 0;
    for (unsigned i = lane; !(i >= 5); i += 9) {
        if (in[i] & 1) {
            for (int j = 0; j < in[i] % 4; j++)
                product = product * 3 + in[j];
        } else {
            product += 2;
        }
        count++;
    }
    out[id * 8 + 6] = (int)product;
    out[id * 8 + 7] = (int)count;
}
