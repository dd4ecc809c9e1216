kernel void k()
{
    int arr[4];
    int other[4];
    arr = other;
}
// SPDX-License-Identifier: Apache-2.0
