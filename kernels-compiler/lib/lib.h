// SPDX-License-Identifier: Apache-2.0
// Included by every file of the built-in library: LIB marks a function that kernels can call.
#define LIB __attribute__((overloadable))
