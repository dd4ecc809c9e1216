// options: -cl-std=CL3.0
// Names that LLVM gives to SPIR-V instructions, in every form.
void forms(global float *f, global int *i, float4 v, int4 n, const void *g, read_only image2d_t im, sampler_t s)
{
    i[0] = __spirv_ConvertFToU_Ruint_sat_rtp(f[0]) + __spirv_ConvertFToS_Rint_rtn(f[0]);
    v = __spirv_ConvertSToF_Rfloat4_rte(n) + __spirv_ConvertUToF_Rfloat4_rtz(n);
    i[1] = __spirv_UConvert_Ruint((uchar)3) + __spirv_SConvert_Rshort_sat(i[2]) + __spirv_SatConvertSToU_Ruchar(i[3]) +
           __spirv_SatConvertUToS_Rchar(i[4]);
    f[1] = __spirv_FConvert_Rfloat(f[2]) + __spirv_Bitcast_Rfloat(i[5]);
    v = __spirv_ImageSampleExplicitLod_Rfloat4(__spirv_SampledImage(im, s), (float2)(0), 2, 0.0f);
    n = __spirv_ImageSampleExplicitLod_Rint4(__spirv_SampledImage(im, s), (float2)(0), 2, 0.0f);
    v = __spirv_ocl_vloadn__Rfloat4(0, f, 4) + __spirv_ocl_vload_halfn__Rfloat4(0, (global half *)f, 4) +
        __spirv_ocl_vloada_halfn__Rfloat4(0, (global half *)f, 4) + __spirv_ocl_vload_half__Rfloat(0, (global half *)f);
    __spirv_ocl_vstore_halfn_r(v, 0, (global half *)f, 1);
    i[2] = (int)__spirv_BuiltInGlobalInvocationId(1) + (int)__spirv_BuiltInGlobalLinearId() + (int)__spirv_BuiltInLocalInvocationId.y;
    i[4] = (int)__spirv_BuiltInSubgroupEqMaskKHR.x + (int)__spirv_BuiltInSubgroupLtMask(2);
    i[3] = __spirv_GenericCastToPtrExplicit_ToGlobal(g, 5) != 0;
}

// SPDX-License-Identifier: Apache-2.0
