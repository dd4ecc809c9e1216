// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// options: -no-8bit-storage=ssbo,ubo,pushconstant -no-16bit-storage=ubo,pushconstant -spv-version=1.5
// env: vulkan1.2
// expect: OpCapability Int16
// never: StorageBuffer16BitAccess
// never: StorageBuffer8BitAccess
// never: StorageUniform16
// never: StoragePushConstant16
kernel void k(global uchar *a, global ushort *b, uchar c, ushort d)
{
    uint i = get_global_id(0);
    a[i] += c;
    b[i] += d;
}
