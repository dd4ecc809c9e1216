#version 450
// SPDX-License-Identifier: Apache-2.0
// As programs/quotients_double.cl, and with OpenCL's infinities, NaNs and signed zeros (SignedZeroInfNanPreserve).
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 64);
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer A { float a[]; };
layout(std430, binding = 1) readonly restrict buffer B { float b[]; };
layout(std430, binding = 2) writeonly restrict buffer Out { float result[]; };
layout(push_constant) uniform Push { int n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    double x = 0.125LF + a[i], y = 1.0LF + b[i], sum = 0.0LF;
    for (int k = 0; k < n; k++) {
        sum += y / x + sqrt(x);
        x += 0.125LF;
    }
    result[i] = float(sum);
}
