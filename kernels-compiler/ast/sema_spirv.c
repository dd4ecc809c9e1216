// SPDX-License-Identifier: Apache-2.0
// Instructions of SPIR-V -> calls of built-in functions, by the table spirv.def.
//
// SPIR-V has few signed types and its own operand orders: a recipe casts each operand to what the function takes.
// Functions here make what no recipe can express.
#include "ast/sema_spirv_impl.h"
#include "util/stack.h"
#include <string.h>

static spirv_maker make_dot, make_convert, make_bitcast, make_to_space, make_semantics_of, make_compare_exchange,
    make_barrier, make_clock, make_broadcast, make_ballot_count, make_rotate, make_shuffle_down, make_shuffle_up,
    make_block_read, make_block_write;

#define CORE(number, name, function, recipe) {number, SPIRV_CORE, SPIRV_CALL, 0, #name, function, recipe, NULL},
#define STD(number, name, function, recipe) {number, SPIRV_OPENCL_STD, SPIRV_CALL, 0, "ocl_" #name, function, recipe, NULL},
#define GROUP(number, name, what, recipe) {number, SPIRV_CORE, SPIRV_GROUP, 0, #name, what, recipe, NULL},
#define MADE(number, name, how) {number, SPIRV_CORE, SPIRV_MADE, 0, #name, NULL, "", make_##how},
#define VARIABLE(number, name, function, dimensions)                                                                   \
    {number, SPIRV_BUILTIN, SPIRV_VARIABLE, dimensions, "BuiltIn" #name, function, "", NULL},
#define REFUSED(number, name, why) {number, SPIRV_CORE, SPIRV_REFUSED, 0, #name, why, "", NULL},
static const struct spirv_row rows[] = {
#include "ast/spirv.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

size_t spirv_row_count(void)
{
    return ROW_COUNT;
}

const struct spirv_row *spirv_row_at(size_t index)
{
    return &rows[index];
}

// 1 + index of a row.
enum {
#define CORE(number, name, ...) INDEX_CORE_##name,
#define STD(number, name, ...) INDEX_STD_##name,
#define GROUP(number, name, ...) INDEX_CORE_##name,
#define MADE(number, name, ...) INDEX_CORE_##name,
#define VARIABLE(number, name, ...) INDEX_VARIABLE_##name,
#define REFUSED(number, name, ...) INDEX_CORE_##name,
#include "ast/spirv.def"
    STD_NUMBERS = 256
};
static const uint16_t std_places[STD_NUMBERS] = {
#define STD(number, name, ...) [number] = INDEX_STD_##name + 1,
#include "ast/spirv.def"
};
static const uint16_t core_places[] = {
#define CORE(number, name, ...) [number] = INDEX_CORE_##name + 1,
#define GROUP(number, name, ...) [number] = INDEX_CORE_##name + 1,
#define MADE(number, name, ...) [number] = INDEX_CORE_##name + 1,
#define REFUSED(number, name, ...) [number] = INDEX_CORE_##name + 1,
#include "ast/spirv.def"
};

const struct spirv_row *spirv_row(enum spirv_set set, uint32_t number)
{
    if (set == SPIRV_OPENCL_STD)
        return number < STD_NUMBERS && std_places[number] ? &rows[std_places[number] - 1] : NULL;
    if (set == SPIRV_CORE)
        return number < sizeof core_places / sizeof *core_places && core_places[number] ? &rows[core_places[number] - 1]
                                                                                        : NULL;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].number == number && rows[i].set == set)
            return &rows[i];
    return NULL;
}

const struct spirv_row *spirv_row_by_name(const char *name, const char **rest)
{
    const struct spirv_row *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        size_t length = strlen(rows[i].name);
        if (length <= longest || strncmp(rows[i].name, name, length) != 0)
            continue;
        bool older = rows[i].kind == SPIRV_VARIABLE && !strcmp(name + length, "KHR"); // former names of the mask variables
        if (older || !name[length] || name[length] == '_') {
            best = &rows[i];
            longest = length;
            *rest = older ? "" : name + length;
        }
    }
    return best;
}

bool spirv_has_name(const char *name)
{
    const char *rest;
    return !strncmp(name, "__spirv_", 8) && spirv_row_by_name(name + 8, &rest);
}

// ---- nodes ---------------------------------------------------------------------------------------

struct expr *spirv_fail(const struct spirv_call *call, const char *what)
{
    diag_error(call->ast->diag, call->loc, "'__spirv_%s': %s", call->row->name, what);
    return sema_error(call->ast, call->loc);
}

struct expr *spirv_function(const struct spirv_call *call, const char *name, struct expr **args, uint32_t count)
{
    struct ast *ast = call->ast;
    struct expr *callee = sema_new(ast, EXPR_BUILTIN_NAME, sema_basic(ast, TYPE_VOID), call->loc);
    callee->builtin_name = name;
    return sema_call(ast, callee, args, count, call->loc, call->loc);
}

