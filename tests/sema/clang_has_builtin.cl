// __has_builtin and __has_attribute return the truth.
#define YES(x) _Static_assert(__has_builtin(x), "");
#define NO(x) _Static_assert(!__has_builtin(x), "");
YES(__builtin_expect) YES(__builtin_clz) YES(__builtin_popcountll) YES(__builtin_offsetof) YES(__builtin_astype)
YES(__builtin_bit_cast) YES(__builtin_convertvector) YES(__builtin_types_compatible_p) YES(__builtin_shufflevector)
YES(__builtin_fabsf) YES(__builtin_inff) YES(__builtin_memcpy) YES(__builtin_mul_overflow) YES(__builtin_unreachable)
YES(sin) YES(fmin) YES(printf) YES(abs)
NO(__builtin_amdgcn_sdot4) NO(__builtin_trap) NO(__builtin_) NO(__builtin_nonsense) NO(__builtin_va_arg)
NO(get_global_id) NO(vload4) NO(atomic_add) NO(sinf) NO(inf) NO(canonicalize) NO(nonsense) NO(int)
_Static_assert(__has_attribute(reqd_work_group_size) && __has_attribute(__packed__) && __has_attribute(unused), "");
_Static_assert(!__has_attribute(address_space) && !__has_attribute(nonsense) && !__has_attribute(_packed_), "");
_Static_assert(__has_extension(c_static_assert) && !__has_feature(c_static_assert), "");
_Static_assert(__has_feature(attribute_overloadable) && __has_extension(c_generic_selections), "");
_Static_assert(__has_extension(c_alignas) && !__has_extension(c_atomic) && _Generic(1, int: 1, default: 0), "");
#if 0
#elif __has_builtin(__builtin_amdgcn_sdot4)
int b;
#else
constant int c = 0;
#endif
kernel void k(global int *p)
{
    p[0] = c;
}
// SPDX-License-Identifier: Apache-2.0
