// SPDX-License-Identifier: Apache-2.0
// kc: OpenCL C source, or SPIR-V for OpenCL, -> Vulkan SPIR-V plus everything the runtime must know
// to launch it.
//
// The only public header of the compiler. It knows no Vulkan, no OpenCL API and no device: a
// device's capabilities are described by a struct kc_target. All functions are re-entrant; objects
// may not be shared between threads while one writes to them. All sizes and offsets are in bytes
// unless a name says otherwise.
#ifndef PUMICE_KC_H
#define PUMICE_KC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kc_status {
    KC_OK,
    KC_ERROR,           // the source or module is wrong; the log says where
    KC_INVALID_OPTIONS, // the option string is wrong; the log names the option
    KC_OUT_OF_MEMORY,   // or over the compiler's memory limit
};

// All extension and feature macros, one bit each; rows in extensions.def.
enum kc_extension {
#define EXTENSION(id, name, major, minor, patch, macro_from) KC_EXT_##id,
#define FEATURE(id, name, major, minor, patch) KC_EXT_##id,
#include "pumice/extensions.def"
    KC_EXT_COUNT
};

// A set of them; all zero: empty.
struct kc_extensions {
    uint64_t words[2];
};
_Static_assert(KC_EXT_COUNT <= sizeof(struct kc_extensions) * 8, "struct kc_extensions has a bit for each");
#define KC_EXTENSIONS_ALL {{UINT64_MAX, UINT64_MAX}}

static inline bool kc_extensions_have(const struct kc_extensions *set, enum kc_extension extension)
{
    return set->words[extension / 64] >> extension % 64 & 1;
}

static inline void kc_extensions_add(struct kc_extensions *set, enum kc_extension extension)
{
    set->words[extension / 64] |= UINT64_C(1) << extension % 64;
}

static inline void kc_extensions_remove(struct kc_extensions *set, enum kc_extension extension)
{
    set->words[extension / 64] &= ~(UINT64_C(1) << extension % 64);
}

// Component types of a cooperative matrix; values before KC_COMPONENT_BF16 are Vulkan's.
enum kc_component {
    KC_COMPONENT_F16, KC_COMPONENT_F32, KC_COMPONENT_F64, KC_COMPONENT_S8, KC_COMPONENT_S16, KC_COMPONENT_S32,
    KC_COMPONENT_S64, KC_COMPONENT_U8, KC_COMPONENT_U16, KC_COMPONENT_U32, KC_COMPONENT_U64,
    KC_COMPONENT_BF16, KC_COMPONENT_E4M3, KC_COMPONENT_E5M2, KC_COMPONENT_COUNT
};

// A matrix product that a sub-group's matrix units compute: rows x depth by depth x columns.
struct kc_matrix_shape {
    uint16_t rows, columns, depth;
    uint8_t a, b, c, result; // enum kc_component
    bool saturating;
};
enum { KC_MATRIX_SHAPES = 64 };

// How a module for programs other than our runtime finds its arguments: by descriptors,
// specialization constants and push constants, described by struct kc_place and struct kc_shared.
// One module contains all kernels, whose names are the names of the entry points. Requires logical
// addressing; a buffer begins at the first byte of its binding, and no buffer is NULL.
struct kc_mapping {
    bool on; // false: the modules are for our runtime
    // where plain data arguments are stored
    enum kc_pods { KC_PODS_STORAGE, KC_PODS_UNIFORM, KC_PODS_PUSH } pods;
    bool separate_pods; // each plain data argument has a descriptor of its own
    bool distinct_sets; // each kernel has its own descriptor set
    bool work_dim;      // get_work_dim() is a specialization constant; false: it returns 3
    bool global_offset, global_offset_push; // enable the global offset, as specialization constants
                                            // or as push constants
    // Constructs that some drivers miscompile and that the module must not contain: instructions
    // for high halves of products, comparisons of signed integers.
    bool no_mul_extended, no_signed_compare;
    bool bgra_buffers; // images from CL_BGRA buffers have the channel order of CL_RGBA, and kernels
                       // swap the channels
    bool regions;       // allow work-groups of several sizes before OpenCL C 2.0 too
    uint8_t reflection; // version of NonSemantic.ClspvReflection in which the module describes
                        // itself; 0: none
    bool reflection_least; // use a later version if the program needs it
    // Stores the program's constants in a storage buffer that the launch fills, instead of in the
    // module. Programs with program-scope variables always have such a buffer, with constants and
    // variables.
    bool data_bound;
    bool constants_uniform; // constant arguments are uniform buffers, of at most `max_uniform`
                            // bytes each
    uint32_t max_uniform;
    bool printf;            // printf is supported
    uint32_t printf_bytes;  // size of the printf buffer
    uint8_t samplers[20], sampler_count; // literal samplers (bits of enum kc_sampler) that get the
                                         // first bindings, used or not
    // Functions that may use the device's native versions although their precision is unknown: all,
    // or the ones in a comma-separated list, which must outlive the target; NULL: none.
    bool native_math;
    const char *natives;
    bool any_sub_groups; // sub-groups may be larger than the target says: no cooperative matrices,
                         // because their components are distributed over work-items
};
enum { KC_REFLECTION_USUAL = 5, KC_REFLECTION_NEWEST = 7 };

// A target device. A zeroed struct is the smallest device: 32-bit integers and floats only.
// Estimated cost of a kernel in the driver's compiler, calls inlined. Measured; all 0: unknown.
struct kc_compile_cost {
    uint64_t instruction_ns, local_ns; // per instruction; per access to local memory and each of
                                       // its components
    uint64_t block_ns;                 // per block
    uint64_t block_pair_ns;            // per block, for each block, phi and component in local memory
    uint64_t buffer_pair_ns; // per pair of blocks that accesses to storage buffers become, or of one with another block
    uint64_t loop_buffer_ns; // per access to a storage buffer in a loop, for each block of the loop
    uint64_t pair_ns;                  // per pair of components that are stored, loaded or meet, in
                                       // a kernel of 4,000 blocks
    uint64_t instruction_bytes, local_bytes; // memory used
    uint64_t most_accesses; // maximum number of one-component memory accesses by address without a
                            // branch: with more, it crashes; 0: no limit
    uint64_t most_registers; // maximum number of virtual registers: with more, the kernel computes
                             // wrong values; 0: no limit
};

