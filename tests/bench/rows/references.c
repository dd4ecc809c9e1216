// SPDX-License-Identifier: Apache-2.0
// The expected value of element `index` of the result of programs/NAME.cl, computed by the host:
// sums in double precision, integers exactly. Only a sample of elements is needed, so each is
// computed from the inputs.
#include "rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double f32(const void *data, size_t index) { return (double)((const float *)data)[index]; }
static uint32_t u32(const void *data, size_t index) { return ((const uint32_t *)data)[index]; }

double half_value(unsigned short bits)
{
    double sign = bits & 0x8000 ? -1 : 1, fraction = (bits & 0x3ff) / 1024.0;
    int exponent = bits >> 10 & 31;
    if (exponent == 31)
        return fraction > 0 ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
}

// ---- sums ---------------------------------------------------------------------------------------

double expect_gemm(const struct inputs *in, size_t index)
{
    size_t n = (size_t)in->n, row = index / n, column = index % n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += f32(in->a, row * n + k) * f32(in->b, k * n + column);
    return sum;
}

double expect_nbody(const struct inputs *in, size_t index)
{
    size_t me = index / 4 * 4;
    double pull = 0;
    if (index % 4 == 3)
        return f32(in->b, index);
    for (size_t at = 0; at < (size_t)in->n * 4; at += 4) {
        double square = 1e-4;
        for (size_t i = 0; i < 3; i++) {
            double way = f32(in->a, at + i) - f32(in->a, me + i);
            square += way * way;
        }
        pull += (f32(in->a, at + index % 4) - f32(in->a, index)) * f32(in->a, at + 3) / (square * sqrt(square));
    }
    return pull;
}

double expect_reduce(const struct inputs *in, size_t index)
{
    double sum = 0;
    for (size_t start = index * 256; start < (size_t)in->n; start += in->items)
        for (size_t i = 0; i < 256; i++)
            sum += f32(in->a, start + i);
    return sum;
}

double expect_spmv(const struct inputs *in, size_t index)
{
    double sum = 0;
    for (size_t i = index * 32; i < index * 32 + 32; i++)
        sum += f32(in->a, i) * f32(in->a, u32(in->b, i) % (uint32_t)in->n);
    return sum;
}

double expect_matvec_half(const struct inputs *in, size_t index)
{
    const unsigned short *halves = in->a;
    double sum = 0;
    for (size_t i = 0; i < (size_t)in->n; i++)
        sum += half_value(halves[index * (size_t)in->n + i]) * f32(in->b, i);
    return sum;
}

// The transform of 16 numbers; results are in bit-reversed order.
double expect_fft(const struct inputs *in, size_t index)
{
    size_t item = index / 2 % in->items, slot = index / 2 / in->items;
    size_t turn = slot >> 3 | (slot >> 1 & 2) | (slot << 1 & 4) | (slot << 3 & 8);
    double sum = 0;
    for (size_t k = 0; k < 16; k++) {
        double angle = -6.283185307179586 * (double)(k * turn) / 16, re = f32(in->a, (item + k * in->items) * 2),
               im = f32(in->a, (item + k * in->items) * 2 + 1);
        sum += index & 1 ? re * sin(angle) + im * cos(angle) : re * cos(angle) - im * sin(angle);
    }
    return sum;
}

// ---- pictures -----------------------------------------------------------------------------------

static size_t clamped(long at, int n) { return (size_t)(at < 0 ? 0 : at >= n ? n - 1 : at); }

double expect_transpose(const struct inputs *in, size_t index)
{
    size_t n = (size_t)in->n;
    return f32(in->a, index % n * n + index / n);
}

double expect_blur(const struct inputs *in, size_t index)
{
    static const double weights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    long x = (long)(index / 4 % (size_t)in->n), y = (long)(index / 4 / (size_t)in->n);
    double sum = 0;
    for (int i = 0; i < 25; i++) {
        size_t at = clamped(y + i / 5 - 2, in->n) * (size_t)in->n + clamped(x + i % 5 - 2, in->n);
        sum += ((const unsigned char *)in->a)[at * 4 + index % 4] * weights[i / 5] * weights[i % 5];
    }
    return nearbyint(sum);
}

double expect_median(const struct inputs *in, size_t index)
{
    long x = (long)(index % (size_t)in->n), y = (long)(index / (size_t)in->n);
    double near[25];
    for (int i = 0; i < 25; i++)
        near[i] = f32(in->a, clamped(y + i / 5 - 2, in->n) * (size_t)in->n + clamped(x + i % 5 - 2, in->n));
    return bench_median(near, 25);
}

double expect_stencil(const struct inputs *in, size_t index)
{
    size_t n = (size_t)in->n, place[3] = {index % n, index / n % n, index / n / n};
    for (int i = 0; i < 3; i++)
        if (!place[i] || place[i] == n - 1)
            return f32(in->a, index);
    return 0.4 * f32(in->a, index) + 0.1 * (f32(in->a, index - 1) + f32(in->a, index + 1) + f32(in->a, index - n) +
                                            f32(in->a, index + n) + f32(in->a, index - n * n) + f32(in->a, index + n * n));
}

