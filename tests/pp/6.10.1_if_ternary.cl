#if 1 ? 0 ? 2 : 3 : 4 == 3
a
#endif
#if (0 ? 1 : 0 ? 2 : 5) == 5
b
#endif
// SPDX-License-Identifier: Apache-2.0
