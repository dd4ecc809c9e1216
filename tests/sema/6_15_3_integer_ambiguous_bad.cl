kernel void k()
{
    int n = 1;
    uint u = 1;
    n = max(n, u);
    n = min(get_global_id(0), n);
}
// SPDX-License-Identifier: Apache-2.0