struct kc_target {
    uint32_t spirv_version; // e.g. 0x00010500
    struct kc_extensions extensions; // supported by programs (macros, builtins)

    bool int8, int16, int64, float16, float64;    // arithmetic
    bool storage8, storage16;                     // physical loads and stores of these widths
    bool physical_addressing;                     // buffer device addresses; false: logical
                                                  // addressing, see KC_BINDING_BUFFER
    uint32_t address_bits; // 32: size_t and pointers in memory have 4 bytes; else 8
    bool workgroup_explicit_layout;               // aliased local-memory blocks
    bool workgroup_storage8, workgroup_storage16; // and with 8/16-bit members
    bool vulkan_memory_model, vulkan_memory_model_device_scope;
    bool group_coherence; // stores to global memory become visible in the scope of the barriers
                          // only: Vulkan's memory model expresses that, while GLSL450's Coherent
                          // covers the whole device and bypasses the caches of compute units
    bool strict_atomics; // atomic read-modify-write operations with acquire-release order are
                         // sequentially consistent
    bool int64_atomics, int64_shared_atomics;
    bool float32_atomic_add, float32_shared_atomic_add;
    bool embedded; // report the embedded profile: __EMBEDDED_PROFILE__
    bool c_3_1; // accept -cl-std=CL3.1: the device supports all of OpenCL C 3.1
    bool images; // image types and __IMAGE_SUPPORT__
    // Zero-initialize memory: local memory of a work-group (the device must support
    // shaderZeroInitializeWorkgroupMemory); private variables at the start of their function.
    bool zero_local, zero_private;
    bool image_read_without_format, image_write_without_format; // false: a launch names formats:
                                                                // KC_SPEC_IMAGE_FORMAT
    bool image_3d_writes;
    bool image_bgra_by_rgba; // texels of CL_BGRA are stored as CL_RGBA, and the kernel swaps
                             // channels
    bool image_unorm16_by_uint; // texel buffers of CL_UNORM_INT16 are integers for the device, and
                                // the kernel converts
    bool image_borders; // reads outside an image are 0, with alpha 1 if the format has none
    bool image_linear_filter; // the device's linear filter is precise enough: KC_BINDING_SAMPLERS;
                              // false: the kernel filters
    bool maximal_reconvergence;
    bool int_dot_product;
    bool device_clock, subgroup_clock; // ReadClockKHR of these scopes
    bool quick_dot4; // a dot product of four bytes is one operation, for any signs
    bool local_size_id; // work-group sizes chosen at launch use LocalSizeId; false: the
                        // WorkgroupSize built-in constant
    bool subgroups; // in compute kernels: votes, ballots, shuffles; optional additions:
    bool subgroup_extended_types; // also for 64-bit integers; false: for 32 bits (and doubles) only
    bool subgroup_arithmetic; // false: work-items exchange their values one after the other
    bool subgroup_shuffle_relative, subgroup_clustered;
    bool int64_mul_extended; // high halves of 64-bit products in one instruction
    bool int64_division_in_32; // 64-bit divisions use 32-bit operations and floats: the driver
                               // miscompiles its own, or expands each to an unrolled loop of 64
                               // iterations (all of Mesa's GPU drivers)
    bool hidden_ranges; // hide value ranges of bools, bytes, quotients and offsets from the driver,
                        // whose range analysis is wrong
    bool hidden_zeros; // hide constant zeros in sums and quotients from the driver, which folds
                       // them wrongly
    bool second_exits; // give loops whose only exit is in one arm of an if a second exit, because
                       // the driver uses values of that arm before it computes them
    bool exits_by_phis; // use values of a loop after it only through phis, because for work-items
                        // that left earlier the driver returns the values of the last iteration
    bool unsigned_by_halves; // convert unsigned integers to float in two halves: the driver's own
                             // conversion rounds twice
    bool longs_by_doubles; // convert 64-bit integers to float through double: the driver rounds
                           // twice
    bool small_by_floats; // convert 8- and 16-bit integers to double through float: the driver crashes
                          // on quotients and roots of those that it has read from memory
    bool limited_double_rounding; // Trunc and RoundEven do not change doubles from 2^24 on,
                                  // integral or not
    bool flushed_order;   // comparisons treat denormals as zeros
    bool numbers_of_nans; // Exp2 returns numbers for NaNs
    bool loads_by_items; // make loads inside ifs and loops appear non-uniform: the driver otherwise
                         // loads once for all work-items, even if none is active
    bool computed_indices; // no index into a buffer is directly an element of a private array: the
                           // driver's compiler crashes on that
    bool keeps_loops; // tell the driver which loops not to unroll, because its compiler takes too
                      // long for the result
    bool unrolls_loops; // the driver unrolls small loops with a known trip count itself; we unroll
                        // only those that turn private arrays into registers
    bool one_continue; // let only one path continue a loop: with several, the driver keeps both the old
                       // and the new values of everything that the loop changes
    bool readonly_members; // mark loads of memory that nothing writes by NonWritable members
    bool ids_by_lanes; // sub-groups consist of consecutive local IDs, subgroup_size each, and the
                       // driver divides for every local ID: see lower_sys
    bool access_by_elements; // the driver accesses elements of vectors in global memory one after
                             // the other, each for one work-item after the other
    bool local_by_items; // the driver accesses local memory one work-item after the other, each in
                         // separate blocks
    bool guards; // launches without a local size round ranges up to whole work-groups if possible:
                 // KC_SPEC_GUARD. Our runtime does; other programs choose sizes themselves
    uint32_t register_bytes; // of a work-item, at the usual sub-group size: loops that need more do not keep values that
                             // can be computed or loaded again; 0: no limit
    uint32_t most_register_bytes; // at any sub-group size: private arrays that fit become registers at the cost of more
                                  // code; 0: unknown
    uint32_t unroll_room; // maximum instructions of an unrolled small loop with an unknown trip
                          // count; 0: only if the source requests it
    bool packs_accesses; // merge adjacent loads and stores: the device has wider ones, but its
                         // driver does not use them
    bool packs_places; // also in local memory at computed offsets
    bool small_buffers; // none has more than 4 GiB, and the driver merges adjacent accesses itself
    uint32_t max_nesting; // maximum nesting depth of control flow for the driver, as
                          // passes/lower_nesting.c counts it; 0: no limit
    uint32_t max_waiting_nesting; // the same for kernels with barriers or sub-group functions: with more levels, the
                                  // driver does not bring work-items of a sub-group together again; 0: max_nesting
    bool flat_jumps; // the driver does not nest the code after a jump: it counts as a level only where max_waiting_nesting applies
    uint32_t max_flat_registers; // for variables of flattened control flow, if the driver has one for each of them and each
                                 // loop: if there are more, variables are in memory; 0: no limit
    bool keeps_calls; // the driver does not have to inline functions: large ones with several calls are marked DontInline,
                      // and the levels of functions count only in kernels to which max_waiting_nesting applies
    bool any_alignment; // accesses to private and local memory need not be aligned, as programs for CPUs expect
    bool flat_ifs; // work-items are vector lanes that run both sides of an if: convert larger ifs
                   // to selects
    bool sub_groups_in_step; // work-items of a sub-group run in lockstep, so that a sub-group
                             // barrier is a fence; the driver treats it as a work-group barrier
    bool ended_stop_group; // the driver stops a work-group when some of its work-items have ended, even
                           // if others wait at barriers
    bool constant_tables;  // turn constant private arrays into program constants: the driver would
                           // initialize them for each work-item
    bool small_ints_in_32; // do 8- and 16-bit arithmetic in 32 bits: the device does not support
                           // it, or its driver miscompiles it
    bool no_undef;         // zero instead of undefined values: the driver miscompiles these

