#version 450
// SPDX-License-Identifier: Apache-2.0
// C = A B of row-major n x n matrices with matrices of work-groups (GL_NV_cooperative_matrix2): the
// driver stages them through shared memory itself.
//
// Compiled with AB and CD, the component types. The constants are those of gemm_khr.comp.
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_buffer_reference : require
#ifdef BFLOAT
#extension GL_EXT_bfloat16 : require
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LOCAL = 256;
layout(constant_id = 1) const uint BM = 128;
layout(constant_id = 2) const uint BN = 256;
layout(constant_id = 3) const uint BK = 64;
layout(constant_id = 11) const uint GROUP = 8;
layout(constant_id = 12) const bool BY_COLUMNS = false;
layout(constant_id = 13) const uint SIZE = 0;

layout(buffer_reference, buffer_reference_align = 16) readonly buffer Vectors { uvec4 at[]; };
layout(buffer_reference, buffer_reference_align = 16) writeonly buffer Result { CD at[]; };
layout(push_constant) uniform Push {
    Vectors a, b;
    Result c;
    uint n;
} push;

uvec2 block_of(uint id, uint n)
{
    uint down = n / BM, across = n / BN;
    uint first = id / (GROUP * across) * GROUP, high = min(down - first, GROUP);
    uint inside = id % (GROUP * across);
    return uvec2(first + inside % high, inside / high);
}

void main()
{
    uint n = SIZE != 0 ? SIZE : push.n & ~31u; // so that rows are known to be whole vectors
    uvec2 block = block_of(gl_WorkGroupID.x, n);
    uint row = block.x * BM, column = block.y * BN;
    Vectors a = push.a, b = push.b;
    Result c = push.c;
    tensorLayoutNV<2> all = setTensorLayoutDimensionNV(createTensorLayoutNV(2), n, n);
    tensorViewNV<2, false, 1, 0> turned = createTensorViewNV(2, false, 1, 0);
    coopmat<CD, gl_ScopeWorkgroup, BM, BN, gl_MatrixUseAccumulator> sum =
        coopmat<CD, gl_ScopeWorkgroup, BM, BN, gl_MatrixUseAccumulator>(0);
    for (uint k = 0; k < n; k += BK) {
        coopmat<AB, gl_ScopeWorkgroup, BM, BK, gl_MatrixUseA> x;
        coopmat<AB, gl_ScopeWorkgroup, BK, BN, gl_MatrixUseB> y;
        coopMatLoadTensorNV(x, a.at, 0, sliceTensorLayoutNV(all, row, BM, k, BK));
        if (BY_COLUMNS)
            coopMatLoadTensorNV(y, b.at, 0, sliceTensorLayoutNV(all, column, BN, k, BK), turned);
        else
            coopMatLoadTensorNV(y, b.at, 0, sliceTensorLayoutNV(all, k, BK, column, BN));
        sum = coopMatMulAdd(x, y, sum);
    }
    coopMatStoreTensorNV(sum, c.at, 0, sliceTensorLayoutNV(all, row, BM, column, BN));
}
