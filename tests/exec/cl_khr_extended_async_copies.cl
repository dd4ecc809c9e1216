// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_extended_async_copies
// options: -cl-std=CL2.0
// run: lines global 4 local 4
// arg: buffer uchar 0..63
// arg: out uchar 24
// expect: arg1 uchar 9..14 238*2 39..44 238*10
kernel void lines(global uchar *in, global uchar *out)
{
    local uchar part[64];
    event_t e = async_work_group_copy_2D2D(part, 1, in, 3, 3, 2, 2, 10, 4, 0); // elements of 3 bytes
    wait_group_events(1, &e);
    e = async_work_group_copy_2D2D(out, 0, part, 3, 1, 6, 2, 12, 8, 0);
    wait_group_events(1, &e);
}
// run: planes global 3 local 3
// arg: buffer uint 0..127
// arg: out uint 16
// expect: arg1 int 5 6 9 10 37 38 41 42 -286331154*8
kernel void planes(global uint *in, global uint *out)
{
    local uint part[32];
    event_t e = async_work_group_copy_3D3D(part, 2, in, 5, 4, 2, 2, 2, 4, 32, 2, 4, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_3D3D(out, 0, part, 1, 8, 2, 1, 2, 2, 2, 2, 2, 0);
    wait_group_events(1, &e);
}
