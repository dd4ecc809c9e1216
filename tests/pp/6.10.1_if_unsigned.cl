#if -1 > 0u
a
#endif
#if -1 < 0
b
#endif
#if (0 ? 1u : -1) > 0
c
#endif
#if 0xffffffffffffffff > 0
d
#endif
#if -1 >> 1 == -1
e
#endif
#if (0u - 1) / 2 == 0x7fffffffffffffff
f
#endif
#if (2 || 3u) - 2 < 0
g
#endif
// SPDX-License-Identifier: Apache-2.0
