// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -enable-printf -printf-buffer-size=128 -module-constants-in-storage-buffer
// env: vulkan1.0
// map: constant,descriptorSet,2,binding,0,kind,buffer,hexbytes,01000000020000000300000004000000
// map: kernel_decl,k
// map: kernel,k,arg,c,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,pod,argSize,1
// map: kernel,k,arg,f,argOrdinal,1,descriptorSet,0,binding,0,offset,4,argKind,pod,argSize,4
// map: kernel,k,arg,l,argOrdinal,2,descriptorSet,0,binding,0,offset,8,argKind,pod,argSize,8
// map: kernel,k,arg,v,argOrdinal,3,descriptorSet,0,binding,0,offset,16,argKind,pod,argSize,3
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpString "values %c %f %ld
// expect: OpString "world"
// expect: PrintfBufferStorageBuffer %uint_1 %uint_0 %uint_128
// expect: %uint_4 %uint_8 %uint_8
// expect: PrintfInfo %uint_1
// expect: %uint_4 %uint_4 %uint_4
// expect: PrintfInfo %uint_2
// expect: PrintfInfo %uint_3
// Numbers are in the order of calls, strings follow the call that they belong to; formats are not part of the constants.
constant int table[4] = {1, 2, 3, 4};
kernel void k(char c, float f, long l, char3 v)
{
    printf("values %c %f %ld\n", c, f, l);
    printf("Hello, %s! %v3hhd %d\n", "world", v, table[c & 3]);
    printf("%d\n", 1);
}
