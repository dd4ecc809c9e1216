// SPDX-License-Identifier: Apache-2.0
// kc: OpenCL C source, or SPIR-V as OpenCL has it, -> Vulkan SPIR-V plus everything the runtime must know to launch it.
//
// The compiler's one public header. It knows no Vulkan, no OpenCL API and no device: what a device can
// do arrives as a plain struct kc_target. All functions are re-entrant; objects are not shared between
// threads while being written. All sizes and offsets are in bytes unless a name says otherwise.
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

// Every extension and feature macro, one bit each; rows in extensions.def.
enum kc_extension {
#define EXTENSION(id, name, major, minor, patch, macro_from) KC_EXT_##id,
#define FEATURE(id, name, major, minor, patch) KC_EXT_##id,
#include "pumice/extensions.def"
    KC_EXT_COUNT
};

// A set of them; all zero: none.
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

// What a cooperative matrix is made of; numbers before KC_COMPONENT_BF16 are Vulkan's.
enum kc_component {
    KC_COMPONENT_F16, KC_COMPONENT_F32, KC_COMPONENT_F64, KC_COMPONENT_S8, KC_COMPONENT_S16, KC_COMPONENT_S32,
    KC_COMPONENT_S64, KC_COMPONENT_U8, KC_COMPONENT_U16, KC_COMPONENT_U32, KC_COMPONENT_U64,
    KC_COMPONENT_BF16, KC_COMPONENT_E4M3, KC_COMPONENT_E5M2, KC_COMPONENT_COUNT
};

// A product of matrices that a sub-group's units do: rows x depth by depth x columns.
struct kc_matrix_shape {
    uint16_t rows, columns, depth;
    uint8_t a, b, c, result; // enum kc_component
    bool saturating;
};
enum { KC_MATRIX_SHAPES = 64 };

// How a module that other programs than our runtime load finds what a launch hands over: by descriptors, specialization
// constants and push constants, each told by struct kc_place and struct kc_shared. All kernels are in one module then, the
// names of entry points are theirs. Goes with logical addressing; a buffer begins at its binding's first byte, none is NULL.
struct kc_mapping {
    bool on; // else the modules are for our runtime
    enum kc_pods { KC_PODS_STORAGE, KC_PODS_UNIFORM, KC_PODS_PUSH } pods; // where plain data lie
    bool pods_apart;    // each with a descriptor of its own
    bool distinct_sets; // each kernel has its own descriptor set
    bool work_dim;      // get_work_dim() is a specialization constant, else 3
    bool global_offset, global_offset_push; // there is one: specialization constants, or push constants
    // What some drivers get wrong is not in the module: instructions for high halves of products, undefined values,
    // comparisons of signed integers.
    bool no_mul_extended, no_undef, no_signed_compare;
    bool bgra_buffers; // images over buffers of CL_BGRA have the channels of CL_RGBA, kernels exchange what they read
    bool regions;       // work-groups of several sizes also before OpenCL C 2.0
    uint8_t reflection; // the module tells itself: by this version of NonSemantic.ClspvReflection; 0: it does not
    bool reflection_least; // or by a later one where what the program has wants it
    // The program's constants: part of the module, or of a storage buffer that the launch fills. Programs with variables at
    // their scope have such a buffer in any case, with all of both.
    bool data_bound;
    bool constants_uniform; // constant arguments are uniform buffers,
    uint32_t max_uniform;   // each of so many bytes
    bool printf;            // may be called
    uint32_t printf_bytes;  // of its buffer
    uint8_t samplers[20], sampler_count; // literal ones that have the first bindings, used or not: as enum kc_sampler's bits
    // Functions that may be the device's own though nothing is known of them: all, or these, a comma list, which outlives the
    // target; NULL: none.
    bool native_math;
    const char *natives;
    bool any_sub_groups; // of more work-items than the target says, too: no cooperative matrices, which are shared out
};
enum { KC_REFLECTION_USUAL = 5, KC_REFLECTION_NEWEST = 7 };

// What the code will run on. A zeroed struct is the smallest device: 32-bit integers and floats only.
// What a kernel takes the driver's compiler, calls inlined. Measured; all 0: not known.
struct kc_compile_cost {
    uint64_t instruction_ns, local_ns; // of an instruction; of an access to local memory and each of its components
    uint64_t block_ns;                 // of a block, for each phi and component in local memory
    uint64_t pair_ns;                  // of two components that are stored, loaded or meet, in a kernel of 4,000 blocks
    uint64_t instruction_bytes, local_bytes; // the memory it takes
    uint64_t most_accesses; // to memory by address, of one component, without a branch: beyond, it crashes; 0: any number
};

struct kc_target {
    uint32_t spirv_version; // e.g. 0x00010500
    struct kc_extensions extensions; // offered to programs (macros, builtins)

