// SPDX-License-Identifier: Apache-2.0
// Conversions between float and double keep sign and payload of NaNs on every host.
#include "util/nan.h"
#include "check.h"

static void widens(uint32_t from, uint64_t to)
{
    CHECK(nan_bits(nan_float_to_double(from)) == to);
}

static void narrows(uint64_t from, uint32_t to)
{
    double value;
    memcpy(&value, &from, sizeof value);
    CHECK(nan_float_from_double(value) == to);
}

int main(void)
{
    widens(0x7fc00000, UINT64_C(0x7ff8000000000000));
    widens(0xffc12345, UINT64_C(0xfff82468a0000000));
    widens(0xff800001, UINT64_C(0xfff8000020000000)); // signalling
    widens(0xff800000, UINT64_C(0xfff0000000000000));
    widens(0xc0490fdb, UINT64_C(0xc00921fb60000000));
    narrows(UINT64_C(0xfff8000000000000), 0xffc00000);
    narrows(UINT64_C(0xfff82468a0000000), 0xffc12345);
    narrows(UINT64_C(0xfff0000000000001), 0xffc00000);
    narrows(UINT64_C(0x7ff0000000000000), 0x7f800000);
    narrows(UINT64_C(0xc00921fb54442d18), 0xc0490fdb);
    double nan;
    memcpy(&nan, &(uint64_t){UINT64_C(0xfff0000000000003)}, sizeof nan);
    CHECK(nan_bits(nan_quieted(nan)) == UINT64_C(0xfff8000000000003));
    return check_result();
}
