struct A { int a : 3; int b; float b; };
struct B { global int x; image2d_t i; sampler_t s; event_t e; };
struct C { struct C c; int flexible[]; void v; };
struct D { int x; }; struct D { int y; };
union D *p(void);
struct E { int f(void); static int s; };
struct F { int a; struct { int a; }; };
enum G { X, X, Y = 1.5f, Z = get_global_id(0) };
enum H { X };
enum {};
enum unknown *q(void);
struct I { int x } ;
struct J { int a b; int c; };
// SPDX-License-Identifier: Apache-2.0
