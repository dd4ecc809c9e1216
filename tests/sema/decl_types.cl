unsigned float a(void);
short long b(void);
int int c(void);
int float4 d(void);
static extern constant int e = 1;
typedef static int f;
unknown g(unknown x);
constant x = 1;
generic int *h(void);
local global int *i(void);
float4 read_only j(void);
image2d_t *k(image2d_t *p, sampler_t s[2]);
int l[unknown][2.5f][-2];
struct; union { int x; }; int;
long long m(void); long long long n(void);
// SPDX-License-Identifier: Apache-2.0
