// SPDX-License-Identifier: Apache-2.0
// A value of the iteration before, among calls of functions that stay functions: it shares no variable with values of the same
// iteration, although it has no value before the loop.
// run: f global 1
// arg: buffer int 0 0 0 0 0 0 0 0
// arg: buffer int 3 1 4 1 5 9 2 6
// arg: int 8
// expect: arg0 int 0 94073 115176 37263 56543 64497 47191 54486 

int mix(int x)
{
    for (int i = 0; i < 3; i++)
        x = x * 5 + (x >> 3) + i;
    return x & 0xffff;
}

__attribute__((noinline)) int more(int x)
{
    for (int i = 0; i < 4; i++)
        x = mix(x + i) + (x >> 2);
    return x & 0xffff;
}

kernel void f(global int *out, global const int *in, int n)
{
    int last;
    for (int i = 0; i < n; i++) {
        int w = in[i];
        int t = more(w * 7);
        int u = more(t + w);
        if (i > 0)
            out[i] = last + u;
        last = more(u * 3);
    }
}
