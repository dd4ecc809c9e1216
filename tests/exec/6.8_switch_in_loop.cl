// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: buffer int 2 5 9
// arg: out int 3
// expect: arg1 int 10 111 1112
kernel void k(global int *n, global int *out)
{
    int i = get_global_id(0), r = 0;
    for (int j = 0; j < n[i]; j++) {
        switch (j) {
        case 1:
            r += 10;
            continue;
        case 3:
            r += 100;
            break;
        case 6:
            r += 1000;
            break;
        default:
            continue;
        }
        r += 1;
    }
    out[i] = r;
}
