kernel void k()
{
    int n = 1;
    n = n.x;
}
// SPDX-License-Identifier: Apache-2.0
