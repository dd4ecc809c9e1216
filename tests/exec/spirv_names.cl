// SPDX-License-Identifier: Apache-2.0
// SPIR-V instructions called by name, as LLVM writes them (__spirv_NAME).
// source: clang does not declare the variables
// options: -cl-std=CL3.0
// needs: __opencl_c_program_scope_global_variables
// needs: __opencl_c_atomic_scope_device
// needs: __opencl_c_atomic_order_acq_rel
// run: numbers global 4
// arg: buffer int 5 -6 7 8
// arg: out int 16
// arg: buffer float 0.25 2.5 -300 4
// expect: arg1 int 5 3 7 8 4 2 12 255 0 -2 8 3 -16 3 * *
// run: atomics global 4
// arg: buffer uint 10 0xfffffff0 3 7 9 0
// arg: out uint 4
// expect: arg0 uint 14 4294967294 0 21 4 1
// run: group global 8 local 4
// arg: buffer int 1 2 3 4 5 6 7 8
// arg: out int 8
// expect: arg1 int 12 13 14 15 30 31 32 33
// run: memory global 1
// arg: buffer float 1 2 3 4 5 6 7 8
// arg: out float 12
// expect: arg1 float 5 6 7 8 0.5 3 4 5 6 7 7 8
// run: variables global 6 local 2 offset 3
// arg: out int 12
// expect: arg0 int 3 6 0 4 6 1 5 6 2 * * *
// run: declared global 1
// arg: buffer int 5 6 7
// expect: arg0 int 11 6 -1
typedef __SIZE_TYPE__ size3 __attribute__((ext_vector_type(3)));
extern const uint __spirv_BuiltInWorkDim;
extern const __constant size3 __spirv_BuiltInGlobalSize;
int __attribute__((overloadable)) __spirv_AtomicIAdd(global int *, int, int, int);
uint __attribute__((overloadable)) __spirv_AtomicIAdd(global uint *, int, int, uint);
int __spirv_ocl_s_min(int, int);

kernel void variables(global int *out)
{
    size_t i = __spirv_BuiltInGlobalInvocationId.x - __spirv_BuiltInGlobalOffset.x;
    if (__spirv_BuiltInNumWorkgroups.x != 3 || i > 2 || __spirv_BuiltInWorkDim != 1)
        return;
    out[3 * i] = (int)__spirv_BuiltInGlobalInvocationId.x;
    out[3 * i + 1] = (int)__spirv_BuiltInGlobalSize.s0;
    out[3 * i + 2] = (int)__spirv_BuiltInGlobalLinearId;
}

kernel void declared(global int *x)
{
    __spirv_AtomicIAdd(x, 1, 0, 6);
    x[2] = __spirv_ocl_s_min((int)x[1] - 7, 4);
}

kernel void numbers(global int *in, global int *out, global float *f)
{
    size_t i = __spirv_BuiltInGlobalInvocationId(0);
    out[i] = __spirv_ocl_s_max(in[i], 3);
    if (i)
        return;
    out[4] = (int)__spirv_BuiltInGlobalSize.x;
    out[5] = __spirv_ConvertFToS_Rint_rte(f[1]);
    out[6] = __spirv_SDot((char4)(1, -2, 3, 4), (char4)(4, 3, 2, 2));
    out[7] = __spirv_ConvertFToU_Ruchar_sat(-f[2]);
    out[8] = __spirv_ConvertFToU_Ruchar_sat(f[2]);
    out[9] = __spirv_SConvert_Rint((char)254);
    out[10] = __spirv_BitCount(0xff000000);
    out[11] = __spirv_BitFieldSExtract(0x30, 4, 3);
    out[12] = __spirv_ocl_s_upsample((short)-1, (ushort)0xfff0);
    out[13] = __spirv_ocl_rotate(0x80000001u, 1u);
}

kernel void atomics(global uint *x, global uint *out)
{
    // Scopes: 1 the device. Orders: 0 relaxed, 8 acquire-release.
    __spirv_AtomicIAdd(&x[0], 1, 0, 1);
    __spirv_AtomicSMax(&x[1], 1, 0, -2);
    __spirv_AtomicUMin(&x[2], 1, 0, (uint)__spirv_BuiltInGlobalInvocationId(0));
    if (__spirv_BuiltInGlobalLinearId() == 0) {
        out[0] = __spirv_AtomicCompareExchange(&x[3], 1, 8, 2, 21u, 7u);
        out[1] = __spirv_AtomicExchange(&x[4], 1, 0, 4u);
        __spirv_AtomicIIncrement(&x[5], 1, 0);
    }
}

kernel void group(global int *in, global int *out)
{
    local int sum;
    size_t lid = __spirv_BuiltInLocalInvocationId(0);
    if (lid == 0) {
        sum = 2;
        for (int i = 0; i < 4; i++)
            sum += in[__spirv_BuiltInWorkgroupId(0) * 4 + i];
    }
    __spirv_ControlBarrier(2, 2, 0x110);
    out[__spirv_BuiltInGlobalInvocationId(0)] = sum + (int)lid + (__spirv_BuiltInWorkgroupId(0) ? 2 : 0);
}

kernel void memory(global float *in, global float *out)
{
    float4 second = __spirv_ocl_vloadn__Rfloat4(1, in, 4);
    __spirv_ocl_vstoren(second, 0, out);
    int exponent;
    out[4] = __spirv_ocl_frexp(in[3], &exponent);
    out[5] = (float)exponent;
    out[6] = __spirv_ocl_mix(3.0f, 5.0f, 0.5f);
    out[7] = __spirv_ocl_fclamp(9.0f, 0.0f, 5.0f);
    out[8] = __spirv_ocl_shuffle((float2)(6, 9), (uint2)(0, 1)).x;
    out[9] = __spirv_IsNan(in[0] * as_float(0x7fc00000u)) ? 7 : 8;
    float2 both = __spirv_ocl_bitselect((float2)(7, 8), (float2)(0, 0), (float2)(0, 0));
    out[10] = both.x;
    out[11] = both.y;
}
