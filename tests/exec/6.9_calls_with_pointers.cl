// SPDX-License-Identifier: Apache-2.0
// Functions that are not inlined have pointer parameters of every address space, to members of variables and to large variables.
// options: -cl-std=CL2.0
// run: k global 4 local 2
// arg: buffer int 1 2 3 4
// arg: buffer int 0 0 0 0 0 0 0 0
// arg: local 8
// expect: arg1 int 27 10 36 3 57 12 66 7
// run: large global 2
// arg: buffer int 0 0
// expect: arg0 int 4950 5049
// run: whole global 1
// arg: buffer int 0 0 0
// expect: arg0 int 6 15 99
struct state {
    int sum;
    short parts[3];
    uchar last;
};

__attribute__((noinline)) void add(struct state *s, const int *values, int count)
{
    for (int i = 0; i < count; i++)
        s->sum += values[i];
    s->parts[count % 3] += (short)count;
    s->last = (uchar)s->sum;
}

__attribute__((noinline)) int twice(struct state *s, int x)
{
    int both[2] = {x, x + 1};
    add(s, both, 2);
    add(s, both + 1, 1);
    return s->parts[1] + s->parts[2] + s->last;
}

__attribute__((noinline)) void exchange(local int *shared, global const int *in)
{
    int id = get_local_id(0);
    shared[id] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = shared[1 - id];
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[id] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
}

__attribute__((noinline)) int first(const int *any, const int *none)
{
    return none ? *none : *any;
}

kernel void k(global const int *in, global int *out, local int *shared)
{
    int id = get_global_id(0), mine = 10 + id;
    struct state s = {0};
    exchange(shared, in);
    s.sum = first(shared + get_local_id(0), 0);
    int x = first(in + id, 0);
    int y = twice(&s, x);
    out[2 * id] = y + s.sum * 2 + s.parts[0];
    out[2 * id + 1] = first(id & 1 ? (int *)shared : &mine, 0);
}

__attribute__((noinline)) void fill(int *to, int count, int from)
{
    for (int i = 0; i < count; i++)
        to[i] = from + i;
}

__attribute__((noinline)) int total(const int *of, int count)
{
    int own[300], sum = 0;
    fill(own, 300, 0);
    for (int i = 0; i < count; i++)
        sum += of[i] + own[i] - i;
    return sum;
}

kernel void large(global int *out)
{
    int all[400];
    fill(all, 400, 1000);
    fill(all + 20, 99, 1 + get_global_id(0));
    all[19] = 0;
    out[get_global_id(0)] = total(all + 19, 100);
}

struct three {
    int x, y, z;
};

__attribute__((noinline)) struct three sums(struct three a, struct three *b)
{
    b->z = 99;
    return (struct three){a.x + a.y + a.z, b->x + b->y + 6, 0};
}

kernel void whole(global int *out)
{
    struct three a = {1, 2, 3}, b = {4, 5, 0}, c = sums(a, &b);
    out[0] = c.x;
    out[1] = c.y;
    out[2] = b.z;
}
