kernel void k()
{
    sub_group_barrier(1);
}
