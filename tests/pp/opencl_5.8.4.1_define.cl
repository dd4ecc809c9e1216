// options: -D A -DB=2 -DF(x)=x+x -UA -D D=
#ifndef A
B F(3) D;
#endif
// SPDX-License-Identifier: Apache-2.0
