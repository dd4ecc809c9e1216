constant float table[2] = {1, 2};
kernel void k(global int *g, constant float *c, local int *l)
{
    local int shared[4];
    constant int one = 1;
    private int p = 0;
    global int *local pointer_in_local;
    global int *local *to_that = &pointer_in_local;
}
// SPDX-License-Identifier: Apache-2.0
