// SPDX-License-Identifier: Apache-2.0
// What was measured of drivers, which no Vulkan property tells.
#ifndef PUMICE_VULKAN_QUIRKS_H
#define PUMICE_VULKAN_QUIRKS_H

#include "pumice/kc.h"
#include "vulkan/device.h"

// Arrays: index 16, 32, 64 bits as in struct kc_target, which most of this goes into.
struct vk_quirks {
    VkDriverId driver;
    bool fused_fma[3], exact_division[3], exact_sqrt[3], native_min_max[3];
    bool (*fuses_floats)(const struct vk_facts *facts); // Fma of floats rounds once on some of its devices; NULL: as fused_fma says
    uint32_t function_array; // bytes
    uint32_t max_inlined;      // instructions of a kernel: struct kc_target. The driver inlines every call
    struct kc_compile_cost cost; // of a kernel, for its compiler
    uint32_t max_nesting;    // of control flow: struct kc_target
    uint32_t processor_fma;  // from this driver version on Fma of doubles is the processor's, if it has one
    uint32_t lone_loads;     // from this driver version on: one load for all at one address, done where no work-item is left too
    bool small_ints_in_32;   // upper bits of 8- and 16-bit values are not always cleared
    bool hidden_ranges;      // concludes wrongly from how large integers can be
    bool hidden_zeros;       // folds sums and quotients with constant zeros wrongly
    bool second_exits;       // uses values behind a loop that its code does not always compute in it
    bool exits_by_phis;      // values of a loop are behind it what the last round made, for work-items that left before too
    bool unsigned_by_halves; // floats of unsigned integers from 2^31 on are rounded twice
    bool longs_by_doubles;   // floats of 64-bit integers are rounded to doubles first
    bool small_whole_doubles; // takes all doubles from 2^24 on for whole ones, on processors without AVX-512
    bool longs_by_words;     // its compiler dies of some conversions of floats to 64 bits in kernels of cooperative matrices
    bool keeps_loops;        // must not unroll as it likes: its compiler takes too long for what comes of it
    bool flat_ifs;           // runs both sides of an if for all lanes of a vector
    bool sub_groups_in_step; // takes barriers of sub-groups for such of the work-group
    bool ids_by_lanes;       // makes sub-groups in the order of local ids, which take it a division for each work-item
    bool access_by_elements; // accesses global memory element by element, each for one lane after another
    bool local_by_items;     // accesses local memory for one lane after another, in blocks of their own
    bool constant_tables;    // fills private arrays of numbers for each work-item
    bool int64_mul_extended;
    uint16_t half_depth; // of products of halves, at least: its compiler dies of smaller ones, or fills their factors wrongly
    bool int64_division_in_32; // the driver's own goes wrong beside other 64-bit arithmetic
    bool caches_alone;     // keeps more in its caches of memory that is one buffer's or image's alone
    bool allocates_beyond; // more at once than maxMemoryAllocationSize says; accesses what is bound in pieces slowly
    bool strict_atomics; // acquire-release operations that read and write are sequentially consistent without fences
    bool sequential;     // tests/api/litmus finds sequentially consistent operations to be so: they are advertised
    const char *device_files; // prefix of their paths, if a child of fork() opens no device before it has dropped those of its parent
    bool sub_groups_progress; // sub-groups of a work-group run independently: tests/api/progress
    bool linear_filter;  // of images: as exact as OpenCL asks
    bool packed_texels;  // of 16 bits are read as exactly as others, not by way of 8 bits a channel
    bool texels_without_format; // are written in buffers too as it says of images alone
    bool cache_keeps_code; // a pipeline cache holds the code of all pipelines ever made, and gives nothing to keep
    bool close_natives, slow_double_root;
    bool plain_quotients; // own quotients and roots of floats take a fraction of the time of better ones
    bool fused_differences; // of a product and a sum that may be one operation; a sign before Fma is another
    bool silent_rte;     // rounds to nearest even unasked; asked, it gets integers wrong
    bool orders_denormals; // comparisons tell them apart, kept or not
    bool keeps_nans;     // through Exp2
    enum kc_plain_arguments plain_arguments; // what costs its code least; 0: not known
    uint32_t lanes; // of sub-groups: what suits most kernels, where the device says another size
    bool slow_coherence; // what Vulkan's older model calls coherent passes by the caches that a work-group has
    bool double_denormals;    // are kept without saying so
    uint32_t keeps_denormals; // without saying so: in driver versions below this
};

// Of drivers that are not known: nothing is exact, nothing is wrong, and calls are inlined.
const struct vk_quirks *vk_quirks(const struct vk_facts *facts);

#endif
