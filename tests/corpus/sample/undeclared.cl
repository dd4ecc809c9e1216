// SPDX-License-Identifier: Apache-2.0
kernel void f(global int *out)
{
    out[0] = missing;
}
