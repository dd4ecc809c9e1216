// SPDX-License-Identifier: Apache-2.0
// A loop that only an arm of an if leaves is shown another exit, of a condition that drivers do not know: Mesa's CPU driver
// goes wrong without.
// target: vulkan
// expect: BuiltIn WorkgroupId
kernel void k(global const int *rounds, global int *r, int n)
{
    int at = 0;
    for (int i = 0;; i++) {
        at = i * 2;
        if (i >= n) {
            atomic_add(&r[1], i);
            break;
        }
        r[0] = at;
    }
    r[2] = at;
}
