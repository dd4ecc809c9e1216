int plain = 3;
constant int no_value;
constant int good = 1, not_constant = sizeof(int) + good;
extern constant int elsewhere;
extern int wrong;
sampler_t sampler = 0;
const sampler_t fine = 0;
global int g;
// SPDX-License-Identifier: Apache-2.0
