// SPDX-License-Identifier: Apache-2.0
// Sorts n numbers, at most 400, in a private array by insertion.
kernel void insertion(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    const uint item = get_global_id(0);
    uint sorted[400], hash = 0;
    for (int i = 0; i < n; i++) {
        const uint value = a[item + (b[i] & 0xffff)];
        int place = i;
        while (place > 0 && sorted[place - 1] > value) {
            sorted[place] = sorted[place - 1];
            place--;
        }
        sorted[place] = value;
    }
    for (int i = 0; i < n; i++)
        hash = hash * 31 + sorted[i];
    out[item] = hash;
}
