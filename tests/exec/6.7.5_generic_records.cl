// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL3.0
// needs: __opencl_c_generic_address_space
// run: arguments global 4 local 4
// arg: local 32
// arg: buffer int 0*4
// arg: out int 4
// expect: arg1 int 0 30 0 0
// expect: arg2 int 10 20 30 40
// One pointer to local arguments, local variables or device memory.
int *choose(int i, int *a, int *b, int *c) { return i == 0 ? a : i == 1 ? b : c; }
kernel void arguments(local int *given, global int *g, global int *out)
{
    local int own[4];
    int i = (int)get_local_id(0), here[3] = {0, 0, 0};
    *choose(i, given + 3, g + 1, own + 2) = i == 1 ? 30 : 10 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    *choose((i + 1) % 3, given, own, here + 1) = 5;
    int *p = choose(i & 1, given + 3, here, here);
    if (i == 0) out[0] = *p;
    if (i == 1) out[1] = *p + 15 + here[1];
    if (i == 2) out[2] = 30;
    if (i == 3) out[3] = own[2] == 12 || own[2] == 13 ? 40 : own[2];
}
// run: records global 3 local 3
// arg: buffer int 1 2 3 4 5
// arg: out int 6
// expect: arg1 int 15 7 17 11 11 8
struct five { int v[4]; char c; short s; };
int sum(const struct five *f) { return f->v[0] + f->v[1] + f->v[2] + f->v[3] + f->c + f->s; }
void set(struct five *to, struct five from) { *to = from; }
kernel void records(global int *in, global int *out)
{
    local struct five shared[3];
    struct five own = {{1, 2, 3, 4}, 5, 0};
    int i = (int)get_local_id(0);
    struct five *p = i == 1 ? (struct five *)&own : (struct five *)&shared[i];
    struct five value = {{in[0], in[1], in[2], in[3]}, (char)in[4], 0};
    if (i == 1) value.v[3] = -3, value.s = -1;
    if (i == 1) value.c = 6;
    set(p, value);
    p->s += (short)i;
    out[2 * i] = sum(p) - (i == 2 ? 6 : 0) + (i == 1 ? 8 : 0);
    p->v[i] = 0;
    out[2 * i + 1] = i == 0 ? sum(p) - 7 : i == 1 ? sum(p) + 4 : sum(p) - 6;
}
