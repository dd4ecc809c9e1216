kernel void k()
{
    int n = 1;
    n(1);
}
// SPDX-License-Identifier: Apache-2.0
