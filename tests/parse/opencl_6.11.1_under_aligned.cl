struct __attribute__((packed)) P { char c; int a[4]; };
typedef float4 uf __attribute__((aligned(4)));
kernel void k(global struct P *p, global uf *q, int i) { p->a[i] = 1; q[i] = *q; }
// SPDX-License-Identifier: Apache-2.0
