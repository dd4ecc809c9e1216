// SPDX-License-Identifier: Apache-2.0
// Products, bits and truth values over a work-group (cl_khr_work_group_uniform_arithmetic, which is not reported because the
// conformance tests lack it); the same by the names of SPIR-V instructions.
// options: -cl-std=CL3.0
// needs: __opencl_c_work_group_collective_functions
// source: clang does not have these functions
// needs: __opencl_c_generic_address_space
// run: small global 6 local 3
// arg: buffer int 7 5 6 2 3 -1
// arg: out int 126
// expect: arg1 int 210 7 1 4 7 -1 7 7 0 4 7 0 0 1 1 1 1 0 0 1 0 210 35 7 4 5 7 7 7 7 4 2 7 0 1 1 1 1 1 0 0 1 210 210 35 4 4 5 7 7 7 4 4 2 0 0 1 1 1 1 0 0 0 -6 2 1 2 2 -1 -1 2 0 -2 2 0 0 0 1 1 0 0 0 0 0 -6 6 2 2 2 2 -1 3 2 -2 1 2 0 0 0 1 1 0 0 1 0 -6 -6 6 2 2 2 -1 -1 3 -2 -2 1 0 0 0 1 1 1 0 0 1
// run: large global 57 local 19
// arg: out int 57
// expect: arg0 int 0*57
// run: named global 6 local 3
// arg: buffer int 7 5 6 2 3 -1
// arg: out int 24
// expect: arg1 int 210 7 1 1  210 5 7 1  210 4 35 0  -6 2 1 0  -6 2 2 0  -6 2 6 0
#define ALL(o, op, x)                                                                              \
    o[0] = work_group_reduce_##op(x), o[1] = work_group_scan_inclusive_##op(x), o[2] = work_group_scan_exclusive_##op(x)
kernel void small(global int *in, global int *out)
{
    int x = in[get_global_id(0)], *o = out + 21 * get_global_id(0);
    ALL(o, mul, x);
    ALL((o + 3), and, x);
    ALL((o + 6), or, x);
    ALL((o + 9), xor, x);
    ALL((o + 12), logical_and, (x & 1));
    ALL((o + 15), logical_or, ((x & 1) << 5));
    ALL((o + 18), logical_xor, (x & 1 ? -7 : 0));
}

// As many work-items as several sub-groups have, compared with a loop of one work-item.
#define MUL(a, b) a * b
#define AND(a, b) a & b
#define OR(a, b) a | b
#define XOR(a, b) a ^ b
#define CHECK(T, op, OP, x, first)                                                                 \
    do {                                                                                           \
        local T *all = T##s;                                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        all[l] = x;                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        T total = first, before = first, upto = first;                                             \
        for (size_t k = 0; k < 19; k++) {                                                          \
            before = k < l ? OP(before, all[k]) : before;                                          \
            upto = k <= l ? OP(upto, all[k]) : upto;                                               \
            total = OP(total, all[k]);                                                             \
        }                                                                                          \
        bad |= work_group_reduce_##op((T)(x)) != total;                                            \
        bad |= work_group_scan_inclusive_##op((T)(x)) != upto;                                     \
        bad |= work_group_scan_exclusive_##op((T)(x)) != before;                                   \
    } while (0)
kernel void large(global int *out)
{
    size_t l = get_local_id(0), g = get_global_id(0);
    int bad = 0;
    local long longs[19];
    local ulong ulongs[19];
    local uint uints[19];
    local float floats[19];
    CHECK(long, mul, MUL, (long)g * 5 - 77, 1L);
    CHECK(ulong, mul, MUL, g * 3 + 1, 1UL);
    CHECK(uint, mul, MUL, (uint)g * 2 + 3, 1u);
    CHECK(float, mul, MUL, (g % 3 ? 2.0f : -0.25f), 1.0f);
    CHECK(ulong, and, AND, ~(1UL << (g + 3)), ~0UL);
    CHECK(uint, or, OR, 1u << (g % 32), 0u);
    CHECK(long, xor, XOR, (long)(g * 0x123456789), 0L);
    out[g] = bad;
}

// Scopes: 2 the work-group. Operations: 0 all, 1 inclusive, 2 exclusive.
kernel void named(global int *in, global int *out)
{
    int x = in[get_global_id(0)], *o = out + 4 * get_global_id(0);
    o[0] = __spirv_GroupIMulKHR(2, 0, x);
    o[1] = __spirv_GroupBitwiseAndKHR(2, 1, x);
    o[2] = __spirv_GroupIMulKHR(2, 2, x);
    o[3] = __spirv_GroupLogicalAndKHR(2, 1, (x & 1) != 0);
}
