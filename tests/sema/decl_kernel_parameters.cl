struct with_pointer { int n; global int *p; };
struct with_bool { struct { bool b[2]; } inner; };
typedef size_t my_size;
kernel void a(bool b, size_t s, my_size t, event_t e);
kernel void b(int *p, private int *q, global int **pp, global int *constant *pc);
kernel void c(struct with_pointer s, struct with_bool t);
kernel int d(void);
static kernel void e(void);
kernel void fine(global struct with_pointer *p, constant size_t *n, sampler_t s, local float *l, float16 f);
kernel void by_name(global int);
// SPDX-License-Identifier: Apache-2.0
