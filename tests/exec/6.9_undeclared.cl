// SPDX-License-Identifier: Apache-2.0
// build: error
kernel void k(global int *out)
{
    out[0] = missing;
}
