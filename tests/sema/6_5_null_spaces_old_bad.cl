kernel void k(global int *p, local int *l, constant int *c, int choice)
{
    constant int *a = (global void *)0;
    int *b = (local void *)0;
    p = choice ? p : (constant void *)0;
    a = (void *)0;
    l = (private void *)0;
}
// SPDX-License-Identifier: Apache-2.0
