kernel void k()
{
    int *p = 0;
    const int *qq = p;
    *qq = 1;
    int *const pp = p;
    pp = 0;
}
// SPDX-License-Identifier: Apache-2.0
