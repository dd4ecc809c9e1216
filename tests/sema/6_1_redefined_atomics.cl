// options: -cl-std=CL2.0
typedef atomic_int atomic_flag;
typedef atomic_uint atomic_uint;
typedef int memory_order;
// SPDX-License-Identifier: Apache-2.0
