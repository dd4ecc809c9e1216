$a a$b
#define $x 1
$x
// SPDX-License-Identifier: Apache-2.0
