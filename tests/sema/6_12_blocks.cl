// options: -cl-std=CL2.0
kernel void k1(global int *p) { void (^b)(void) = ^{ p[0] = 1; }; b(); }
kernel void k2(global int *p) { void (^b)(void) = ^(void){ p[0] = 1; }; b(); }
kernel void k3(global int *p) { int (^b)(int) = ^(int i){ return i; }; p[0] = b(1); }
kernel void k4(global int *p) { int (^b)(int) = ^int(int i){ return i; }; p[0] = b(1); }
kernel void k5(global int *p) { int (^b)(void) = ^int{ return 1; }; p[0] = b(); }
kernel void k6(global int *p) { p[0] = ^{ return 3; }(); }
kernel void k7(global int *p) { p[0] = (^{ return 3; })(); }
kernel void k8(global int *p) { p[0] = (^(int a, int b){ return a + b; })(1, 2); }
kernel void k10(global int *p) { float (^b)(void) = ^float{ return 3; }; p[0] = b(); }
kernel void k12(global int *p) { const int (^b)(void) = ^{ return 1; }; }
kernel void k13(global int *p) { void (^const b)(void) = ^{}; b(); }
kernel void k14(global int *p) { void (^b)(void) = ^{}; void (^c)(void) = b; c(); }
kernel void k25(global int *p) { void (^b)(void) = ^{}; if (b) p[0] = 1; }
kernel void k26(global int *p) { void (^b)(void) = ^{}; while (b) ; }
kernel void k27(global int *p) { void (^b)(void) = ^{}; p[0] = b ? 1 : 2; }
kernel void k28(global int *p) { void (^b)(void) = ^{}; p[0] = (bool)b; }
kernel void k30(global int *p) { void (^b)(void) = ^{}; p[0] = sizeof(b); }
kernel void k31(global int *p) { void (^b)(void) = ^{}; (void)b; }
kernel void k32(global int *p) { void (^b)(void) = ^{}; b; }
kernel void k38(global int *p) { void (^b)(void) = (void (^)(void))^{}; b(); }
typedef void (^b_t39)(void); kernel void k39(global int *p) { b_t39 b = ^{}; b(); }
typedef void (^b_t40)(void); kernel void k40(global int *p) { b_t40 b = ^{ p[0] = 1; }; const b_t40 c = b; c(); }
void (^const b57)(void) = ^{}; kernel void k57(void) { b57(); }
void (^b58)(void) = ^{}; kernel void k58(void) { b58(); }
global void (^b59)(void) = ^{}; kernel void k59(void) { b59(); }
constant int g60 = 3; int (^const b60)(void) = ^{ return g60; }; kernel void k60(global int *p) { p[0] = b60(); }
global int g61 = 3; int (^const b61)(void) = ^{ return g61; }; kernel void k61(global int *p) { p[0] = b61(); }
int (^const b62)(void) = ^{ return 1; }; int (^const c62)(void) = ^{ return b62(); }; kernel void k62(global int *p) { p[0] = c62(); }
int (^const b63)(void) = ^{ return 1; }; int (^const c63)(void) = b63; kernel void k63(global int *p) { p[0] = c63(); }
static void (^b65)(void) = ^{}; kernel void k65(void) { b65(); }
kernel void k66(void) { static void (^b)(void) = ^{}; b(); }
kernel void k67(void) { static void (^const b)(void) = ^{}; b(); }
kernel void k72(global int *p) { int a = 1; void (^b)(void) = ^{ p[0] = a; }; a = 3; b(); }
kernel void k74(global int *p) { int a[4] = {1}; void (^b)(void) = ^{ p[0] = a[1]; }; b(); }
kernel void k76(global int *p) { int a[4] = {1}; void (^b)(void) = ^{ const int *q = a; p[0] = *q; }; b(); }
kernel void k77(global int *p) { local int l; l = 1; void (^b)(void) = ^{ p[0] = l; }; b(); }
kernel void k80(global int *p) { local int l[4]; void (^b)(void) = ^{ p[0] = l[0]; }; b(); }
kernel void k81(global int *p, local int *l) { void (^b)(void) = ^{ l[0] = 2; }; b(); }
kernel void k82(global int *p) { constant int c = 3; void (^b)(void) = ^{ p[0] = c; }; b(); }
kernel void k84(global int *p) { struct s { int a; } s = {1}; void (^b)(void) = ^{ p[0] = s.a; }; b(); }
kernel void k86(global int *p) { struct s { int a; } s = {1}; void (^b)(void) = ^{ const int *q = &s.a; }; b(); }
kernel void k87(global int *p) { float4 v = 1; void (^b)(void) = ^{ p[0] = v.x; }; b(); }
kernel void k89(read_only image2d_t i, global int *p) { void (^b)(void) = ^{ p[0] = get_image_width(i); }; b(); }
kernel void k90(sampler_t s, read_only image2d_t i, global float4 *p) { void (^b)(void) = ^{ p[0] = read_imagef(i, s, (float2)(0,0)); }; b(); }
kernel void k92(global int *p) { void (^c)(void) = ^{ void (^b)(void) = ^{ p[0] = 1; }; b(); }; c(); }
kernel void k93(global int *p) { void (^c)(void) = ^{ ^{ p[0] = 1; }(); }; c(); }
kernel void k94(global int *p) { int (^b)(int) = ^(int i){ if (i) return 1; return 2; }; p[0] = b(1); }
kernel void k96(global int *p) { void (^b)(int) = ^(int i){ if (i) return; p[0] = 2; }; b(1); }
kernel void k102(global int *p) { int (^b)(float) = ^(float i){ return (int)i; }; p[0] = b(1); }
kernel void k106(global int *p) { int (^b)(int) = ^(int i){ return i; }; p[0] = (b)(1); }
kernel void k108(global int *p) { int (^b)(int) = ^(int){ return 1; }; }
kernel void k109(global int *p) { int (^b)(int a) = ^(int i){ return i; }; p[0] = b(1); }
kernel void k110(global int *p) { void (^b)(local int *) = ^(local int *l){ l[0] = 1; }; }
kernel void k111(global int *p, local int *l) { void (^b)(local int *) = ^(local int *m){ m[0] = 1; }; b(l); }
kernel void k115(global int *p) { int a = 1 ^ p[0]; a ^= 2; p[0] = a ^ (p[1]); }
kernel void k116(global int *p) { int (^b)(int) = ^(int i) { return i * 2; }; p[0] = b(1) ^ b(2); }
kernel void k117(global int *p) { void (^b)(void) = ^{ local int l; }; }
kernel void k118(global int *p) { void (^b)(void) = ^{ for (;;) break; switch (p[0]) { case 1: break; } goto x; x: ; }; b(); }
kernel void k122(global int *p) { void (^b)(int p) = ^(int p){ int q = p; }; b(1); }
kernel void k124(global int *p) { (^{ p[0] = 1; }); }
kernel void k125(global int *p) { ^{ p[0] = 1; }; }
kernel void k129(global int *p) { struct t { int a; } (^b)(void) = ^{ struct t s = {3}; return s; }; p[0] = b().a; }
kernel void k130(global int *p) { global int *(^b)(int) = ^(int i){ return p + i; }; *b(1) = 1; }
kernel void k131(global int *p) { volatile int (^b)(void) = ^{ return 1; }; }
kernel void k136(global int *p) { const int n = 3; int (^b)(void) = ^{ return n; }; p[0] = b(); }
kernel void k137(global int *p) { enum e { A, B }; enum e (^b)(void) = ^{ return (enum e)1; }; p[0] = b(); }
kernel void k138(global int *p) { enum e { A, B }; int (^b)(void) = ^{ return A; }; p[0] = b(); }
kernel void k140(global int *p) { int (^b)(int) = ^(int i){ return i > 1; }; p[0] = b(1); }
kernel void k141(global int *p) { char (^b)(char) = ^(char i){ return i; }; p[0] = b(1); }
kernel void k142(global int *p) { int (^b)(char) = ^(char i){ return i + i; }; p[0] = b(1); }
kernel void k143(global int *p) { float (^b)(float) = ^(float i){ return i * 2; }; p[0] = b(1); }
// SPDX-License-Identifier: Apache-2.0
