// SPDX-License-Identifier: Apache-2.0
// Types: making, uniquing, layout, naming.
#ifndef KC_AST_TYPES_H
#define KC_AST_TYPES_H

#include "ast/ast.h"

enum { TYPE_MAX_DEPTH = 500 };

struct types {
    struct arena *arena;
    struct intern *intern;
    struct type basic[TYPE_KIND_COUNT]; // TYPE_ERROR .. TYPE_E5M2
    struct type opaque[OPAQUE_COUNT];
    struct type *ndrange;       // ndrange_t, made on first use
    struct map derived; // uniquing of qualified pointers, arrays, functions
    uint32_t pointer_bytes; // 8 or 4
};

void types_init(struct types *types, struct arena *arena, struct intern *intern, uint32_t pointer_bytes);
struct type *type_basic(struct types *types, enum type_kind kind);
struct type *type_vector(struct types *types, struct type *elem, unsigned lanes);
struct type *type_matrix(struct types *types, struct type *elem, unsigned rows, unsigned columns, enum type_use use);
struct type *type_pointer(struct types *types, struct qtype pointee);
struct type *type_ndrange(struct types *types);
struct type *type_block(struct types *types, struct type *function);
struct type *type_pipe(struct types *types, struct type *packet);
struct type *type_array(struct types *types, struct qtype elem, uint64_t count, bool incomplete); // reports nothing; the size saturates
struct type *type_function(struct types *types, struct qtype result, const struct qtype *params, uint32_t count,
                           bool variadic);
struct type *type_record(struct types *types, enum type_kind kind, const char *tag, struct loc loc); // new, incomplete
bool type_record_layout(struct type *record, uint32_t aligned); // sets offsets, size, align; false if the record is too large
struct type *type_enum(struct types *types, const char *tag, struct type *representation);

// Adds qualifiers; those of an array go to its elements. Array elements have no address space: elements and fields of
// an lvalue have that of the lvalue, and inherit const and volatile.
struct qtype type_qualify(struct types *types, struct qtype type, unsigned quals);

static inline struct qtype qtype_of(struct type *type) { return (struct qtype){.type = type}; }
// Guaranteed alignment of an lvalue of this type.
static inline uint32_t qtype_align(struct qtype q) { return q.low_align ? UINT32_C(1) << (q.low_align - 1) : q.type->align; }
struct qtype type_underaligned(struct qtype type, uint64_t align); // `align`: a power of two, or 0 for no limit

// The scalar type of enums and vectors.
struct type *type_scalar(struct type *type);  // element of a vector, representation of an enum, itself
unsigned type_lanes(const struct type *type); // 1 if not a vector
bool type_is_integer(const struct type *type); // scalar: bool, char..ulong, enum
bool type_is_signed(const struct type *type);  // of the scalar
bool type_is_float(const struct type *type);   // scalar half, float, double
bool type_is_small_float(const struct type *type); // TYPE_BF16 and later kinds; the other predicates here are false for them
bool type_is_arithmetic(const struct type *type); // scalar integer or float
bool type_is_scalar(const struct type *type);     // arithmetic or pointer
bool type_is_vector(const struct type *type);
bool type_is_record(const struct type *type);
static inline bool type_is_opaque(const struct type *type, enum type_opaque opaque)
{
    return type->kind == TYPE_OPAQUE && type->opaque == opaque;
}
static inline bool type_is_enqueue(const struct type *type) // queue_t, clk_event_t
{
    return type_is_opaque(type, OPAQUE_QUEUE) || type_is_opaque(type, OPAQUE_CLK_EVENT);
}
// Types that only parameters have, and samplers. Other opaque types have values that can be copied.
static inline bool type_is_resource(const struct type *type)
{
    return type->kind == TYPE_OPAQUE && type->opaque != OPAQUE_EVENT && type->opaque != OPAQUE_RESERVE_ID && !type_is_enqueue(type);
}
static inline bool type_is_matrix(const struct type *type) { return type->kind == TYPE_MATRIX; }
unsigned type_bits(const struct type *type); // of the scalar: 1 for bool .. 64
bool type_complete(const struct type *type);
bool type_same(struct qtype a, struct qtype b);       // including qualifiers and the pointees' address spaces
const struct field *type_find_member(const struct record *record, const char *name); // the field `name`, or the anonymous member that contains it; or NULL
const struct field *type_find_field(const struct type *record, const char *name, uint64_t *offset); // searches anonymous members too; *offset is relative to the outermost record

void type_print(struct str *out, struct qtype type); // for messages: "const __global float4 *"
const char *type_opaque_name(enum type_opaque opaque);
const char *type_name(struct arena *arena, struct qtype type);
// As clGetKernelArgInfo requires: "float4*", "uint", "struct s"; with the name of the typedef, if the declaration
// used one.
void type_print_arg(struct str *out, struct qtype type, const char *typedef_name);
// Short codes for link names: char c, uchar h, short s, ushort t, int i, uint j, long l, ulong m, half D, float f,
// double d, bool b, bf16 y, e4m3 e, e5m2 E, vector v<lanes><elem>, pointer P<space letter g l c p n><pointee>, record R<tag>, opaque O<name>.
// arrays A<n>_<element>, pipes Q<r or w><packet>, matrices M<rows>x<columns><use><component>. "name.code.code"; no parameters: "name."
const char *type_mangle(struct arena *arena, const char *name, const struct qtype *params, uint32_t count);

#endif
