kernel void k()
{
    int n = 1;
    n = 09;
    n = 12abc;
}
// SPDX-License-Identifier: Apache-2.0
