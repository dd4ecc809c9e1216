kernel void k()
{
    int n = 1;
    float x = 1;
    x = sqrt(2);
    x = fabs(n);
}
// SPDX-License-Identifier: Apache-2.0
