// run: k global 4 local 4
// arg: buffer uint 0 0 0 0
// arg: buffer uint 0 1 2 3
// expect: arg0 uint 3 3 3 3
// A zero stays zero after any shift, and drivers may fold it: 0 / 0 is NaN.
kernel void k(global uint *out, global const uint *places)
{
    int i = get_global_id(0);
    float x = 0.0f / (float)(0u << places[i]);
    out[i] = isnan(x) ? 3 : (uint)x;
}
// SPDX-License-Identifier: Apache-2.0
