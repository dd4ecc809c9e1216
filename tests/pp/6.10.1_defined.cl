#define A
#if defined A && defined(A) && !defined B && !defined ( B )
yes
#endif
#define D defined(A)
#if D
yes
#endif
// SPDX-License-Identifier: Apache-2.0
