// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 1 4 6
// arg: out int 3
// expect: arg1 int 0 8 18
kernel void k(global int *n, global int *out)
{
    int i = get_global_id(0), count = 0;
    for (int a = 0; a < n[i]; a++) {
        for (int b = a; b < n[i]; b++) {
            if (b == 5 && a > 2)
                break;
            if ((a + b) % 3 == 0)
                continue;
            count += b - a > 1 ? 2 : 1;
        }
    }
    out[i] = count;
}
