// Inline assembly that cannot be translated.
void f(uint a, global uint *p, image2d_t m)
{
    uint r;
    asm("v_add_u32 %0, %1, %1" : "=v"(r) : "v"(a));
    asm("bra done;");
    asm("tex.2d.v4.f32.f32 {%0, %0, %0, %0}, [%1, {%0, %0}];" : "=r"(r) : "r"(a));
    asm("add.u32 %0, %1;" : "=r"(r) : "r"(a));
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a));
    asm("add.u32 %0, %1, unknown;" : "=r"(r) : "r"(a));
    asm("add.rz.f32 %0, %1, %1;" : "=f"(r) : "f"(a));
    asm("mov.f64 %0, %1;" : "=d"(r) : "r"(a));
    asm("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(r) : "l"(p));
    asm("ld.global.u32 %0, [%1+a];" : "=r"(r) : "l"(p));
    asm("mov.u32 %0, 5)+a;" : "=r"(r));
    asm("addc.u32 %0, %1, %1;" : "=r"(r) : "r"(a));
    asm("bar.sync 1;");
    asm("{ add.u32 %0, %0, %0;" : "+r"(r));
    asm(".reg .f128 x;");
    asm("mov.u32 5, %0;" : : "r"(a));
    asm("ld.global.u32 %0, %1;" : "=r"(r) : "l"(p));
    asm("mov.u32 %0, %1;" : "=r"(undeclared) : "r"(a));
    asm("mov.u32 %0, 1;" : "=r"(5));
    asm("mov.u32 %0, %1;" : "=r"(r) : "r"(m));
    asm("mov.u32 %0, %1;" : "=r"(r) : "r"({));
    asm(1);
    asm("mov.u32 %0, 1;" : "=r" r);
    asm("mov.u32 %0, 1;" : "=r"());
    asm("mov.u32 %0, 1;" : "=r"(r)
}
asm("membar.gl;");
int named asm("other");
// SPDX-License-Identifier: Apache-2.0
