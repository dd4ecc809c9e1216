// options: -cl-std=CL
__OPENCL_C_VERSION__
// SPDX-License-Identifier: Apache-2.0
