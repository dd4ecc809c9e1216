// SPDX-License-Identifier: Apache-2.0
// More pointers than a device without addresses has bindings; the kernel uses few of them.
// run: k global 4
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 1 2 3 4
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 9
// arg: buffer uint 1 2 3 4
// arg: buffer uint 9
// expect: arg68 uint 2 4 6 8
kernel void k(global uint *p0, global uint *p1, global uint *p2, global uint *p3, global uint *p4,
    global uint *p5, global uint *p6, global uint *p7, global uint *p8, global uint *p9, global uint
    *p10, global uint *p11, global uint *p12, global uint *p13, global uint *p14, global uint *p15,
    global uint *p16, global uint *p17, global uint *p18, global uint *p19, global uint *p20, global
    uint *p21, global uint *p22, global uint *p23, global uint *p24, global uint *p25, global uint *p26,
    global uint *p27, global uint *p28, global uint *p29, global uint *p30, global uint *p31, global
    uint *p32, global uint *p33, global uint *p34, global uint *p35, global uint *p36, global uint *p37,
    global uint *p38, global uint *p39, global uint *p40, global uint *p41, global uint *p42, global
    uint *p43, global uint *p44, global uint *p45, global uint *p46, global uint *p47, global uint *p48,
    global uint *p49, global uint *p50, global uint *p51, global uint *p52, global uint *p53, global
    uint *p54, global uint *p55, global uint *p56, global uint *p57, global uint *p58, global uint *p59,
    global uint *p60, global uint *p61, global uint *p62, global uint *p63, global uint *p64, global
    uint *p65, global uint *p66, global uint *p67, global uint *p68, global uint *p69)
{
    p68[get_global_id(0)] += p3[get_global_id(0)];
}
