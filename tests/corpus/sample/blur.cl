// SPDX-License-Identifier: Apache-2.0
#include "clamped.h"
#ifndef WEIGHT
#define WEIGHT(d) (1.0f)
#endif

kernel void blur_rows(global const uchar4 *in, global uchar4 *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0.0f;
    float weights = 0.0f;
    for (int d = -RADIUS; d <= RADIUS; d++) {
        sum += WEIGHT(d) * convert_float4(in[y * width + clamped(x + d, width)]);
        weights += WEIGHT(d);
    }
    out[y * width + x] = convert_uchar4_sat_rte(sum / weights);
}
