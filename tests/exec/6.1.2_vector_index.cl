// SPDX-License-Identifier: Apache-2.0
// run: k global 4
// arg: buffer int 10 20 30 40
// arg: out int 4
// expect: arg1 int 40 30 20 10
kernel void k(global int4 *a, global int *b)
{
    int i = get_global_id(0);
    int v[4] = {a[0].x, a[0].y, a[0].z, a[0].w};
    b[i] = v[3 - i];
}
