// SPDX-License-Identifier: Apache-2.0
// Digits -> an exact fraction of two integers -> 64 bits of the quotient, and whether there is a
// remainder -> the nearest number. See number.h.
#include "util/number.h"

#include <stdbool.h>
#include <string.h>

enum {
    DIGITS_MAX = 800, // a tie between two doubles has at most 767; further digits can only
                      // break the tie
    POWER_MAX = 400,  // beyond the range of double
    EXPONENT_MAX = 1 << 24,
    SMALL_POWER = 19, // of ten, in 64 bits
    WORDS = 160, // 10 to the power of DIGITS_MAX + POWER_MAX needs 125, the shifts by 63 two more
};

static const struct format {
    int precision, least, most, sign; // bits; exponents of normal numbers; position of the sign bit
} formats[] = {
    [NUMBER_HALF] = {11, -14, 15, 15},
    [NUMBER_FLOAT] = {24, -126, 127, 31},
    [NUMBER_DOUBLE] = {53, -1022, 1023, 63},
};

// ---- rounding ------------------------------------------------------------------------------------

// Rounds `value` * 2^`exponent`, plus a little more if there is a remainder.
static uint64_t rounded(uint64_t value, int64_t exponent, bool rest, const struct format *format)
{
    const uint64_t one = UINT64_C(1) << (format->precision - 1);
    const uint64_t infinity = (uint64_t)(format->most - format->least + 2) * one;
    if (!value)
        return 0;
    int zeros = __builtin_clzll(value);
    value <<= zeros;
    int64_t leading = exponent - zeros + 63;
    if (leading > format->most)
        return infinity;
    bool normal = leading >= format->least;
    int64_t drop = 64 - format->precision + (normal ? 0 : format->least - leading);
    if (drop > 64)
        return 0;
    uint64_t kept = drop == 64 ? 0 : value >> drop, half = UINT64_C(1) << (drop - 1), low = value & (2 * half - 1);
    if (low > half || (low == half && (rest || kept & 1)))
        kept++; // may correctly carry into the exponent
    return kept + (normal ? (uint64_t)(leading - format->least) * one : 0);
}

// ---- large integers ------------------------------------------------------------------------------

struct large {
    unsigned count; // words in use; the highest is not 0
    uint32_t words[WORDS];
};

