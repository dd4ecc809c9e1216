kernel void k()
{
    int n = 1;
    float x = 1;
    n = ({ int q = 3; q + 1; }); x = ({ x; }) * 2; ({ n = 1; });
}
// SPDX-License-Identifier: Apache-2.0