struct expr *spirv_number(const struct spirv_call *call, uint64_t value)
{
    return sema_const_int(call->ast, TYPE_INT, value, call->loc);
}

bool spirv_is_constant(const struct spirv_call *call, const struct expr *a, uint64_t *value)
{
    return type_is_integer(a->type.type) && const_eval_int(call->ast, a, value, NULL);
}

struct expr *spirv_cast(const struct spirv_call *call, struct type *type, struct expr *a)
{
    return a->type.type == type ? a : sema_convert_node(call->ast, type, a);
}

bool spirv_is_numeric(const struct type *type)
{
    return type_is_arithmetic(type_scalar((struct type *)type));
}

static bool is_integer(const struct expr *a)
{
    return type_is_integer(a->type.type);
}

static struct type *int_of(const struct spirv_call *call, uint64_t size, bool is_signed)
{
    enum type_kind kind = size == 1 ? TYPE_CHAR : size == 2 ? TYPE_SHORT : size == 4 ? TYPE_INT : TYPE_LONG;
    return type_basic(call->ast->types, is_signed ? kind : kind + 1);
}

struct type *spirv_with_lanes(const struct spirv_call *call, struct type *scalar, unsigned lanes)
{
    return lanes > 1 ? type_vector(call->ast->types, scalar, lanes) : scalar;
}

struct type *spirv_with_sign(const struct spirv_call *call, struct type *type, bool is_signed)
{
    struct type *scalar = type_scalar(type);
    if (!type_is_integer(scalar) || scalar->kind == TYPE_BOOL || type->kind == TYPE_POINTER)
        return type;
    return spirv_with_lanes(call, int_of(call, scalar->size, is_signed), type_lanes(type));
}

static struct type *pointer_to(const struct spirv_call *call, struct type *type, const struct expr *pointer)
{
    struct qtype target = {.type = type, .space = pointer->type.type->elem.space};
    return type_pointer(call->ast->types, target);
}

struct expr *spirv_lane(const struct spirv_call *call, struct expr *a, unsigned index)
{
    return type_is_vector(a->type.type) ? sema_lane(call->ast, a, index, call->loc) : a;
}

struct expr *spirv_vector(const struct spirv_call *call, struct expr *const *lanes, unsigned count)
{
    if (count == 1)
        return lanes[0];
    struct type *type = type_vector(call->ast->types, lanes[0]->type.type, count);
    struct expr *made = sema_new(call->ast, EXPR_VECTOR, qtype_of(type), call->loc);
    made->args = arena_copy(call->ast->arena, lanes, count * sizeof *lanes);
    made->arg_count = count;
    return made;
}

// ---- recipes -------------------------------------------------------------------------------------

static const struct type *operand_type(const struct spirv_call *call, char digit)
{
    uint32_t index = (uint32_t)(digit - '0');
    return index < call->count ? call->args[index]->type.type : NULL;
}

// The recipe's type T.
static struct type *subject(const struct spirv_call *call)
{
    const struct type *found = NULL, *pointer = NULL;
    if (call->result && call->result->kind != TYPE_VOID)
        return call->result;
    for (const char *p = call->row->recipe; *p; p += p[1] ? 2 + (p[2] == ' ') : 1) {
        const struct type *type = *p == '1' ? NULL : operand_type(call, p[1]);
        if (*p == '1')
            p--; // has no operand
        if (type && !found && strchr("xsu", *p) && type->kind != TYPE_POINTER)
            found = type;
        if (type && !pointer && type->kind == TYPE_POINTER)
            pointer = type->elem.type;
    }
    return (struct type *)(found ? found : pointer);
}

static struct expr *scope_of(const struct spirv_call *call, struct expr *a)
{
    static const uint8_t scopes[] = {3, 2, 1, 4, 0}; // in SPIR-V's order: CrossDevice, Device, Workgroup, Subgroup, Invocation
    uint64_t value;
    if (!is_integer(a))
        return spirv_fail(call, "the scope and the semantics must be integers");
    if (!spirv_is_constant(call, a, &value))
        return spirv_cast(call, type_basic(call->ast->types, TYPE_INT), a);
    if (value >= sizeof scopes)
        return spirv_fail(call, "unknown scope");
    return spirv_number(call, scopes[value]);
}

static struct expr *order_of(const struct spirv_call *call, struct expr *a)
{
    uint64_t value; // Acquire 2, Release 4, AcquireRelease 8, SequentiallyConsistent 16
    if (!is_integer(a))
        return spirv_fail(call, "the scope and the semantics must be integers");
    if (!spirv_is_constant(call, a, &value))
        return spirv_cast(call, type_basic(call->ast->types, TYPE_INT), a);
    return spirv_number(call, value & 16 ? 5 : value & 8 || (value & 6) == 6 ? 4 : value & 4 ? 3 : value & 2 ? 2 : 0);
}

