// SPDX-License-Identifier: Apache-2.0
// Events in an array: one wait for all of them, and a wait through a pointer.
// run: k global 1 local 1
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: local 32
// expect: arg0 int 6 2 3 4 5 6 7 11
void both(event_t *events)
{
    wait_group_events(2, events);
}

kernel void k(global int *o, local int *l)
{
    event_t e[2];
    for (int i = 0; i < 2; i++)
        e[i] = async_work_group_copy(l + 4 * i, o + 4 * i, 4, 0);
    both(e);
    o[0] = l[5];
    o[7] = l[6] + l[3];
}
