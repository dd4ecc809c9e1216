__attribute__((overloadable)) int pick(int a, float b) { return 1; }
__attribute__((overloadable)) int pick(float a, int b) { return 2; }
kernel void k()
{
    int n = pick(1, 1);
    n = pick(1, 2.0f);
}
// SPDX-License-Identifier: Apache-2.0
