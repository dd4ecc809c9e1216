// SPDX-License-Identifier: Apache-2.0
// Searches for n keys in a hash table with open addressing, of 2^20 words; a word whose lowest four bits are 0 is empty.
kernel void probe(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    const uint mask = (1 << 20) - 1, item = get_global_id(0);
    uint steps = 0;
    for (int i = 0; i < n; i++) {
        const uint key = b[item * (uint)n + i], start = key * 2654435761u >> 12;
        uint at = 0;
        while (at < 32 && a[(start + at) & mask] != key && (a[(start + at) & mask] & 15))
            at++;
        steps += at;
    }
    out[item] = steps;
}
