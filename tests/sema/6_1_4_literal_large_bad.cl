kernel void k()
{
    int n = 1;
    n = 99999999999999999999;
}
// SPDX-License-Identifier: Apache-2.0