static void multiply_add(struct large *x, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (unsigned i = 0; i < x->count; i++) {
        carry += (uint64_t)x->words[i] * factor;
        x->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->words[x->count++] = (uint32_t)carry;
}

static void multiply_by_power(struct large *x, unsigned power) // of ten
{
    for (; power >= 9; power -= 9)
        multiply_add(x, 1000000000, 0);
    for (; power; power--)
        multiply_add(x, 10, 0);
}

static int bits_of(const struct large *x)
{
    return x->count ? (int)x->count * 32 - __builtin_clz(x->words[x->count - 1]) : 0;
}

static void shift_left(struct large *x, unsigned by)
{
    unsigned whole = by / 32;
    multiply_add(x, UINT32_C(1) << by % 32, 0);
    memmove(x->words + whole, x->words, x->count * sizeof *x->words);
    memset(x->words, 0, whole * sizeof *x->words);
    x->count += x->count ? whole : 0;
}

static void halve(struct large *x)
{
    for (unsigned i = 0; i + 1 < x->count; i++)
        x->words[i] = x->words[i] >> 1 | x->words[i + 1] << 31;
    x->words[x->count - 1] >>= 1;
    x->count -= !x->words[x->count - 1];
}

static bool is_less(const struct large *x, const struct large *y)
{
    if (x->count != y->count)
        return x->count < y->count;
    for (unsigned i = x->count; i-- > 0;)
        if (x->words[i] != y->words[i])
            return x->words[i] < y->words[i];
    return false;
}

static void subtract(struct large *x, const struct large *y) // y <= x
{
    uint64_t borrow = 0;
    for (unsigned i = 0; i < x->count; i++) {
        uint64_t word = (uint64_t)x->words[i] - (i < y->count ? y->words[i] : 0) - borrow;
        x->words[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    while (x->count && !x->words[x->count - 1])
        x->count--;
}

// 63 or 64 bits of the quotient, to be multiplied by 2^*exponent. `x` becomes the remainder.
static uint64_t quotient(struct large *x, struct large *y, int *exponent)
{
    uint64_t result = 0;
    *exponent = bits_of(x) - bits_of(y) - 63;
    if (*exponent < 0)
        shift_left(x, (unsigned)-*exponent);
    shift_left(y, 63 + (*exponent > 0 ? (unsigned)*exponent : 0));
    for (int i = 63; i >= 0; i--, halve(y))
        if (!is_less(x, y)) {
            subtract(x, y);
            result |= UINT64_C(1) << i;
        }
    return result;
}

// ---- reading -------------------------------------------------------------------------------------

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// Reads the exponent after e or p; *at moves only if there is a number.
static int64_t read_exponent(const char **at)
{
    const char *p = *at + 1;
    bool negative = *p == '-';
    int64_t value = 0;
    p += *p == '-' || *p == '+';
    if (digit_of(*p) > 9)
        return 0;
    for (; digit_of(*p) < 10; p++)
        if (value < EXPONENT_MAX)
            value = value * 10 + digit_of(*p);
    *at = p;
    return negative ? -value : value;
}

static uint64_t read_hexadecimal(const char *text, const char **end, const struct format *format)
{
    const char *p = text;
    uint64_t value = 0;
    int64_t exponent = 0;
    bool rest = false, point = false, any = false;
    for (; digit_of(*p) < 16 || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        any = true;
        if (value >> 60) {
            rest |= *p != '0';
            exponent += point ? 0 : 4;
        } else {
            value = value << 4 | (uint64_t)digit_of(*p);
            exponent -= point ? 4 : 0;
        }
    }
    if (!any)
        return *end = NULL, 0;
    if (*p == 'p' || *p == 'P')
        exponent += read_exponent(&p);
    *end = p;
    return rounded(value, exponent, rest, format);
}

// Reads the significant digits into x; *power: the power of ten to multiply x by. *rest: the other
// digits are not all 0.
static const char *read_digits(const char *p, struct large *x, int64_t *power, bool *rest, bool *any)
{
    bool point = false;
    int count = 0;
    for (; digit_of(*p) < 10 || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        *any = true;
        if (count < DIGITS_MAX) {
            multiply_add(x, 10, (uint32_t)digit_of(*p));
            count += x->count != 0;
            *power -= point;
        } else {
            *rest |= *p != '0';
            *power += !point;
        }
    }
    return p;
}

// value / 10^power: most numbers of programs. Long division of 64 bits instead of large integers.
static uint64_t short_fraction(uint64_t value, unsigned power, bool rest, const struct format *format)
{
    uint64_t divisor = 1, result = 0;
    while (power--)
        divisor *= 10;
    const int zeros = __builtin_clzll(value), divisor_zeros = __builtin_clzll(divisor);
    bool carry = false;
    value <<= zeros;
    divisor <<= divisor_zeros;
    for (int i = 63; i >= 0; i--) {
        const bool fits = carry || value >= divisor;
        value -= fits ? divisor : 0;
        result = result << 1 | fits;
        carry = value >> 63;
        value <<= 1;
    }
    return rounded(result, divisor_zeros - zeros - 63, rest || carry || value, format);
}

static uint64_t read_decimal(const char *text, const char **end, const struct format *format)
{
    struct large x = {0}, y = {1, {1}};
    int64_t power = 0;
    bool rest = false, any = false;
    const char *p = read_digits(text, &x, &power, &rest, &any);
    if (!any)
        return *end = NULL, 0;
    if (*p == 'e' || *p == 'E')
        power += read_exponent(&p);
    *end = p;
    if (!x.count || power < -(DIGITS_MAX + POWER_MAX))
        return 0;
    if (power > POWER_MAX)
        return rounded(1, INT32_MAX, false, format);
    if (x.count <= 2 && power <= 0 && power >= -SMALL_POWER)
        return short_fraction(x.words[0] | (uint64_t)x.words[1] << 32, (unsigned)-power, rest, format);
    multiply_by_power(power < 0 ? &y : &x, (unsigned)(power < 0 ? -power : power));
    int exponent;
    uint64_t value = quotient(&x, &y, &exponent);
    return rounded(value, exponent, rest || x.count, format);
}

uint64_t number_read(const char *text, const char **end, enum number_format format)
{
    const char *after = NULL;
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t bits = hexadecimal ? read_hexadecimal(text + 2, &after, &formats[format]) : 0;
    if (!after)
        bits = read_decimal(text, &after, &formats[format]);
    *end = after ? after : text;
    return bits;
}

// ---- fused multiply-add --------------------------------------------------------------------------

// A finite double: magnitude * 2^exponent.
struct parts {
    uint64_t magnitude;
    int exponent;
    bool negative;
};

static struct parts decompose(double value)
{
    uint64_t bits, one = UINT64_C(1) << 52;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    return (struct parts){(bits & (one - 1)) | (exponent ? one : 0), (exponent ? exponent : 1) - 1075, bits >> 63};
}

// magnitude * 2^shift
static void set(struct large *x, uint64_t magnitude, unsigned shift)
{
    *x = (struct large){.words = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)}, .count = magnitude >> 32 ? 2 : magnitude ? 1 : 0};
    shift_left(x, shift);
}

static void add(struct large *x, const struct large *y)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < x->count || i < y->count || carry; i++) {
        carry += (uint64_t)(i < x->count ? x->words[i] : 0) + (i < y->count ? y->words[i] : 0);
        x->words[i] = (uint32_t)carry;
        x->count = i + 1 > x->count ? i + 1 : x->count;
        carry >>= 32;
    }
}