    bool int8, int16, int64, float16, float64;    // arithmetic
    bool storage8, storage16;                     // physical loads and stores of these widths
    bool physical_addressing;                     // buffer device addresses; else logical addressing: see KC_BINDING_BUFFER
    uint32_t address_bits;                        // 32: size_t and pointers in memory have 4 bytes; else 8
    bool workgroup_explicit_layout;               // aliased local-memory blocks
    bool workgroup_storage8, workgroup_storage16; // and with 8/16-bit members
    bool vulkan_memory_model, vulkan_memory_model_device_scope;
    bool group_coherence; // stores to global memory are to reach no farther than barriers take them: Vulkan's model says how
                          // far, where GLSL450's Coherent is of the whole device and goes past the caches of its parts
    bool strict_atomics; // atomic operations that read and write, acquire and release are sequentially consistent
    bool int64_atomics, int64_shared_atomics;
    bool float32_atomic_add, float32_shared_atomic_add;
    bool embedded; // the embedded profile is told: __EMBEDDED_PROFILE__
    bool c_3_1; // -cl-std=CL3.1 is taken: the device reports OpenCL C 3.1 and has all that it asks for
    bool images; // image types and __IMAGE_SUPPORT__
    // Of programs whose memory begins with zeros: local memory of a work-group (the device must be able to,
    // shaderZeroInitializeWorkgroupMemory); variables in private memory whenever their function begins.
    bool zero_local, zero_private;
    bool image_read_without_format, image_write_without_format; // else a launch names formats: KC_SPEC_IMAGE_FORMAT
    bool image_3d_writes;
    bool image_bgra_by_rgba; // texels of CL_BGRA are stored as those of CL_RGBA, the kernel exchanges channels
    bool image_unorm16_by_uint; // buffers' texels of CL_UNORM_INT16 are integers to the device, the kernel converts
    bool image_linear_filter; // the device's own is good enough: KC_BINDING_SAMPLERS; else texels are mixed in the kernel
    bool maximal_reconvergence;
    bool int_dot_product;
    bool device_clock, subgroup_clock; // ReadClockKHR of these scopes
    bool quick_dot4; // of four bytes: one operation, whatever their signs
    bool local_size_id; // sizes of work-groups that the launch chooses are given by ids, else by the built-in constant
    bool subgroups; // in compute kernels: votes, ballots, shuffles; what may come on top:
    bool subgroup_extended_types; // of 64-bit integers too, not of 32 bits (and doubles) alone
    bool subgroup_arithmetic; // else work-items see one another's values in turn
    bool subgroup_shuffle_relative, subgroup_clustered;
    bool int64_mul_extended; // high halves of 64-bit products in one instruction
    bool int64_division_in_32; // 64-bit quotients by 32-bit operations and floats: the driver gets its own wrong, or makes of each a loop of 64 rounds
                               // written out (all of Mesa's, for GPUs)
    bool hidden_ranges; // how large bools, bytes, quotients, places can be is hidden from the driver, which concludes wrongly from it
    bool hidden_zeros; // constant zeros of sums and quotients are hidden from the driver, which folds them wrongly
    bool second_exits; // loops that are left out of an arm of an if alone are shown another exit to the driver, which uses values
                       // of the arm where it has not computed them
    bool exits_by_phis; // what a loop computes is used behind it by phis alone: work-items that have left it earlier see there what
                        // the last round computed
    bool unsigned_by_halves; // unsigned integers become floats by halves: the driver's own conversion rounds twice
    bool longs_by_doubles; // 64-bit integers become floats by way of doubles: the driver rounds twice
    bool small_whole_doubles; // Trunc and RoundEven leave doubles from 2^24 on as they are, whole or not
    bool longs_by_words; // floats become 64-bit integers by words beside the units' matrices: the driver's compiler dies of others
    bool flushed_order;   // comparisons take denormals for zeros
    bool numbers_of_nans; // Exp2 gives numbers for NaNs
    bool loads_by_items; // loads within ifs and loops are shown to be of addresses that differ: else the driver loads once for all,
                         // where none is left too
    bool keeps_loops; // the driver is told which loops not to unroll: its compiler cannot bear what it makes of them
    bool unrolls_loops; // small ones of a known number of rounds, where that pays: here only those by which private arrays become
                        // registers are written out
    bool readonly_members; // loads of what nobody writes are told by NonWritable members
    bool ids_by_lanes; // sub-groups are made in the order of local ids, of subgroup_size each, and the driver divides for every local id: see
                       // lower_sys
    bool access_by_elements; // elements of vectors in global memory are accessed one after another, each for one work-item after another
    bool local_by_items; // local memory is accessed one work-item after another, each in blocks of its own
    bool guards; // launches without a local size round ranges up to whole work-groups where they can: KC_SPEC_GUARD. Our runtime's
                 // do; other programs choose sizes themselves
    uint32_t unroll_room; // instructions that rounds written out of a small loop may have where their number is not known; 0: the
                          // source must ask for them
    bool packs_accesses; // neighbouring loads and stores become wider ones: the device has those, its driver does not make them
    bool packs_places; // also in local memory at places that are computed
    uint32_t max_nesting; // levels of control flow that the driver bears, as passes/lower_nesting.c counts them; 0: any number
    bool flat_ifs; // work-items are lanes that run both sides of an if: larger ones become choices of values
    bool sub_groups_in_step; // a sub-group's work-items are, so that its barrier is a fence; the driver takes it for the work-group's
    bool constant_tables;  // private arrays of numbers become constants of the program: the driver
                           // would fill them for each work-item
    bool small_ints_in_32; // do 8- and 16-bit arithmetic in 32 bits: the device has none, or its driver gets it wrong

