// SPDX-License-Identifier: Apache-2.0
// Constant folding compared with known results: wrapping, shifts beyond the width, division by zero, halfs, single
// rounding in fma, NaN, conversions out of range; and the round trip of all 65536 halfs.
#include "ir/ir.h"
#include "check.h"
#include <math.h>

static const struct {
    enum ir_op op;
    uint8_t bits, to; // of the sources, of the result; 0: the same
    uint64_t x, y, z, result;
} cases[] = {
    {IR_OP_iadd, 8, 0, 0xff, 2, 0, 1},
    {IR_OP_isub, 16, 0, 0, 1, 0, 0xffff},
    {IR_OP_imul, 32, 0, 0x10001, 0x10001, 0, 0x20001},
    {IR_OP_imul, 64, 0, UINT64_C(1) << 63, 3, 0, UINT64_C(1) << 63},
    {IR_OP_ineg, 8, 0, 0x80, 0, 0, 0x80},
    {IR_OP_udiv, 32, 0, 7, 0, 0, 0},
    {IR_OP_sdiv, 32, 0, 0xfffffff9, 2, 0, 0xfffffffd},
    {IR_OP_sdiv, 64, 0, UINT64_C(1) << 63, UINT64_MAX, 0, UINT64_C(1) << 63},
    {IR_OP_srem, 32, 0, 0xfffffff9, 2, 0, 0xffffffff},
    {IR_OP_srem, 8, 0, 0x80, 0xff, 0, 0},
    {IR_OP_shl, 32, 0, 1, 33, 0, 2},
    {IR_OP_lshr, 8, 0, 0x80, 9, 0, 0x40},
    {IR_OP_ashr, 16, 0, 0x8000, 15, 0, 0xffff},
    {IR_OP_smin, 8, 0, 0x80, 1, 0, 0x80},
    {IR_OP_umin, 8, 0, 0x80, 1, 0, 1},
    {IR_OP_umulhi, 64, 0, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX - 1},
    {IR_OP_smulhi, 32, 0, 0xffffffff, 5, 0, 0xffffffff},
    {IR_OP_clz, 16, 0, 1, 0, 0, 15},
    {IR_OP_clz, 8, 0, 0, 0, 0, 8},
    {IR_OP_ctz, 32, 0, 0, 0, 0, 32},
    {IR_OP_bitreverse, 8, 0, 0x13, 0, 0, 0xc8},
    {IR_OP_slt, 8, 1, 0xff, 0, 0, 1},
    {IR_OP_ult, 8, 1, 0xff, 0, 0, 0},
    {IR_OP_fadd, 32, 0, 0x3f800000, 0x33800000, 0, 0x3f800000}, // 1 + 2^-24: a tie goes to even
    {IR_OP_fadd, 32, 0, 0x3f800001, 0x33800000, 0, 0x3f800002},
    {IR_OP_fsub, 32, 0, 0x7f800000, 0x7f800000, 0, 0x7fc00000}, // inf - inf
    {IR_OP_fdiv, 32, 0, 0x3f800000, 0x80000000, 0, 0xff800000}, // 1 / -0
    {IR_OP_fmul, 16, 0, 0x3c01, 0x3c01, 0, 0x3c02},             // (1 + 2^-10)^2
    {IR_OP_fmul, 16, 0, 0x7bff, 0x4000, 0, 0x7c00},             // 65504 * 2
    {IR_OP_fma, 32, 0, 0x3f800001, 0x3f7ffffe, 0xbf800000,
     0xa8800000},                                       // (1+2^-23)(1-2^-23) - 1 = -2^-46
    {IR_OP_fma, 16, 0, 0x3c00, 0x3c00, 0x1000, 0x3c00}, // 1 + 2^-11: a tie
    {IR_OP_fma, 16, 0, 0x1001, 0x3c01, 0x3c00, 0x3c01}, // just above the tie
    {IR_OP_fma, 64, 0, 0x3ff0000000000001, 0x3feffffffffffffe, 0xbff0000000000000,
     0xb970000000000000},
    {IR_OP_fneg, 32, 0, 0x7fc00001, 0, 0, 0xffc00001},
    {IR_OP_fmin, 32, 0, 0x7fc00000, 0x40000000, 0, 0x40000000},
    {IR_OP_fmax, 32, 0, 0x40000000, 0x7fc00000, 0, 0x40000000},
    {IR_OP_feq, 32, 1, 0x7fc00000, 0x7fc00000, 0, 0},
    {IR_OP_fne, 32, 1, 0x7fc00000, 0x7fc00000, 0, 1},
    {IR_OP_feq, 32, 1, 0, 0x80000000, 0, 1},
    {IR_OP_frint, 32, 0, 0x40200000, 0, 0, 0x40000000}, // 2.5 -> 2
    {IR_OP_frint, 32, 0, 0xbf000000, 0, 0, 0x80000000}, // -0.5 -> -0
    {IR_OP_s2f, 64, 32, 0x8000000000000001, 0, 0, 0xdf000000},
    {IR_OP_u2f, 64, 32, 0xffffffffffffffff, 0, 0, 0x5f800000},
    {IR_OP_u2f, 64, 32, 0x1000001000000001, 0, 0, 0x5d800001}, // one rounding, not two
    {IR_OP_u2f, 32, 16, 65519, 0, 0, 0x7bff},
    {IR_OP_u2f, 32, 16, 65520, 0, 0, 0x7c00},
    {IR_OP_f2s, 32, 32, 0xc0600000, 0, 0, 0xfffffffd}, // -3.5 -> -3
    {IR_OP_f2s, 32, 8, 0x43960000, 0, 0, 0x7f},
    {IR_OP_f2u, 64, 64, 0x43e8000000000000, 0, 0, 0xc000000000000000},
    {IR_OP_f2f, 64, 16, 0x3e60000000000000, 0, 0, 0}, // 2^-25: a tie with zero
    {IR_OP_f2f, 64, 16, 0x3e60000000000001, 0, 0, 1},
    {IR_OP_f2f, 16, 32, 0x0001, 0, 0, 0x33800000},
    {IR_OP_f2f, 64, 16, 0x40effe0000000000, 0, 0, 0x7c00}, // 65520, the tie above the largest half
    {IR_OP_sext, 8, 64, 0x80, 0, 0, 0xffffffffffffff80},
};

