// options: -D X="a b" -DF(x)=x##x -U X -I . -cl-std=CL2.0
X F(1)
// SPDX-License-Identifier: Apache-2.0