    // Execution modes by width, index 0 = 16, 1 = 32, 2 = 64 bits.
    bool signed_zero_inf_nan_preserve[3], rounding_rte[3], denorm_preserve[3];
    bool fused_fma[3];      // GLSL.std.450 Fma rounds once (measured by driver)
    bool quick_fma;         // that of a type that the device has takes no longer than a product and a sum, whether it rounds once or twice
    bool exact_division[3]; // OpFDiv is correctly rounded under the modes above (likewise)
    bool exact_sqrt[3];     // likewise Sqrt
    bool native_min_max[3]; // NMin and NMax are instructions and mean fmin and fmax (likewise)
    // Fma of floats rounds once; Exp2, Sqrt and InverseSqrt are within the bounds that OpenCL C has for them, special
    // values right, denormals perhaps lost (measured): the library's quick forms build on them.
    bool close_natives;
    bool plain_quotients; // quotients and roots of floats are the device's own though Fma rounds once: no worse than OpenCL allows
    bool fused_differences; // a product that is subtracted without NoContraction takes one operation, a sign before Fma another (likewise)
    bool slow_double_root; // Sqrt of doubles takes longer than our own by fused multiply-adds (likewise)

    // Physical addressing: what becomes of an argument to whose buffer all that is made of it leads, where nobody sees the pointer
    // itself: kc_arg.bounded.
    enum kc_plain_arguments {
        KC_PLAIN_ADDRESSES, // an address like any other
        KC_PLAIN_ALIGNED,   // the same, but kc_arg.aligned, as with all below
        KC_PLAIN_OFFSETS,   // an address to which 32-bit offsets are added: the buffer's address is the same for all work-items
        KC_PLAIN_BINDINGS,  // KC_BINDING_BUFFER, in kernels that access no global memory in another way
    } plain_arguments;

    // Under logical addressing, where a pointer to global memory is a storage buffer and an offset in it, and of what is bound:
    uint32_t max_storage_buffers;  // that a kernel may bind, 4 at least; 0: any number
    uint64_t storage_buffer_range; // bytes that one spans at most, with address_bits 32 128 MiB; 0: 4 GiB - 16

    uint32_t max_push_bytes;     // 128 at least; under a mapping what it says
    uint32_t max_local_size[3];
    uint32_t max_local_invocations;
    uint32_t told_local_invocations; // what kernels are told of blocks, as the runtime tells of kernels; 0: the most there are
    uint32_t max_local_memory;
    uint32_t max_inlined; // instructions of a kernel, calls inlined, from which on large functions are there once: the driver inlines
                          // every call; 0: it does not
    struct kc_compile_cost cost; // of the driver's compiler
    bool no_cost_limit;          // no kernel is refused for what it costs: PUMICE_LIMIT=none
    uint32_t max_function_array; // bytes of private arrays per work-item kept in Function storage
    uint32_t subgroup_size;
    uint32_t subgroup_sizes; // the sizes, or-ed, that a kernel may ask for (kc_kernel.reqd_sub_group_size) beside that one
    uint32_t matrix_shape_count; // 0: cooperative matrices are what work-items make of them
    struct kc_matrix_shape matrix_shapes[KC_MATRIX_SHAPES];
    bool matrix_tiles_by_items;  // ... and so are tiles of these shapes: to try what is made for units where there are none

    struct kc_mapping mapping; // for whom the modules are
};

// Of a pointer in memory, and of size_t.
static inline uint32_t kc_pointer_bytes(const struct kc_target *target)
{
    return target && target->address_bits == 32 ? 4 : 8;
}

// What kernels are told that a work-group has at most, and how many work-items a sub-group has.
static inline uint32_t kc_told_group(const struct kc_target *target)
{
    return target->told_local_invocations ? target->told_local_invocations : target->max_local_invocations;
}

static inline uint32_t kc_told_lanes(const struct kc_target *target)
{
    return target->subgroup_size ? target->subgroup_size : 1;
}

static inline bool kc_has_sub_groups_of(const struct kc_target *target, uint32_t lanes)
{
    bool one_bit = lanes && !(lanes & (lanes - 1));
    return target->subgroups && lanes && (lanes == target->subgroup_size || (one_bit && target->subgroup_sizes & lanes));
}

// A header handed in by clCompileProgram; looked up by name before any file.
struct kc_header {
    const char *name;
    const char *text;
    size_t length;
};

// What a specialization constant of a module of SPIR-V is to have instead of its default.
struct kc_spec_value {
    uint32_t id, size; // SpecId; bytes of the value: 1, 2, 4 or 8
    uint64_t bits;
};

struct kc_input {
    const char *source;
    size_t length;
    const char *file_name; // for diagnostics; NULL means "kernel.cl"
    const char *options;   // as given to clBuildProgram; NULL means none
    const struct kc_header *headers;
    size_t header_count;
    const void *il; // a module of OpenCL SPIR-V instead of a source, in either byte order; NULL: `source`
    size_t il_size; // bytes
    const struct kc_spec_value *spec_values;
    size_t spec_value_count;
};

// ---- what a kernel needs at launch ---------------------------------------------------------------

enum { KC_BOUNDED_ALIGN = 16 };

enum kc_arg_kind {
    KC_ARG_VALUE,    // copied by value; size is the type's size
    KC_ARG_GLOBAL,   // a buffer: its 64-bit device address is pushed (0 for NULL), or it is bound: KC_BINDING_BUFFER
    KC_ARG_CONSTANT, // likewise, __constant
    KC_ARG_LOCAL,    // a size in bytes given at launch
    KC_ARG_IMAGE,
    KC_ARG_SAMPLER,
    KC_ARG_QUEUE, // queue_t: 8 bytes, a number that the runtime knows a queue of the device by; 0: none
};

