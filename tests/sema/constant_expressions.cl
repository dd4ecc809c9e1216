enum { ONE = 1, NINE = ONE + 8, SHIFTED = 1 << 4 | 2, NEGATIVE = -5 / 2, CHOSEN = ONE ? 7 : 1 / 0, CAST = (char)300, FROM_FLOAT = (int)2.9f };
_Static_assert(NINE == 9 && SHIFTED == 18 && NEGATIVE == -2 && CHOSEN == 7 && CAST == 44 && FROM_FLOAT == 2, "");
_Static_assert(-7 % 3 == -1 && (-7 >> 1) == -4 && (uint)-1 >> 31 == 1 && ~0 == -1, "");
_Static_assert((ulong)-1 == 0xffffffffffffffff && 0x7fffffff + 1L == 2147483648, "");
_Static_assert((0 && 1 / 0) == 0 && (1 || 1 / 0) && !0, "");
_Static_assert(sizeof(int[NINE]) == 36, "");
kernel void k(global int *g)
{
    int a[ONE + 2 * 3];
    switch (g[0]) {
    case ONE: case NINE: case 'x': case 3 + 4: g[1] = sizeof(a);
    }
}
// SPDX-License-Identifier: Apache-2.0
