#if 0 && 1 / 0
#else
a
#endif
#if 1 || 1 / 0
b
#endif
#if 1 ? 2 : 1 / 0
c
#endif
#if 0 ? 1 % 0 : 1
d
#endif
// SPDX-License-Identifier: Apache-2.0