    // Execution modes by width: index 0 is 16, 1 is 32, 2 is 64 bits.
    bool signed_zero_inf_nan_preserve[3], rounding_rte[3], denorm_preserve[3];
    bool fused_fma[3];      // GLSL.std.450 Fma rounds once (measured for each driver)
    bool quick_fma;         // Fma is as fast as a product and a sum, for types that the device
                            // supports, whether it rounds once or twice
    bool exact_division[3]; // OpFDiv is correctly rounded under the modes above (measured)
    bool exact_sqrt[3];     // so is Sqrt
    bool native_min_max[3]; // NMin and NMax are instructions and equivalent to fmin and fmax
                            // (measured)
    // Fma of floats rounds once; Exp2, Sqrt and InverseSqrt are within OpenCL C's error bounds,
    // correct for special values, but may flush denormals (measured): the library's fast versions
    // use them.
    bool close_natives;
    bool unpacks_by_shifts; // extract small integers from words by shifts and masks
    bool multiples_by_sums; // compute neighbouring multiples from each other by additions: the driver
                            // does not
    bool rotations_by_difference; // write a rotation as shifts by b and 32 - b, an OpISub: the driver
                                  // only recognizes this form
    bool loose_quotients; // quotients of floats in the source are of 2.5 ULP where the remainder is
                          // denormal: exact ones take nearly twice the instructions
    bool rotations_by_words; // write a rotation of a 64-bit integer as two of words: the driver's
                             // compiler has funnel shifts for these only
    bool products_for_quotients; // divide signed integers by constants with a product of 64 bits: the driver
                                 // takes two and a half times as long; by others as unsigned ones, by those that
                                 // several quotients share with their reciprocal
    bool hides_uniform_stores; // what loops store in small private arrays must seem to differ between work-items: the
                               // driver's compiler keeps some in registers of the sub-group, although
                               // work-items leave the loop in different iterations
    bool plain_quotients; // use the device's own float division and square root even if Fma rounds
                          // once: within OpenCL's bounds
    bool hidden_choices; // the driver has an instruction that chooses bits, but does not find it if the mask is a sum: write such
                         // choices with exclusive or
    bool fused_differences; // subtracting a product without NoContraction is one operation, while a
                            // negation before Fma is another (measured)
    // Make doubles and 64-bit integers from floats by words, and divide doubles and take their roots by the library's
    // functions, which need a fused multiply-add: the driver's compiler drops instructions of unrelated integer
    // arithmetic in kernels that have the device's own conversions, quotients or roots
    bool own_doubles;

    // Physical addressing: how a buffer argument is passed if all pointers derived from it stay in
    // its buffer and the pointer value itself is not used: kc_arg.bounded.
    enum kc_plain_arguments {
        KC_PLAIN_ADDRESSES, // as an address like any other
        KC_PLAIN_ALIGNED,   // as an address, but kc_arg.aligned, as for all that follow
        KC_PLAIN_OFFSETS,   // as an address to which 32-bit offsets are added: the base is uniform
                            // over all work-items
        KC_PLAIN_BINDINGS,  // KC_BINDING_BUFFER, in kernels that access no global memory in any
                            // other way
    } plain_arguments;
    // KC_PLAIN_OFFSETS: constant offsets of an access are not negative, and smaller than KC_BOUNDED_FRONT: the driver adds
    // others to the 64-bit base, each to a copy of its own
    bool positive_offsets;

    // For logical addressing, where a pointer to global memory is a storage buffer and an offset,
    // and for bound buffers:
    uint32_t max_storage_buffers;  // maximum storage buffer bindings of a kernel, at least 4; 0: no
                                   // limit
    uint64_t storage_buffer_range; // maximum bytes of one binding, for address_bits 32 128 MiB; 0:
                                   // 4 GiB - 16

    uint32_t max_push_bytes;     // at least 128; with a mapping, the mapping's value
    uint32_t max_local_size[3];
    uint32_t max_local_invocations;
    uint32_t reported_local_invocations; // maximum work-group size that kernels can query, as
                                         // reported by the runtime; 0: max_local_invocations
    uint32_t max_local_memory;
    uint32_t max_array_in_local; // bytes of private arrays per work-item that kernels keep in local memory: kc_kernel.local_per_item
    uint32_t max_inlined; // instructions of a kernel after inlining above which large functions are
                          // kept as one copy, because the driver inlines all calls; 0: it does not
    struct kc_compile_cost cost; // of the driver's compiler
    bool no_cost_limit;          // never refuse a kernel for its cost: PUMICE_LIMIT=none
    uint32_t max_function_array; // maximum bytes of private arrays per work-item in Function
                                 // storage; others are in scratch memory
    uint32_t max_updated_array;  // the same for arrays that a loop both writes and reads and that
                                 // exceed max_function_array
    uint32_t least_read_array;   // elements that a private array of more than four in Function
                                 // storage gets at least if loops only read it, by indices that
                                 // they compute: the driver makes shorter ones registers, and an
                                 // access comparisons
    uint32_t selected_array;     // bytes: the driver's compiler makes an access to a private array by a computed
                                 // index a choice among all elements if the array is at most as large, and
                                 // has others in memory; 0: no such limit
    bool interleaves_scratch;    // interleave scratch memory of neighbouring work-items, so that
                                 // their accesses coalesce
    uint32_t subgroup_size;
    uint32_t subgroup_sizes; // mask of further sizes that a kernel may require
                             // (kc_kernel.reqd_sub_group_size)
    uint32_t matrix_shape_count; // 0: cooperative matrices are emulated with sub-group operations
    struct kc_matrix_shape matrix_shapes[KC_MATRIX_SHAPES];
    bool matrix_tiles_by_items;  // emulate tiles of these shapes, too: to test code for matrix
                                 // units on devices without any

