kernel void k()
{
    int n = 1;
    constant char *str = "abc"; n = "abc"[1]; n = *"abc" "def"; n = str[2];
}
// SPDX-License-Identifier: Apache-2.0
