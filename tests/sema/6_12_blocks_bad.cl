// options: -cl-std=CL2.0
kernel void k9(global int *p) { float (^b)(void) = ^{ return 3; }; }
kernel void k11(global int *p) { void (^b)(void); }
kernel void k16(global int *p) { void (^b)(void) = ^{}; b = ^{}; }
kernel void k17(global int *p) { void (^b)(void) = ^{}; &b; }
kernel void k18(global int *p) { void (^b)(void) = ^{}; *b; }
kernel void k19(global int *p) { void (^b)(void) = ^{}; int i = !b; }
kernel void k20(global int *p) { void (^b)(void) = ^{}; int i = b == b; }
kernel void k21(global int *p) { void (^b)(void) = ^{}; int i = b != 0; }
kernel void k22(global int *p) { void (^b)(void) = ^{}; int i = b && 1; }
kernel void k23(global int *p) { void (^b)(void) = ^{}; b + 1; }
kernel void k24(global int *p) { void (^b)(void) = ^{}; b++; }
typedef void (^b_t41)(void); b_t41 f41(void); 
typedef void (^b_t42)(void); void f42(b_t42 b) { b(); }
typedef void (^b_t43)(void); void f43(b_t43 b); kernel void k43(void) { f43(^{}); }
void (^f44(void))(void);
typedef void (^b_t45)(void); struct s45 { b_t45 b; };
union u46 { void (^b46)(void); };
typedef void (^b_t47)(void); typedef b_t47 *p_t47;
typedef void (^b_t48)(void); kernel void k48(void) { b_t48 *q; }
typedef void (^b_t49)(void); kernel void k49(void) { b_t49 a[2] = {^{}, ^{}}; }
typedef void (^b_t50)(void); typedef b_t50 a_t50[2];
typedef void (^b_t51)(int, ...); 
kernel void k52(global int *p) { void (^b)(int, ...) = ^(int i, ...){}; }
kernel void k53(global int *p) { ^(int i, ...){}(1); }
extern void (^b54)(void);
extern void (^b55)(void) = ^{};
kernel void k56(void) { extern void (^b)(void); }
void (^b64)(void); 
kernel void k68(void) { int a = 1; static void (^const b)(void) = ^{ int c = a; }; b(); }
kernel void k69(global int *p) { int a = 1; void (^b)(void) = ^{ a = 2; }; }
kernel void k70(global int *p) { int a = 1; void (^b)(void) = ^{ a++; }; }
kernel void k71(global int *p) { int a = 1; void (^b)(void) = ^{ a += 2; }; }
kernel void k73(global int *p) { int a = 1; void (^b)(void) = ^{ int *q = &a; }; }
kernel void k75(global int *p) { int a[4] = {1}; void (^b)(void) = ^{ a[1] = 1; }; b(); }
// SPDX-License-Identifier: Apache-2.0
