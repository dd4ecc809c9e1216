__COUNTER__ __COUNTER__
#define C __COUNTER__
C C
// SPDX-License-Identifier: Apache-2.0
