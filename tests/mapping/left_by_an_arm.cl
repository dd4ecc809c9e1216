// SPDX-License-Identifier: Apache-2.0
// A loop whose only exit is in an if branch gets another exit, with a condition that drivers cannot fold: Mesa's CPU driver
// gives wrong results without it.
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
