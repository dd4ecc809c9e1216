#if 1
a
#elif 1 / 0
b
#elif garbage (
c
#endif
// SPDX-License-Identifier: Apache-2.0
