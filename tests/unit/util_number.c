// SPDX-License-Identifier: Apache-2.0
// Numbers are read and written as by a C library with a correct strtod(): random numbers, midpoints
// between neighbours and texts very close to them, of any length; all halves and their midpoints.
#include "util/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"

enum { RANDOM = 60000, TEXT = 4096 };

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t next_random(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void compare(const char *text)
{
    char *want_end;
    const char *end;
    double d = strtod(text, &want_end);
    float f = strtof(text, NULL);
    uint64_t want = 0, want_float = 0, got = number_read(text, &end, NUMBER_DOUBLE);
    memcpy(&want, &d, sizeof d);
    memcpy(&want_float, &f, sizeof f);
    if (got != want || end != want_end || number_read(text, &end, NUMBER_FLOAT) != want_float) {
        fprintf(stderr, "%.200s: %llx, not %llx, float %llx, not %llx; ends at '%.20s', not '%.20s'\n", text, (unsigned long long)got,
                (unsigned long long)want, (unsigned long long)number_read(text, &end, NUMBER_FLOAT), (unsigned long long)want_float,
                end, want_end);
        check_failures++;
    }
}

static double random_double(void)
{
    double d;
    do {
        uint64_t bits = next_random() & INT64_MAX;
        if (next_random() % 4 == 0)
            bits &= (UINT64_C(1) << 58) - 1; // small exponents, including subnormal numbers
        memcpy(&d, &bits, sizeof d);
    } while (!isfinite(d));
    return d;
}

// The midpoint of two doubles, and numbers close to it.
static void compare_tie(double d)
{
    char text[TEXT], more[TEXT + 8];
    long double tie = ((long double)d + (long double)nextafter(d, INFINITY)) / 2; // exact in 64 bits
    if (sizeof tie == sizeof d || !isfinite((double)tie))
        return;
    snprintf(text, sizeof text, "%.1100Le", tie);
    compare(text);
    char *exponent = strchr(text, 'e');
    snprintf(more, sizeof more, "%.*s1%s", (int)(exponent - text), text, exponent);
    compare(more);
    char *last = exponent;
    while (last > text && (*--last == '0' || *last == '.'))
        ;
    (*last)--;
    compare(text);
}

static void compare_random(void)
{
    char text[TEXT], written[NUMBER_TEXT];
    uint64_t bits;
    for (int i = 0; i < RANDOM; i++) {
        double d = random_double();
        snprintf(text, sizeof text, "%.*e", (int)(next_random() % 40), d);
        compare(text);
        snprintf(text, sizeof text, "%a", d);
        compare(text);
        memcpy(&bits, &d, sizeof d);
        number_write(bits, written);
        CHECK_TEXT(written, text);
        snprintf(text, sizeof text, "0x%llx.%llxp%d", (unsigned long long)next_random() >> next_random() % 64,
                 (unsigned long long)next_random(), (int)(next_random() % 2300) - 1150);
        compare(text);
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)next_random() >> next_random() % 64,
                 (unsigned long long)next_random(), (int)(next_random() % 700) - 360);
        compare(text);
        float f = (float)d;
        if (isfinite(f) && i % 8 == 0) {
            snprintf(text, sizeof text, "%.200f", ((double)f + (double)nextafterf(f, INFINITY)) / 2);
            compare(text);
        }
        if (i % 16 == 0)
            compare_tie(d);
    }
}