static struct expr *fences_of(const struct spirv_call *call, struct expr *a)
{
    uint64_t value; // WorkgroupMemory 0x100, CrossWorkgroupMemory 0x200, ImageMemory 0x800
    if (!is_integer(a))
        return spirv_fail(call, "the semantics must be an integer");
    if (!spirv_is_constant(call, a, &value))
        return spirv_cast(call, type_basic(call->ast->types, TYPE_UINT), a);
    return sema_const_int(call->ast, TYPE_UINT, (value >> 8 & 3) | (value >> 9 & 4), call->loc);
}

static struct expr *truth_of(const struct spirv_call *call, struct expr *a)
{
    struct type *truth = type_basic(call->ast->types, TYPE_BOOL);
    if (!type_is_arithmetic(a->type.type))
        return spirv_fail(call, "an operand must be a bool or an integer");
    return spirv_cast(call, type_basic(call->ast->types, TYPE_INT), spirv_cast(call, truth, a));
}

static struct type *pointee_of(const struct spirv_call *call, char letter)
{
    struct types *types = call->ast->types;
    struct type *t = subject(call);
    switch (letter) {
    case 'I':
        return type_basic(types, TYPE_INT);
    case 'V':
        return &types->opaque[OPAQUE_EVENT];
    case 'H':
        return type_basic(types, TYPE_HALF);
    case 'J':
        return spirv_with_lanes(call, type_basic(types, TYPE_INT), type_lanes(t));
    case 'E':
        return type_scalar(t);
    case 'S':
    case 'U':
        return spirv_with_sign(call, t, letter == 'S');
    default:
        return t;
    }
}

static struct expr *argument(const struct spirv_call *call, char letter, struct expr *a)
{
    switch (letter) {
    case 'x':
        return a;
    case 's':
    case 'u':
        return spirv_cast(call, spirv_with_sign(call, a->type.type, letter == 's'), a);
    case 'b':
        return truth_of(call, a);
    case 'm':
        return scope_of(call, a);
    case 'o':
        return order_of(call, a);
    case 'f':
        return fences_of(call, a);
    default:
        if (a->type.type->kind != TYPE_POINTER)
            return spirv_fail(call, "an operand must be a pointer");
        return spirv_cast(call, pointer_to(call, pointee_of(call, letter), a), a);
    }
}

// Makes the arguments by the recipe. Returns UINT32_MAX after an error.
static uint32_t arguments(const struct spirv_call *call, const char *recipe, struct expr **args)
{
    uint32_t count = 0;
    for (const char *p = recipe; *p; p += *p == ' ') {
        char letter = *p++;
        uint32_t index = letter == '1' ? 0 : (uint32_t)(*p++ - '0');
        if (letter != '1' && index >= call->count) {
            spirv_fail(call, "too few operands");
            return UINT32_MAX;
        }
        args[count] = letter == '1' ? spirv_number(call, 1) : argument(call, letter, call->args[index]);
        if (sema_is_error(args[count++]))
            return UINT32_MAX;
    }
    return count;
}

// ---- names ---------------------------------------------------------------------------------------

static const char *group_name(const struct spirv_call *call)
{
    uint64_t scope;
    if (!call->count || !spirv_is_constant(call, call->args[0], &scope) || (scope != 2 && scope != 3))
        return NULL;
    return scope == 2 ? "work_group" : "sub_group";
}

static const char *rounding_name(uint64_t mode)
{
    static const char *const modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    return mode < sizeof modes / sizeof *modes ? modes[mode] : NULL;
}

// Expands one % of a name pattern; `letter` says to what. Returns false if the operand is invalid.
static bool expand(const struct spirv_call *call, char letter, struct str *out)
{
    uint64_t last;
    const char *text = NULL;
    if (letter == 'g')
        text = group_name(call);
    else if (letter == 'l')
        text = arena_printf(call->ast->arena, "%u", type_lanes(call->args[0]->type.type));
    else if (spirv_is_constant(call, call->args[call->count - 1], &last))
        text = letter == 'r' ? rounding_name(last) : arena_printf(call->ast->arena, "%u", (unsigned)last);
    if (text)
        str_add(out, text);
    return text != NULL;
}

static const char *full_name(const struct spirv_call *call, const char *pattern)
{
    struct str out;
    if (!strchr(pattern, '%'))
        return pattern;
    str_init(&out, call->ast->arena);
    for (const char *p = pattern; *p; p++) {
        if (*p != '%')
            str_addc(&out, *p);
        else if (!call->count || !expand(call, *++p, &out))
            return NULL;
    }
    return intern_cstring(call->ast->intern, out.text);
}

