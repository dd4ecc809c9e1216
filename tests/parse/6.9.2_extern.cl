extern constant int e;
extern constant int arr[];
kernel void k(global int *p) { *p = e + arr[1]; }
constant int e = 5;
constant int arr[3] = {1,2,3};
// SPDX-License-Identifier: Apache-2.0
