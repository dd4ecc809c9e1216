// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: quotients of bytes and shorts in vectors, added up in a loop. No known driver gives wrong results for our
// code, but NVIDIA's own compiler does for this source; 6.3_quotients_of_lanes_in_loop is a case that failed.
// run: lanes global 16
// arg: buffer uchar 221 2 8 8 255 254 7 9 63 64 128 127 0 1 14 18 165 77 202 24 37 48 187 29 109 19 44 222 214 35 123 46 217 30 63 114 31 203 25 113 23 68 148 214 73 60 157 92 52 96 190 49 32 30 105 254 218 160 238 232 185 153 127 92
// arg: int 5
// arg: out uchar 64
// arg: out uchar 64
// arg: out char 32
// arg: out ushort 32
// expect: arg2 uchar 20 10 40 40 15 10 35 45 0 5 35 50 0 5 15 25 20 25 20 55 10 15 0 15 20 5 0 5 20 40 10 35 0 15 40 50 15 25 15 45 10 25 25 30 15 30 15 5 15 30 15 50 20 15 30 35 5 35 35 55 15 0 30 5
// expect: arg3 uchar 155 0 0 0 180 140 0 0 45 35 55 45 0 0 5 5 115 40 90 5 25 25 85 10 75 10 20 85 150 15 55 15 155 15 25 40 20 110 10 40 15 35 65 80 50 30 70 35 35 50 85 15 20 15 45 95 155 85 105 85 130 85 55 35
// expect: arg4 char 0 10 -5 -10 0 5 0 5 0 25 10 15 20 5 0 40 -20 15 15 -40 10 25 15 30 15 30 20 15 -15 -30 -5 -20
// expect: arg5 ushort 25 20 20 35 20 30 20 25 20 5 25 30 15 25 20 5 5 30 15 0 5 25 25 15 10 40 25 25 20 25 30 0
kernel void lanes(global const uchar *x, int rounds, global uchar *rests, global uchar *quotients, global char *signs,
                  global ushort *shorts)
{
    size_t i = get_global_id(0);
    uchar4 rest = 0, quotient = 0;
    char2 sign = 0;
    ushort2 word = 0;
    while (rounds-- > 0) {
        rest += (uchar4)(vload2(2 * i, x) % (uchar2)(7, 9), vload2(2 * i + 1, x) % (uchar2)(11, 13));
        quotient += vload4(i, x) / (uchar4)(7, 9, 11, 13);
        sign += vload2(2 * i, (global const char *)x) % (char2)(7, 9);
        word += vload2(i, (global const ushort *)x) % (ushort2)(7, 9);
    }
    vstore4(rest, i, rests);
    vstore4(quotient, i, quotients);
    vstore2(sign, i, signs);
    vstore2(word, i, shorts);
}
