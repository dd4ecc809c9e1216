// options: -Werror
#ifdef A B
#endif x
#if 1
#else y
#endif
// SPDX-License-Identifier: Apache-2.0