enum kc_address_qualifier { KC_ADDRESS_GLOBAL, KC_ADDRESS_LOCAL, KC_ADDRESS_CONSTANT, KC_ADDRESS_PRIVATE };
enum kc_image_dim { KC_DIM_1D, KC_DIM_1D_ARRAY, KC_DIM_2D, KC_DIM_2D_ARRAY, KC_DIM_3D, KC_DIM_BUFFER };
enum kc_access_qualifier { KC_ACCESS_NONE, KC_ACCESS_READ_ONLY, KC_ACCESS_WRITE_ONLY, KC_ACCESS_READ_WRITE };
enum { KC_TYPE_CONST = 1, KC_TYPE_RESTRICT = 2, KC_TYPE_VOLATILE = 4, KC_TYPE_PIPE = 8 }; // type qualifiers

struct kc_arg {
    const char *name;
    const char *type_name; // as clGetKernelArgInfo shows it: "float4*", no qualifiers, "uint" not "unsigned int", typedefs as written
    enum kc_arg_kind kind;
    enum kc_address_qualifier address;
    enum kc_access_qualifier access;
    uint32_t type_qualifiers;
    uint32_t size;  // what clSetKernelArg must be given; 8 for pointers
    uint32_t align; // of the pointee for KC_ARG_LOCAL, of the value otherwise
    bool clustered; // a buffer behind KC_BINDING_CLUSTER
    bool written;   // a buffer of a kernel with such a binding: the kernel may store to it
    bool numbered;  // it has a KC_PUSH_BUFFER_NUMBER: see there
    bool aligned;   // physical addressing: NULL, or a place at a multiple of KC_BOUNDED_ALIGN bytes: kc_build_general()
    bool bounded;   // physical addressing: NULL, or a place at a multiple of KC_BOUNDED_ALIGN bytes from which on the buffer has at most
                    // kc_target.storage_buffer_range bytes, and in front of which nothing is accessed: kc_build_general()
    uint32_t elem_size; // of the pointee for KC_ARG_LOCAL, of the packets of a pipe (KC_ARG_GLOBAL with KC_TYPE_PIPE), where it is known
    uint8_t dim; // of an image: enum kc_image_dim
};

// One field of the push block. `dim` is 0..2 where the kind is per dimension.
enum kc_push_kind {
    KC_PUSH_ARG,            // argument `arg`: its bytes, its 64-bit device address, or a u32: of a sampler that is no
                            // KC_SPEC_SAMPLER see KC_SAMPLER_*, of a buffer that is bound KC_BINDING_BUFFER
    KC_PUSH_BUFFER_NUMBER,  // logical addressing, of a buffer: the number of a pointer to the first byte of what is bound. u64, with
                            // address_bits 32 u32; 0 for NULL. A pointer's number is this one + the bytes between them. Arguments
                            // with this field that have the same buffer bind the same bytes of it, and a byte has one number.
                            // Numbers of two buffers, or of one and the program's data, differ by more than a binding spans
    KC_PUSH_LOCAL_ARG,      // u32 byte offset of local argument `arg` in the shared local array (see KC_SPEC_*)
    // Those of the range: u64, with address_bits 32 u32.
    KC_PUSH_GLOBAL_BASE,    // global offset + start of this region, so that id = base + invocation id
    KC_PUSH_GLOBAL_OFFSET,  // global_work_offset
    KC_PUSH_GLOBAL_SIZE,
    KC_PUSH_NUM_GROUPS,     // of the whole range, remainder groups included
    KC_PUSH_GROUP_BASE,     // first group id of this region
    KC_PUSH_ENQUEUED_LOCAL, // u32: the local size of the enqueue (regions at the edge have smaller ones)
    KC_PUSH_WORK_DIM,       // u32
    KC_PUSH_DATA,           // u64: device address of the program's data segment
    KC_PUSH_PRINTF,         // u64: device address of the printf buffer (see KC_PRINTF_HEADER)
    KC_PUSH_ENQUEUED,       // u64: device address of what the launch enqueues (see struct kc_enqueued)
    KC_PUSH_LAUNCH,         // u32: the launch's number among those that share it: kc_enqueue.parent
    KC_PUSH_SCRATCH,        // u64: device address of scratch memory for this dispatch
    KC_PUSH_IMAGE_ORDER,    // u32: image argument `arg`'s cl_channel_order
    KC_PUSH_IMAGE_TYPE,     // u32: its cl_channel_type
    KC_PUSH_IMAGE_SIZE,     // u32: its width (dim 0), its height (1), its depth or number of layers (2); in texels; its mip levels (3)
    KC_PUSH_ITEMS,          // u32: work-items of this dispatch, see KC_SPEC_GUARD
}; // KC_PUSH_DATA, _PRINTF, _ENQUEUED, _LAUNCH and _SCRATCH: under physical addressing alone

struct kc_push {
    enum kc_push_kind kind;
    uint32_t dim, arg;
    uint32_t offset, size; // in the block; offset is a multiple of 4 (8 for 8-byte fields and larger)
};

