// SPDX-License-Identifier: Apache-2.0
// The table of driver properties: what drivers do better than they promise, and their bugs.
//
// Rows are selected by driver ID, not by device name, except where one driver forwards to another.
// To add a row: measure (`pumice-info --check`, tests/exec), name the test that shows the property,
// and describe the device under tests/devices.
#include "vulkan/quirks.h"

#include <string.h>

// Properties of a CPU driver's compiler on one architecture only.
#ifdef __aarch64__
#define ON_ARM64 true
#else
#define ON_ARM64 false
#endif

// RADV: on older GPUs, Fma of floats is split into two operations (radv_shader.c: lower_ffma32).
static bool is_gfx10_3(const struct vk_facts *facts)
{
    return facts->features.shading_rate;
}

// Older Intel GPUs, which do not have 64-bit integers here, do not have half and double either.
static bool is_gen8(const struct vk_facts *facts)
{
    return facts->features.int64;
}

static const struct vk_quirks rows[] = {
    {.driver = VK_DRIVER_ID_MESA_LLVMPIPE,
     // 25.0.7 splits Fma into a product and a sum; 26.2.6 uses the CPU's instruction: no gain for
     // float, half the time for double
     .processor_fma = VK_MAKE_API_VERSION(0, 26, 2, 6),
     .exact_division = {1, 1, 1},
     .exact_sqrt = {1, 1, 1},
     .function_array = 1024,
     .hidden_zeros = true,
     .second_exits = true,
     .limited_double_rounding = true, // 25.0.7: lib/ulp/double
     .longs_by_doubles = ON_ARM64, // with LLVM 15 and 19: exec/6.1.1_long_edges
     .keeps_loops = true,
     .flat_ifs = true,
     .sub_groups_in_step = true,
     .ended_stop_group = true, // 25.0.7: exec/6.11.8_barrier_after_return
     .ids_by_lanes = true,
     .access_by_elements = true,
     .local_by_items = true,
     .max_inlined = 20000,
     // 25.0.7 on one core: the estimates of 46 kernels that take 30 ms to 93 s to compile are 0.56 to 1.49 times the truth
     // (without addresses, 37 kernels of up to 2,000 accesses to buffers, 1 to 166 s: 0.47 to 1.8 times)
     .cost = {.instruction_ns = 32500, .local_ns = 455000, .block_ns = 469000, .block_pair_ns = 174, .buffer_pair_ns = 24,
              .loop_buffer_ns = 30000, .pair_ns = 80,
              .instruction_bytes = 3400, .local_bytes = 86000},
     .max_nesting = 48, // 25.0.7 has space for 80 masks: kernels with 79 levels are correct, with
                        // 80 wrong
     .strict_atomics = true,
     .sequential = true,
     .packed_texels = true,
     .keeps_nans = true,
     .uniform_loads = VK_MAKE_API_VERSION(0, 25, 1, 0), // 26.2.6: exec/6.5_pointers_among_buffers
                                                     // crashes; 25.0.7 does not
     .keeps_denormals = VK_MAKE_API_VERSION(0, 25, 1, 0)},
    {.driver = VK_DRIVER_ID_NVIDIA_PROPRIETARY,
     .max_inlined = 200000, // 580.159: ten levels of functions with four calls each take its
                            // compiler more than a minute
     .max_nesting = 32, // three random kernels are wrong with 40, 48 or 64 levels; with 32 none is
     .max_waiting_nesting = 12, // 580.159: its compiler has 12 registers for diverged work-items to wait for each other;
                                // with more, barriers of groups of at most 32 do not wait
     .flat_jumps = true, // 580.159: 1,149 deep random programs (diff --deep 40 --calls 40) are right
     .keeps_calls = true,
     .image_borders = true, // H200: convolutions of images take .5 to .9 of the time
     .fused_fma = {1, 1, 1}, // half: 10^9 random operands
     .exact_division = {0, 0, 1},
     .exact_sqrt = {0, 0, 1},
     .native_min_max = {0, 1, 0},
     .function_array = 1024,
     .updated_array = 2560, // H200: stores to its own private memory stay in the cache, those to scratch memory do not;
                            // with arrays of 4096 bytes, 580.159 does not create some pipelines
     .read_array = 64, // loops that read 6, 8 and 16 words take 2.0, 2.4 and 2.6 times as long with registers; arrays of 17 were
                       // seen in registers, none of 32 was
     .arrays_in_local = true, // H200: a stack of 24 words .711 -> .051 ms, 16 registers of an interpreter
                            // with indices of their own .667 -> .045 ms
     .rotations_by_words = true, // H200: 12 rounds of BLAKE2b 53 -> 37 us
     .loose_quotients = true,
     .hides_uniform_stores = true,
     .products_for_quotients = true, // H200: 96 quotients by 3, .020 -> .008 ms
     .small_ints_in_32 = true,
     .no_undef = true, // 580.159: exec/6.8_values_before_a_loop
     .hidden_ranges = true,
     .constant_tables = true,
     .int64_mul_extended = true,
     .half_depth = 16, // with 8: 15 of 77 sums with filled factors B were wrong, and random
                       // programs with them crash its compiler
     .int64_division_in_32 = true,
     .caches_dedicated = true, // 580.159: 8.5 of 50 MB for other memory, and random loads from 32 MiB
                           // take 2.5 times as long
     .allocates_beyond = true, // 580.159: random loads from 4, 16, 64 GiB in pieces take 6, 390,
                               // 740 times as long
     .linear_filter = true,
     .close_natives = true,
     .hidden_choices = true,    // H200, 580.159: loops of SHA-1 (PBKDF2) take .96 of the time
     .fused_differences = true, // 580.159: 80 steps of c - a * b take 1.8 times as long with Fma
     .orders_denormals = true,
     .keeps_nans = true,
     .slow_coherence = true, // 580.159: a search in a table that a barrier may affect takes 1.8
                             // times as long
     .own_doubles = true, // 580.159: exec/6.15.2_bytes_beside_doubles
     .silent_rte = true,
     .sequential = true,
     .sub_groups_progress = true,
     .device_files = "/dev/nvidia",
     .double_denormals = true},
    // Determined by compiling without the hardware (tests/drivers, Mesa 25.0.7) and from their
    // sources. They inline all calls. With nested loops, 2 levels each, the compile time of RADV
    // and NVK grows with the third power of their number, and Intel's compiler fails at 64. Fma is
    // fused wherever it is not split into a product and a sum: rusticl passes the conformance tests
    // with the same compilers. Instruction counts of 14 kernels of tests/bench with bindings,
    // relative to addresses: .83 (RADV), .69 (ANV), .92 (NVK), .68 (Turnip). RADV with 32-bit
    // offsets: .79; NVK: fewer than with bindings.
    {.driver = VK_DRIVER_ID_MESA_RADV,
     .fused_fma = {1, 0, 1},
     .fuses_floats = is_gfx10_3,
     .native_min_max = {1, 1, 1},
     .function_array = 1024,
     .selected_array = 256, // 25.0.7: ac_nir_lower_indirect_derefs
     .register_bytes = 1024,
     .plain_arguments = KC_PLAIN_OFFSETS,
     .positive_offsets = true, // 25.0.7: ac_nir_lower_global_access
     .image_borders = true,
     .plain_quotients = true,
     .max_inlined = 50000,
     .max_nesting = 96},
    {.driver = VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA,
     .fused_fma = {1, 0, 1},
     .fuses_floats = is_gen8,
     .lanes = 16, // with 32, which it reports, large kernels spill registers
     .silent_rte = true, // sources of 25.0.7: work-groups start with the rounding mode 0, to
                         // nearest even; the mode costs instructions
     .register_bytes = 512,
     .registers_by_lanes = true,
     .native_min_max = {1, 1, 1},
     .function_array = 1024,
     .plain_arguments = KC_PLAIN_BINDINGS,
     .rotations_by_difference = true,
     .image_borders = true,
     .plain_quotients = true,
     // 25.0.7: brw_opt_combine_constants keeps numbers of registers in 16 bits. The estimate is .99 to 1.37 times the truth
     .cost = {.most_registers = 64800},
     .max_inlined = 50000,
     .max_nesting = 96},
    {.driver = VK_DRIVER_ID_MESA_NVK,
     .fused_fma = {1, 1, 1},
     .native_min_max = {1, 1, 1},
     .function_array = 1024,
     .plain_arguments = KC_PLAIN_OFFSETS,
     .image_borders = true,
     .plain_quotients = true,
     // 25.0.7: nir_lower_doubles compares them with 0 after nir_lower_bit_size; NAK asserts 32 bits
     .small_by_floats = true,
     .max_inlined = 50000,
     // 127 loops in each other take 39 s with a limit of 48, 17 s with 24, 8 s with 12; of 687 kernels 24 changes none, 16 one
     // (KataGo's conv2dNCHW, three times as many instructions)
     .max_nesting = 24,
     // Its compiler gives each value that leaves a loop a register of its own, from the kernel's start on. In variables, 14, 30
     // and 127 loops in each other have 4,140, 11,995 and 36,700 instructions and spill; in memory, 830, 1,614 and 6,330 (1.6 s
     // instead of 22). A row of 125 loops with returns has 14,860 instead of 23,703
     .max_flat_registers = 128},
    // These inline all calls, too.
    {.driver = VK_DRIVER_ID_MESA_TURNIP,
     .quick_fma = true, // exact products and sums remain two operations in 25.0.7
     .image_borders = true,
     .plain_quotients = true,
     .computed_indices = true, // 26.2.6 and the sources of 25.0.7, on Adreno 7xx
     .native_min_max = {1, 1, 1},
     .function_array = 1024,
     .plain_arguments = KC_PLAIN_BINDINGS,
     .max_inlined = 50000},
    {.driver = VK_DRIVER_ID_MESA_PANVK, .function_array = 1024, .plain_arguments = KC_PLAIN_BINDINGS, .max_inlined = 50000},
    {.driver = VK_DRIVER_ID_MESA_V3DV, .function_array = 1024, .max_inlined = 50000},
    // Measured with the library of Chromium 156 (Subzero).
    {.driver = VK_DRIVER_ID_GOOGLE_SWIFTSHADER,
     .cost = {.most_accesses = 4000}, // Chromium 156: consecutive loads; limit 1,500 with four
                                      // components, twice as many with bindings
     .max_inlined = 200000,
     .function_array = 1024,
     .exits_by_phis = true,         // exec/6.8_left_by_an_arm
     .unsigned_by_halves = true,    // exec/6.2.3_long_to_float_is_rounded, float_from_uint of pumice-info --check
     .texels_without_format = true, // exec/6.15.15_image_kinds
     .cache_keeps_code = true},     // 2 memory mappings for each of 200 programs built and
                                    // released; 65,530 mappings end the process
};

