; SPDX-License-Identifier: Apache-2.0
; Cooperative matrices in LLVM's IR, for its translator to SPIR-V: the same as exec/ext_matrix_units.cl.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"

; kernel void halves(global half *a, global half *b, global float *c, uint n)
define spir_kernel void @halves(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) {
entry:
  %stride = zext i32 %n to i64
  %zero = call spir_func target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) @_Z26__spirv_CompositeConstructf(float 0.0)
  br label %round

round:
  %k = phi i64 [ 0, %entry ], [ %next, %round ]
  %sum = phi target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) [ %zero, %entry ], [ %more, %round ]
  %pa = getelementptr inbounds half, ptr addrspace(1) %a, i64 %k
  %row = mul i64 %k, 16
  %pb = getelementptr inbounds half, ptr addrspace(1) %b, i64 %row
  %x = call spir_func target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 0) @_Z32__spirv_CooperativeMatrixLoadKHR_aPU3AS1Dhil(ptr addrspace(1) %pa, i32 0, i64 %stride)
  %y = call spir_func target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHR_bPU3AS1Dhil(ptr addrspace(1) %pb, i32 0, i64 16)
  %more = call spir_func target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHR_16(target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 0) %x, target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 1) %y, target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) %sum)
  %next = add nuw i64 %k, 16
  %on = icmp ult i64 %next, %stride
  br i1 %on, label %round, label %done

done:
  call spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRPU3AS1fPU3AS145__spirv_CooperativeMatrixKHR__float_3_16_16_2il(ptr addrspace(1) %c, target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) %more, i32 1, i64 16)
  ret void
}

; kernel void bytes(global char *a, global char *b, global int *c, global int *d)
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d) {
entry:
  %all = alloca target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2), align 4
  %x = call spir_func target("spirv.CooperativeMatrixKHR", i8, 3, 16, 32, 0) @_Z32__spirv_CooperativeMatrixLoadKHR_aPU3AS1cil(ptr addrspace(1) %a, i32 0, i64 32)
  %y = call spir_func target("spirv.CooperativeMatrixKHR", i8, 3, 32, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHR_bPU3AS1cil(ptr addrspace(1) %b, i32 1, i64 32)
  %z = call spir_func target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) @_Z32__spirv_CooperativeMatrixLoadKHRPU3AS1iil(ptr addrspace(1) %c, i32 0, i64 16)
  %sum = call spir_func target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHR_8(target("spirv.CooperativeMatrixKHR", i8, 3, 16, 32, 0) %x, target("spirv.CooperativeMatrixKHR", i8, 3, 32, 16, 1) %y, target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) %z, i32 15)
  store target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) %sum, ptr %all, align 4
  %length = call spir_func i32 @_Z34__spirv_CooperativeMatrixLengthKHR(target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) %sum)
  br label %test

test:
  %i = phi i32 [ 0, %entry ], [ %next, %change ]
  %on = icmp ult i32 %i, %length
  br i1 %on, label %change, label %done

change:
  %where = zext i32 %i to i64
  %one = call spir_func ptr @_Z19__spirv_AccessChain(ptr %all, i64 %where)
  %was = load i32, ptr %one, align 4
  %is = xor i32 %was, 5
  store i32 %is, ptr %one, align 4
  %next = add i32 %i, 1
  br label %test

done:
  %changed = load target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2), ptr %all, align 4
  call spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRPU3AS1iPU3AS144__spirv_CooperativeMatrixKHR__uint_3_16_16_2il(ptr addrspace(1) %d, target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) %changed, i32 0, i64 16)
  ret void
}

declare spir_func target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) @_Z26__spirv_CompositeConstructf(float)
declare spir_func target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 0) @_Z32__spirv_CooperativeMatrixLoadKHR_aPU3AS1Dhil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHR_bPU3AS1Dhil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", i8, 3, 16, 32, 0) @_Z32__spirv_CooperativeMatrixLoadKHR_aPU3AS1cil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", i8, 3, 32, 16, 1) @_Z32__spirv_CooperativeMatrixLoadKHR_bPU3AS1cil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) @_Z32__spirv_CooperativeMatrixLoadKHRPU3AS1iil(ptr addrspace(1), i32, i64)
declare spir_func target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHR_16(target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 0), target("spirv.CooperativeMatrixKHR", half, 3, 16, 16, 1), target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2))
declare spir_func target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2) @_Z34__spirv_CooperativeMatrixMulAddKHR_8(target("spirv.CooperativeMatrixKHR", i8, 3, 16, 32, 0), target("spirv.CooperativeMatrixKHR", i8, 3, 32, 16, 1), target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2), i32)
declare spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRPU3AS1fPU3AS145__spirv_CooperativeMatrixKHR__float_3_16_16_2il(ptr addrspace(1), target("spirv.CooperativeMatrixKHR", float, 3, 16, 16, 2), i32, i64)
declare spir_func void @_Z33__spirv_CooperativeMatrixStoreKHRPU3AS1iPU3AS144__spirv_CooperativeMatrixKHR__uint_3_16_16_2il(ptr addrspace(1), target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2), i32, i64)
declare spir_func i32 @_Z34__spirv_CooperativeMatrixLengthKHR(target("spirv.CooperativeMatrixKHR", i32, 3, 16, 16, 2))
declare spir_func ptr @_Z19__spirv_AccessChain(ptr, i64)

!opencl.ocl.version = !{!0}
!opencl.spir.version = !{!0}
!0 = !{i32 2, i32 0}
