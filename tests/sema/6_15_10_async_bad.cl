kernel void k(global int *g)
{
    event_t ev = 0;
    ev = async_work_group_copy(g, g, 8, 0);
}
// SPDX-License-Identifier: Apache-2.0
