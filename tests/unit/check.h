// SPDX-License-Identifier: Apache-2.0
// The unit test framework: CHECK prints the failed condition and its position; check_result() is
// the result of main().
#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H

#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(got, want)                                                                      \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (!got_ || strcmp(got_, want_)) {                                                        \
            fprintf(stderr, "%s:%d: got '%s', want '%s'\n", __FILE__, __LINE__,                    \
                    got_ ? got_ : "(null)", want_);                                                \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

static inline int check_result(void)
{
    return check_failures != 0;
}

#endif
