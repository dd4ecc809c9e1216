#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_no_such_thing : enable
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION nonsense
ok
// SPDX-License-Identifier: Apache-2.0
