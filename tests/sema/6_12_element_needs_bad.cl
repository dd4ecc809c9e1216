kernel void k()
{
    dot_4x8packed_uu_uint(1, 2);
}
