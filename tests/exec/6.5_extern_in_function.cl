// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_program_scope_global_variables
// run: k global 1
// arg: out float 8
// expect: arg0 float 1.5 2.5 3.5 4 10 7 1.5 0
// A declaration inside a function refers to the program's variable, which may be defined later.
global float g = 1.5f;

float later(void)
{
    extern constant float c;
    extern constant float table[];
    return c + table[1] * 0;
}

kernel void k(global float *o)
{
    extern global float g;
    extern constant float c, table[2];
    o[0] = g;
    o[1] = c;
    o[2] = table[1];
    {
        int c = 4;
        o[3] = c;
        {
            extern constant float c;
            o[4] = c * 4;
        }
    }
    g = 7;
    extern global float g;
    o[5] = g;
    g = 1.5f;
    {
        extern float g;
        o[6] = g;
    }
    o[7] = later() - c;
}

constant float c = 2.5f;
constant float table[2] = {0, 3.5f};