// Specialization constants, all 32-bit unsigned.
enum kc_spec_kind {
    KC_SPEC_LOCAL_SIZE,  // local size of dimension `dim`; absent when the kernel fixes it
    KC_SPEC_LOCAL_ARG,   // element count (>= 1) of local argument `arg`'s own array: ceil(size / unit)
    KC_SPEC_LOCAL_TOTAL, // element count (>= 1) of the shared local array: see local_static_shared
    KC_SPEC_IMAGE_FORMAT, // no constant of the module, but what kc_name_formats() puts in: SPIR-V's Image Format of binding `arg`
    KC_SPEC_SAMPLER,      // sampler argument `arg`: KC_SAMPLER_*
    KC_SPEC_GUARD,        // 1: invocations with an id of KC_PUSH_ITEMS or more, of the dimensions that have it, return at once; 0: no
                          // launch has any. There if the kernel's work-items share nothing with their group. `arg` 1: the kernel sees
                          // its group; if this constant is 1 it is a group of one work-item, KC_PUSH_NUM_GROUPS, _GROUP_BASE and
                          // _ENQUEUED_LOCAL must fit
};

struct kc_spec {
    enum kc_spec_kind kind;
    uint32_t id; // SpecId
    uint32_t dim, arg;
    uint32_t unit; // bytes an element
};

// A sampler's value: normalized coordinates | addressing mode | filter, as the CLK_ macros of OpenCL C have them.
enum {
    KC_SAMPLER_NORMALIZED = 1,
    KC_SAMPLER_NONE = 0, KC_SAMPLER_CLAMP_TO_EDGE = 2, KC_SAMPLER_CLAMP = 4, KC_SAMPLER_REPEAT = 6,
    KC_SAMPLER_MIRRORED_REPEAT = 8, KC_SAMPLER_ADDRESSING = 0xe,
    KC_SAMPLER_NEAREST = 0x10, KC_SAMPLER_LINEAR = 0x20, KC_SAMPLER_MIP_LINEAR = 0x40,
    // 11 bits each, in 128ths: the least level of detail; how far the most is below KC_SAMPLER_MOST_LOD.
    KC_SAMPLER_LOD_MIN = 8, KC_SAMPLER_LOD_MAX = 19, KC_SAMPLER_MOST_LOD = 2047,
    KC_SAMPLER_ARG = 1 << 30, // under a mapping, within the compiler: which argument it is
};

// Descriptors, all in set 0. Nearest reads are texel fetches and need no sampler. An image argument has one binding
// for each way the kernel uses it: texels of another type than its format are its bits, or any image of the right kind.
enum kc_binding_kind {
    KC_BINDING_SAMPLED,        // image argument `arg`, read: VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
    KC_BINDING_STORAGE,        // written, or read and written: STORAGE_IMAGE, without a format (see KC_SPEC_IMAGE_FORMAT)
    KC_BINDING_UNIFORM_TEXELS, // image1d_buffer_t, read: UNIFORM_TEXEL_BUFFER
    KC_BINDING_STORAGE_TEXELS, // image1d_buffer_t, written: STORAGE_TEXEL_BUFFER
    KC_BINDING_SAMPLERS,       // KC_LINEAR_SAMPLERS samplers, see below
    // Logical addressing, the first of them also for bounded arguments: all but the last are STORAGE_BUFFER, two may be the same memory. A kernel has those that it uses, once each.
    // Their sizes are multiples of 16: the last bytes are read with their neighbours.
    KC_BINDING_BUFFER,  // global or constant argument `arg`. A u32 KC_PUSH_ARG holds the bytes from the binding's start to the
                        // argument's (a multiple of 16; what a sub-buffer's offset has beyond the device's alignment), or
                        // KC_NULL_BUFFER for NULL: then any buffer is bound, it is not accessed. Either without the other occurs
    // The arguments that are `clustered`, where the device binds fewer than there are: one range of one buffer that holds
    // them all. KC_PUSH_ARG counts from the start of it
    KC_BINDING_CLUSTER,
    KC_BINDING_DATA,    // the program's data segment
    KC_BINDING_PRINTF,  // the printf buffer (see KC_PRINTF_HEADER)
    KC_BINDING_SCRATCH, // scratch memory for this dispatch
    KC_BINDING_PUSH,    // the push block, where push_indirect: UNIFORM_BUFFER_DYNAMIC, of whole 16 bytes
    // Under a mapping, plain data: of argument `arg`, or of all of them.
    KC_BINDING_PODS,
    KC_BINDING_PODS_UNIFORM, // UNIFORM_BUFFER
    KC_BINDING_UNIFORM,      // constant argument `arg`: UNIFORM_BUFFER
    KC_BINDING_SAMPLER,      // `arg`: KC_SAMPLER_ARG + the argument, or what a literal one is
};
#define KC_NULL_BUFFER UINT32_MAX

// What a pointer to the first byte of the program's data segment is, under logical addressing.
static inline uint64_t kc_data_number(uint32_t address_bits)
{
    return UINT64_C(1) << (address_bits == 32 ? 27 : 32);
}

enum kc_texel { KC_TEXEL_FLOAT, KC_TEXEL_INT, KC_TEXEL_UINT }; // what a read gives or a write takes
// The array of KC_BINDING_SAMPLERS: linear filter, normalized coordinates, no mipmaps, border transparent black, with
// these addressing modes in turn: clamp to edge, clamp to border, repeat, mirrored repeat.
enum { KC_LINEAR_SAMPLERS = 4 };

enum { KC_LEVELS = 16 }; // mip levels that kernels may write

