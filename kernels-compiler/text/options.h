// SPDX-License-Identifier: Apache-2.0
// The option string of clBuildProgram, clCompileProgram and clLinkProgram -> struct kc_options.
//
// Words are separated by blanks. Quotes protect blanks. A backslash escapes a quote, a blank or another backslash;
// before any other character it stands for itself. An option may imply others: -cl-fast-relaxed-math sets all the
// fields it includes. Options of other vendors that do not change results are ignored and listed.
#ifndef KC_TEXT_OPTIONS_H
#define KC_TEXT_OPTIONS_H

#include "text/text.h"

enum { OPTIONS_DEFAULT_VERSION = 120 };

struct kc_options {
    uint32_t version; // of OpenCL C: 100, 110, 120, 200, 300, 310
    bool warnings_off, warnings_are_errors, debug, kernel_arg_info, opt_disable;
    bool single_precision_constant, correctly_rounded_divide_sqrt, denorms_are_zero;
    bool mad_enable, no_signed_zeros, unsafe_math_optimizations, finite_math_only,
        fast_relaxed_math;
    bool strict_aliasing, any_aliasing, uniform_work_group_size, no_subgroup_ifp;
    bool create_library, enable_link_options;
    const struct text_define *defines; // -D, -U, -I in order
    size_t define_count;
    const char **ignored; // accepted without effect
    size_t ignored_count;
};

// `text` may be NULL. On KC_INVALID_OPTIONS, `why` names the option and the reason. `why` is always terminated.
enum kc_status options_parse(struct arena *arena, const char *text, bool link,
                             struct kc_options *options, char *why, size_t why_size);

#endif
