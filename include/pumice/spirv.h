// SPDX-License-Identifier: Apache-2.0
// SPIR-V's header, and the names that headers before 1.6 lack (Debian 11). In newer ones these are
// enumerators with the same values.
#ifndef PUMICE_SPIRV_H
#define PUMICE_SPIRV_H

#include <spirv/unified1/spirv.h>

#define SpvStorageClassDeviceOnlyINTEL 5936
#define SpvStorageClassHostOnlyINTEL 5937

#define SpvExecutionModeRoundingModeRTPINTEL 5620
#define SpvExecutionModeRoundingModeRTNINTEL 5621
#define SpvExecutionModeFloatingPointModeALTINTEL 5622

#define SpvLinkageTypeLinkOnceODR 2
#define SpvPackedVectorFormatPackedVectorFormat4x8Bit 0

#define SpvCapabilityUniformDecoration 71
#define SpvCapabilityAtomicFloat32MinMaxEXT 5612
#define SpvCapabilityAtomicFloat64MinMaxEXT 5613
#define SpvCapabilityExpectAssumeKHR 5629
#define SpvCapabilityFPFastMathModeINTEL 5837
#define SpvCapabilityMemoryAccessAliasingINTEL 5910
#define SpvCapabilityUSMStorageClassesINTEL 5935
#define SpvCapabilityDotProductInputAll 6016
#define SpvCapabilityDotProductInput4x8Bit 6017
#define SpvCapabilityDotProductInput4x8BitPacked 6018
#define SpvCapabilityDotProduct 6019
#define SpvCapabilityBitInstructions 6025
#define SpvCapabilityGroupNonUniformRotateKHR 6026
#define SpvCapabilityOptNoneINTEL 6094
#define SpvCapabilityGroupUniformArithmeticKHR 6400

#define SpvOpSDot 4450
#define SpvOpUDot 4451
#define SpvOpSUDot 4452
#define SpvOpConstantFunctionPointerINTEL 5600
#define SpvOpAsmTargetINTEL 5609
#define SpvOpAsmCallINTEL 5611
#define SpvOpAtomicFMinEXT 5614
#define SpvOpAtomicFMaxEXT 5615
#define SpvOpVariableLengthArrayINTEL 5818
#define SpvOpRestoreMemoryINTEL 5820

#endif
