kernel void k(global int *g)
{
    int n = 1;
    float x = 1;
    bool b = 1;
    b = 0.5f; n = b; b = !b; b = n > 3; n = b + b; b = g; x = b ? 1.0f : 2.0f; b &= 1; b++;
}
// SPDX-License-Identifier: Apache-2.0