    struct kc_mapping mapping; // for programs other than our runtime
};

// Size of a pointer in memory, and of size_t.
static inline uint32_t kc_pointer_bytes(const struct kc_target *target)
{
    return target && target->address_bits == 32 ? 4 : 8;
}

// The maximum work-group size and the sub-group size that kernels can query.
static inline uint32_t kc_max_group_size(const struct kc_target *target)
{
    return target->reported_local_invocations ? target->reported_local_invocations
                                              : target->max_local_invocations;
}

static inline uint32_t kc_sub_group_size(const struct kc_target *target)
{
    return target->subgroup_size ? target->subgroup_size : 1;
}

static inline bool kc_has_sub_groups_of(const struct kc_target *target, uint32_t lanes)
{
    bool one_bit = lanes && !(lanes & (lanes - 1));
    return target->subgroups && lanes && (lanes == target->subgroup_size || (one_bit && target->subgroup_sizes & lanes));
}

// A header passed to clCompileProgram; searched by name before any file.
struct kc_header {
    const char *name;
    const char *text;
    size_t length;
};

// The value of a specialization constant of a SPIR-V module, instead of its default.
struct kc_spec_value {
    uint32_t id, size; // SpecId; bytes of the value: 1, 2, 4 or 8
    uint64_t bits;
};

struct kc_input {
    const char *source;
    size_t length;
    const char *file_name; // for diagnostics; NULL means "kernel.cl"
    const char *options;   // as passed to clBuildProgram; NULL means none
    const struct kc_header *headers;
    size_t header_count;
    const void *il; // an OpenCL SPIR-V module in either byte order; NULL: use `source`
    size_t il_size; // bytes
    const struct kc_spec_value *spec_values;
    size_t spec_value_count;
};

// ---- launch information of a kernel
// --------------------------------------------------------------

enum { KC_BOUNDED_ALIGN = 16 };
enum { KC_BOUNDED_FRONT = 2032 }; // bytes
// Work-items that programs for GPUs of the first generations expect to be in lockstep.
enum { KC_LOCKSTEP = 32 };

enum kc_arg_kind {
    KC_ARG_VALUE,    // copied by value; size is the type's size
    KC_ARG_GLOBAL,   // a buffer: its 64-bit device address is pushed (0 for NULL), or it is bound:
                     // KC_BINDING_BUFFER
    KC_ARG_CONSTANT, // the same for __constant
    KC_ARG_LOCAL,    // a size in bytes, given at launch
    KC_ARG_IMAGE,
    KC_ARG_SAMPLER,
    KC_ARG_QUEUE, // queue_t: 8 bytes, the runtime's number of a device queue; 0: none
};

enum kc_address_qualifier { KC_ADDRESS_GLOBAL, KC_ADDRESS_LOCAL, KC_ADDRESS_CONSTANT, KC_ADDRESS_PRIVATE };
enum kc_image_dim { KC_DIM_1D, KC_DIM_1D_ARRAY, KC_DIM_2D, KC_DIM_2D_ARRAY, KC_DIM_3D, KC_DIM_BUFFER };
enum kc_access_qualifier { KC_ACCESS_NONE, KC_ACCESS_READ_ONLY, KC_ACCESS_WRITE_ONLY, KC_ACCESS_READ_WRITE };
enum { KC_TYPE_CONST = 1, KC_TYPE_RESTRICT = 2, KC_TYPE_VOLATILE = 4, KC_TYPE_PIPE = 8 }; // type qualifiers

struct kc_arg {
    const char *name;
    const char *type_name; // as returned by clGetKernelArgInfo: "float4*", without qualifiers,
                           // "uint" instead of "unsigned int", typedefs as written
    enum kc_arg_kind kind;
    enum kc_address_qualifier address;
    enum kc_access_qualifier access;
    uint32_t type_qualifiers;
    uint32_t size;  // as required by clSetKernelArg; 8 for pointers
    uint32_t align; // of the pointee for KC_ARG_LOCAL, of the value otherwise
    bool clustered; // a buffer in KC_BINDING_CLUSTER
    bool written;   // a buffer of a kernel with such a binding, which the kernel may write
    bool numbered;  // has a KC_PUSH_BUFFER_NUMBER: see there
    bool aligned;   // physical addressing: must be NULL or aligned to KC_BOUNDED_ALIGN bytes, else
                    // see kc_build_general()
    bool bounded;   // physical addressing: must be NULL or aligned to KC_BOUNDED_ALIGN bytes, with
                    // at most kc_target.storage_buffer_range bytes of the buffer following; nothing
                    // before it is accessed; with kc_target.positive_offsets, at least KC_BOUNDED_FRONT
                    // bytes behind a multiple of 4 GiB; else see kc_build_general()
    uint64_t disjoint; // physical addressing: bits of arguments (those below 64); for each, the memory
                       // of one of the two must not overlap that of the other, else see
                       // kc_build_general(). NULL overlaps nothing
    uint32_t elem_size; // of the pointee for KC_ARG_LOCAL, of a pipe's packets (KC_ARG_GLOBAL with
                        // KC_TYPE_PIPE), if known
    uint8_t dim; // of an image: enum kc_image_dim
};

