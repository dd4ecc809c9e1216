// SPDX-License-Identifier: Apache-2.0
// needs: cl_khr_kernel_clock
// options: -cl-std=CL3.0
// A clock is monotonic for a work-item (except for the difference between the processors of a virtual machine that computes
// the work-items), and its two words form the same number. Every second bit: whether the clock advanced.
// run: k global 64 local 16
// arg: out uint 64
// arg: uint 20000
// expect: arg0 uint 0*64
// The clock of lavapipe 25.0.7 has 32 bits: it wraps every second or two.
#define ANEW(now, last) ((last) >> 32 == 0 && (uint)((now) - (last)) < 1u << 30)
#define BACK(now, last) ((now) < (last) && (last) - (now) > 1 << 16 && !ANEW(now, last))
#define LATER(name, bit)                                                                                               \
    {                                                                                                                  \
        ulong first = clock_read_##name(), last = first;                                                               \
        for (uint i = 0; i < rounds; i++) {                                                                            \
            ulong now = clock_read_##name();                                                                           \
            bad |= BACK(now, last) << bit;                                                                             \
            last = now;                                                                                                \
        }                                                                                                              \
        bad |= (last == first) << (bit + 1);                                                                           \
        uint2 words = clock_read_hilo_##name();                                                                        \
        bad |= BACK(as_ulong(words), last) << bit;                                                                     \
    }
kernel void k(global uint *out, uint rounds)
{
    uint bad = 0;
#ifdef __opencl_c_kernel_clock_scope_device
    LATER(device, 0)
#endif
#ifdef __opencl_c_kernel_clock_scope_work_group
    LATER(work_group, 2)
#endif
#ifdef __opencl_c_kernel_clock_scope_sub_group
    LATER(sub_group, 4)
#endif
    out[get_global_id(0)] = bad;
}
