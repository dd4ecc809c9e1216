// SPDX-License-Identifier: Apache-2.0
// OpenCL C 6.3: quotients and remainders of several numbers by a divisor that a loop does not change.
// run: unsigned_ones global 8
// arg: buffer uint 1 3 7 640 65537 2147483649 4294967295 16777213
// arg: buffer uint 0 2 4294967295 4294967294 2147483648 1000003
// arg: int 6
// arg: out uint 48
// arg: out uint 48
// expect: arg3 uint 0 2 4294967295 4294967294 2147483648 1000003 0 0 1431655765 1431655764 715827882 333334 0 0 613566756 613566756 306783378 142857 0 0 6710886 6710886 3355443 1562 0 0 65535 65534 32767 15 0 0 1 1 0 0 0 0 1 0 0 0 0 0 256 256 128 0
// expect: arg4 uint 0 0 0 0 0 0 0 2 0 2 2 1 0 2 3 2 2 4 0 2 255 254 128 323 0 2 0 65536 32769 16948 0 2 2147483646 2147483645 2147483648 1000003 0 2 0 4294967294 2147483648 1000003 0 2 767 766 384 1000003
kernel void unsigned_ones(global const uint *divisors, global const uint *numbers, int count, global uint *quotients, global uint *rests)
{
    size_t i = get_global_id(0);
    uint d = divisors[i];
    for (int k = 0; k < count; k++) {
        quotients[i * count + k] = numbers[k] / d;
        rests[i * count + k] = numbers[k] % d;
    }
}

// run: signed_ones global 8
// arg: buffer int 1 3 -7 640 -65537 2147483647 -2147483648 16777213
// arg: buffer int 0 -2 2147483647 -2147483648 1000003 -1000003
// arg: int 6
// arg: out int 48
// arg: out int 48
// expect: arg3 int 0 -2 2147483647 -2147483648 1000003 -1000003 0 0 715827882 -715827882 333334 -333334 0 0 -306783378 306783378 -142857 142857 0 0 3355443 -3355443 1562 -1562 0 0 -32767 32767 -15 15 0 0 1 -1 0 0 0 0 0 1 0 0 0 0 128 -128 0 0
// expect: arg4 int 0 0 0 0 0 0 0 -2 1 -2 1 -1 0 -2 1 -2 4 -4 0 -2 127 -128 323 -323 0 -2 32768 -32769 16948 -16948 0 -2 0 -1 1000003 -1000003 0 -2 2147483647 0 1000003 -1000003 0 -2 383 -384 1000003 -1000003
kernel void signed_ones(global const int *divisors, global const int *numbers, int count, global int *quotients, global int *rests)
{
    size_t i = get_global_id(0);
    int d = divisors[i];
    for (int k = 0; k < count; k++) {
        quotients[i * count + k] = numbers[k] / d;
        rests[i * count + k] = numbers[k] % d;
    }
}
