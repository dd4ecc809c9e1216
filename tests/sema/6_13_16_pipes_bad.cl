// options: -cl-std=CL2.0
// Pipes: errors that clang reports too, line by line; and pipes as fields and in arrays, which clang accepts.
kernel void b1(read_write pipe int p) {}
void b2(pipe int *p) {}
void b3(void) { pipe int p; }
pipe int b4;
typedef read_only pipe int tp; kernel void b5(write_only tp p) {}
struct b6 { pipe int p; };
kernel void b7(reserve_id_t a) {}
reserve_id_t b8;
constant reserve_id_t b9 = CLK_NULL_RESERVE_ID;
int b10(reserve_id_t a, reserve_id_t b) { return a == b; }
int b11(reserve_id_t a) { return !a; }
int b12(reserve_id_t a) { return a ? 1 : 0; }
int b13(reserve_id_t a) { return (int)a; }
int b14(int a) { reserve_id_t b = (reserve_id_t)a; return 0; }
int g(read_only pipe int p) { int x; return read_pipe(p, &x); }
kernel void b15(write_only pipe int p) { g(p); }
kernel void b16(read_only pipe uint p) { g(p); }
kernel void b17(write_only pipe int p) { int x; read_pipe(p, &x); }
kernel void b18(read_only pipe int p) { int x; write_pipe(p, &x); }
kernel void b19(read_only pipe int p) { float x; read_pipe(p, &x); }
kernel void b20(read_only pipe int p) { int x; read_pipe(p, x); }
kernel void b21(read_only pipe int p) { read_pipe(p); }
kernel void b22(read_only pipe int p) { int x; read_pipe(p, &x, 1); }
kernel void b23(read_only pipe int p) { reserve_write_pipe(p, 2); }
kernel void b24(write_only pipe int p) { commit_read_pipe(p, CLK_NULL_RESERVE_ID); }
kernel void b25(write_only pipe int p, float f) { reserve_write_pipe(p, f); }
kernel void b26(write_only pipe int p, int x) { write_pipe(p, 1, 0, &x); }
kernel void b27(write_only pipe int p, int x) { write_pipe(p, CLK_NULL_RESERVE_ID, 1.0f, &x); }
kernel void b28(write_only pipe int p) { commit_write_pipe(p, 1); }
kernel void b29(write_only pipe int p) { commit_write_pipe(p); }
kernel void b30(global int *p) { get_pipe_num_packets(p); }
kernel void b31(read_only pipe int p) { is_valid_reserve_id(p); }
pipe int b32(void);
kernel void b33(read_only pipe p) {}
kernel void b34(int pipe p) {}
kernel void b35(read_only pipe int q) { q = q; }
kernel void b36(read_only pipe int q) { &q; }
kernel void b37(read_only pipe int q) { q + 1; }
int pipe;
int read_pipe(int a) { return a; }
void b38(pipe int p[2]) {}
kernel void b39(write_only pipe int p) { int x = write_pipe; }
kernel void b40(write_only pipe int3 p, int4 w) { write_pipe(p, &w); }
kernel void b41(write_only pipe int p, global void *v) { write_pipe(p, v); }
void b42(void) { reserve_id_t r = 0; r = 1; }
kernel void b43(read_only pipe int p, constant int *x) { read_pipe(p, x); }
// SPDX-License-Identifier: Apache-2.0
