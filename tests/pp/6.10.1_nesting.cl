#if 0
#if 1
a
#else
b
#endif
#elif 1
#ifdef X
c
#else
#ifndef X
d
#endif
#endif
#else
e
#endif
// SPDX-License-Identifier: Apache-2.0
