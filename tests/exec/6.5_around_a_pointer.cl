// SPDX-License-Identifier: Apache-2.0
// run: around global 8
// arg: buffer int 0..15
// arg: out int 8
// arg: int 2
// expect: arg1 int 20100 30201 40302 50403 60504 70605 80706 90807
// run: far global 4
// arg: buffer uchar 1*4095 2 3 4 5 6*4092 7 8 9 10 11
// arg: out uint 4
// arg: int 4096
// expect: arg1 uint 73 84 95 106
// run: steps global 2
// arg: buffer ushort 0..31
// arg: out int 2
// expect: arg1 int 240 256
// Addresses before the buffer are intermediate results of addresses in it.
kernel void around(global const int *a, global int *out, int back)
{
    int g = get_global_id(0), i = g - back;
    global const int *p = a - 1000;
    out[g] = a[i + 2] + 100 * a[i + 3] + 10000 * p[i + 1004];
}

// Offsets just above and just below the largest immediate offset of an address.
kernel void far(global const uchar *a, global uint *out, int back)
{
    int g = get_global_id(0), i = g - back;
    out[g] = 10 * a[i + 12287] + a[i + 8192];
}

// A pointer that is decremented.
kernel void steps(global const ushort *a, global int *out)
{
    int g = get_global_id(0), sum = 0;
    global const ushort *p = a + 31 + g;
    for (int k = 0; k < 16; k++, p -= 2)
        sum += p[-1 - g] & 0xff;
    out[g] = sum + 16 * g;
}
