// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.8: a switch with a constant, after inlining, runs into the following cases (the tail of a hash).
// run: tails global 3
// arg: buffer uint 5 6 250
// arg: out uint 3
// arg: out uint 3
// arg: out uint 3
// expect: arg1 uint 15 18 750
// expect: arg2 uint 8 9 253
// expect: arg3 uint 1041 1042 1777
uint tail(uint h, int length)
{
    switch (length & 3) {
    case 3:
        h += 1024;
    case 2:
        if (h > 5)
            h += 1;
        h *= 1;
        break;
    case 1:
        h += 3;
    default:
        return length == 4 ? h * 3 : h;
    }
    return length == 7 ? h + (h > 1040 ? 502 : 11) : h;
}

kernel void tails(global const uint *in, global uint *four, global uint *one, global uint *seven)
{
    size_t i = get_global_id(0);
    four[i] = tail(in[i], 4);
    one[i] = tail(in[i], 5);
    seven[i] = tail(in[i], 7);
}
