typedef struct { int x; } S;
typedef int A[2];
typedef global float *G;
typedef uint uint32;
void f(S *s, const A a, G g)
{
    uint32 uint32 = 1;
    { S S; uint32 = S.x; }
}
// SPDX-License-Identifier: Apache-2.0
