// SPDX-License-Identifier: Apache-2.0
// Parameters of 8 and 16 bits of functions that are not inlined: phis, switch conditions, modified parameters, results.
// run: k global 4
// arg: buffer char 1 -2 127 -128
// arg: buffer ushort 65535 2 300 40
// arg: out char 4
// arg: out ushort 4
// arg: out short 8
// expect: arg2 char 1 -3 126 -17
// expect: arg3 ushort 7 65533 24464 40
// expect: arg4 short 0 1 0 -2 427 127 -256 -88
__attribute__((noinline)) char rounds(char a, int n)
{
    for (int i = 0; i < n; i++) {
        if (i * i == n)
            a += 100;
        else
            a ^= (char)i;
    }
    return a;
}

__attribute__((noinline)) ushort chosen(ushort a, uchar which)
{
    ushort other = a;
    switch (which) {
    case 1: other = 7; break;
    case 254: other -= 5; break;
    case 127: return a * a;
    }
    return other;
}

__attribute__((noinline)) short2 stepped(short2 a, char by, int n)
{
    while (n-- > 0)
        a = n % 3 ? a : (short2)(a.y + by, a.x);
    return a;
}

kernel void k(global char *a, global ushort *b, global char *c, global ushort *d, global short2 *e)
{
    int i = get_global_id(0);
    c[i] = rounds(a[i], i * 3);
    d[i] = chosen(b[i], (uchar)a[i]);
    e[i] = stepped((short2)(a[i], (short)b[i]), a[i], i + 1);
}
