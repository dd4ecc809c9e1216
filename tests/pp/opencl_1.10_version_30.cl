// options: -cl-std=CL3.0
CL_VERSION_3_1
// SPDX-License-Identifier: Apache-2.0
