kernel void k()
{
    char c = 1;
    int n = 1;
    float x = 1;
    n = max((uchar)1, (uchar)2); n = max(c, c); x = min(1.0f, x);
}
// SPDX-License-Identifier: Apache-2.0