// One field of the push block. `dim` is 0..2 for kinds with one field per dimension.
enum kc_push_kind {
    KC_PUSH_ARG,            // argument `arg`: its bytes, its 64-bit device address, or a u32: for a
                            // sampler without KC_SPEC_SAMPLER see KC_SAMPLER_*, for a bound buffer
                            // see KC_BINDING_BUFFER
    KC_PUSH_BUFFER_NUMBER,  // logical addressing, for a buffer: the number of a pointer to the
                            // first byte of the binding. u64, with address_bits 32 u32; 0 for NULL.
                            // A pointer's number is this number plus the bytes between them.
                            // Arguments with this field and the same buffer bind the same bytes of
                            // it, and each byte has one number. Numbers of two buffers, or of a
                            // buffer and the program's data, differ by more than the size of a
                            // binding
    KC_PUSH_LOCAL_ARG,      // u32 byte offset of local argument `arg` in the shared local array
                            // (see KC_SPEC_*)
    // Of the range: u64, with address_bits 32 u32.
    KC_PUSH_GLOBAL_BASE, // global offset + start of this region, so that id = base + invocation id
    KC_PUSH_GLOBAL_OFFSET,  // global_work_offset
    KC_PUSH_GLOBAL_SIZE,
    KC_PUSH_NUM_GROUPS,     // of the whole range, including partial groups
    KC_PUSH_GROUP_BASE,     // first group id of this region
    KC_PUSH_ENQUEUED_LOCAL, // u32: the local size of the enqueue (regions at the edge may have
                            // smaller ones)
    KC_PUSH_WORK_DIM,       // u32
    KC_PUSH_DATA,           // u64: device address of the program's data segment
    KC_PUSH_PRINTF,         // u64: device address of the printf buffer (see KC_PRINTF_HEADER)
    KC_PUSH_ENQUEUED,       // u64: device address for the records of enqueued commands (see struct
                            // kc_enqueued)
    KC_PUSH_LAUNCH,         // u32: number of this launch in its family: kc_enqueue.parent
    KC_PUSH_SCRATCH,        // u64: device address of scratch memory for this dispatch
    KC_PUSH_IMAGE_ORDER,    // u32: image argument `arg`'s cl_channel_order
    KC_PUSH_IMAGE_TYPE,     // u32: its cl_channel_type
    KC_PUSH_IMAGE_SIZE,     // u32: its width (dim 0), height (1), depth or number of layers (2) in
                            // texels; its mip levels (3)
    KC_PUSH_ITEMS,          // u32: work-items of this dispatch, see KC_SPEC_GUARD
}; // KC_PUSH_DATA, _PRINTF, _ENQUEUED, _LAUNCH and _SCRATCH: with physical addressing only

struct kc_push {
    enum kc_push_kind kind;
    uint32_t dim, arg;
    uint32_t offset, size; // in the block; offset is a multiple of 4 (8 for 8-byte fields and
                           // larger)
};

// Specialization constants, all 32-bit unsigned.
enum kc_spec_kind {
    KC_SPEC_LOCAL_SIZE,  // local size of dimension `dim`; absent if the kernel fixes it
    KC_SPEC_LOCAL_ARG,   // element count (>= 1) of local argument `arg`'s own array: ceil(size / unit)
    KC_SPEC_LOCAL_ITEMS, // `unit` times the number of work-items of a group: see local_per_item
    KC_SPEC_LOCAL_TOTAL, // element count (>= 1) of the shared local array: see local_static_shared
    KC_SPEC_IMAGE_FORMAT, // not a constant of the module but set by kc_name_formats(): SPIR-V's
                          // Image Format of binding `arg`
    KC_SPEC_SAMPLER,      // sampler argument `arg`: KC_SAMPLER_*
    KC_SPEC_GUARD,        // 1: invocations with an ID of KC_PUSH_ITEMS or more, in the dimensions
                          // that have it, return immediately; 0: no launch has such invocations.
                          // Exists if the kernel's work-items share nothing with their group. `arg`
                          // 1: the kernel can query its group; if this constant is 1, that is a
                          // group of one work-item, and KC_PUSH_NUM_GROUPS, _GROUP_BASE and
                          // _ENQUEUED_LOCAL must be consistent with that
};

struct kc_spec {
    enum kc_spec_kind kind;
    uint32_t id; // SpecId
    uint32_t dim, arg;
    uint32_t unit; // bytes per element
};

// A sampler's value: normalized coordinates | addressing mode | filter, like the CLK_ macros of
// OpenCL C.
enum {
    KC_SAMPLER_NORMALIZED = 1,
    KC_SAMPLER_NONE = 0, KC_SAMPLER_CLAMP_TO_EDGE = 2, KC_SAMPLER_CLAMP = 4, KC_SAMPLER_REPEAT = 6,
    KC_SAMPLER_MIRRORED_REPEAT = 8, KC_SAMPLER_ADDRESSING = 0xe,
    KC_SAMPLER_NEAREST = 0x10, KC_SAMPLER_LINEAR = 0x20, KC_SAMPLER_MIP_LINEAR = 0x40,
    // 11 bits each, in units of 1/128: the minimum level of detail; the distance of the maximum
    // from KC_SAMPLER_LOD_LIMIT.
    KC_SAMPLER_LOD_MIN = 8, KC_SAMPLER_LOD_MAX = 19, KC_SAMPLER_LOD_LIMIT = 2047,
    KC_SAMPLER_ARG = 1 << 30, // within the compiler, with a mapping: the argument's index
};

// Descriptors, all in set 0. Nearest-filtered reads are texel fetches and need no sampler. An image
// argument has one binding for each class in which the kernel accesses it: for a class that differs
// from the format's, bind a view of the same bits, or any image of the right kind.
enum kc_binding_kind {
    KC_BINDING_SAMPLED,        // image argument `arg`, read: VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
    KC_BINDING_STORAGE,        // written, or read and written: STORAGE_IMAGE, without a format (see
                               // KC_SPEC_IMAGE_FORMAT)
    KC_BINDING_UNIFORM_TEXELS, // image1d_buffer_t, read: UNIFORM_TEXEL_BUFFER
    KC_BINDING_STORAGE_TEXELS, // image1d_buffer_t, written: STORAGE_TEXEL_BUFFER
    KC_BINDING_SAMPLERS,       // KC_LINEAR_SAMPLERS samplers, see below
    // Logical addressing; the first also for bounded arguments. All but the last are
    // STORAGE_BUFFER, and two may be the same memory. A kernel has each one that it uses once.
    // Sizes must be multiples of 16, because the last bytes are read with their neighbours.
    KC_BINDING_BUFFER,  // global or constant argument `arg`. A u32 KC_PUSH_ARG contains the bytes
                        // from the binding's start to the argument (a multiple of 16; the part of a
                        // sub-buffer's offset below the device's alignment), or KC_NULL_BUFFER for
                        // NULL: then any buffer is bound and not accessed. Either can occur without
                        // the other
    // The `clustered` arguments, if the device supports fewer bindings than arguments: one range of
    // one buffer that contains all of them. KC_PUSH_ARG is relative to its start
    KC_BINDING_CLUSTER,
    KC_BINDING_DATA,    // the program's data segment
    KC_BINDING_PRINTF,  // the printf buffer (see KC_PRINTF_HEADER)
    KC_BINDING_SCRATCH, // scratch memory for this dispatch
    KC_BINDING_PUSH,    // the push block, if push_indirect: UNIFORM_BUFFER_DYNAMIC, size a multiple
                        // of 16 bytes
    // With a mapping, plain data: of argument `arg`, or of all arguments.
    KC_BINDING_PODS,
    KC_BINDING_PODS_UNIFORM, // UNIFORM_BUFFER
    KC_BINDING_UNIFORM,      // constant argument `arg`: UNIFORM_BUFFER
    KC_BINDING_SAMPLER, // `arg`: KC_SAMPLER_ARG + the argument, or the value of a literal sampler
};
#define KC_NULL_BUFFER UINT32_MAX

