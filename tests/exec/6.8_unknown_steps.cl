// SPDX-License-Identifier: Apache-2.0
// Counters whose step is known only at launch: some iterations, none, large steps, sums near the limits of the type and beyond,
// a truncated 64-bit sum.
// run: below global 8
// arg: buffer int 0 -5 3 2147483600 0 -2147483648 7 100
// arg: buffer int 50 9 3 2147483631 1 -2147483000 1073741831 90
// arg: buffer int 1 3 2 16 1 33 1073741824 5
// arg: out uint 8
// expect: arg3 uint 3274675080 2057701754 530 2147942959 16338 640211737 1073758385 627
// run: up_to global 8
// arg: buffer int 0 -5 3 2147483600 0 -2147483648 7 100
// arg: buffer int 49 8 2 2147483630 0 -2147483001 1073741830 89
// arg: buffer int 1 3 2 16 1 33 1073741824 5
// arg: out uint 8
// expect: arg3 uint 3274675080 2057701754 530 2147942959 16338 640211737 1073758385 627
// run: cut global 8
// arg: buffer int 0 -5 3 2147483600 0 -2147483648 7 100
// arg: buffer int 50 9 3 2147483631 1 -2147483000 1073741831 90
// arg: buffer int 1 3 2 16 1 33 1073741824 5
// arg: out uint 8
// expect: arg3 uint 3274675080 2057701754 530 2147942959 16338 640211737 1073758385 627
// run: unsigned_below global 8
// arg: buffer uint 0 5 3 4294967200 10 4000000000 7 20
// arg: buffer uint 50 9 3 4294967290 30 4150000000 40 200
// arg: buffer uint 1 3 2 45 4294967280 200000000 16777216 16
// arg: out uint 8
// expect: arg3 uint 3274675080 511511 530 412604 16641 3645964753 16793777 4116177155
// run: longs global 8
// arg: buffer int 0 -5 3 2147483600 0 -2147483648 7 100
// arg: buffer int 50 9 3 2147483631 1 -2147483000 1073741831 90
// arg: buffer int 1 3 2 16 1 33 1073741824 5
// arg: out uint 8
// expect: arg3 uint 3274675080 2057701754 530 2147942959 16338 640211737 1073758385 627
// run: unsigned_longs global 8
// arg: buffer uint 0 5 3 4294967200 10 4000000000 7 20
// arg: buffer uint 50 9 3 4294967290 30 4150000000 40 200
// arg: buffer uint 1 3 2 45 4294967280 200000000 16777216 16
// arg: out uint 8
// expect: arg3 uint 3274675080 511511 530 412604 16641 3645964753 16793777 4116177155
#define NEXT(h, k) ((h) * 31u + (uint)(k))
#define LOOP(name, buffer, type, step_type, test) \
    kernel void name(global const buffer *start, global const buffer *end, global const buffer *step, global uint *out) \
    { \
        uint h = 17, at = get_global_id(0); \
        type i = start[at], last = end[at]; \
        step_type by = step[at]; \
        for (; i test last; i += by) \
            h = NEXT(h, i); \
        out[at] = NEXT(h, i); \
    }
LOOP(below, int, int, int, <)
LOOP(up_to, int, int, int, <=)
LOOP(cut, int, int, ulong, <)
LOOP(unsigned_below, uint, uint, uint, <)
LOOP(longs, int, long, long, <)
LOOP(unsigned_longs, uint, ulong, ulong, <)
