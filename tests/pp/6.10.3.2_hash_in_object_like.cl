#define H # x
#define HH # ## #
H HH
// SPDX-License-Identifier: Apache-2.0
