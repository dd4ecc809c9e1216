#define M_PI_F 3
#define NULL 0
M_PI_F NULL
// SPDX-License-Identifier: Apache-2.0
