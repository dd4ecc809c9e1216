// SPDX-License-Identifier: Apache-2.0
// target: vulkan
// env: vulkan1.0
// expect: OpExtInst %void
// never: VariablePointers
// never: Int64
// Pointers selected at run time, in private memory, into local memory, and compared.
kernel void k(global int *a, global int *b, local int *l, int which)
{
    global int *p[2] = {a, b};
    local int *q = which ? l : l + 4;
    int i = get_local_id(0);
    q[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    global int *r = p[which & 1];
    if (r && r != b)
        r[i] = l[i];
}
