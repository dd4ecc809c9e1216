// options: -cl-std=cl1.1
__OPENCL_C_VERSION__
// SPDX-License-Identifier: Apache-2.0
