// run: k global 8 local 8
// arg: buffer uint 0 0 0 0 0 0 0 0
// arg: uint 2
// expect: arg0 uint 3022 4030 5040 5040 5042 5042 5042 5042
// After a loop, its variables have the values of the last iteration.
kernel void k(global uint *out, uint rounds)
{
    uint i = get_global_id(0), v = i + 3, sum = 0, old;
    do {
        old = v;
        for (uint j = 0; j < rounds; j++)
            if (v & 1)
                for (uint n = 0; n < rounds; n++)
                    if (old & 2)
                        sum += n;
        v--;
    } while (v > 4);
    out[i] = old * 1000 + v * 10 + sum;
}
// SPDX-License-Identifier: Apache-2.0
