// options: -cl-std=CL2.0
kernel void k78(global int *p) { local int l; l = 1; void (^b)(void) = ^{ l = 2; }; b(); }
kernel void k79(global int *p) { local int l[4]; void (^b)(void) = ^{ l[0] = 2; }; b(); }
kernel void k83(global int *p) { __block int a = 1; }
kernel void k85(global int *p) { struct s { int a; } s = {1}; void (^b)(void) = ^{ s.a = 1; }; b(); }
kernel void k88(global int *p) { float4 v = 1; void (^b)(void) = ^{ v.x = 1; }; b(); }
kernel void k91(global int *p) { void (^b)(void) = ^{}; void (^c)(void) = ^{ b(); }; c(); }
kernel void k95(global int *p) { int (^b)(int) = ^(int i){ if (i) return 1; return 2.0f; }; p[0] = b(1); }
kernel void k97(global int *p) { ^(int i){ if (i) return; return 1; }(1); }
kernel void k98(global int *p) { ^(int i){ if (i) return 1; return; }(1); }
kernel void k99(global int *p) { int (^b)(int) = ^(int i){ return i; }; b(); }
kernel void k100(global int *p) { int (^b)(int) = ^(int i){ return i; }; b(1, 2); }
kernel void k101(global int *p) { int (^b)(int) = ^(int i){ return i; }; b((float4)(1)); }
kernel void k103(global int *p) { int (^b)(int) = ^(float i){ return (int)i; }; }
kernel void k105(global int *p) { int (^b)(int) = ^(int i){ return i; }; p[0] = (p[1] ? b(1) : b(2)); }
kernel void k107(global int *p) { int (^b)(int) = ^(int i){ return i; }; p[0] = (0, b)(1); }
kernel void k112(global int *p) { void (^b)(local int *) = ^(global int *m){ m[0] = 1; }; }
kernel void k113(global int *p) { int ^b = 0; }
kernel void k114(global int *p) { int (^b) = ^{ return 1; }; }
kernel void k119(global int *p) { for (int i = 0; i < 3; i++) { ^{ break; }(); } }
kernel void k120(global int *p) { void (^b)(void) = ^{ goto x; }; x: b(); }
kernel void k121(global int *p) { switch (p[0]) { case 1: ^{ case 2: ; }(); } }
kernel void k123(global int *p) { int (^b)(int, int) = ^(int a, int a){ return a; }; }
kernel void k126(void (^b)(void)) { }
void f127(void (^b127)(void)) { }
kernel void k128(global int *p) { void (^b)(void (^)(void)) = ^(void (^c)(void)){ }; }
kernel void k135(global int *p) { int n = 3; int (^b)(void) = ^{ int a[n]; return 1; }; }
kernel void k139(global int *p) { bool (^b)(int) = ^(int i){ return i > 1; }; p[0] = b(1); }
kernel void k144(global int *p) { int (^b)(void) = ^{}; }
kernel void k145(global int *p) { void (^b)(void) = ^int{ return 1; }; }
kernel void k146(global int *p) { int (^b)(void) = ^int{ }; p[0] = b(); }
kernel void k37(global int *p) { void (^b)(void) = (void (^)(void))0; }
// SPDX-License-Identifier: Apache-2.0
