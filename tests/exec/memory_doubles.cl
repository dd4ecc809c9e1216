// OpenCL C 6.7: doubles in private structs.
// needs: cl_khr_fp64
// run: doubles global 2 local 2
// arg: out double 2
// expect: arg0 double 3.5 4.5
kernel void doubles(global double *out)
{
    int i = get_global_id(0);
    struct { char c; double d; int n[3]; } s[2];
    s[0].d = 3.5; s[1].d = 4.5; s[0].c = s[1].c = 1; s[0].n[i] = 3; s[1].n[i + 1] = 4;
    out[i] = s[i].d;
}
// SPDX-License-Identifier: Apache-2.0
