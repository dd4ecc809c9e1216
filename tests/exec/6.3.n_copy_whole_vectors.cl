// SPDX-License-Identifier: Apache-2.0
// A struct of vectors is copied from global memory and whole members of it are used.
// run: k global 2
// arg: buffer float 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// arg: buffer float 0 0 0 0 0 0 0 0
// expect: arg1 float 6 8 10 12 22 24 26 28
struct box {
    float4 least, most;
};

kernel void k(global const struct box *boxes, global float4 *sums)
{
    struct box b = boxes[get_global_id(0)];
    sums[get_global_id(0)] = b.most + b.least;
}
