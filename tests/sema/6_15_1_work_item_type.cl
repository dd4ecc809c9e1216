kernel void k()
{
    int n = 1;
    _Static_assert(sizeof(get_global_id(0)) == 8, "size_t");
    _Static_assert(sizeof(get_work_dim()) == 4, "uint");
    (void)n;
}
// SPDX-License-Identifier: Apache-2.0
