// options: -cl-std=CL2.0
kernel void k(global atomic_half *p, global long *q) { q[0] = (long)(p + 1); }
// SPDX-License-Identifier: Apache-2.0