// The number of a pointer to the first byte of the program's data segment, with logical addressing.
static inline uint64_t kc_data_number(uint32_t address_bits)
{
    return UINT64_C(1) << (address_bits == 32 ? 27 : 32);
}

enum kc_texel { KC_TEXEL_FLOAT, KC_TEXEL_INT, KC_TEXEL_UINT }; // class of a read or write
// The array of KC_BINDING_SAMPLERS: linear filter, normalized coordinates, no mipmaps, transparent
// black border; addressing modes in order: clamp to edge, clamp to border, repeat, mirrored repeat.
enum { KC_LINEAR_SAMPLERS = 4 };

enum { KC_LEVELS = 16 }; // mip levels that kernels may write

struct kc_binding {
    enum kc_binding_kind kind;
    enum kc_image_dim dim;
    enum kc_texel texel;
    bool depth; // a depth image: a texel is one float
    uint8_t level; // for KC_BINDING_STORAGE: the mip level; writes to a level that the image does
                   // not have are dropped
    uint32_t arg;
    uint32_t set, binding; // the set is 0 without a mapping
};

// With a mapping: how an argument is passed.
enum kc_place_kind {
    KC_PLACE_BUFFER,       // a storage buffer: set, binding
    KC_PLACE_UNIFORM,      // a uniform buffer: set, binding
    KC_PLACE_POD,          // bytes [offset, +size) of a storage buffer,
    KC_PLACE_POD_UNIFORM,  // of a uniform buffer,
    KC_PLACE_POD_PUSH,     // of the push constants. All of these blocks are read in 4-byte words
    KC_PLACE_POINTER_UNIFORM, KC_PLACE_POINTER_PUSH, // with physical addressing: plain data that is
                                                     // the 64-bit address of a buffer
    KC_PLACE_LOCAL,        // spec_id: number of elements of `size` bytes
    // By set and binding; like the KC_BINDING_ kinds with these names.
    KC_PLACE_SAMPLED, KC_PLACE_STORAGE, KC_PLACE_UNIFORM_TEXELS, KC_PLACE_STORAGE_TEXELS, KC_PLACE_SAMPLER,
    KC_PLACE_COUNT
};

// Queries of an image or a sampler by a kernel: one u32 of the push constants each.
enum kc_query {
    KC_QUERY_ORDER,   // cl_channel_order
    KC_QUERY_TYPE,    // cl_channel_type
    KC_QUERY_SAMPLER, // KC_SAMPLER_*, of an argument. The descriptor's sampler always has
                      // normalized coordinates; it is used for volumes and arrays
    KC_QUERY_COUNT
};
#define KC_NOT_QUERIED UINT32_MAX

struct kc_place {
    enum kc_place_kind kind;
    uint32_t set, binding;
    uint32_t offset, size;
    uint32_t spec_id;
    uint32_t queries[KC_QUERY_COUNT]; // offsets; KC_NOT_QUERIED: not queried
};

// Launch data that do not belong to a single kernel.
enum kc_shared_kind {
    KC_SHARED_LOCAL_SIZE,    // three SpecIds, for kernels that do not fix their work-group size
    KC_SHARED_GLOBAL_OFFSET, // three SpecIds
    KC_SHARED_WORK_DIM,      // SpecId
    // values[1] bytes at values[0] of the push constants: three u32 each.
    KC_SHARED_PUSH_GLOBAL_OFFSET, KC_SHARED_PUSH_ENQUEUED_LOCAL, KC_SHARED_PUSH_GLOBAL_SIZE, KC_SHARED_PUSH_REGION_OFFSET,
    KC_SHARED_PUSH_NUM_GROUPS, KC_SHARED_PUSH_REGION_GROUP,
    // Storage buffers: set, binding. The launch fills the first two with kc_program.data.
    KC_SHARED_CONSTANTS,
    KC_SHARED_VARIABLES, // and constants; stores by kernels persist
    KC_SHARED_PRINTF,    // and bytes; see KC_PRINTF_RECORD_MAX
    // The same with physical addressing: a u64 in the push constants, the buffer's address. For
    // printf also the bytes.
    KC_SHARED_PUSH_CONSTANTS, KC_SHARED_PUSH_VARIABLES, KC_SHARED_PUSH_PRINTF,
    KC_SHARED_COUNT
};

struct kc_shared {
    enum kc_shared_kind kind;
    uint32_t values[3];
};

// The header of a pipe's buffer. In a new pipe the rest of the header and the marks (`capacity`
// words for each side) are 0. Packets begin at kc_pipe_packets(), contiguously.
struct kc_pipe {
    uint32_t reserved[2], committed[2]; // total number of packets, by writers and by readers:
                                        // modulo `wrap`
    uint32_t capacity;
    uint32_t wrap; // a multiple of the capacity, at least 4 times that
    uint32_t unused[10];
};
enum { KC_PIPE_MAX_PACKETS = 1 << 29, KC_PIPE_ALIGN = 128 }; // of packets

static inline uint64_t kc_pipe_packets(uint64_t capacity)
{
    return (sizeof(struct kc_pipe) + 8 * capacity + KC_PIPE_ALIGN - 1) / KC_PIPE_ALIGN * KC_PIPE_ALIGN;
}

