kernel void k()
{
    int arr[4];
    arr++;
}
// SPDX-License-Identifier: Apache-2.0
