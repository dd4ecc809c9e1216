// SPDX-License-Identifier: Apache-2.0
// Sums whose variables are not initialized start at zero, as on many devices. (Such a program is not portable.)
// source: other compilers make NaNs of undefined values
// run: k global 4
// arg: buffer float 1 2 3 4 5 6 7 8 9
// arg: buffer float 0*16
// arg: int 3
// expect: arg1 float 45 9 15 18  45 9 15 18  45 9 15 18  45 9 15 18
kernel void k(global const float *in, global float *out, int n)
{
    float sum, rows;
    int count;
    float2 pair;
    for (int y = 0; y < 3; y++) {
        for (int x = 0; x < 3; x++) {
            sum += in[y * n + x];
            count++;
        }
        rows += in[y * n + 1];
    }
    int i = 0;
    do {
        pair += (float2)(in[i], in[i + 6]);
        i += 3;
    } while (i < n);
    global float *mine = out + get_global_id(0) * 4;
    mine[0] = sum;
    mine[1] = count;
    mine[2] = rows;
    mine[3] = pair.x + pair.y + 10;
}
