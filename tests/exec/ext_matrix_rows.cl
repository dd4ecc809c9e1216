// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices with unaligned rows, in global, constant and local memory, with run-time and constant
// strides: shapes that devices support, and multiples of them.
// needs: __opencl_c_ext_cooperative_matrix
// needs: cl_khr_fp16
// options: -cl-std=CL3.0
// source: other compilers lack these matrices
// run: k global 32 local 32
// arg: buffer int 0*32768
// arg: out int 32
// arg: uint 0
// arg: uint 40
// expect: arg1 int 0*32
// run: k global 32 local 32
// arg: buffer int 0*32768
// arg: out int 32
// arg: uint 1
// arg: uint 40
// expect: arg1 int 0*32
// run: k global 32 local 32
// arg: buffer int 0*32768
// arg: out int 32
// arg: uint 8
// arg: uint 33
// expect: arg1 int 0*32
// run: k global 32 local 32
// arg: buffer int 0*32768
// arg: out int 32
// arg: uint 5
// arg: uint 37
// expect: arg1 int 0*32
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define PART 4096 // bytes of each sub-group for a matrix
#define ROOM 2600 // halves in local memory, shared by all

typedef half half_a MATRIX(16, 16, A);
typedef half half_b MATRIX(16, 16, B);
typedef float float_c MATRIX(16, 16, ACCUMULATOR);

// A is in local memory in row-major order, B in global memory in column-major order.
uint halves(local half *a, global half *b, global float *c, uint first, uint stride, uint me, uint all)
{
    uint wrong = 0;
    for (uint i = me; i < PART / 2; i += all)
        b[i] = (half)((int)(i * 29 % 19) - 9);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    half_a x = coop_mat_load(a + first, ROWS, stride);
    half_b y = coop_mat_load(b + first, COLUMNS, stride);
    float_c z = coop_mat_init(1.0f);
    z = coop_mat_mulAdd(x, y, z);
    coop_mat_store(c + first, z, ROWS, 17);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = me; i < 256; i += all) {
        uint row = i / 16, column = i % 16;
        float sum = 1;
        for (uint k = 0; k < 16; k++)
            sum += (float)a[first + row * stride + k] * (float)b[first + column * stride + k];
        wrong += c[first + row * 17 + column] != sum;
    }
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    return wrong;
}

typedef char char_a MATRIX(16, 32, A);
typedef char char_b MATRIX(32, 16, B);
typedef int int_c MATRIX(16, 16, ACCUMULATOR);
constant char sevens[16 * 33 + 8] = {[0 ... 535] = 7};

uint bytes(global char *a, global int *c, uint first, uint stride, uint me, uint all)
{
    uint wrong = 0;
    for (uint i = me; i < PART; i += all)
        a[i] = (char)(i * 37 % 251);
    for (uint i = me; i < PART / 4; i += all)
        c[i] = 77;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    char_a x = coop_mat_load(a + first, ROWS, stride);
    char_b y = coop_mat_load(sevens + first, COLUMNS, 33);
    int_c z = coop_mat_load(c + first, COLUMNS, 16);
    z = coop_mat_mulAdd(x, y, z);
    coop_mat_store(c + first, z, COLUMNS, stride);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = me; i < 256; i += all) {
        int sum = 77;
        for (uint k = 0; k < 32; k++)
            sum += 7 * a[first + i % 16 * stride + k];
        wrong += c[first + i / 16 * stride + i % 16] != sum;
    }
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    return wrong;
}

typedef half wide MATRIX(32, 32, A);

// Four tiles if units support 16 x 16, moved; the memory around them does not change.
uint moved(global half *a, global half *c, uint first, uint stride, uint me, uint all)
{
    uint wrong = 0;
    for (uint i = me; i < PART / 2; i += all)
        a[i] = (half)(i % 1999), c[i] = 77;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    wide x = coop_mat_load(a + first, COLUMNS, stride);
    coop_mat_store(c + first, x, ROWS, stride);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = me; i < PART / 2; i += all) {
        uint row = (i - first) / stride, column = (i - first) % stride;
        bool inside = i >= first && row < 32 && column < 32;
        wrong += c[i] != (half)(inside ? (first + column * stride + row) % 1999 : 77);
    }
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    return wrong;
}

kernel void k(global int *memory, global int *out, uint first, uint stride)
{
    local half room[ROOM];
    for (uint i = get_local_id(0); i < ROOM; i += get_local_size(0))
        room[i] = (half)((int)(i * 37 % 23) - 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    global char *mine = (global char *)memory + get_sub_group_id() * 3 * PART;
    uint me = get_sub_group_local_id(), all = get_sub_group_size();
    uint wrong = halves(room, (global half *)mine, (global float *)(mine + PART), first, stride, me, all);
    wrong += bytes(mine, (global int *)(mine + PART), first, stride, me, all) << 10;
    wrong += moved((global half *)mine, (global half *)(mine + PART), first, stride, me, all) << 20;
    out[get_global_id(0)] = (int)wrong;
}
