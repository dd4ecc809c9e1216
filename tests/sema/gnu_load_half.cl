double f(const global half *p) { return __builtin_load_half(p) + __builtin_load_halff(p + 1); }
kernel void k(global half *p, float a, double b)
{
    __builtin_store_half(b + f(p), p);
    __builtin_store_halff(a, p + 1);
}
// SPDX-License-Identifier: Apache-2.0
