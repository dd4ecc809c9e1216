// SPDX-License-Identifier: Apache-2.0
// Loops with an unroll hint: remaining iterations, none at all, each kind of test.
// run: below global 8
// arg: buffer int 0 1 3 4 5 8 11 -3
// arg: out uint 8
// expect: arg1 uint 17 527 506480 15700883 486727377 285701909 3015365620 17
// run: up_to global 8
// arg: buffer int 0 1 3 4 5 8 11 -3
// arg: out uint 8
// expect: arg1 uint 17 528 528 16372 16372 507539 15733719 17
// run: down global 8
// arg: buffer int 0 1 3 4 5 8 11 -3
// arg: out uint 8
// expect: arg1 uint 527 16368 15791183 490480977 2349591854 4166227603 1380750027 17
// run: meets global 8
// arg: buffer int 0 1 3 4 5 8 11 -3
// arg: out uint 8
// expect: arg1 uint 17 527 506480 15700883 486727377 285701909 3015365620 506480
// run: unsigned_step global 8
// arg: buffer int 0 1 3 4 5 8 11 -3
// arg: out uint 8
// expect: arg1 uint 17 17 529 529 16403 508499 488667797 529
#define NEXT(h, k) ((h) * 31u + (uint)(k))

kernel void below(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    #pragma unroll 4
    for (int k = 0; k < n[at]; k++)
        h = NEXT(h, k);
    out[at] = h;
}

kernel void up_to(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int last = n[at];
    #pragma unroll 2
    for (int k = 1; k <= last; k += 3)
        h = NEXT(h, k);
    out[at] = h;
}

kernel void down(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    __attribute__((opencl_unroll_hint(3)))
    for (int k = n[at]; k >= 0; k--)
        h = NEXT(h, k);
    out[at] = h;
}

kernel void meets(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0), end = abs(n[at]);
    #pragma unroll 5
    for (uint k = 0; k != end; k++)
        h = NEXT(h, k);
    out[at] = h;
}

kernel void unsigned_step(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0), end = abs(n[at]);
    #pragma unroll 4
    for (uint k = 2; k < end; k += 2)
        h = NEXT(h, k);
    out[at] = h;
}
