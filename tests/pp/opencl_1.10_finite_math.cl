// SPDX-License-Identifier: Apache-2.0
// options: -cl-finite-math-only -Werror
// Infinities and NaNs that the options exclude; #pragma once in the main file.
#pragma once
#define LARGEST INFINITY
float a = INFINITY, b = NAN, c = LARGEST, d = HUGE_VALF;
