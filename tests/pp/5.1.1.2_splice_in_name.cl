int fo\
o = 1 +\
+ 2; // comment \
still comment
int b;
// SPDX-License-Identifier: Apache-2.0
