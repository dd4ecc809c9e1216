// options: -cl-std=CL2.0
typedef int image1d_t;
uint image2d_t;
struct s { int image3d_t; };
typedef float float4;
typedef struct { float x, y; } float2;
typedef float float8 __attribute__((ext_vector_type(8)));
typedef unsigned int uint;
constant int atomic_uint = 1;
void event_t(void);
void f(int uint4) { int float3 = uint4, char16 = float3; }
// SPDX-License-Identifier: Apache-2.0
