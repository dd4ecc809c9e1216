// options: -cl-std=CL2.0
// Pipes: forms that clang accepts too.
typedef struct { int a; float4 b; char c[3]; } packet_t;
typedef write_only pipe int out_t;
struct holder { reserve_id_t id; };
enum e { A };
int helper(read_only pipe int p, reserve_id_t id) { int x; return read_pipe(p, id, 0, &x) + x; }
reserve_id_t none(void) { return CLK_NULL_RESERVE_ID; }
void declared(pipe int);
void declared(pipe int p) {}
__attribute__((overloadable)) void f(read_only pipe int p) {}
__attribute__((overloadable)) void f(write_only pipe int p) {}
__attribute__((overloadable)) void f(write_only pipe uint p) {}
kernel void k1(pipe int p, write_only pipe float4 q, __read_only pipe uint r, pipe read_only int s, const pipe int t) {}
kernel void k2(out_t p, global int *x, local int *y, constant int *z) { const int c = 1; f(p); write_pipe(p, x); write_pipe(p, y); write_pipe(p, z); write_pipe(p, &c); }
kernel void k3(read_only pipe packet_t p, global packet_t *to) { packet_t x; read_pipe(p, &x); read_pipe(p, to); volatile packet_t v; read_pipe(p, &v); }
kernel void k4(read_only pipe int p) {
    reserve_id_t a = reserve_read_pipe(p, 2), b[2], c;
    b[1] = a; c = b[1]; c = helper(p, a) ? c : CLK_NULL_RESERVE_ID;
    struct holder h = {a}; h.id = none();
    if (is_valid_reserve_id(c) && is_valid_reserve_id(h.id)) commit_read_pipe(p, c);
}
kernel void k5(write_only pipe long p, long n) {
    long x = 0;
    reserve_id_t r = work_group_reserve_write_pipe(p, n);
    write_pipe(p, r, n, &x);
    work_group_commit_write_pipe(p, r);
    r = sub_group_reserve_write_pipe(p, 1);
    sub_group_commit_write_pipe(p, r);
}
kernel void k6(read_only pipe int p) {
    reserve_id_t r = work_group_reserve_read_pipe(p, 3);
    work_group_commit_read_pipe(p, r);
    r = sub_group_reserve_read_pipe(p, 3);
    sub_group_commit_read_pipe(p, r);
    uint n = get_pipe_num_packets(p) + get_pipe_max_packets(p) + sizeof(p) + sizeof(reserve_id_t);
    (void)p;
}
kernel void k7(read_only pipe unsigned a, write_only pipe unsigned int b, write_only pipe long long c, pipe half d, pipe double4 e, pipe bool g, pipe size_t h) {}
kernel void k8(write_only pipe enum e p, global reserve_id_t *ids) { enum e x = A; write_pipe(p, &x); *ids = reserve_write_pipe(p, 1); commit_write_pipe(p, ids[0]); }
void k9(void) { int reserve_id_t = 1; }
// SPDX-License-Identifier: Apache-2.0