struct kc_kernel {
    const char *name;
    const char *attributes; // as returned for CL_KERNEL_ATTRIBUTES
    const struct kc_arg *args;
    uint32_t arg_count;

    const uint32_t *spirv; // entry point "main", GLCompute; no descriptors, except for images
    size_t spirv_words;

    const struct kc_push *push;
    uint32_t push_count;
    uint32_t push_size;  // bytes of the block
    bool push_indirect;  // the block is in device memory; the push constants contain only its
                         // 64-bit address at offset 0, or nothing if it is bound: KC_BINDING_PUSH

    const struct kc_spec *specs;
    uint32_t spec_count;

    const struct kc_binding *bindings; // by binding, starting at 0
    uint32_t binding_count;
    const struct kc_place *places; // by argument, if the target has a mapping

    uint32_t reqd_local_size[3]; // 0 0 0: none
    bool partial_groups; // groups at the end of a range may be smaller: reqd_local_size is not a
                         // constant
    uint32_t local_size_hint[3]; // 0 0 0: none
    uint32_t reqd_sub_groups;    // required number in a work-group; 0: any
    uint32_t reqd_sub_group_size; // required size, one of the device's; 0: any
    uint32_t local_memory;       // static local memory, bytes
    uint32_t local_per_item;     // further bytes for each work-item of a group, which hold its private arrays
    // Local memory that is addressed dynamically across variables is one shared array: its first
    // local_static_shared bytes belong to the kernel; arguments with a KC_PUSH_LOCAL_ARG follow,
    // each aligned to its kc_arg.align (at least 16); KC_SPEC_LOCAL_TOTAL = ceil(end / unit).
    uint32_t local_static_shared;
    uint32_t private_memory;  // bytes per work-item, as returned for CL_KERNEL_PRIVATE_MEM_SIZE
    // Device memory per work-item of a dispatch; 0: none. Each `scratch_lanes` work-items (a power
    // of two), consecutive in the dispatch, share theirs: see kc_scratch_size().
    uint32_t scratch_bytes, scratch_lanes;
    bool uses_barrier;
    bool uses_printf;
    bool enqueues; // has KC_PUSH_ENQUEUED and KC_PUSH_LAUNCH: it may have enqueued commands when it
                   // ends
    bool block;    // a block of enqueue_kernel, not a kernel of the source: see struct kc_enqueue
    bool uses_subgroups; // needs full sub-groups if the local size allows them
    bool lockstep; // work-items exchange values without barriers: expects sub-groups of at least KC_LOCKSTEP
    bool whole_sub_groups; // must have full sub-groups: all work-items of every work-group
    bool matrix_units; // also each row of a work-group: Vulkan requires that for matrix units (see
                       // kc_may_not_fit())
};

// Bytes of scratch memory for a dispatch of `items` work-items: whole groups of scratch_lanes.
static inline uint64_t kc_scratch_size(const struct kc_kernel *kernel, uint64_t items)
{
    uint64_t lanes = kernel->scratch_lanes;
    return lanes ? (items + lanes - 1) / lanes * lanes * kernel->scratch_bytes : 0;
}

// A word of the data segment that contains an address within the segment. None with logical
// addressing.
struct kc_relocation {
    uint32_t offset; // of a 64-bit word
    uint64_t addend; // word = segment address + addend
};

// The printf buffer begins with two u32: the bytes of records requested so far (initially 0) and a
// limit; records start at KC_PRINTF_HEADER. A call adds its size to the first; if the previous sum
// was below the limit, it writes its record there, otherwise the call fails. So the buffer needs
// KC_PRINTF_RECORD_MAX bytes beyond the limit.
// A record: u32 low half of the address of the call's description in the data segment (with logical
// addressing its offset there), then the arguments' lanes, each 4 bytes (zero-extended), or 8 for
// 64-bit types. A description, in bytes: u8 argument count, for each argument enum kc_printf_kind,
// bits, lanes; then the format, terminated by NUL.
// With a mapping the buffer consists of u32 words: the number of words used after this one
// (initially 0), then records. A record: the number of the call in the module, then the arguments:
// integers and floats promoted as in C, lanes of vectors packed, string literals of the call as
// numbers of their own, each padded to whole words. A record that does not fit is reduced to its
// number, or to nothing.
enum { KC_PRINTF_HEADER = 16, KC_PRINTF_RECORD_MAX = 4096, KC_PRINTF_ARGS_MAX = 255 };
enum kc_printf_kind { KC_PRINTF_INT, KC_PRINTF_UINT, KC_PRINTF_FLOAT, KC_PRINTF_POINTER };

// ---- device-side enqueue
// -------------------------------------------------------------------------

// Memory shared by a launch and everything that it enqueues, initialized by the host: this struct,
// `event_limit` times struct kc_device_event, as many u32 with the numbers of free events, then, at
// offset `first`, records of enqueued commands. The commands enqueued by a kernel begin after it
// has ended; the host reads the records when no kernel of the family is running, and resets `used`
// to 0.
// The number of an event is its index in the array + 1; 0 is CLK_NULL_EVENT. A new event takes the
// next free number: free[events++], an atomic addition, valid below event_limit. The host returns
// unreferenced numbers to the front of the free ones and decreases `events`; the device never uses
// it to check validity.
struct kc_enqueued {
    uint32_t used, limit; // bytes of records; a record that does not fit is missing, although
                          // `used` includes it
    uint32_t first;       // offset of the records, a multiple of 8
    uint32_t events, event_limit; // allocated numbers (including failed attempts); total
    uint32_t free;        // offset of the free numbers
    uint64_t default_queue; // number of the default device queue: KC_ARG_QUEUE
};
struct kc_device_event {
    int32_t status; // CL_COMPLETE, CL_SUBMITTED or an error. Set by the device for user events, by
                    // the host for others
    int32_t references;
    uint64_t times[2]; // of a complete command, ns: until its end, until its children's end. Set by
                       // the host
};
enum { KC_ENQUEUE_MARKER = -1, KC_ENQUEUE_PROFILE = -2 };
// A record. It is followed by: u64 numbers of the events it waits for, u32 sizes of local
// arguments, and the block's captured data, each padded to 8 bytes. The kernel of a block
// (kc_kernel.block) has KC_ARG_LOCAL arguments, then KC_ARG_IMAGE ones, and then, if it captures
// anything, one KC_ARG_VALUE. Captured data begin with a u32 for each image: the index of the
// parent's argument.
struct kc_enqueue {
    uint32_t size; // total size, a multiple of 8
    int32_t kernel; // index in kc_program.kernels, or KC_ENQUEUE_*
    uint64_t queue;
    uint32_t flags; // CLK_ENQUEUE_FLAGS_*
    uint32_t work_dim;
    uint64_t global_offset[3], global_size[3], local_size[3]; // for KC_ENQUEUE_PROFILE,
                                                              // global_offset[0] is the address for
                                                              // the values
    uint64_t event; // completes with the command; for KC_ENQUEUE_PROFILE: the event whose times are
                    // queried
    uint32_t wait_count, local_count, captured; // captured: bytes
    uint32_t parent; // number of the launch that enqueued it: KC_PUSH_LAUNCH
};