// ---- calls ---------------------------------------------------------------------------------------

static struct expr *call_by_recipe(const struct spirv_call *call, const char *pattern, const char *recipe)
{
    struct expr *args[CANDIDATE_PARAMS];
    const char *name = full_name(call, pattern);
    if (!name)
        return spirv_fail(call, "the scope, number or mode is not valid in OpenCL");
    if (*recipe == '*')
        return spirv_function(call, name, call->args, call->count);
    uint32_t count = arguments(call, recipe, args);
    return count == UINT32_MAX ? sema_error(call->ast, call->loc) : spirv_function(call, name, args, count);
}

// Sub-group functions take scalars: vectors are processed lane by lane. Operands are used several times, so those
// from source are evaluated once.
static struct expr *by_lanes(const struct spirv_call *call, uint32_t which, struct expr *(*one)(const struct spirv_call *))
{
    stack_check();
    if (which >= call->count || !type_is_vector(call->args[which]->type.type))
        return one(call);
    struct spirv_call lane_call = *call;
    struct expr *made[16], *once = sema_once(call->ast, call->args[which]);
    struct type *given = call->args[which]->type.type;
    lane_call.args = arena_copy(call->ast->arena, call->args, call->count * sizeof *call->args);
    lane_call.result = call->result ? type_scalar(call->result) : NULL;
    for (unsigned i = 0; i < type_lanes(given); i++) {
        lane_call.args[which] = spirv_lane(call, once, i);
        made[i] = one(&lane_call);
        if (sema_is_error(made[i]))
            return made[i];
    }
    return sema_with(call->ast, once, spirv_vector(call, made, type_lanes(given)));
}

static struct expr *by_row(const struct spirv_call *call)
{
    return call_by_recipe(call, call->row->function, call->row->recipe);
}

static struct expr *group_of_scalars(const struct spirv_call *call)
{
    static const char *const ways[] = {"reduce", "scan_inclusive", "scan_exclusive", "clustered_reduce"};
    const char *group = group_name(call), *what = call->row->function;
    uint64_t way;
    if (!group || call->count < 3 || !spirv_is_constant(call, call->args[1], &way) || way > 3)
        return spirv_fail(call, "the scope or operation is not valid in OpenCL");
    bool extended = !strncmp(call->row->name, "GroupNonUniform", 15) || strstr(call->row->name, "KHR");
    const char *name = arena_printf(call->ast->arena, "%s%s_%s_%s", group,
                                    extended && way < 3 && group[0] == 's' ? "_non_uniform" : "", ways[way], what);
    return call_by_recipe(call, name,
                          way == 3 ? arena_printf(call->ast->arena, "%s u3", call->row->recipe) : call->row->recipe);
}

// A built-in variable as a call: one lane of a vector, by its number. Functions for sizes and ids take the number
// themselves.
static struct expr *variable(const struct spirv_call *call)
{
    uint64_t index;
    if (call->row->dimensions || !call->count)
        return spirv_function(call, call->row->function, call->args, call->count);
    struct expr *value = spirv_function(call, call->row->function, NULL, 0);
    if (sema_is_error(value))
        return value;
    bool has_lane = call->count == 1 && type_is_vector(value->type.type) &&
                    spirv_is_constant(call, call->args[0], &index) && index < type_lanes(value->type.type);
    return has_lane ? spirv_lane(call, value, (unsigned)index) : spirv_fail(call, "the component index is out of range");
}

struct expr *sema_spirv(const struct spirv_call *call)
{
    stack_check();
    const struct spirv_row *row = call->row;
    switch ((enum spirv_kind)row->kind) {
    case SPIRV_GROUP:
        return by_lanes(call, 2, group_of_scalars);
    case SPIRV_MADE:
        return row->make(call);
    case SPIRV_REFUSED:
        return spirv_fail(call, arena_printf(call->ast->arena, "%s: not supported by the device", row->function));
    case SPIRV_VARIABLE:
        return variable(call);
    default:
        break;
    }
    bool scalars = !strncmp(row->function, "sub_group_shuffle", 17) || !strcmp(row->function, "sub_group_broadcast_first");
    return scalars ? by_lanes(call, row->recipe[1] - '0', by_row) : by_row(call);
}

// ---- arithmetic ----------------------------------------------------------------------------------

