// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_program_scope_global_variables
// needs: __opencl_c_generic_address_space
// run: first global 4
// arg: out int 4
// expect: arg0 int 10 1 0 5
// run: second global 4
// arg: out int 4
// expect: arg0 int 14 21 4 8
// run: second global 1
// arg: out int 4
// expect: arg0 int 15 22 5 10
// A kernel reads what a previous kernel stored.
global int counter = 10;
int table[4] = {1, 2};
int *pointer = &table[1];
static global struct { int *p; int n; } pair = {&counter, 5};
int hidden(void)
{
    static int calls = 3;
    return calls++;
}
kernel void first(global int *out)
{
    if (get_global_id(0)) return;
    out[0] = counter; out[1] = table[0]; out[2] = table[3]; out[3] = pair.n;
    table[0] = 20;
    counter += 3;
    pointer++;
    pair.n = 3;
    hidden();
}
kernel void second(global int *out)
{
    if (get_global_id(0)) return;
    *pair.p += 1;
    table[0]++;
    out[0] = counter; out[1] = table[0];
    *pointer += 1;
    out[2] = hidden(); out[3] = pair.n++ + 4 + table[2];
}
