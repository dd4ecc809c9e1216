// SPDX-License-Identifier: Apache-2.0
// Words of OpenCL C for the mutator.
#include <stddef.h>

extern const char *const fuzz_words[];

const char *const fuzz_words[] = {
    "int",        "float4",      "uchar",
    "(float2)",   "global",      "local",
    "constant",   "const",       "struct S",
    "*",          "&",           "[0]",
    "(1)",        "{",           "}",
    ";",          ",",           "? 1 :",
    "+",          "-1",          "/",
    "%",          "<<",          "==",
    "=",          "+=",          "++",
    "!",          "~",           "0",
    "1",          "-2147483648", "0xffffffffffffffffUL",
    "1e40f",      "1.5h",        "'a'",
    "\"s\"",      "sizeof",      "typedef",
    "return",     "break",       "continue",
    "goto x",     "x:",          "if (1)",
    "else",       "for (;;)",    "while (0)",
    "do",         "switch (1)",  "case 1:",
    "default:",   ".x",          ".s0123",
    "->a",        ".hi",         "static",
    "void",       "long8",       "ulong3",
    "half",       "double",      "bool",
    "size_t",     "as_int4",     "convert_char_sat",
    "vload3",     "barrier(1)",  "get_global_id(0)",
    "atomic_inc", "image2d_t",   "sampler_t",
    "event_t",    NULL,
};
