struct a { char c; float3 v; char d; };
struct b { char c; int i; } __attribute__((packed));
struct __attribute__((aligned(32))) c { char c; };
struct d { char c; int i __attribute__((aligned(16))); struct b b; ulong l __attribute__((packed)); };
typedef int unaligned __attribute__((aligned(1)));
struct e { char c; unaligned i; };
#define SIZES(t) constant int t##_size = sizeof(struct t), t##_align = __alignof__(struct t)
SIZES(a); SIZES(b); SIZES(c); SIZES(d); SIZES(e);
constant int offset = __builtin_offsetof(struct d, b.i), offset_e = __builtin_offsetof(struct e, i);
// SPDX-License-Identifier: Apache-2.0