static void multiply(struct large *x, uint64_t by)
{
    struct large high = *x;
    multiply_add(&high, (uint32_t)(by >> 32), 0);
    multiply_add(x, (uint32_t)by, 0);
    while (x->count && !x->words[x->count - 1])
        x->count--;
    while (high.count && !high.words[high.count - 1])
        high.count--;
    shift_left(&high, 32);
    add(x, &high);
}

// The highest 64 bits; *rest: whether lower bits are set.
static uint64_t top_64_bits(const struct large *x, int *dropped, bool *rest)
{
    int bits = bits_of(x);
    uint64_t value = 0;
    *dropped = bits > 64 ? bits - 64 : 0;
    *rest = false;
    for (int i = 0; i < bits; i++) {
        uint64_t bit = x->words[i / 32] >> i % 32 & 1;
        if (i < *dropped)
            *rest |= bit;
        else
            value |= bit << (i - *dropped);
    }
    return value;
}

uint64_t number_fma(double x, double y, double z, enum number_format format)
{
    const struct format *f = &formats[format];
    const struct parts a = decompose(x), b = decompose(y), c = decompose(z);
    bool negative = a.negative != b.negative, rest;
    int exponent = a.exponent + b.exponent, least = exponent < c.exponent ? exponent : c.exponent, dropped;
    struct large product, sum;
    set(&product, a.magnitude, (unsigned)(exponent - least));
    multiply(&product, b.magnitude);
    set(&sum, c.magnitude, (unsigned)(c.exponent - least));
    if (negative == c.negative) {
        add(&product, &sum);
    } else if (is_less(&product, &sum)) {
        subtract(&sum, &product);
        product = sum;
        negative = c.negative;
    } else {
        subtract(&product, &sum);
        negative &= product.count != 0; // an exact 0 is positive
    }
    uint64_t value = top_64_bits(&product, &dropped, &rest);
    return rounded(value, least + dropped, rest, f) | (uint64_t)negative << f->sign;
}

// ---- writing -------------------------------------------------------------------------------------

// Up to four digits.
static char *put_decimal(char *at, int value)
{
    for (int unit = 1000; unit; unit /= 10)
        if (value >= unit || unit == 1)
            *at++ = (char)('0' + value / unit % 10);
    return at;
}

void number_write(uint64_t bits, char text[NUMBER_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    uint64_t fraction = bits << 12;
    const int exponent = (int)(bits >> 52 & 0x7ff), power = exponent ? exponent - 1023 : fraction ? -1022 : 0;
    char *at = text;
    if (bits >> 63)
        *at++ = '-';
    *at++ = '0';
    *at++ = 'x';
    *at++ = exponent ? '1' : '0';
    if (fraction)
        *at++ = '.';
    for (; fraction; fraction <<= 4)
        *at++ = digits[fraction >> 60];
    *at++ = 'p';
    *at++ = power < 0 ? '-' : '+';
    *put_decimal(at, power < 0 ? -power : power) = 0;
}
