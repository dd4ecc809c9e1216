// SPDX-License-Identifier: Apache-2.0
// run: k global 3
// arg: out char 3
// expect: arg0 char 97 98 0
constant char text[] = "ab";

kernel void k(global char *out)
{
    out[get_global_id(0)] = text[get_global_id(0)];
}