// Dot product of any integer vectors, with lanes of the result's type.
static struct expr *dot_of_lanes(const struct spirv_call *call, struct expr *a, struct expr *b, struct type *result)
{
    struct ast *ast = call->ast;
    unsigned lanes = type_lanes(a->type.type);
    struct type *wide = spirv_with_lanes(call, result, lanes);
    struct expr *once =
        sema_once(ast, sema_binary(ast, TOK_STAR, spirv_cast(call, wide, a), spirv_cast(call, wide, b), call->loc));
    struct expr *sum = spirv_lane(call, once, 0);
    for (unsigned i = 1; i < lanes; i++)
        sum = sema_binary(ast, TOK_PLUS, sum, spirv_lane(call, once, i), call->loc);
    return sema_with(ast, once, spirv_cast(call, result, sum));
}

static struct expr *make_dot(const struct spirv_call *call)
{
    struct ast *ast = call->ast;
    const char *signs = call->row->name[0] == 'U' ? "uu" : call->row->name[1] == 'U' ? "su" : "ss";
    bool saturates = strstr(call->row->name, "AccSat") != NULL;
    if (call->count < 2u + saturates)
        return spirv_fail(call, "too few operands");
    struct type *type = call->args[0]->type.type, *result = call->result ? call->result : type_basic(ast->types, TYPE_INT);
    bool is_signed = signs[0] == 's', packed = !type_is_vector(type);
    bool alike = type_is_integer(type_scalar(type)) && type_is_integer(result) &&
                 type->size == call->args[1]->type.type->size && type_is_integer(type_scalar(call->args[1]->type.type)) &&
                 type_lanes(type) == type_lanes(call->args[1]->type.type);
    if (!alike || (saturates && !is_integer(call->args[2])))
        return spirv_fail(call, "requires two vectors of integers of the same length, or two packed integers");
    struct type *sum = spirv_with_sign(call, result, is_signed);
    struct expr *args[3];
    for (unsigned i = 0; i < 2; i++)
        args[i] =
            spirv_cast(call, spirv_with_sign(call, call->args[i]->type.type, !packed && signs[i] == 's'), call->args[i]);
    if (saturates)
        args[2] = spirv_cast(call, sum, call->args[2]);
    bool bytes = packed || (type_lanes(type) == 4 && type_scalar(type)->size == 1);
    if (bytes && (!saturates || result->size == 4)) {
        const char *name = arena_printf(ast->arena, "dot%s%s%s%s", saturates ? "_acc_sat" : "", packed ? "_4x8packed_" : "",
                                        packed ? signs : "", packed ? (is_signed ? "_int" : "_uint") : "");
        return spirv_cast(call, sum, spirv_function(call, intern_cstring(ast->intern, name), args, 2 + saturates));
    }
    if (packed)
        return spirv_fail(call, "a saturating packed dot product must have a 32-bit result");
    struct expr *products = dot_of_lanes(call, args[0], args[1], sum);
    struct expr *both[2] = {products, args[2]};
    return saturates ? spirv_function(call, "add_sat", both, 2) : products;
}

static struct expr *make_convert(const struct spirv_call *call)
{
    const char *name = call->row->name;
    if (call->count != 1 || !call->result)
        return spirv_fail(call, "requires one operand, and the result type in its name");
    bool saturates = !strncmp(name, "Sat", 3), from_float = !strncmp(name, "ConvertF", 8);
    bool from_signed = !strcmp(name, "ConvertSToF") || !strcmp(name, "SConvert") || !strcmp(name, "SatConvertSToU");
    bool to_signed = !strcmp(name, "ConvertFToS") || !strcmp(name, "SConvert") || !strcmp(name, "SatConvertUToS");
    struct type *to = spirv_with_sign(call, call->result, to_signed);
    struct expr *a = from_float
                         ? call->args[0]
                         : spirv_cast(call, spirv_with_sign(call, call->args[0]->type.type, from_signed), call->args[0]);
    const char *full = arena_printf(call->ast->arena, "convert_%s%s%s", type_name(call->ast->arena, qtype_of(to)),
                                    saturates ? "_sat" : "", call->rounding ? call->rounding : "");
    return spirv_function(call, intern_cstring(call->ast->intern, full), &a, 1);
}

static struct expr *make_bitcast(const struct spirv_call *call)
{
    if (call->count != 1 || !call->result)
        return spirv_fail(call, "requires one operand, and the result type in its name");
    const char *name = arena_printf(call->ast->arena, "as_%s", type_name(call->ast->arena, qtype_of(call->result)));
    return spirv_function(call, intern_cstring(call->ast->intern, name), call->args, 1);
}

// ---- pointers and atomics ------------------------------------------------------------------------

static struct expr *make_to_space(const struct spirv_call *call)
{
    const char *name = call->space == SPACE_LOCAL ? "to_local" : call->space == SPACE_GLOBAL ? "to_global" : "to_private";
    return spirv_function(call, name, call->args, call->count ? 1 : 0);
}