struct kc_binding {
    enum kc_binding_kind kind;
    enum kc_image_dim dim;
    enum kc_texel texel;
    bool depth; // a depth image: the texel is one float
    uint8_t level; // of KC_BINDING_STORAGE: the mip level; one that the image lacks is not written
    uint32_t arg;
    uint32_t set, binding; // the set is 0 without a mapping
};

// Under a mapping: where an argument goes.
enum kc_place_kind {
    KC_PLACE_BUFFER,       // a storage buffer: set, binding
    KC_PLACE_UNIFORM,      // a uniform buffer: set, binding
    KC_PLACE_POD,          // bytes [offset, +size) of a storage buffer,
    KC_PLACE_POD_UNIFORM,  // of a uniform buffer,
    KC_PLACE_POD_PUSH,     // of the push constants. All of these blocks are read in words of 4 bytes
    KC_PLACE_POINTER_UNIFORM, KC_PLACE_POINTER_PUSH, // under physical addressing: as plain data, the 64-bit address of a buffer
    KC_PLACE_LOCAL,        // spec_id: how many elements of `size` bytes
    // By set and binding; as the KC_BINDING_ kinds of these names have them.
    KC_PLACE_SAMPLED, KC_PLACE_STORAGE, KC_PLACE_UNIFORM_TEXELS, KC_PLACE_STORAGE_TEXELS, KC_PLACE_SAMPLER,
    KC_PLACE_COUNT
};

// What a kernel asks about an image or a sampler: one u32 of the push constants each.
enum kc_asked {
    KC_ASKED_ORDER,   // cl_channel_order
    KC_ASKED_TYPE,    // cl_channel_type
    KC_ASKED_SAMPLER, // KC_SAMPLER_*, of an argument. Coordinates are always normalized for the descriptor's sampler, which
                      // reads volumes and arrays
    KC_ASKED_COUNT
};
#define KC_NOT_ASKED UINT32_MAX

struct kc_place {
    enum kc_place_kind kind;
    uint32_t set, binding;
    uint32_t offset, size;
    uint32_t spec_id;
    uint32_t asked[KC_ASKED_COUNT]; // offsets; KC_NOT_ASKED: it is not
};

// And what is not of a kernel alone.
enum kc_shared_kind {
    KC_SHARED_LOCAL_SIZE,    // SpecIds of the three: a kernel has them that does not fix its work-groups' size
    KC_SHARED_GLOBAL_OFFSET, // SpecIds, three
    KC_SHARED_WORK_DIM,      // SpecId
    // values[1] bytes at values[0] of the push constants: three u32 each.
    KC_SHARED_PUSH_GLOBAL_OFFSET, KC_SHARED_PUSH_ENQUEUED_LOCAL, KC_SHARED_PUSH_GLOBAL_SIZE, KC_SHARED_PUSH_REGION_OFFSET,
    KC_SHARED_PUSH_NUM_GROUPS, KC_SHARED_PUSH_REGION_GROUP,
    // Storage buffers: set, binding. The launch fills the first two with kc_program.data.
    KC_SHARED_CONSTANTS,
    KC_SHARED_VARIABLES, // and constants: what kernels store stays
    KC_SHARED_PRINTF,    // and bytes; see KC_PRINTF_RECORD_MAX
    // The same under physical addressing: in push constants, a u64 that is the buffer's address. Of printf's the bytes, too.
    KC_SHARED_PUSH_CONSTANTS, KC_SHARED_PUSH_VARIABLES, KC_SHARED_PUSH_PRINTF,
    KC_SHARED_COUNT
};

struct kc_shared {
    enum kc_shared_kind kind;
    uint32_t values[3];
};

// What a pipe's buffer begins with; the rest of its header and the marks, of `capacity` words for either side, are 0 in a new one.
// Packets begin at kc_pipe_packets(), side by side.
struct kc_pipe {
    uint32_t reserved[2], committed[2]; // how many packets, in all, by writers and by readers: modulo `wrap`
    uint32_t capacity;
    uint32_t wrap; // a multiple of the capacity, 4 times it at least
    uint32_t unused[10];
};
enum { KC_PIPE_MAX_PACKETS = 1 << 29, KC_PIPE_ALIGN = 128 }; // of packets

static inline uint64_t kc_pipe_packets(uint64_t capacity)
{
    return (sizeof(struct kc_pipe) + 8 * capacity + KC_PIPE_ALIGN - 1) / KC_PIPE_ALIGN * KC_PIPE_ALIGN;
}

struct kc_kernel {
    const char *name;
    const char *attributes; // as CL_KERNEL_ATTRIBUTES shows them
    const struct kc_arg *args;
    uint32_t arg_count;

    const uint32_t *spirv; // entry point "main", GLCompute; no descriptors unless images say so
    size_t spirv_words;

    const struct kc_push *push;
    uint32_t push_count;
    uint32_t push_size;  // bytes of the block
    bool push_indirect;  // the block lies in device memory; the push constants hold only its 64-bit address at offset 0, or
                         // nothing where it is bound: KC_BINDING_PUSH

    const struct kc_spec *specs;
    uint32_t spec_count;

    const struct kc_binding *bindings; // by binding, from 0 on
    uint32_t binding_count;
    const struct kc_place *places; // by argument, where the target has a mapping

