// SPDX-License-Identifier: Apache-2.0
// run: k global 10
// arg: out uint 10
// expect: arg0 uint 0..9
kernel void k(global uint *out)
{
    out[get_global_id(0)] = get_global_id(0);
}