// get_fence: CLK_LOCAL_MEM_FENCE is WorkgroupMemory, CLK_GLOBAL_MEM_FENCE CrossWorkgroupMemory.
static struct expr *make_semantics_of(const struct spirv_call *call)
{
    struct expr *fence = spirv_function(call, "get_fence", call->args, call->count);
    return sema_is_error(fence) ? fence : sema_binary(call->ast, TOK_SHL, fence, spirv_number(call, 8), call->loc);
}

// Operands: pointer, scope, semantics if equal, semantics if unequal, value, comparator. Returns the old value, which
// OpenCL C stores in the comparator's place.
static struct expr *make_compare_exchange(const struct spirv_call *call)
{
    struct ast *ast = call->ast;
    if (call->count != 6 || call->args[0]->type.type->kind != TYPE_POINTER)
        return spirv_fail(call, "requires a pointer, a scope, two semantics, a value and a comparator");
    struct type *type = spirv_with_sign(call, call->args[4]->type.type, false);
    if (!spirv_is_numeric(type) || type != spirv_with_sign(call, call->args[5]->type.type, false))
        return spirv_fail(call, "the value and the comparator have different types");
    struct expr *place = sema_new(ast, EXPR_COMPOUND, (struct qtype){.type = type, .space = SPACE_PRIVATE}, call->loc);
    place->lvalue = true;
    place->init = ARENA_NEW(ast->arena, struct init);
    place->init->entries = ARENA_NEW(ast->arena, struct init_entry);
    place->init->entries->value = spirv_cast(call, type, call->args[5]);
    place->init->count = 1;
    struct expr *once = sema_once(ast, sema_unary(ast, TOK_AMP, place, call->loc));
    struct expr *pointer = spirv_cast(call, pointer_to(call, type, call->args[0]), call->args[0]);
    struct expr *args[] = {pointer, once, spirv_cast(call, type, call->args[4]), order_of(call, call->args[2]),
                           order_of(call, call->args[3]), scope_of(call, call->args[1])};
    struct expr *exchange = spirv_function(call, "atomic_compare_exchange_strong_explicit", args, 6);
    if (sema_is_error(exchange))
        return exchange;
    struct expr *found = sema_value(ast, sema_unary(ast, TOK_STAR, once, call->loc));
    return sema_with(ast, once, sema_binary(ast, TOK_COMMA, exchange, found, call->loc));
}

static struct expr *make_barrier(const struct spirv_call *call)
{
    struct ast *ast = call->ast;
    const char *group = group_name(call);
    if (!group || call->count != 3)
        return spirv_fail(call, "requires the execution scope of a work-group or a sub-group, a memory scope and semantics");
    struct expr *args[] = {fences_of(call, call->args[2]), scope_of(call, call->args[1])};
    return spirv_function(call, intern_cstring(ast->intern, arena_printf(ast->arena, "%s_barrier", group)), args, 2);
}

// The result is one number or two words.
static struct expr *make_clock(const struct spirv_call *call)
{
    static const char *const names[][2] = {
        {"clock_read_device", "clock_read_hilo_device"},
        {"clock_read_work_group", "clock_read_hilo_work_group"},
        {"clock_read_sub_group", "clock_read_hilo_sub_group"},
    };
    uint64_t scope; // device 1, work-group 2, sub-group 3
    if (call->count != 1 || !spirv_is_constant(call, call->args[0], &scope) || scope - 1 >= 3)
        return spirv_fail(call, "no clock has this scope");
    bool words = call->result && type_is_vector(call->result);
    return spirv_function(call, intern_cstring(call->ast->intern, names[scope - 1][words]), NULL, 0);
}

// ---- groups --------------------------------------------------------------------------------------

// The place is a number or a vector of two or three.
static struct expr *broadcast_scalar(const struct spirv_call *call)
{
    struct ast *ast = call->ast;
    const char *group = group_name(call);
    if (!group || call->count != 3)
        return spirv_fail(call, "requires the scope of a work-group or a sub-group, a value and a local id");
    struct expr *args[4] = {call->args[1]}, *once = sema_once(ast, call->args[2]);
    unsigned lanes = type_lanes(call->args[2]->type.type);
    if (lanes > 3 || (lanes > 1 && group[0] == 's'))
        return spirv_fail(call, "the local id must be an integer or a vector of 2 or 3 integers");
    for (unsigned i = 0; i < lanes; i++)
        args[i + 1] = spirv_lane(call, once, i);
    const char *name = intern_cstring(ast->intern, arena_printf(ast->arena, "%s_broadcast", group));
    struct expr *value = spirv_function(call, name, args, 1 + lanes);
    return sema_is_error(value) ? value : sema_with(ast, once, value);
}

static struct expr *make_broadcast(const struct spirv_call *call)
{
    return by_lanes(call, 1, broadcast_scalar);
}

