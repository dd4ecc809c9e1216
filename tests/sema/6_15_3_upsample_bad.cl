kernel void k()
{
    char4 c4 = 1;
    uint4 u4 = 1;
    u4 = upsample(u4, c4);
}
// SPDX-License-Identifier: Apache-2.0
