kernel void k()
{
    int4 i = 1;
    int n = 1;
    n = (int)i;
}
// SPDX-License-Identifier: Apache-2.0
