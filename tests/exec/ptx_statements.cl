// SPDX-License-Identifier: Apache-2.0
// Inline assembly: operands by name and in functions, outputs that are read, components, memory, the carry flag from one statement to
// the next, special registers, predicated instructions, comments, an empty text.
// source: another compiler does not translate assembly
// run: k global 2
// arg: out uint 22
// arg: buffer ulong 0xfffffffffffffffe 5
// expect: arg0 uint 0x96 0x17 16 7 2 1 5 4 0x55 100 33 0x96 0x17 17 7 2 1 5 4 0x55 100 34
// run: carried global 1
// arg: out uint 4
// arg: buffer uint 0xffffffff 0xffffffff 0xffffffff 7
// arg: buffer uint 1 0 0 1
// expect: arg0 uint 0 0 0 9
inline uint lut3(uint a, uint b, uint c, uint imm)
{
    uint r;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r" (r) : "r" (a), "r" (b), "r" (c), "i" (imm));
    return r;
}

inline ulong twice(ulong a, ulong b)
{
    ulong result;
    uint aa = a, bb = b;
    asm("mul.wide.u32 %0, %1, %2;\n\t"
        "mad.lo.u64   %0, %0, 2, %3;"
        : "+l" (result) : "r" (aa), "r" (bb), "l" (b));
    return result;
}

kernel void k(global uint *out, global ulong *words)
{
    const uint i = get_global_id(0);
    global uint *to = out + 11 * i;
    uint2 pair = (uint2)(1, 2);
    float f = 2.5f;
    ulong address = (ulong)(to + 9);
    to[0] = lut3(0xf0, 0xcc, 0xaa, 0x96);
    to[1] = twice(2, 3) + 8;
    asm volatile ("add.u32 %[sum], %[sum], %[more]; // twice\n /* this, too */ add.u32 %0, %0, %1;" : [sum] "+r"(pair.y) : [more] "r"(7));
    to[2] = pair.y + i;
    __asm__ __volatile__ ("mov.b64 %0, {%1, %2};" : "=l"(words[i]) : "r"(7), "r"(pair.x + 1) : "memory");
    to[3] = words[i];
    to[4] = words[i] >> 32;
    asm("" ::: "memory");
    asm volatile ("" : "+v"(pair.x));
    asm("{ .reg .pred low; setp.gt.f32 low, %1, 0f40000000; @low mov.u32 %0, 1; @!low mov.u32 %0, 0; }" : "=r"(to[5]) : "f"(f));
    asm("add.f32 %0, %0, %0;" : "+f"(f));
    to[6] = f;
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.u32.u16 %0, high; }" : "=r"(to[7]) : "r"(0x40003));
    asm("st.global.u32 [%0], %1; ld.global.cg.u32 %1, [%0+0];" : : "l"(address), "r"(100));
    asm("shf.r.wrap.b32 %0, %1, %1, 8;" : "=r"(to[8]) : "r"(0x5500));
    asm("mov.u32 %0, %%ctaid.x; mad.lo.u32 %0, %0, %%ntid.x, %%tid.x; add.u32 %0, %0, 33; membar.gl; fence.acq_rel.gpu;" : "=r"(to[10]));
}

kernel void carried(global uint *out, global const uint *a, global const uint *b)
{
    asm volatile ("add.cc.u32 %0, %1, %2;" : "=r"(out[0]) : "r"(a[0]), "r"(b[0]));
    for (int i = 1; i < 3; i++)
        asm volatile ("addc.cc.u32 %0, %1, %2;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]));
    asm volatile ("addc.u32 %0, %1, %2;" : "=r"(out[3]) : "r"(a[3]), "r"(b[3]));
}
