// target: small
// With 32-bit pointers, size_t and related types have 32 bits: in structs, as results, in macros.
struct node { char c; global int *p; size_t n; };
_Static_assert(sizeof(void *) == 4 && sizeof(struct node) == 12, "pointers");
_Static_assert(sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4 && sizeof(intptr_t) == 4 && sizeof(uintptr_t) == 4, "");
_Static_assert(sizeof sizeof(int) == 4 && __builtin_offsetof(struct node, n) == 8, "");
_Static_assert(__SIZEOF_POINTER__ == 4 && __SIZEOF_SIZE_T__ == 4 && __POINTER_WIDTH__ == 32, "");
_Static_assert(__SIZE_MAX__ == 0xffffffffu && __PTRDIFF_MAX__ == 0x7fffffff, "");
_Static_assert((size_t)-1 > 0 && (size_t)-1 == 0xffffffffu, "");
#ifdef __LP64__
#error "not of 64 bits"
#endif
kernel void k(global int *p, global struct node *nodes)
{
    _Static_assert(sizeof get_global_id(0) == 4 && sizeof(p - p) == 4, "");
    nodes[get_global_id(0)].p = p + get_local_size(0);
    nodes[0].n = as_uint(get_global_size(0)) + as_size_t(p) + (nodes[1].p - p);
    p[0] = __builtin_types_compatible_p(typeof(get_global_id(0)), uint) && __builtin_types_compatible_p(typeof(p - p), int);
}
// SPDX-License-Identifier: Apache-2.0
