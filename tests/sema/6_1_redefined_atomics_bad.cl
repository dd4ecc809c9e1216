// options: -cl-std=CL2.0
typedef int atomic_int;
typedef atomic_int atomic_uint;
const global sampler_t s = 0;
local sampler_t t;
const sampler_t u = 0;
// SPDX-License-Identifier: Apache-2.0
