kernel void k()
{
    double4 d4 = 1;
    d4 = native_sin(d4);
}
// SPDX-License-Identifier: Apache-2.0
