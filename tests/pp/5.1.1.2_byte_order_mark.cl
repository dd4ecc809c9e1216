#define A 1
A
// SPDX-License-Identifier: Apache-2.0
