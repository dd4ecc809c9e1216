// SPDX-License-Identifier: Apache-2.0
#include "arith.h"

#include "util/small_float.h"

#include <assert.h>
#include <math.h>

typedef __int128 wide; // holds every product of two integer lanes
__extension__ typedef unsigned __int128 uwide;

static unsigned bits_of(enum base base)
{
    return base_bits[base];
}

static wide value_of(enum base base, uint64_t x)
{
    return base_signed(base) ? (wide)(int64_t)x : (wide)x;
}

static wide least(enum base base)
{
    return base_signed(base) ? -((wide)1 << (bits_of(base) - 1)) : 0;
}

static wide greatest(enum base base)
{
    return ((wide)1 << (bits_of(base) - base_signed(base))) - 1;
}

static uint64_t clamped(enum base base, wide x)
{
    return (uint64_t)(x < least(base) ? least(base) : x > greatest(base) ? greatest(base) : x);
}

float lane_float(uint64_t x)
{
    uint32_t word = (uint32_t)x;
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

uint64_t lane_from_float(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

uint64_t lane_normal(enum base base, uint64_t x)
{
    unsigned bits = bits_of(base);
    if (base == BOOL)
        return x != 0;
    if (base_is_float(base))
        return (uint32_t)x;
    if (bits == 64)
        return x;
    x &= ((uint64_t)1 << bits) - 1;
    return base_signed(base) && x >> (bits - 1) ? x | ~(uint64_t)0 << bits : x;
}

uint64_t lane_convert(enum base to, enum base from, uint64_t x)
{
    if (to == from || (base_is_float(to) && base_is_float(from)))
        return x;
    if (base_is_float(from))
        return to == BOOL ? lane_float(x) != 0 : lane_normal(to, (uint64_t)(int64_t)lane_float(x));
    if (base_is_float(to))
        return lane_from_float(base_signed(from) ? (float)(int64_t)x : (float)x);
    return lane_normal(to, x);
}

uint64_t lane_saturate(enum base to, enum base from, uint64_t x)
{
    return clamped(to, value_of(from, x));
}

// ---- memory -------------------------------------------------------------------------------------

float lane_limit(enum base base)
{
    static const int limits[BASE_COUNT] = {[HALF] = HALF_LIMIT, [BRIEF] = BRIEF_LIMIT, [E4M3] = E4M3_LIMIT, [E5M2] = E5M2_LIMIT};
    return (float)(limits[base] ? limits[base] : FLOAT_LIMIT);
}

static uint16_t half_bits(float x)
{
    uint32_t word = (uint32_t)lane_from_float(x), sign = word >> 16 & 0x8000;
    return (uint16_t)(x == 0 ? sign : sign | ((word >> 23 & 255) - 112) << 10 | (word >> 13 & 1023));
}

static float half_value(uint16_t bits)
{
    float magnitude = ldexpf((float)(1024 + (bits & 1023)), (bits >> 10 & 31) - 25);
    if (!(bits & 0x7c00))
        magnitude = ldexpf((float)(bits & 1023), -24);
    return bits >> 15 ? -magnitude : magnitude;
}

uint64_t lane_load(enum base base, const unsigned char *at)
{
    uint64_t x = 0;
    double d;
    memcpy(&x, at, base_bits[base] / 8); // the host is little-endian
    memcpy(&d, &x, sizeof d);
    switch (base) {
    case HALF:
        return lane_from_float(half_value((uint16_t)x));
    case DOUBLE:
        return lane_from_float((float)d);
    case BRIEF:
        return x << 16;
    case E4M3:
    case E5M2:
        return lane_from_float((float)small_to_double((enum small_float)(base - BRIEF), (uint32_t)x));
    default:
        return lane_normal(base, x);
    }
}

void lane_store(enum base base, unsigned char *at, uint64_t x)
{
    double d = lane_float(x);
    if (base == HALF)
        x = half_bits(lane_float(x));
    else if (base == DOUBLE)
        memcpy(&x, &d, sizeof x);
    else if (base == BRIEF)
        x >>= 16;
    else if (base == E4M3 || base == E5M2)
        x = small_from_double((enum small_float)(base - BRIEF), lane_float(x));
    memcpy(at, &x, base_bits[base] / 8);
}

// ---- operators ----------------------------------------------------------------------------------

static uint64_t bounded_float(enum base base, float x, bool *bad)
{
    if (fabsf(x) < lane_limit(base))
        return lane_from_float(x);
    *bad = true;
    return lane_from_float(1);
}

// What the guarded form makes of a quotient that is not an integer: 3 for NaN, 2 for infinity, 1 otherwise. E4M3 has
// NaN instead of infinity.
static uint64_t float_quotient(enum base base, float x, bool *bad)
{
    if (fabsf(x) < lane_limit(base) && truncf(x) == x)
        return lane_from_float(x);
    *bad = true;
    return lane_from_float(isnan(x) || (isinf(x) && base == E4M3) ? 3 : isinf(x) ? 2 : 1);
}

static uint64_t float_binary(enum op op, enum base base, float a, float b, bool *bad)
{
    switch (op) {
    case ADD:
        return bounded_float(base, a + b, bad);
    case SUB:
        return bounded_float(base, a - b, bad);
    case MUL:
        return bounded_float(base, a * b, bad);
    case DIV:
        return float_quotient(base, a / b, bad);
    case LT:
        return a < b;
    case LE:
        return a <= b;
    case GT:
        return a > b;
    case GE:
        return a >= b;
    case EQ:
        return a == b;
    case NE:
        return a != b;
    default:
        assert(!"an operator of floats");
        return 0;
    }
}

// Returns the wrapped sum, difference or product; sets *bad if it overflows and C does not define it.
static uint64_t overflowing(enum base base, wide exact, uint64_t wrapped, bool *bad)
{
    wrapped = lane_normal(base, wrapped);
    if (base_signed(base) && exact != value_of(base, wrapped))
        *bad = true;
    return wrapped;
}

static uint64_t quotient(enum op op, enum base base, uint64_t a, uint64_t b, bool *bad)
{
    wide x = value_of(base, a), y = value_of(base, b);
    if (y == 0 || (x == least(base) && y == -1 && base_signed(base))) {
        *bad = true;
        y = 1;
    }
    return lane_normal(base, (uint64_t)(op == DIV ? x / y : x % y));
}

uint64_t lane_binary(enum op op, enum base base, uint64_t a, uint64_t b, bool *bad)
{
    if (base_is_float(base))
        return float_binary(op, base, lane_float(a), lane_float(b), bad);
    wide x = value_of(base, a), y = value_of(base, b);
    unsigned shift = (unsigned)(b & (bits_of(base) - 1));
    switch (op) {
    case ADD:
        return overflowing(base, x + y, a + b, bad);
    case SUB:
        return overflowing(base, x - y, a - b, bad);
    case MUL:
        return overflowing(base, base_signed(base) ? x * y : 0, a * b, bad);
    case DIV:
    case REM:
        return quotient(op, base, a, b, bad);
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
        return a ^ b;
    case SHL:
        return lane_normal(base, a << shift);
    case SHR:
        return (uint64_t)(x >> shift);
    case LT:
        return x < y;
    case LE:
        return x <= y;
    case GT:
        return x > y;
    case GE:
        return x >= y;
    case EQ:
        return x == y;
    case NE:
        return x != y;
    default:
        assert(!"a binary operator");
        return 0;
    }
}

uint64_t lane_unary(enum op op, enum base base, uint64_t a, bool *bad)
{
    if (base_is_float(base))
        return op == NEG ? lane_from_float(-lane_float(a)) : lane_float(a) == 0;
    switch (op) {
    case NEG:
        return overflowing(base, -value_of(base, a), 0 - a, bad);
    case NOT:
        return lane_normal(base, ~a);
    default:
        return a == 0;
    }
}

// ---- builtins -----------------------------------------------------------------------------------

#define LANE(name)                                                                                 \
    static uint64_t name(enum base base, uint64_t a, uint64_t b, uint64_t c, bool *bad)
#define UNUSED (void)base, (void)a, (void)b, (void)c, (void)bad
#define A value_of(base, a)
#define B value_of(base, b)
#define C value_of(base, c)

LANE(do_abs)
{
    UNUSED;
    return (uint64_t)(A < 0 ? -A : A);
}
LANE(do_abs_diff)
{
    UNUSED;
    return (uint64_t)(A < B ? B - A : A - B);
}
LANE(do_add_sat)
{
    UNUSED;
    return clamped(base, A + B);
}
LANE(do_sub_sat)
{
    UNUSED;
    return clamped(base, A - B);
}
LANE(do_hadd)
{
    UNUSED;
    return (uint64_t)((A + B) >> 1);
}
LANE(do_rhadd)
{
    UNUSED;
    return (uint64_t)((A + B + 1) >> 1);
}
LANE(do_max)
{
    UNUSED;
    return A < B ? b : a;
}
LANE(do_min)
{
    UNUSED;
    return B < A ? b : a;
}

static uint64_t high_half(enum base base, uint64_t a, uint64_t b)
{
    if (base == ULONG)
        return (uint64_t)((uwide)a * b >> 64);
    return lane_normal(base, (uint64_t)(A * B >> bits_of(base)));
}

LANE(do_mul_hi)
{
    UNUSED;
    return high_half(base, a, b);
}
LANE(do_mad_hi)
{
    UNUSED;
    return lane_normal(base, high_half(base, a, b) + c);
}

LANE(do_mad_sat)
{
    UNUSED;
    if (base == ULONG)
        return (uwide)a * b + c > (uwide)UINT64_MAX ? UINT64_MAX : a * b + c;
    return clamped(base, A * B + C);
}

LANE(do_clz)
{
    UNUSED;
    unsigned n = 0;
    while (n < bits_of(base) && !(a >> (bits_of(base) - 1 - n) & 1))
        n++;
    return n;
}

LANE(do_ctz)
{
    UNUSED;
    unsigned n = 0;
    while (n < bits_of(base) && !(a >> n & 1))
        n++;
    return n;
}

LANE(do_popcount)
{
    UNUSED;
    unsigned n = 0;
    for (unsigned i = 0; i < bits_of(base); i++)
        n += a >> i & 1;
    return n;
}

LANE(do_rotate)
{
    UNUSED;
    uint64_t r = 0;
    for (unsigned i = 0; i < bits_of(base); i++)
        r |= (a >> i & 1) << ((i + b) % bits_of(base));
    return lane_normal(base, r);
}

LANE(do_bitselect)
{
    UNUSED;
    return (a & ~c) | (b & c);
}
LANE(do_select)
{
    UNUSED;
    return c ? b : a;
}
LANE(do_select_lane)
{
    UNUSED;
    return c >> (bits_of(base) - 1) & 1 ? b : a;
}

LANE(do_clamp)
{
    UNUSED;
    if (B > C) { // undefined: the guarded form swaps the two
        uint64_t t = b;
        *bad = true;
        b = c, c = t;
    }
    return A < B ? b : A > C ? c : a;
}

static bool fits_24(enum base base, uint64_t a)
{
    return base == INT ? A >= -(1 << 23) && A < 1 << 23 : a < 1 << 24;
}

// The guarded form takes the low 24 bits, extended.
static uint64_t cut_24(enum base base, uint64_t a, bool *bad)
{
    if (fits_24(base, a))
        return a;
    *bad = true;
    return base == INT ? (uint64_t)((int64_t)(a << 40) >> 40) : a & 0xffffff;
}

LANE(do_mul24)
{
    UNUSED;
    return lane_normal(base, cut_24(base, a, bad) * cut_24(base, b, bad));
}

LANE(do_mad24)
{
    return lane_normal(base, do_mul24(base, a, b, 0, bad) + c);
}

LANE(do_fmin)
{
    UNUSED;
    return lane_from_float(fminf(lane_float(a), lane_float(b)));
}
LANE(do_fmax)
{
    UNUSED;
    return lane_from_float(fmaxf(lane_float(a), lane_float(b)));
}
LANE(do_fabs)
{
    UNUSED;
    return lane_from_float(fabsf(lane_float(a)));
}
LANE(do_identity)
{
    UNUSED;
    return a;
} // all floats here are integers
LANE(do_fma)
{
    UNUSED;
    return bounded_float(base, lane_float(a) * lane_float(b) + lane_float(c), bad);
}

LANE(do_signbit)
{
    UNUSED;
    return signbit(lane_float(a)) != 0;
}

const struct builtin builtins[] = {
    {"abs", 1, INTEGERS, RESULT_UNSIGNED, do_abs},
    {"abs_diff", 2, INTEGERS, RESULT_UNSIGNED, do_abs_diff},
    {"add_sat", 2, INTEGERS, RESULT_SAME, do_add_sat},
    {"sub_sat", 2, INTEGERS, RESULT_SAME, do_sub_sat},
    {"hadd", 2, INTEGERS, RESULT_SAME, do_hadd},
    {"rhadd", 2, INTEGERS, RESULT_SAME, do_rhadd},
    {"max", 2, INTEGERS, RESULT_SAME, do_max},
    {"min", 2, INTEGERS, RESULT_SAME, do_min},
    {"mul_hi", 2, INTEGERS, RESULT_SAME, do_mul_hi},
    {"mad_hi", 3, INTEGERS, RESULT_SAME, do_mad_hi},
    {"mad_sat", 3, INTEGERS, RESULT_SAME, do_mad_sat},
    {"clz", 1, INTEGERS, RESULT_SAME, do_clz},
    {"ctz", 1, INTEGERS | NEWER, RESULT_SAME, do_ctz},
    {"popcount", 1, INTEGERS, RESULT_SAME, do_popcount},
    {"rotate", 2, INTEGERS, RESULT_SAME, do_rotate},
    {"bitselect", 3, INTEGERS, RESULT_SAME, do_bitselect},
    {"select", 3, INTEGERS | NO_VECTORS, RESULT_SAME, do_select},
    {"select", 3, INTEGERS | NO_SCALARS, RESULT_SAME, do_select_lane},
    {"clamp", 3, INTEGERS, RESULT_SAME, do_clamp},
    {"mul24", 2, WORDS, RESULT_SAME, do_mul24},
    {"mad24", 3, WORDS, RESULT_SAME, do_mad24},
    {"fmin", 2, FLOATS, RESULT_SAME, do_fmin},
    {"fmax", 2, FLOATS, RESULT_SAME, do_fmax},
    {"fabs", 1, FLOATS, RESULT_SAME, do_fabs},
    {"floor", 1, FLOATS, RESULT_SAME, do_identity},
    {"ceil", 1, FLOATS, RESULT_SAME, do_identity},
    {"trunc", 1, FLOATS, RESULT_SAME, do_identity},
    {"rint", 1, FLOATS, RESULT_SAME, do_identity},
    {"round", 1, FLOATS, RESULT_SAME, do_identity},
    {"fma", 3, FLOATS, RESULT_SAME, do_fma},
    {"mad", 3, FLOATS, RESULT_SAME, do_fma},
    {"signbit", 1, 0, RESULT_SAME, do_signbit}, // generated by gen_expr.c only
};
const unsigned builtin_count = sizeof builtins / sizeof *builtins;