    uint32_t reqd_local_size[3]; // 0 0 0: none
    bool partial_groups; // those at the end of a range may be smaller: reqd_local_size is no constant
    uint32_t local_size_hint[3]; // 0 0 0: none
    uint32_t reqd_sub_groups;    // in a work-group; 0: as many as there are
    uint32_t reqd_sub_group_size; // what the kernel asks for, of the device's sizes; else 0
    uint32_t local_memory;       // static local memory, bytes
    // Local memory that is addressed dynamically across variables lies in one shared array: its first
    // local_static_shared bytes are the kernel's own; arguments with a KC_PUSH_LOCAL_ARG follow, each
    // aligned to its kc_arg.align (16 at least); KC_SPEC_LOCAL_TOTAL = ceil(end / unit).
    uint32_t local_static_shared;
    uint32_t private_memory;  // bytes per work-item, as CL_KERNEL_PRIVATE_MEM_SIZE shows
    uint32_t scratch_bytes;   // device memory per work-item of a dispatch; 0: none. Work-item i (linear in the dispatch) uses [i * scratch_bytes, +scratch_bytes)
    bool uses_barrier;
    bool uses_printf;
    bool enqueues; // has a KC_PUSH_ENQUEUED and a KC_PUSH_LAUNCH: commands of its own may be there when it has ended
    bool block;    // of enqueue_kernel, no kernel of the source's: see struct kc_enqueue
    bool uses_subgroups; // wants full sub-groups where the local size allows them
    bool whole_sub_groups; // must have them: all of a work-group's work-items are in whole ones, in every work-group
    bool matrix_units; // and each of its rows, too: Vulkan asks for that where the device's units multiply (see kc_has_items_form())
};

// A place in the data segment that holds the address of another place in it. None under logical addressing.
struct kc_relocation {
    uint32_t offset; // of a 64-bit word
    uint64_t addend; // word = segment address + addend
};

// The printf buffer begins with two u32, the bytes of records asked for so far (0 at first) and a limit; records
// follow from KC_PRINTF_HEADER on. A call adds its size to the first; when the sum before was below the limit it
// writes its record there, otherwise the call fails. So the buffer has KC_PRINTF_RECORD_MAX bytes behind the limit.
// A record: u32 low half of the address of the call's description in the data segment, under logical addressing its
// offset there, then the arguments' lanes,
// each 4 bytes (zero-extended), or 8 where it has 64 bits. A description: bytes u8 argument count, for each
// argument enum kc_printf_kind, bits, lanes; then the format, ended by a NUL.
// Under a mapping the buffer is u32 words: how many are taken behind this one (0 at first), then records. A record: the number
// that the call has in the module, then arguments: integers and floats promoted as C does, vectors' lanes tightly, texts that
// stand in the call as numbers of their own, each of whole words. One that does not fit is its number alone, or nothing.
enum { KC_PRINTF_HEADER = 16, KC_PRINTF_RECORD_MAX = 4096, KC_PRINTF_ARGS_MAX = 255 };
enum kc_printf_kind { KC_PRINTF_INT, KC_PRINTF_UINT, KC_PRINTF_FLOAT, KC_PRINTF_POINTER };

// ---- what a kernel enqueues ----------------------------------------------------------------------

// Memory that a launch and all that it enqueues share, of the host's making: this, `event_limit` times struct
// kc_device_event, as many u32 that name free ones, then, from `first` on, records of the commands enqueued. Those of a
// kernel begin when it has ended; the host takes them out when no kernel of the family runs, and makes `used` 0 again. A
// number of an event is its place in the array + 1, 0 is CLK_NULL_EVENT; a new event takes the next free one's name:
// free[events++], an atomic addition and good below event_limit. The host puts those that nobody has any more back in front
// of the others, and lowers `events`: nothing on the device tells valid numbers by it.
struct kc_enqueued {
    uint32_t used, limit; // bytes of records; one that does not fit is not there, though `used` has grown by it
    uint32_t first;       // offset of the records, a multiple of 8
    uint32_t events, event_limit; // that are given (or asked for in vain), there are in all
    uint32_t free;        // offset of the names
    uint64_t default_queue; // of the device: KC_ARG_QUEUE
};
struct kc_device_event {
    int32_t status; // CL_COMPLETE, CL_SUBMITTED or an error. User events: the device's to set, others: the host's
    int32_t references;
    uint64_t times[2]; // of a complete command, ns: until its end, until its children's too. The host's
};
enum { KC_ENQUEUE_MARKER = -1, KC_ENQUEUE_PROFILE = -2 };
// A record; behind it: u64 numbers of the events it waits for, u32 sizes of local arguments, what the block captured, each of
// whole 8 bytes. The kernel of a block (kc_kernel.block) has KC_ARG_LOCAL arguments, then KC_ARG_IMAGE ones, and then, if it
// captured anything, one KC_ARG_VALUE. What it captured begins with a u32 for each image: which of the parent's arguments that is.
struct kc_enqueue {
    uint32_t size; // of all, a multiple of 8
    int32_t kernel; // index in kc_program.kernels, or KC_ENQUEUE_*
    uint64_t queue;
    uint32_t flags; // CLK_ENQUEUE_FLAGS_*
    uint32_t work_dim;
    uint64_t global_offset[3], global_size[3], local_size[3]; // of KC_ENQUEUE_PROFILE global_offset[0] is the address for the values
    uint64_t event; // is complete with it; of KC_ENQUEUE_PROFILE: whose times are asked
    uint32_t wait_count, local_count, captured; // captured: bytes
    uint32_t parent; // the number of the launch that made it: KC_PUSH_LAUNCH
};

