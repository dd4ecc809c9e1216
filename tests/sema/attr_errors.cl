__attribute__((reqd_work_group_size(1, 2))) kernel void a(void);
__attribute__((reqd_work_group_size(0, 2, 3))) kernel void b(int n);
__attribute__((vec_type_hint(sampler_t))) kernel void c(void);
struct s { int x __attribute__((aligned(3))); };
__attribute__((unknown_thing(1, (2)))) kernel void d(void);
__attribute__(oops) void e(void);
typedef float vec __attribute__((ext_vector_type(5)));
typedef float four __attribute__((vector_size(16)));
// SPDX-License-Identifier: Apache-2.0
