// SPDX-License-Identifier: Apache-2.0
// target: h200
// never: OpSwitch
// never: OpSelectionMerge
int f(int x)
{
    switch (x) {
    case 0: return 7;
    case 1: case 2: case 3: case 4: return 9;
    case 5: case 6: case 7: case 8: return -3;
    case 9: case 10: case 11: case 12: case 13: return 5;
    case 14: case 15: return 8;
    }
    return 0;
}
kernel void k(global int *a)
{
    a[0] = f(a[1] & 15);
}