// What an #include or a __has_include has asked for.
struct kc_file {
    const char *path;
    uint64_t hash; // of its contents; 0: there was no such text
};

struct kc_program {
    enum kc_status status;
    const char *log; // diagnostics; never empty when status is not KC_OK
    const struct kc_kernel *kernels; // in order of definition
    uint32_t kernel_count;
    const uint8_t *data; // initial contents of program-scope constants and variables
    uint32_t data_size;
    bool data_writable;  // the segment holds program-scope variables: contents persist across launches
    bool uniform_work_groups; // a group that is smaller than the others must not be
    const struct kc_file *files; // that it is made of, too; those that were looked for in vain among them
    uint32_t file_count;
    const struct kc_relocation *relocations;
    uint32_t relocation_count;
    uint64_t data_layout; // where each name lies in `data`, as one number
    const uint32_t *spirv; // under a mapping: all kernels
    size_t spirv_words;
    const struct kc_shared *shared;
    uint32_t shared_count;
    const uint32_t *samplers; // literal ones, KC_SAMPLER_*: set 0, by binding from 0 on. Kernels' sets come behind
    uint32_t sampler_count;
    const uint8_t *whole; // the program as an object, for kc_build_general(); NULL: no kernel needs it
    uint32_t whole_size;
};

// Compiles and links one translation unit. Never returns NULL except when not even the result struct
// can be allocated. The caller frees it by kc_program_destroy(), NULL allowed.
struct kc_program *kc_build(const struct kc_input *input, const struct kc_target *target);
void kc_program_destroy(struct kc_program *program);
// Whether a build would find the same there now.
bool kc_file_is_same(const struct kc_file *file);

static inline bool kc_limits_arguments(const struct kc_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->arg_count; i++)
        if (kernel->args[i].bounded || kernel->args[i].aligned)
            return true;
    return false;
}
// Whether a launch may ask for more than the kernel is made for: work-groups with rows that are no whole sub-groups where matrix
// units multiply; arguments that are not as kc_arg.aligned and .bounded say.
static inline bool kc_may_not_fit(const struct kc_kernel *kernel)
{
    return (kernel->matrix_units && !kernel->reqd_local_size[0]) || kc_limits_arguments(kernel);
}
static inline bool kc_has_general_form(const struct kc_program *program, const struct kc_kernel *kernel)
{
    return program->whole && kc_may_not_fit(kernel);
}
// A program of that kernel alone that bears all of this, for the target that `program` was built for; its data segment is laid
// out as that of `program`, which it shares.
struct kc_program *kc_build_general(const struct kc_program *program, const struct kc_kernel *kernel,
                                    const struct kc_target *target);

// The kernel's module where the images of its KC_SPEC_IMAGE_FORMAT rows have the formats of `values` (one value per row
// of kc_kernel.specs). The caller frees the words by free(). NULL: no memory, or the module is not one of ours.
uint32_t *kc_name_formats(const struct kc_kernel *kernel, const uint32_t *values, size_t *words);

// ---- separate compilation ------------------------------------------------------------------------

// A compiled unit or a library of such: bytes to be stored and linked, for the target they were made for.
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
    const char *options; // as given to clLinkProgram; NULL means none
};

// Compiles one translation unit, which may leave functions and variables to others. NULL as kc_build().
struct kc_object *kc_compile(const struct kc_input *input, const struct kc_target *target);
// Links objects into a program; what does not fit together is in the log by name, objects are counted from 1.
struct kc_program *kc_link(const struct kc_link_input *input, const struct kc_target *target);
// Links them into one object, in which names may stay undefined.
struct kc_object *kc_link_library(const struct kc_link_input *input, const struct kc_target *target);
// Whether these bytes are an object for the target, whole and sound.
bool kc_check_object(const void *bytes, size_t size, const struct kc_target *target);
void kc_object_destroy(struct kc_object *object);

// ---- modules of SPIR-V ---------------------------------------------------------------------------

struct kc_il_spec {
    uint32_t id, size; // SpecId; bytes of the value, 1 of a bool
};

// The specialization constants of a module, by SpecId. KC_ERROR: this is no module of SPIR-V that we take; the log says
// why. What is wrong within it a build says. The caller frees both by free(), whatever the status.
enum kc_status kc_il_read(const void *il, size_t size, struct kc_il_spec **specs, size_t *count, char **log);

// What modules may ask for; rows in reader/features.def. The names last forever.
enum { KC_IL_SETS = 4, KC_IL_EXTENSIONS = 32, KC_IL_CAPABILITIES = 96 };
enum { KC_IL_MINOR_VERSIONS = 7 }; // SPIR-V 1.0 to 1.6

struct kc_il_features {
    uint32_t set_count, extension_count, capability_count;
    const char *sets[KC_IL_SETS]; // of extended instructions
    const char *extensions[KC_IL_EXTENSIONS];
    uint32_t capabilities[KC_IL_CAPABILITIES]; // as SPIR-V numbers them
};

void kc_il_features(const struct kc_target *target, struct kc_il_features *features);

// Checks an option string as clBuildProgram (link = false) or clLinkProgram (link = true) must.
// Returns KC_OK or KC_INVALID_OPTIONS and then writes the reason into `why` (always terminated).
enum kc_status kc_check_options(const char *options, bool link, char *why, size_t why_size);

#endif
