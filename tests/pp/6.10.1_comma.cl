#if (0, 3) == 3
inside parentheses
#endif
#if 1 ? 0, 2 : 0
between ? and :
#endif
#if (1u, -1) < 0 && (-1, 1u) - 2 > 0
the type is the last
#endif
#if (0 && 1 / 0, 1)
not evaluated
#endif
#if ((1, 2), (3, 0), 4) == 4
nested
#endif
// SPDX-License-Identifier: Apache-2.0
