// SPDX-License-Identifier: Apache-2.0
// half and its vectors in the functions of cl_intel_subgroups, which Intel's compiler accepts.
// source: clang declares them only in a header
// needs: cl_khr_fp16
// needs: cl_intel_subgroups
// needs: cl_intel_subgroups_short
// options: -cl-std=CL1.2
// run: k global 128 local 64
// arg: out uint 128
// arg: buffer half 0*2048
// expect: arg0 uint 0*128
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define SHUFFLES(T, bit) \
    { \
        T own = (T)((half)lane) + (T)0.5h, other = own + (T)100.0h; \
        bad |= any(CHANGES(T, intel_sub_group_shuffle(own, lane ^ 1), own, (lane ^ 1) + 0.5f)) << bit; \
        bad |= any(CHANGES(T, intel_sub_group_shuffle_xor(own, 3), own, (lane ^ 3) + 0.5f)) << (bit + 1); \
        bad |= any(CHANGES(T, intel_sub_group_shuffle_down(own, other, 1), own, lane + 1 < n ? lane + 1.5f : 100.5f)) << (bit + 2); \
        bad |= any(CHANGES(T, intel_sub_group_shuffle_up(own, other, 1), own, lane ? lane + 99.5f : n - 0.5f)) << (bit + 3); \
    }
#define CHANGES(T, got, own, want) ((got) != (T)((half)(want)))
#define any(x) any_of(x)
int __attribute__((overloadable)) any_of(int x) { return x != 0; }
int __attribute__((overloadable)) any_of(short2 x) { return (x.x | x.y) != 0; }
int __attribute__((overloadable)) any_of(short3 x) { return any_of(x.xy) | x.z != 0; }
int __attribute__((overloadable)) any_of(short4 x) { return any_of(x.xy) | any_of(x.zw); }
int __attribute__((overloadable)) any_of(short8 x) { return any_of(x.lo) | any_of(x.hi); }
int __attribute__((overloadable)) any_of(short16 x) { return any_of(x.lo) | any_of(x.hi); }

kernel void k(global uint *out, global half *p)
{
    uint lane = get_sub_group_local_id(), n = get_max_sub_group_size(), bad = 0;
    SHUFFLES(half, 0)
    SHUFFLES(half2, 4)
    SHUFFLES(half3, 8)
    SHUFFLES(half4, 12)
    SHUFFLES(half8, 16)
    SHUFFLES(half16, 20)
    p += get_global_id(0) / n * n * 16;
    half4 four = (half4)((half)lane, 1.5h, -2.0h, 7.0h);
    intel_sub_group_block_write_us4(p, four);
    barrier(CLK_GLOBAL_MEM_FENCE);
    bad |= (p[lane] != lane || p[n + lane] != 1.5h || p[3 * n + lane] != 7.0h) << 24;
    bad |= any(intel_sub_group_block_read_us4(p) != four) << 25;
    bad |= (intel_sub_group_block_read_us(p + n) != 1.5h) << 26;
    barrier(CLK_GLOBAL_MEM_FENCE);
    intel_sub_group_block_write_us8(p, (half8)(four, four * 2));
    barrier(CLK_GLOBAL_MEM_FENCE);
    bad |= (p[4 * n + lane] != 2 * lane || p[7 * n + lane] != 14.0h) << 27;
    out[get_global_id(0)] = bad;
}
