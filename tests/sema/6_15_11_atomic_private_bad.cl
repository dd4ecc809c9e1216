kernel void k()
{
    int *p = 0;
    int n = 1;
    n = atomic_add(p, 1);
}
// SPDX-License-Identifier: Apache-2.0
