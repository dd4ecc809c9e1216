// SPDX-License-Identifier: Apache-2.0
// run: k global 8
// arg: buffer int 0 1 2 3 4 5 -1 100
// arg: out int 8
// expect: arg1 int 100 11 12 12 7 6 50 50
kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0), r = 0;
    switch (a[i]) {
    case 0:
        r = 100;
        break;
    case 1:
        r = -1;
        // falls through
    case 2:
    case 3:
        r += 12;
        break;
    case 4:
        r = 1;
        // falls through
    case 5:
        r += 6;
        break;
    default:
        r = 50;
    }
    b[i] = r;
}
