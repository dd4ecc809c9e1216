// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// needs: __opencl_c_work_group_collective_functions
// Reservations of work-groups, and packets of several sizes: 12 bytes are a struct, 3 bytes a struct without alignment.
// run: of_groups global 4 local 4
// arg: pipe 8 8
// arg: same 0
// arg: out int 10
// expect: arg2 int 5 9 8 1 0 0 28 280 0 -1
// run: odd_packets global 1
// arg: pipe 12 3
// arg: same 0
// arg: pipe 3 5
// arg: same 2
// arg: out int 10
// expect: arg4 int 0 0 7 8 9 0 1 2 3 5
// run: second_of_two global 1
// arg: pipe 1 2
// arg: pipe 2 2
// arg: int 1
// arg: out int 2
// expect: arg3 int 1 2
struct three {
    int a, b, c;
};
struct __attribute__((packed)) bytes {
    uchar a, b, c;
};

// Two reservations of four packets, then one of all, and a further one is refused.
kernel void of_groups(write_only pipe int2 in, read_only pipe int2 out, global int *r)
{
    uint item = get_local_id(0), first = item == 0;
    for (int i = 0; i < 2; i++) {
        reserve_id_t id = work_group_reserve_write_pipe(in, get_local_size(0));
        if (is_valid_reserve_id(id)) {
            int2 x = (int2)(4 * i + item, 10 * (4 * i + item));
            write_pipe(in, id, item, &x);
        }
        work_group_commit_write_pipe(in, id);
        if (first)
            r[i] = is_valid_reserve_id(id) + get_pipe_num_packets(in);
    }
    reserve_id_t a = work_group_reserve_read_pipe(out, 8), none = work_group_reserve_read_pipe(out, 1);
    int2 x, y;
    int error = read_pipe(out, a, item, &x) | read_pipe(out, a, item + 4, &y);
    work_group_commit_read_pipe(out, a);
    int left = work_group_reduce_add(x.x + y.x), right = work_group_reduce_add(x.y + y.y);
    if (!first)
        return;
    r[2] = get_pipe_max_packets(out);
    r[3] = is_valid_reserve_id(a);
    r[4] = is_valid_reserve_id(none);
    r[5] = error;
    r[6] = left;
    r[7] = right;
    r[8] = get_pipe_num_packets(out);
    r[9] = read_pipe(out, &x);
}

kernel void odd_packets(write_only pipe struct three in, read_only pipe struct three out, write_only pipe struct bytes in3,
                        read_only pipe struct bytes out3, global int *r)
{
    struct three t = {7, 8, 9}, u = {0};
    r[0] = write_pipe(in, &t);
    r[1] = read_pipe(out, &u);
    r[2] = u.a;
    r[3] = u.b;
    r[4] = u.c;
    struct bytes b[3] = {{0, 0, 0}, {1, 2, 3}, {4, 5, 6}}, c[2] = {{9, 9, 9}, {9, 9, 9}};
    r[5] = write_pipe(in3, &b[0]) | write_pipe(in3, &b[1]) | write_pipe(in3, &b[2]) | read_pipe(out3, &c[1]) | read_pipe(out3, &c[1]);
    r[6] = c[1].a;
    r[7] = c[1].b;
    r[8] = c[1].c;
    r[9] = read_pipe(out3, &c[0]) ? -1 : c[0].b;
}

static int put(write_only pipe uchar p, uchar x)
{
    return write_pipe(p, &x);
}

kernel void second_of_two(write_only pipe uchar a, write_only pipe short b, int which, global int *r)
{
    short x = 1;
    if (which)
        for (int i = 0; i < which; i++)
            put(a, x);
    while (!write_pipe(b, &x))
        x++;
    r[0] = get_pipe_num_packets(a);
    r[1] = get_pipe_num_packets(b);
}
