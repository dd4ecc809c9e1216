kernel void k()
{
    int *p = 0;
    const int q = 5; int *const pp = p; *pp = q; const int *qq = p; qq++;
}
// SPDX-License-Identifier: Apache-2.0
