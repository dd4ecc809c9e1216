// SPDX-License-Identifier: Apache-2.0
// Loops that test before each iteration, with unknown bounds: no iteration, one, some; other exits; a counter that wraps;
// the value loaded by the test is used in the iteration and after the loop; barriers in iterations.
// run: below global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 527 16338 506480 15700883 2203646804 266824595 2092764634 527
// run: wraps global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 1271562158 696947638 1152019855 895944085 696947638 1271562158 696947638 1271562158
// run: ways global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 527 16338 506480 506481 486728370 3889495827 3889495672 527
// run: nested global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 17 16338 486727313 2203644817 264042609 2008250741 2642841978 17
// run: chain global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 19 161 161 3 165 19 161 165
// run: once global 8
// arg: buffer int 0 1 2 3 5 8 17 -4
// arg: out uint 8
// expect: arg1 uint 18 529 529 16431 511315 535 502637659 18
// run: shift global 8 local 8
// arg: int 0
// arg: out uint 8
// expect: arg1 uint 0 1 2 3 4 5 6 7
// run: shift global 8 local 8
// arg: int 5
// arg: out uint 8
// expect: arg1 uint 1278 1521 1764 63 306 549 792 1035
#define NEXT(h, k) ((h) * 31u + (uint)(k))

kernel void below(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int k = 0;
    for (; k < n[at]; k++)
        h = NEXT(h, k);
    out[at] = NEXT(h, k);
}

kernel void wraps(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0), k = 0xfffffffau + (n[at] & 3);
    for (; k != 4; k++)
        h = NEXT(h, k);
    out[at] = NEXT(h, k);
}

kernel void ways(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int k, end = n[at];
    for (k = 0; k < end; k++) {
        if ((k & 3) == 2)
            continue;
        if (h > 0x80000000u) {
            h ^= 5;
            break;
        }
        h = NEXT(h, k);
    }
    out[at] = NEXT(h, k);
}

kernel void nested(global const int *n, global uint *out)
{
    uint h = 17, at = get_global_id(0);
    int end = n[at];
    for (int i = 0; i < end; i++) {
        int j = i;
        while (j * j < end)
            h = NEXT(h, j++);
        h = NEXT(h, j);
    }
    out[at] = h;
}

constant uchar steps[8] = {3, 5, 7, 0, 2, 9, 4, 1};

kernel void chain(global const int *n, global uint *out)
{
    uint at = n[get_global_id(0)] & 7, count = 0;
    while (steps[at]) {
        at = steps[at] & 7;
        if (++count > 9)
            break;
    }
    out[get_global_id(0)] = count * 16 + at;
}

uint until_odd(int k)
{
    uint h = 17;
    while (k > 0) {
        h = NEXT(h, k);
        k >>= 1;
        if (h & 1)
            return h;
    }
    return h + 1;
}

kernel void once(global const int *n, global uint *out)
{
    out[get_global_id(0)] = until_odd(n[get_global_id(0)]);
}

kernel void shift(int n, global uint *out)
{
    local uint all[8];
    uint l = get_local_id(0);
    int k = 0;
    all[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; k < n; k++) {
        uint next = all[(l + 1) & 7] * 3 + k;
        barrier(CLK_LOCAL_MEM_FENCE);
        all[l] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = all[l] + k;
}
