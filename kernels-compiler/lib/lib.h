// SPDX-License-Identifier: Apache-2.0
// For every file of the builtin library: LIB marks a function that kernels can call.
#define LIB __attribute__((overloadable))
