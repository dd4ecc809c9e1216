// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -module-constants-in-storage-buffer
// env: vulkan1.0
// map: constant,descriptorSet,1,binding,0,kind,buffer,hexbytes,61000000cdab34120000803f62000000ffffffff0000c03f000000000000000000000000
// map: kernel_decl,foo
// map: kernel,foo,arg,A,argOrdinal,0,descriptorSet,0,binding,0,offset,0,argKind,buffer
// map: kernel,foo,arg,i,argOrdinal,1,descriptorSet,0,binding,1,offset,0,argKind,pod,argSize,4
// map: spec_constant,workgroup_size_x,spec_id,0
// map: spec_constant,workgroup_size_y,spec_id,1
// map: spec_constant,workgroup_size_z,spec_id,2
// expect: OpString "61000000cdab34120000803f62000000ffffffff0000c03f000000000000000000000000"
// expect: ConstantDataStorageBuffer %uint_1 %uint_0
// An unused constant is not part of the data.
typedef struct {
    char c;
    uint a;
    float f;
} Foo;
__constant int unused[4] = {1, 2, 3, 4};
__constant Foo ppp[3] = {{'a', 0x1234abcd, 1.0}, {'b', 0xffffffff, 1.5}, {0}};
kernel void foo(global uint *A, uint i)
{
    *A = ppp[i].a;
}
