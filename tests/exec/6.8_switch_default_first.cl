// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer uchar 0 1 2 255
// arg: out int 4
// expect: arg1 int 9 2 3 9
kernel void k(global uchar *a, global int *b)
{
    int i = get_global_id(0);
    switch (a[i]) {
    default:
        b[i] = 9;
        break;
    case 1:
        b[i] = 2;
        break;
    case 2:
        b[i] = 3;
    }
}
