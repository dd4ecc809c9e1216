// options: -cl-std=CL3.0
// Names of SPIR-V instructions: errors for unsupported ones and for wrong arguments.
void wrong(global int *i)
{
    i[0] = __spirv_NoSuch(1);
    i[0] = __spirv_AtomicIAdd(i, 1, 0);
    i[0] = __spirv_AtomicIAdd(i[1], 1, 0, 1);
    i[0] = __spirv_AtomicIAdd(i, 9, 0, 1);
    i[0] = __spirv_GroupIAdd(1, 0, 1);
    i[0] = __spirv_ConvertFToS(1.0f);
    i[0] = __spirv_ConvertFToS_Rint_up(1.0f);
    i[0] = __spirv_ImageQueryLevels(1);
    i[0] = __spirv_BuildNDRange_1D(1, 1, 1);
    i[0] = __spirv_CreatePipeFromPipeStorage_read(1);
    i[0] = __spirv_BuiltInNoSuch;
    i[0] = __spirv_BuiltInSubgroupLtMask(4);
    i[0] = __spirv_MemoryNamedBarrier(1);
}
// SPDX-License-Identifier: Apache-2.0
