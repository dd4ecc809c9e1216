__ENDIAN_LITTLE__ __IMAGE_SUPPORT__ __FAST_RELAXED_MATH__ VULKAN NULL cl_khr_icd
// SPDX-License-Identifier: Apache-2.0