double expect_mandelbrot(const struct inputs *in, size_t index)
{
    double n = (double)in->items, cx = (double)(index % in->items) * 3.0 / n - 2.0, re = 0, im = 0;
    double cy = (double)(index / in->items) * 3.0 / n - 1.5;
    int step = 0;
    for (; re * re + im * im < 4.0 && step < in->n; step++) {
        double next = re * re - im * im + cx;
        im = 2.0 * re * im + cy;
        re = next;
    }
    return step;
}

// ---- integers -----------------------------------------------------------------------------------

double expect_histogram(const struct inputs *in, size_t index)
{
    size_t found = 0;
    for (size_t i = 0; i < (size_t)in->n; i++)
        found += (u32(in->a, i) >> 7 & 255) == index;
    return (double)found;
}

double expect_scan(const struct inputs *in, size_t index)
{
    uint32_t sum = 0;
    for (size_t i = index / 512 * 512; i < index; i++)
        sum += u32(in->a, i);
    return sum;
}

double expect_bitonic(const struct inputs *in, size_t index)
{
    size_t pair = index / 2, low = pair & ~(size_t)1024, high = low + 1024;
    bool swap = (u32(in->a, low * 2) > u32(in->a, high * 2)) == !((pair / 2048 * 1024 + pair % 1024) & 4096);
    return u32(in->a, ((pair == low) == swap ? high : low) * 2 + index % 2);
}

static uint64_t multiply_high(uint64_t x, uint64_t y)
{
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (uint32_t)middle;
    return x1 * y1 + (middle >> 32) + (other >> 32);
}

static uint64_t multiply(uint64_t x, uint64_t y, uint64_t modulus, uint64_t inverse)
{
    uint64_t high = multiply_high(x, y), part = multiply_high(x * y * inverse, modulus);
    return high >= part ? high - part : high - part + modulus;
}

double expect_montgomery(const struct inputs *in, size_t index)
{
    uint64_t modulus = ((const uint64_t *)in->b)[index / 2] | 1, inverse = modulus;
    uint64_t x = ((const uint64_t *)in->a)[index / 2] % modulus, y = x;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - modulus * inverse;
    for (int i = 0; i < in->n; i++) {
        y = multiply(y, y, modulus, inverse);
        if (i & 1)
            y = multiply(y, x, modulus, inverse);
    }
    return (double)(uint32_t)(index & 1 ? y >> 32 : y);
}

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

// The constants of FIPS 180-4: fractions of the roots of the first primes.
static uint32_t root_fraction(int prime, bool cube)
{
    long double root = cube ? cbrtl(prime) : sqrtl(prime);
    return (uint32_t)((root - floorl(root)) * 4294967296.0L);
}

static void sha256_constants(uint32_t roots[64], uint32_t initial[8])
{
    for (int prime = 2, found = 0; found < 64; prime++) {
        int divisor = 2;
        while (prime % divisor)
            divisor++;
        if (divisor < prime)
            continue;
        if (found < 8)
            initial[found] = root_fraction(prime, false);
        roots[found++] = root_fraction(prime, true);
    }
}

static void sha256_block(uint32_t state[8], const uint32_t block[16], const uint32_t roots[64])
{
    uint32_t w[64], s[8];
    memcpy(w, block, 64);
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, 32);
    for (int i = 0; i < 64; i++) {
        uint32_t x = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                     roots[i] + w[i];
        uint32_t y = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 28);
        s[4] += x;
        s[0] = x + y;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

double expect_sha256(const struct inputs *in, size_t index)
{
    uint32_t roots[64], state[8], block[16];
    sha256_constants(roots, state);
    memcpy(block, (const uint32_t *)in->a + index, 64);
    for (int i = 0; i < in->n; i++) {
        sha256_block(state, block, roots);
        block[0] = state[0];
    }
    return state[0] ^ state[7];
}

// ---- the rest -----------------------------------------------------------------------------------

double expect_black_scholes(const struct inputs *in, size_t index)
{
    double price = f32(in->a, index) * 50 + 5, strike = f32(in->b, index) * 50 + 5, years = f32(in->a, index) * 4 + 0.5;
    double spread = 0.3 * sqrt(years), d1 = (log(price / strike) + 0.065 * years) / spread, d2 = d1 - spread;
    return price * (0.5 + 0.5 * erf(d1 * sqrt(0.5))) - strike * exp(-0.02 * years) * (0.5 + 0.5 * erf(d2 * sqrt(0.5)));
}

double expect_walk(const struct inputs *in, size_t index)
{
    struct node {
        float place[4];
        uint32_t next;
        unsigned char kind;
        short weight;
        float rest, more;
    } node;
    float sum = 0;
    for (int i = 0; i < in->n; i++) {
        memcpy(&node, (const char *)in->a + index * 32, 32);
        int kind = node.kind & 3;
        sum += kind == 0   ? node.rest
               : kind == 1 ? node.place[0] * (float)node.weight
               : kind == 2 ? node.place[0] * node.place[0] + node.place[1] * node.place[1] +
                                 node.place[2] * node.place[2] + node.place[3] * node.place[3]
                           : 1.0f;
        index = node.next & 0xffff;
    }
    return (double)sum;
}
