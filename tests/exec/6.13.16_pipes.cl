// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// A work-item writes and reads one pipe: each end sees the committed packets, in the order of the reservations.
// run: both_ends global 1
// arg: pipe 4 3
// arg: same 0
// arg: out int 14
// expect: arg2 int -1 0 0 0 -1 3 3 0 11 0 22 1 0 33
// run: later_first global 1
// arg: pipe 16 5
// arg: same 0
// arg: out int 8
// expect: arg2 int 0 0 0 4 1 2 3 4
kernel void both_ends(write_only pipe int in, read_only pipe int out, global int *r)
{
    int x = 11, y = 22, z = 33;
    r[0] = read_pipe(out, &x);
    r[1] = write_pipe(in, &x);
    r[2] = write_pipe(in, &y);
    r[3] = write_pipe(in, &z);
    r[4] = write_pipe(in, &z);
    r[5] = get_pipe_num_packets(in);
    r[6] = get_pipe_max_packets(out);
    r[7] = read_pipe(out, &r[8]);
    r[9] = read_pipe(out, &r[10]);
    r[11] = get_pipe_num_packets(out);
    r[12] = read_pipe(out, &r[13]);
}

// The second reservation is committed first, and is not visible before the first one is committed; both ends wrap.
kernel void later_first(write_only pipe int4 in, read_only pipe int4 out, global int *r)
{
    int4 v = 9;
    for (int i = 0; i < 3; i++)
        if (write_pipe(in, &v) || read_pipe(out, &v))
            r[7] = -1;
    reserve_id_t a = reserve_write_pipe(in, 2), b = reserve_write_pipe(in, 2), c = reserve_write_pipe(in, 2);
    r[0] = is_valid_reserve_id(c);
    for (int i = 0; i < 2; i++) {
        int4 x = 1 + i, y = 3 + i;
        write_pipe(in, a, i, &x);
        write_pipe(in, b, i, &y);
    }
    commit_write_pipe(in, b);
    r[1] = get_pipe_num_packets(in);
    r[2] = is_valid_reserve_id(reserve_read_pipe(out, 1));
    commit_write_pipe(in, a);
    r[3] = get_pipe_num_packets(in);
    for (int i = 0; i < 4; i++)
        r[4 + i] = read_pipe(out, &v) ? -1 : v.w;
}