static struct expr *make_ballot_count(const struct spirv_call *call)
{
    static const char *const names[] = {"sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                                        "sub_group_ballot_exclusive_scan"};
    uint64_t way;
    if (call->count != 3 || !spirv_is_constant(call, call->args[1], &way) || way > 2)
        return spirv_fail(call, "the group operation is not valid in OpenCL");
    return call_by_recipe(call, names[way], "u2");
}

static struct expr *rotate_scalar(const struct spirv_call *call)
{
    bool clustered = call->count > 3;
    return call_by_recipe(call, clustered ? "sub_group_clustered_rotate" : "sub_group_rotate",
                          clustered ? "x1 s2 u3" : "x1 s2");
}

static struct expr *make_rotate(const struct spirv_call *call)
{
    return by_lanes(call, 1, rotate_scalar);
}

static struct expr *shuffle_scalar(const struct spirv_call *call)
{
    return call_by_recipe(call, "sub_group_shuffle", "x0 u1");
}

// sub_group_shuffle, lane by lane.
static struct expr *shuffled(const struct spirv_call *call, struct expr *value, struct expr *at)
{
    struct spirv_call lane_call = *call;
    lane_call.args = (struct expr *[]){value, at};
    lane_call.count = 2;
    return sema_is_error(value) ? value : by_lanes(&lane_call, 0, shuffle_scalar);
}

// Shuffle from two concatenated sub-groups' values: indices below the sub-group size select from `low`, others from
// `high`.
static struct expr *of_both(const struct spirv_call *call, struct expr *low, struct expr *high, struct expr *index)
{
    struct ast *ast = call->ast;
    struct expr *at = sema_once(ast, index), *size = spirv_function(call, "get_max_sub_group_size", NULL, 0);
    struct expr *first = sema_once(ast, shuffled(call, low, at));
    struct expr *second = sema_once(ast, shuffled(call, high, sema_binary(ast, TOK_MINUS, at, size, call->loc)));
    struct expr *inside = sema_binary(ast, TOK_LT, at, size, call->loc);
    struct expr *chosen = sema_conditional(ast, inside, first, second, call->loc);
    return sema_with(ast, at, sema_with(ast, first, sema_with(ast, second, chosen)));
}

static struct expr *lane_number(const struct spirv_call *call)
{
    return spirv_function(call, "get_sub_group_local_id", NULL, 0);
}

static struct expr *unsigned_delta(const struct spirv_call *call)
{
    return spirv_cast(call, type_basic(call->ast->types, TYPE_UINT), call->args[2]);
}

static bool takes_two_values(const struct spirv_call *call)
{
    return call->count == 3 && spirv_is_numeric(call->args[0]->type.type) &&
           call->args[0]->type.type == call->args[1]->type.type && is_integer(call->args[2]);
}

static struct expr *make_shuffle_down(const struct spirv_call *call)
{
    if (!takes_two_values(call))
        return spirv_fail(call, "requires two values and a distance");
    struct expr *index = sema_binary(call->ast, TOK_PLUS, lane_number(call), unsigned_delta(call), call->loc);
    return of_both(call, call->args[0], call->args[1], index);
}

static struct expr *make_shuffle_up(const struct spirv_call *call)
{
    if (!takes_two_values(call))
        return spirv_fail(call, "requires two values and a distance");
    struct expr *size = spirv_function(call, "get_max_sub_group_size", NULL, 0);
    struct expr *index = sema_binary(call->ast, TOK_PLUS, lane_number(call), size, call->loc);
    index = sema_binary(call->ast, TOK_MINUS, index, unsigned_delta(call), call->loc);
    return of_both(call, call->args[0], call->args[1], index);
}

// ---- blocks --------------------------------------------------------------------------------------

// The function's name contains the type; the pointer may have any pointee.
static struct expr *block(const struct spirv_call *call, const char *way, struct type *type, struct expr **args, uint32_t count)
{
    static const char suffixes[] = {[1] = 'c', [2] = 's', [4] = 'i', [8] = 'l'};
    struct ast *ast = call->ast;
    struct type *element = type_scalar(type);
    if (!type_is_integer(element) || element->kind == TYPE_BOOL)
        return spirv_fail(call, "requires integers or vectors of integers");
    unsigned lanes = type_lanes(type);
    const char *name = arena_printf(ast->arena, "intel_sub_group_block_%s_u%c", way, suffixes[element->size]);
    if (lanes > 1)
        name = arena_printf(ast->arena, "%s%u", name, lanes);
    if (args[0]->type.type->kind == TYPE_POINTER)
        args[0] = spirv_cast(call, pointer_to(call, spirv_with_sign(call, element, false), args[0]), args[0]);
    else if (count > 1)
        args[1] = spirv_cast(call, spirv_with_sign(call, args[1]->type.type, true), args[1]);
    return spirv_function(call, intern_cstring(ast->intern, name), args, count);
}

static struct expr *make_block_read(const struct spirv_call *call)
{
    struct expr *args[2] = {call->args[0], call->count > 1 ? call->args[1] : NULL};
    if (!call->result || call->count < 1 || call->count > 2)
        return spirv_fail(call, "requires a pointer, or an image and a coordinate, and the result type in its name");
    return block(call, "read", call->result, args, call->count);
}

static struct expr *make_block_write(const struct spirv_call *call)
{
    if (call->count < 2 || call->count > 3)
        return spirv_fail(call, "requires a pointer, or an image and a coordinate, and a value");
    struct expr *args[3];
    memcpy(args, call->args, call->count * sizeof *args);
    struct expr **value = &args[call->count - 1];
    *value = spirv_cast(call, spirv_with_sign(call, (*value)->type.type, false), *value);
    return block(call, "write", (*value)->type.type, args, call->count);
}

// ---- source --------------------------------------------------------------------------------------

// Parses a type such as "uchar4"; *rest points after it. NULL if there is none.
static struct type *named_type(struct ast *ast, const char *text, const char **rest)
{
    size_t length = 0;
    while ((text[length] >= 'a' && text[length] <= 'z') || (text[length] >= '0' && text[length] <= '9'))
        length++;
    *rest = text + length;
    const char *why, *name = intern_cstring(ast->intern, arena_printf(ast->arena, "%.*s", (int)length, text));
    if (!strcmp(name, "bool"))
        return type_basic(ast->types, TYPE_BOOL);
    return scope_predefined_type(ast, name, &why);
}

// Parses suffixes of the name: _R<type>, _sat, rounding (_rte ...), _ToGlobal and others. Returns false for anything
// else.
static bool read_postfixes(struct spirv_call *call, const char *rest)
{
    static const char *const spaces[] = {"_ToPrivate", "_ToLocal", "_ToGlobal"};
    rest += rest[0] == '_' && rest[1] == '_'; // extended instructions have two underscores
    if (!strncmp(rest, "_R", 2)) {
        call->result = named_type(call->ast, rest + 2, &rest);
        if (!call->result)
            return false;
    }
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(rest, spaces[i])) {
            call->space = (enum type_space)i;
            return true;
        }
    call->rounding = rest;
    static const char *const modes[] = {"",     "_sat",     "_rte",     "_rtz",     "_rtp",
                                        "_rtn", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(rest, modes[i]))
            return true;
    return false;
}