static struct ir_type source_type(enum ir_op op, unsigned bits)
{
    bool is_float = ir_ops[op].rule == IR_RULE_FLOAT || op == IR_OP_feq || op == IR_OP_fne ||
                    op == IR_OP_f2s || op == IR_OP_f2u || op == IR_OP_f2f;
    return is_float ? ir_float(bits) : ir_int(bits);
}

static struct ir_type result_type(enum ir_op op, unsigned bits)
{
    if (ir_ops[op].rule == IR_RULE_COMPARE)
        return ir_bool();
    if (op == IR_OP_s2f || op == IR_OP_u2f || op == IR_OP_f2f)
        return ir_float(bits);
    return ir_ops[op].rule == IR_RULE_CONVERT ? ir_int(bits) : source_type(op, bits);
}

static void check_cases(struct ir_module *m)
{
    struct ir_builder b = {.module = m, .dead = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_type type = source_type(cases[i].op, cases[i].bits);
        struct ir_type to = result_type(cases[i].op, cases[i].to ? cases[i].to : cases[i].bits);
        struct ir_instr *src[] = {ir_const_int(m, type, cases[i].x),
                                  ir_const_int(m, type, cases[i].y),
                                  ir_const_int(m, type, cases[i].z)};
        struct ir_instr *x = ir_build(&b, cases[i].op, to, src, ir_ops[cases[i].op].sources);
        CHECK(ir_is_const(x));
        if (ir_is_const(x) && x->lanes[0] != cases[i].result) {
            fprintf(stderr, "case %zu, %s: got %llx, want %llx\n", i, ir_ops[cases[i].op].name,
                    (unsigned long long)x->lanes[0], (unsigned long long)cases[i].result);
            check_failures++;
        }
    }
}

static void check_halves(void)
{
    for (uint64_t bits = 0; bits < 0x10000; bits++) {
        double value = ir_float_value(16, bits);
        bool nan = (bits & 0x7fff) > 0x7c00;
        CHECK(nan ? isnan(value) : ir_float_bits(16, value) == bits);
        if (nan || (bits & 0x7fff) >= 0x7bff)
            continue;
        // Halfway to the next one goes to the even one.
        double next = ir_float_value(16, bits + 1), middle = (value + next) / 2;
        CHECK(ir_float_bits(16, middle) == bits + (bits & 1));
        CHECK(ir_float_bits(16, nextafter(middle, next)) == bits + 1);
        CHECK(ir_float_bits(16, nextafter(middle, value)) == bits);
    }
}

int main(void)
{
    struct arena arena;
    struct intern intern;
    arena_init(&arena, 0, NULL);
    intern_init(&intern, &arena);
    check_cases(ir_module_create(&arena, &intern, NULL));
    check_halves();
    arena_finish(&arena);
    return check_result();
}