// A file that an #include or a __has_include has looked for.
struct kc_file {
    const char *path;
    uint64_t hash; // of its contents; 0: not found
};

struct kc_program {
    enum kc_status status;
    const char *log; // diagnostics; never empty when status is not KC_OK
    const struct kc_kernel *kernels; // in order of definition
    uint32_t kernel_count;
    const uint8_t *data; // initial contents of program-scope constants and variables
    uint32_t data_size;
    bool data_writable;  // the segment contains program-scope variables: contents persist across
                         // launches
    bool uniform_work_groups; // all work-groups must have the same size
    const struct kc_file *files; // files that it depends on, including those that were not found
    uint32_t file_count;
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    uint64_t data_layout; // hash of the locations of all names in `data`
    const uint32_t *spirv; // with a mapping: all kernels
    size_t spirv_words;
    const struct kc_shared *shared;
    uint32_t shared_count;
    const uint32_t *samplers; // literal ones, KC_SAMPLER_*: set 0, by binding starting at 0.
                              // Kernels' sets follow
    uint32_t sampler_count;
    const uint8_t *object; // the program as an object, for kc_build_general(); NULL: no kernel
                           // needs it
    uint32_t object_size;
};

// Compiles and links one translation unit. Returns NULL only if not even the result struct can be
// allocated. Free the result by kc_program_destroy(), NULL allowed.
struct kc_program *kc_build(const struct kc_input *input, const struct kc_target *target);
void kc_program_destroy(struct kc_program *program);
// Whether a build would find the same contents now.
bool kc_file_is_same(const struct kc_file *file);

static inline bool kc_limits_arguments(const struct kc_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        if (kernel->args[i].bounded || kernel->args[i].aligned || kernel->args[i].disjoint)
            return true;
    return false;
}
// Whether the kernel does not support every launch: with matrix units, work-groups whose rows are
// not multiples of a sub-group; arguments that do not meet kc_arg.aligned, .bounded and .disjoint; large work-groups
// if each work-item has local memory of its own.
static inline bool kc_may_not_fit(const struct kc_kernel *kernel)
{
    return ((kernel->matrix_units || kernel->local_per_item) && !kernel->reqd_local_size[0]) || kc_limits_arguments(kernel);
}
static inline bool kc_has_general_form(const struct kc_program *program, const struct kc_kernel *kernel)
{
    return program->object && kc_may_not_fit(kernel);
}
// Builds a version of the kernel that supports every launch, for the target of `program`; its data
// segment has the same layout as that of `program`, and shares it.
struct kc_program *kc_build_general(const struct kc_program *program, const struct kc_kernel *kernel,
                                    const struct kc_target *target);

// The kernel's module with the image formats `values` (one value per row of kc_kernel.specs) in its
// KC_SPEC_IMAGE_FORMAT rows. Free the words by free(). NULL: out of memory, or the module is not
// one of ours.
uint32_t *kc_name_formats(const struct kc_kernel *kernel, const uint32_t *values, size_t *words);

// ---- separate compilation ------------------------------------------------------------------------

// A compiled unit or a library: bytes to be stored and linked, for the target they were compiled
// for.
struct kc_object {
    enum kc_status status;
    const char *log; // as in struct kc_program
    const uint8_t *bytes;
    size_t size;
};

struct kc_bytes {
    const void *bytes;
    size_t size;
};

struct kc_link_input {
    const struct kc_bytes *objects;
    size_t count;
    const char *options; // as passed to clLinkProgram; NULL means none
};

// Compiles one translation unit, which may refer to functions and variables of others. NULL as for
// kc_build().
struct kc_object *kc_compile(const struct kc_input *input, const struct kc_target *target);
// Links objects into a program; the log names conflicts, and counts objects from 1.
struct kc_program *kc_link(const struct kc_link_input *input, const struct kc_target *target);
// Links them into one object, which may have undefined names.
struct kc_object *kc_link_library(const struct kc_link_input *input, const struct kc_target *target);
// Whether these bytes are a complete and valid object for the target.
bool kc_check_object(const void *bytes, size_t size, const struct kc_target *target);
void kc_object_destroy(struct kc_object *object);

// ---- SPIR-V modules
// ------------------------------------------------------------------------------

struct kc_il_spec {
    uint32_t id, size; // SpecId; bytes of the value, 1 for a bool
};

// The specialization constants of a module, by SpecId. KC_ERROR: not a supported SPIR-V module; the
// log says why. Errors within the module are reported by a build. Free both by free(), whatever the
// status.
enum kc_status kc_il_read(const void *il, size_t size, struct kc_il_spec **specs, size_t *count, char **log);

// What modules may use; rows in reader/features.def. The names are static.
enum { KC_IL_SETS = 4, KC_IL_EXTENSIONS = 32, KC_IL_CAPABILITIES = 96 };
enum { KC_IL_MINOR_VERSIONS = 7 }; // SPIR-V 1.0 to 1.6

struct kc_il_features {
    uint32_t set_count, extension_count, capability_count;
    const char *sets[KC_IL_SETS]; // of extended instructions
    const char *extensions[KC_IL_EXTENSIONS];
    uint32_t capabilities[KC_IL_CAPABILITIES]; // SPIR-V's numbers
};

void kc_il_features(const struct kc_target *target, struct kc_il_features *features);

// Checks an option string as clBuildProgram (link = false) or clLinkProgram (link = true) must.
// Returns KC_OK, or KC_INVALID_OPTIONS with the reason in `why` (always terminated).
enum kc_status kc_check_options(const char *options, bool link, char *why, size_t why_size);

#endif
