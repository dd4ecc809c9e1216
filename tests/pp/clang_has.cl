#if __has_builtin(__builtin_clz) && !__has_builtin(__builtin_amdgcn_sdot4) && !__has_builtin(aligned_)
__has_builtin(__builtin_clz) __has_builtin ( __builtin_none )
#endif
#if defined(__has_builtin) && defined __has_attribute && defined(__has_extension)
defined
#endif
#ifdef __has_feature
__has_feature(attribute_overloadable) __has_feature(__attribute_overloadable__) __has_feature(c_static_assert)
__has_extension(c_static_assert) __has_extension(attribute_overloadable) __has_extension(none)
#endif
__has_attribute(aligned) __has_attribute(__aligned__) __has_attribute(__x)
#define ASK(x) __has_builtin(x)
#define CLZ __builtin_clz
ASK(CLZ) ASK(__builtin_clz) __has_builtin(CLZ)
#if __has_include("once.h") && __has_include ( <inc/none.h> ) == 0 && !__has_include("none.h")
found
#endif
#define HEADER "once.h"
#define INCLUDE(x) __has_include(x)
#if __has_include(HEADER) && INCLUDE("once.h") && INCLUDE(HEADER) && !INCLUDE(<no ne>)
found by macros
#endif
#if 0 && __has_include("once.h")
#elif !__has_include("once.h") || __has_builtin(none)
#else
last
#endif
#define __has_builtin(x) mine x
__has_builtin(a)
#undef __has_builtin
#ifndef __has_builtin
gone
#endif
// SPDX-License-Identifier: Apache-2.0
