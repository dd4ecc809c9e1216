// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_device_enqueue
// Blocks that are called immediately: captured values are copied where the literal is, not where it is called.
// source: SPIR-V modules have no blocks
// run: copies global 4
// arg: out int 8
// expect: arg0 int 10 21 32 43 1 2 3 4
// run: rounds global 1
// arg: out int 4
// expect: arg0 int 0 1 4 9
// run: nested global 2
// arg: out int 4
// expect: arg0 int 113 214 7 7

struct pair { int a; int b[2]; };

constant int unit = 1;
int (^constant twice)(int) = ^(int x) { return 2 * x * unit; };

kernel void copies(global int *out)
{
    int id = get_global_id(0), n = 10 * (id + 1);
    int (^sum)(int) = ^(int x) { return n + x; };
    n = 1000;
    out[id] = sum(id);
    struct pair p = {id, {1, 2}};
    int (^last)(void) = ^{ return p.a + p.b[0] * unit; };
    p.a = 99;
    out[4 + id] = last();
}

kernel void rounds(global int *out)
{
    for (int i = 0; i < 4; i++) {
        int (^square)(void) = ^{ return i * i; };
        out[i] = square();
    }
}

kernel void nested(global int *out)
{
    int id = get_global_id(0), base = 100 * (id + 1);
    void (^outer)(int) = ^(int x) {
        int y = x + 1;
        int (^inner)(int) = ^(int z) { return base + y + twice(z); };
        if (x > 0)
            out[id] = inner(x);
        out[2 + id] = ^(int v) { return v + 3; }(x);
    };
    outer(4);
    out[id] += id;
}
