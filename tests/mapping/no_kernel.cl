// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// error: a module for Vulkan needs a kernel
int twice(int x) { return 2 * x; }
