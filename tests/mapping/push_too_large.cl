// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -pod-pushconstant -max-pushconstant-size=16
// error: push_too_large.cl:5:13: error: kernel 'foo' needs 32 bytes of push constants, -max-pushconstant-size is 16
kernel void foo(global int *out, int8 y) { out[get_global_id(0)] = y.s7; }
