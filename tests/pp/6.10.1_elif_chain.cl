#define V 3
#if V == 1
a
#elif V == 2
b
#elif V == 3
c
#elif V == 3
d
#else
e
#endif
f
// SPDX-License-Identifier: Apache-2.0
