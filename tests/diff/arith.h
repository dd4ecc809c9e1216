// SPDX-License-Identifier: Apache-2.0
// Reference results of OpenCL C's operators and integer builtins for one lane: written from the definitions, bit by
// bit where that is simplest, so that they share nothing with the compiler under test.
//
// A lane is a uint64_t: integers sign- or zero-extended from their type, floats as their 32 bits, halfs, doubles and
// bfloat16 as the float of the same value: values are small integers.
#ifndef DIFF_ARITH_H
#define DIFF_ARITH_H

#include "tree.h"

uint64_t lane_normal(enum base base, uint64_t x); // truncated to the type and extended again
uint64_t lane_convert(enum base to, enum base from, uint64_t x);  // as a cast does
uint64_t lane_saturate(enum base to, enum base from, uint64_t x); // convert_T_sat, integers
uint64_t lane_binary(enum op op, enum base base, uint64_t a, uint64_t b,
                     bool *bad); // comparisons: 0 or 1
uint64_t lane_unary(enum op op, enum base base, uint64_t a, bool *bad);
float lane_float(uint64_t x);
float lane_limit(enum base base); // absolute values of a type's floats are below it
uint64_t lane_load(enum base base, const unsigned char *at);
void lane_store(enum base base, unsigned char *at, uint64_t x);
uint64_t lane_from_float(float x);

enum builtin_types {
    INTEGERS = 1,
    FLOATS = 2,
    WORDS = 4, // int and uint only
    NEWER = 8, // OpenCL C 2.0 or later
    NO_SCALARS = 16,
    NO_VECTORS = 32
};
enum builtin_result { RESULT_SAME, RESULT_UNSIGNED };
struct builtin {
    const char *name;
    unsigned arity, types;
    enum builtin_result result;
    uint64_t (*lane)(enum base base, uint64_t a, uint64_t b, uint64_t c, bool *bad);
};
extern const struct builtin builtins[];
extern const unsigned builtin_count;

#endif