bool spirv_call_of_name(struct ast *ast, const char *name, struct spirv_call *call)
{
    const char *rest = "";
    *call = (struct spirv_call){.ast = ast, .rounding = ""};
    call->row = spirv_row_by_name(name + strlen("__spirv_"), &rest);
    return call->row->kind == SPIRV_REFUSED || read_postfixes(call, rest);
}

// Converts the result to the type that the program's declaration has.
static struct expr *as_declared(const struct spirv_call *call, struct expr *made, struct type *type)
{
    bool cannot = sema_is_error(made) || !type || made->type.type == type || !spirv_is_numeric(type) ||
                  !spirv_is_numeric(made->type.type) || type_lanes(type) != type_lanes(made->type.type);
    return cannot ? made : spirv_cast(call, type, made);
}

struct expr *sema_spirv_source(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct type *result,
                               struct loc loc)
{
    struct spirv_call call;
    if (!spirv_has_name(name))
        return NULL;
    bool fine = spirv_call_of_name(ast, name, &call);
    call.args = args;
    call.count = count;
    call.loc = loc;
    if (!call.result)
        call.result = result;
    return fine ? as_declared(&call, sema_spirv(&call), result) : spirv_fail(&call, "unknown suffix after the name");
}

struct expr *sema_spirv_variable(struct ast *ast, const char *name, struct loc loc)
{
    const char *rest;
    struct spirv_call call = {.ast = ast, .loc = loc};
    call.row = strncmp(name, "__spirv_BuiltIn", 15) ? NULL : spirv_row_by_name(name + 8, &rest);
    if (!call.row || *rest)
        return NULL;
    const struct decl *decl = scope_find(ast, name);
    struct expr *lanes[3];
    unsigned dims = call.row->dimensions;
    for (unsigned i = 0; i < dims; i++) {
        struct expr *dim = spirv_number(&call, i);
        lanes[i] = spirv_function(&call, call.row->function, &dim, 1);
    }
    struct expr *value = dims ? spirv_vector(&call, lanes, dims) : spirv_function(&call, call.row->function, NULL, 0);
    return as_declared(&call, value, decl ? decl->type.type : NULL);
}