// Venus forwards commands to a driver of the host, whose name is part of the device's: "Virtio-GPU
// Venus (NAME)". The first of these words in the name selects that driver.
static const struct {
    const char *word;
    VkDriverId driver;
} hosts[] = {
    {"(llvmpipe", VK_DRIVER_ID_MESA_LLVMPIPE},
    {"(RADV", VK_DRIVER_ID_MESA_RADV},
    {"(NVK", VK_DRIVER_ID_MESA_NVK},
    {"(NVIDIA", VK_DRIVER_ID_NVIDIA_PROPRIETARY},
    {"(Intel", VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA},
    {"(Turnip", VK_DRIVER_ID_MESA_TURNIP},
    {"(Panfrost", VK_DRIVER_ID_MESA_PANVK},
    {"(V3D", VK_DRIVER_ID_MESA_V3DV},
    {"(SwiftShader", VK_DRIVER_ID_GOOGLE_SWIFTSHADER},
};

static VkDriverId driver_of(const struct vk_facts *facts)
{
    if (facts->props12.driverID != VK_DRIVER_ID_MESA_VENUS)
        return facts->props12.driverID;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (strstr(facts->props.deviceName, hosts[i].word))
            return hosts[i].driver;
    return VK_DRIVER_ID_MESA_VENUS;
}

const struct vk_quirks *vk_quirks(const struct vk_facts *facts)
{
    // most drivers inline all calls
    static const struct vk_quirks none = {.function_array = 1024, .max_inlined = 200000};
    VkDriverId driver = driver_of(facts);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].driver == driver)
            return &rows[i];
    return &none;
}
