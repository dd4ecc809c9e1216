kernel void k()
{
    int n = 1;
    n = sizeof(void);
}
// SPDX-License-Identifier: Apache-2.0
