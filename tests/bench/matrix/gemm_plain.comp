#version 450
// SPDX-License-Identifier: Apache-2.0
// C = A B of row-major n x n matrices without matrix units, for comparison: each work-item computes
// 8 x 8 of its work-group's BM x BN of C; the slices of A and B are in shared memory. The constants
// are those of gemm_khr.comp; LOCAL is BM * BN / 64.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_buffer_reference : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LOCAL = 256;
layout(constant_id = 1) const uint BM = 128;
layout(constant_id = 2) const uint BN = 128;
layout(constant_id = 3) const uint BK = 16;
layout(constant_id = 12) const bool BY_COLUMNS = false;

layout(buffer_reference, buffer_reference_align = 16) readonly buffer Components { AB at[]; };
layout(buffer_reference, buffer_reference_align = 16) writeonly buffer Result { CD at[]; };
layout(push_constant) uniform Push {
    Components a, b;
    Result c;
    uint n;
} push;

shared CD left[BK][BM + 1], right[BK][BN + 1];

void main()
{
    uint n = push.n, item = gl_LocalInvocationID.x, across = BN / 8;
    uint row = gl_WorkGroupID.x / (n / BN) * BM, column = gl_WorkGroupID.x % (n / BN) * BN;
    uint x = item % across, y = item / across;
    CD sum[8][8];
    [[unroll]] for (uint i = 0; i < 8; i++)
        [[unroll]] for (uint j = 0; j < 8; j++)
            sum[i][j] = CD(0);
    for (uint k = 0; k < n; k += BK) {
        for (uint at = item; at < BM * BK; at += LOCAL)
            left[at % BK][at / BK] = CD(push.a.at[(row + at / BK) * n + k + at % BK]);
        for (uint at = item; at < BN * BK; at += LOCAL)
            if (BY_COLUMNS)
                right[at % BK][at / BK] = CD(push.b.at[(column + at / BK) * n + k + at % BK]);
            else
                right[at / BN][at % BN] = CD(push.b.at[(k + at / BN) * n + column + at % BN]);
        barrier();
        for (uint depth = 0; depth < BK; depth++) {
            CD p[8], q[8];
            [[unroll]] for (uint i = 0; i < 8; i++) {
                p[i] = left[depth][y + i * (BM / 8)];
                q[i] = right[depth][x + i * across];
            }
            [[unroll]] for (uint i = 0; i < 8; i++)
                [[unroll]] for (uint j = 0; j < 8; j++)
                    sum[i][j] += p[i] * q[j];
        }
        barrier();
    }
    [[unroll]] for (uint i = 0; i < 8; i++)
        [[unroll]] for (uint j = 0; j < 8; j++)
            push.c.at[(row + y + i * (BM / 8)) * n + column + x + j * across] = sum[i][j];
}