// Products and sums that nearly cancel, and sometimes arbitrary numbers.
static void compare_fma(void)
{
    for (int i = 0; i < RANDOM; i++) {
        double x = random_double(), y = random_double(), z = random_double(), want;
        if (i % 4) {
            x = ldexp(1 + (double)(next_random() >> 12) * 0x1p-52, (int)(next_random() % 1000) - 500) * (i % 8 < 4 ? -1 : 1);
            y = ldexp(1 + (double)(next_random() >> (i % 3 ? 12 : 40)) * 0x1p-52, (int)(next_random() % 1000) - 500);
            z = i % 3 ? -x * y : ldexp(x * y, (int)(next_random() % 120) - 60);
        }
        want = fma(x, y, z);
        uint64_t bits, got = number_fma(x, y, z, NUMBER_DOUBLE);
        memcpy(&bits, &want, sizeof bits);
        CHECK(got == bits);
        float fx = (float)ldexp(x, -600 + i % 1200), fy = (float)y, fz = i % 2 ? -fx * fy : (float)z, narrow;
        if (!isfinite(fx) || !isfinite(fy) || !isfinite(fz))
            continue;
        narrow = fmaf(fx, fy, fz);
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        CHECK((uint32_t)number_fma((double)fx, (double)fy, (double)fz, NUMBER_FLOAT) == narrow_bits);
    }
    const double zeros[] = {0.0, -0.0, 1.0, -1.0, 0x1p-1074, -0x1p-1074, 0x1.fffffffffffffp1023};
    for (unsigned i = 0; i < 7 * 7 * 7; i++) {
        double x = zeros[i % 7], y = zeros[i / 7 % 7], z = zeros[i / 49], want = fma(x, y, z);
        uint64_t bits;
        memcpy(&bits, &want, sizeof bits);
        CHECK(number_fma(x, y, z, NUMBER_DOUBLE) == bits);
    }
}

static double half_value(unsigned bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    return exponent ? ldexp(mantissa + 1024, exponent - 25) : ldexp(mantissa, -24);
}

static unsigned read_half(const char *format, double value)
{
    char text[TEXT];
    const char *end;
    snprintf(text, sizeof text, format, value);
    return (unsigned)number_read(text, &end, NUMBER_HALF);
}

static void compare_halves(void)
{
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        // beyond the largest: as if there were another one
        double value = half_value(bits), tie = (value + half_value(bits + 1)) / 2;
        CHECK(read_half("%.60f", value) == bits);
        CHECK(read_half("%a", value) == bits);
        CHECK(read_half("%.60f", tie) == bits + bits % 2);
        CHECK(read_half("%.60f1", tie) == bits + 1);
        CHECK(read_half("%a", nextafter(tie, 0)) == bits);
        CHECK(read_half("%.100f", nextafter(tie, 0)) == bits);
    }
}

int main(void)
{
    static const char *const texts[] = {
        "0", "0.0", ".0e5", "1", "1.", ".5", "1e", "1e+", "1e-x", "1ex", "1.5f", "2.5h", "1e5f", "0x", "0x.", "0x.p1", "0x1", "0xp1",
        "0x1p", "0x1p+", "0x1p-1", "0x1.8p3f", "0X.8P1", "0x1.fffffffffffff7fffffffffffffffffff", "0x1.fffffffffffff8p1023",
        "1e309", "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "4.9e-324", "2.5e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "1e99999999999999999999", "1e-99999999999999999999",
        "0e99999999999999999999", "0x0p99999999999999999999", "0x1p-99999999999999999999", "2.2250738585072011e-308",
        "2.2250738585072014e-308", "9007199254740993", "9007199254740992.99999999999", "16777217", "3.4028235677973366e38",
        "3.4028235677973365e38", "7.0064923216240853e-46", "7.0064923216240854e-46", "1.00000005960464477539062500000000001",
        "6.0221e23", "0.1", "1..2", "1.2.3", "0x1.2.3", "x", "", ".", ".e1", "e1", "123456789012345678901234567890e-30",
    };
    char zeros[3 * TEXT];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i]);
    compare_random();
    compare_halves();
    compare_fma();
    memset(zeros, '0', sizeof zeros);
    memcpy(zeros + sizeof zeros - 12, "123e+12250", 11); // leading zeros are not significant
    compare(zeros);
    zeros[1] = '.';
    compare(zeros);
    zeros[0] = '1'; // more digits than are used
    compare(zeros);
    memset(zeros, '7', 2000);
    memcpy(zeros + 2000, "e-1990", 7);
    compare(zeros);
    return check_result();
}
