// SPDX-License-Identifier: Apache-2.0
// 128-bit products and quotients, compared with the compiler's own if the target has a 128-bit
// type.
#include "util/wide.h"
#include "check.h"

static void known(void)
{
    uint64_t most = UINT64_MAX, rest;
    CHECK(wide_umulhi(most, most) == most - 1);
    CHECK(wide_umulhi(most, 2) == 1 && wide_umulhi(UINT64_C(1) << 32, UINT64_C(1) << 32) == 1);
    CHECK(wide_smulhi(-1, -1) == 0 && wide_smulhi(-1, 1) == most);
    CHECK(wide_smulhi(INT64_MIN, INT64_MIN) == UINT64_C(1) << 62);
    CHECK(wide_smulhi(INT64_MIN, INT64_MAX) == UINT64_C(3) << 62);
    CHECK(wide_udiv(1, 3, &rest) == UINT64_C(0x5555555555555555) && rest == 1);
    CHECK(wide_udiv(most - 1, most, &rest) == most - 1 && rest == most - 1);
    CHECK(wide_udiv(0, most, &rest) == 0 && rest == 0);
}

#ifdef __SIZEOF_INT128__
static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 29;
    return x >> (x & 63) % 60;
}

static void compared(void)
{
    uint64_t state = 1, rest;
    for (int i = 0; i < 20000; i++) {
        uint64_t x = next(&state), y = next(&state) | 1, high = x % y;
        unsigned __int128 n = (unsigned __int128)high << 64;
        CHECK(wide_umulhi(x, y) == (uint64_t)((unsigned __int128)x * y >> 64));
        CHECK(wide_smulhi(-(int64_t)x, (int64_t)y) == (uint64_t)((__int128)-(int64_t)x * (int64_t)y >> 64));
        CHECK(wide_udiv(high, y, &rest) == (uint64_t)(n / y) && rest == (uint64_t)(n % y));
    }
}
#else
static void compared(void) {}
#endif

int main(void)
{
    known();
    compared();
    return check_result();
}
