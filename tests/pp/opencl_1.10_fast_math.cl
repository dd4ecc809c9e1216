// options: -cl-fast-relaxed-math
#ifdef __FAST_RELAXED_MATH__
__FAST_RELAXED_MATH__
#endif
// SPDX-License-Identifier: Apache-2.0
