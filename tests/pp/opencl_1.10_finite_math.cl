// SPDX-License-Identifier: Apache-2.0
// options: -cl-finite-math-only -Werror
// Infinities and NaNs that the options say do not occur; a file that is to be read once is hardly the main one.
#pragma once
#define LARGEST INFINITY
float a = INFINITY, b = NAN, c = LARGEST, d = HUGE_VALF;
