// SPDX-License-Identifier: Apache-2.0
// Measured properties of drivers that Vulkan does not report.
#ifndef PUMICE_VULKAN_QUIRKS_H
#define PUMICE_VULKAN_QUIRKS_H

#include "pumice/kc.h"
#include "vulkan/device.h"

// Array indices: 16, 32, 64 bits as in struct kc_target, which receives most of these values.
struct vk_quirks {
    VkDriverId driver;
    bool quick_fma; // Fma is one operation, although it may round twice
    bool fused_fma[3], exact_division[3], exact_sqrt[3], native_min_max[3];
    bool (*fuses_floats)(const struct vk_facts *facts); // Fma of floats is fused on some of its
                                                        // devices only; NULL: fused_fma applies
    uint32_t function_array, updated_array; // bytes: struct kc_target
    uint32_t read_array;                    // elements: struct kc_target
    uint32_t selected_array;                // bytes: struct kc_target
    bool arrays_in_local; // struct kc_target.max_array_in_local
    uint32_t max_inlined;      // maximum instructions of a kernel after inlining (struct
                               // kc_target): the driver inlines all calls
    struct kc_compile_cost cost; // of a kernel, in the driver's compiler
    uint32_t max_nesting;    // of control flow: struct kc_target
    uint32_t max_waiting_nesting, max_flat_registers;
    bool flat_jumps;         // struct kc_target
    bool keeps_calls;        // large functions stay functions
    uint32_t processor_fma;  // from this driver version on, Fma of doubles uses the CPU's
                             // instruction, if it has one
    uint32_t uniform_loads;  // from this driver version on, a load from a uniform address is done
                             // once, even if no work-item is active
    bool small_ints_in_32;   // upper bits of 8- and 16-bit values are not always cleared
    bool no_undef;           // a phi of an undefined value is undefined for its compiler
    bool hidden_ranges;      // range analysis of integers is wrong
    bool hidden_zeros;       // constant folding of sums and quotients with zeros is wrong
    bool second_exits;       // values used after a loop may not be computed by its generated code
                             // in every case
    bool exits_by_phis;      // a value of a loop has, after the loop, the value of the last
                             // iteration even for work-items that left earlier
    bool unsigned_by_halves; // conversions of unsigned integers from 2^31 on to float round twice
    bool longs_by_doubles;   // conversions of 64-bit integers to float round to double first
    bool limited_double_rounding; // treats all doubles from 2^24 on as integral, on CPUs without
                                  // AVX-512
    bool small_by_floats;    // its compiler crashes on quotients and roots of doubles from 8- and 16-bit integers in memory
    bool computed_indices;   // its compiler crashes if an index into a read-only buffer is an element
                             // of a private array
    bool keeps_loops; // must not unroll loops by itself, because its compiler then takes too long
    bool flat_ifs;           // executes both sides of an if for all lanes of a vector
    bool sub_groups_in_step; // treats sub-group barriers like work-group barriers
    bool ended_stop_group;   // stops a work-group when one of its sub-groups has ended, although
                             // others wait at barriers
    bool ids_by_lanes;       // orders sub-groups by local ID, which costs a division per work-item
    bool access_by_elements; // accesses global memory element by element, one lane after the other
    bool local_by_items;     // accesses local memory one lane after the other, in separate blocks
    bool constant_tables;    // initializes constant private arrays separately in each work-item
    bool int64_mul_extended;
    uint16_t half_depth; // minimum K of half-precision matrix products: below, its compiler crashes
                         // or loads the factors wrongly
    bool int64_division_in_32; // its own 64-bit division is wrong in combination with other 64-bit
                               // arithmetic
    bool caches_dedicated;     // caches more of memory that is dedicated to one buffer or image
    bool allocates_beyond; // can allocate more than maxMemoryAllocationSize at once, and accesses
                           // piecewise-bound memory slowly
    bool strict_atomics; // acquire-release read-modify-write operations are sequentially consistent
                         // without fences
    bool sequential;     // passes tests/api/litmus for sequentially consistent atomics, which are
                         // therefore advertised
    const char *device_files; // path prefix of device files that a forked child must close before
                              // it can open a device; NULL: none
    bool sub_groups_progress; // sub-groups of a work-group make independent progress:
                              // tests/api/progress
    bool image_borders;  // robustImageAccess2 costs nothing: reads outside an image are left to it
    bool linear_filter;  // of images: as precise as OpenCL requires
    bool packed_texels;  // of 16 bits are read exactly, without conversion to 8 bits per channel
    bool texels_without_format; // texel buffers, too, can be written without a format, though
                                // reported only for images
    bool cache_keeps_code; // a pipeline cache keeps the code of all pipelines ever created, and has
                           // no data to save
    bool close_natives, own_doubles;
    bool rotations_by_difference, rotations_by_words, loose_quotients, products_for_quotients, hides_uniform_stores; // struct kc_target
    bool plain_quotients; // native quotients and roots of floats cost a fraction of exact ones
    bool hidden_choices;    // ~(v + K) becomes a difference, which hides that (v + K) & y | ~(v + K) & z chooses bits
    bool fused_differences; // c - a * b can become one operation, but a negation before Fma is a
                            // separate one
    bool silent_rte;     // rounds to nearest even by default; requesting that mode has a cost or
                         // miscompiles integers
    bool orders_denormals; // comparisons distinguish denormals, whether or not they are flushed
    bool keeps_nans;     // through Exp2
    enum kc_plain_arguments plain_arguments; // cheapest form of arguments for its code generator;
                                             // 0: unknown
    bool positive_offsets; // struct kc_target
    uint32_t lanes; // sub-group size that suits most kernels, if the device reports a different one
    uint32_t register_bytes;  // that a work-item has at most: struct kc_target
    bool registers_by_lanes;  // sub-groups of twice the smallest size have half as many per work-item
    bool slow_coherence; // coherent accesses of the GLSL memory model bypass the caches of a
                         // work-group
    bool double_denormals;    // are preserved although not reported
    uint32_t keeps_denormals; // preserved although not reported: in driver versions below this
};

// For unknown drivers: nothing is exact, nothing is wrong, and calls are inlined.
const struct vk_quirks *vk_quirks(const struct vk_facts *facts);

#endif
