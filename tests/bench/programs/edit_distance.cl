// SPDX-License-Identifier: Apache-2.0
// Edit distance of n letters to 400 others, row by row in a private array.
kernel void edit_distance(global const uint *restrict a, global const uint *restrict b, global uint *restrict out, int n)
{
    const uint item = get_global_id(0);
    int row[401];
    for (int i = 0; i <= 400; i++)
        row[i] = i;
    for (int i = 1; i <= n; i++) {
        const uint letter = a[item + i] & 7;
        int diagonal = row[0];
        row[0] = i;
        for (int k = 1; k <= 400; k++) {
            const int above = row[k];
            row[k] = min(min(above, row[k - 1]) + 1, diagonal + (letter != (b[k] & 7)));
            diagonal = above;
        }
    }
    out[item] = row[400];
}
