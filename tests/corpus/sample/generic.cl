// SPDX-License-Identifier: Apache-2.0
int first(int *from)
{
    return from[get_local_id(0)];
}

kernel void both(global int *a, local int *b, global int *out)
{
    b[get_local_id(0)] = a[get_global_id(0)];
    out[get_global_id(0)] = first(a) + first(b);
}
