// options: -cl-std=CL3.0
typedef global int in_global;
typedef private int in_private;
typedef constant int in_constant;
void f(local in_global *p);
void g(global in_private *p);
void h(in_constant global *p);
typedef in_private local in_both;
void fine(global in_global *p, private in_private *q, in_global *private r, constant in_constant *s);
local in_private *i(void);
in_private j(void);
in_global k(void);
private int l(void);
global in_global *m(void);
int *private n(void);
typedef read_only image2d_t reads;
typedef image2d_t unsaid;
typedef write_only image2d_t writes;
void o(write_only reads i);
void p(write_only unsaid i);
void q(writes read_only i);
typedef read_write unsaid both;
void r(read_only reads i, read_only unsaid j, write_only writes k, reads l);
// SPDX-License-Identifier: Apache-2.0
