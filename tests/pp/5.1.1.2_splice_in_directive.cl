#def\
ine A(x) \
  x + \
  x
A(1)
#if A(1) \
 == 2
yes
#endif
// SPDX-License-Identifier: Apache-2.0
