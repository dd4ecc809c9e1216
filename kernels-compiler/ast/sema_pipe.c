// SPDX-License-Identifier: Apache-2.0
// Pipes: calls of their built-in functions (OpenCL C 6.13.16) -> expressions that call a few library functions.
//
// A pipe is the address of a buffer (struct kc_pipe). A reservation is an id that the library makes from its start
// and its number of packets. The library finds a packet's place; copying the packet is an assignment in its own type.
// Group functions are executed by the group's first work-item, with barriers and broadcasts around them.
#include "ast/sema_impl.h"
#include <string.h>

enum side { WRITER, READER, EITHER }; // values as in lib/pipe/pipe.cl
enum group { ITEM, WORK_GROUP, SUB_GROUP };
enum { NO_PLACE = -1 }; // the library's result if there is no packet

struct pipe_call;

struct pipe_function {
    const char *name;
    uint8_t side, group;
    uint8_t count; // number of arguments; 0: two or four
    struct expr *(*make)(const struct pipe_call *call);
};

struct pipe_call {
    struct ast *ast;
    const struct pipe_function *function;
    struct expr **args;
    uint32_t count;
    struct loc loc;
    struct expr *pipe; // its address, an EXPR_ONCE
};

// ---- nodes ---------------------------------------------------------------------------------------

static struct expr *number(const struct pipe_call *call, uint32_t value)
{
    return sema_const_int(call->ast, TYPE_UINT, value, call->loc);
}

static struct expr *compare(const struct pipe_call *call, enum token_kind op, struct expr *a, uint32_t value)
{
    return sema_to_bool(call->ast, sema_binary(call->ast, op, a, number(call, value), call->loc));
}

static struct expr *choose(const struct pipe_call *call, struct expr *condition, struct expr *yes, struct expr *no)
{
    struct expr *expr = sema_one(call->ast, EXPR_COND, yes->type.type, condition, call->loc);
    expr->b = yes;
    expr->c = no;
    return expr;
}

static struct expr *sequence(const struct pipe_call *call, struct expr *a, struct expr *b)
{
    struct expr *expr = sema_one(call->ast, EXPR_COMMA, b->type.type, a, call->loc);
    expr->b = b;
    return expr;
}

// A call of a library function with the pipe, its side and up to two more arguments (NULL: none).
static struct expr *library(const struct pipe_call *call, const char *name, struct expr *first, struct expr *second)
{
    struct expr *args[4] = {call->pipe, number(call, call->function->side), first, second};
    return sema_call_builtin(call->ast, name, args, 2u + (first != NULL) + (second != NULL), call->loc);
}

static struct expr *plain(const struct pipe_call *call, const char *name, struct expr *a, struct expr *b)
{
    struct expr *args[2] = {a, b};
    return sema_call_builtin(call->ast, name, args, (uint32_t)(a != NULL) + (b != NULL), call->loc);
}

// ---- reservations as numbers ---------------------------------------------------------------------

static struct type *id_type(struct ast *ast) { return &ast->types->opaque[OPAQUE_RESERVE_ID]; }

static struct expr *number_of_id(struct ast *ast, struct expr *id)
{
    struct type *type = type_basic(ast->types, TYPE_LONG);
    return id->kind == EXPR_CONST ? sema_lanes(ast, type, id->lanes, id->loc) : sema_one(ast, EXPR_CAST, type, id, id->loc);
}

static struct expr *make_number(const struct pipe_call *call, struct expr *place, struct expr *packets)
{
    return plain(call, "__pipe_id", place, packets);
}

// ---- argument checks -----------------------------------------------------------------------------

static struct expr *failed(const struct pipe_call *call) { return sema_error(call->ast, call->loc); }

static bool wrong(const struct pipe_call *call, const struct expr *arg, struct qtype wanted)
{
    diag_error(call->ast->diag, sema_start(arg), "invalid argument type to function '%s' (expecting %s having %s)",
               call->function->name, sema_type_text(call->ast, wanted), sema_value_text(call->ast, arg));
    return false;
}

static bool is_number(const struct pipe_call *call, const struct expr *arg)
{
    return type_is_integer(arg->type.type) || wrong(call, arg, sema_basic(call->ast, TYPE_UINT));
}

static bool is_id(const struct pipe_call *call, const struct expr *arg)
{
    return type_is_opaque(arg->type.type, OPAQUE_RESERVE_ID) || wrong(call, arg, qtype_of(id_type(call->ast)));
}

static bool is_packet(const struct pipe_call *call, const struct expr *arg)
{
    struct type *packet = call->args[0]->type.type->elem.type;
    struct qtype wanted = {.type = packet, .space = SPACE_PRIVATE};
    bool fits = sema_is_pointer(arg) && sema_same_unqualified(arg->type.type->elem.type, packet) && type_complete(packet) &&
                packet->kind != TYPE_ARRAY && !(call->function->side == READER && arg->type.type->elem.space == SPACE_CONSTANT);
    return fits || wrong(call, arg, qtype_of(type_pointer(call->ast->types, wanted)));
}

static bool pipe_fits(const struct pipe_call *call)
{
    const struct expr *pipe = call->args[0];
    unsigned side = call->function->side;
    if (!type_is_opaque(pipe->type.type, OPAQUE_PIPE)) {
        diag_error(call->ast->diag, call->loc, "first argument to '%s' must be a pipe type", call->function->name);
        return false;
    }
    if (side == EITHER || pipe->type.access == (side == READER ? KC_ACCESS_READ_ONLY : KC_ACCESS_WRITE_ONLY))
        return true;
    diag_error(call->ast->diag, sema_start(pipe), "invalid pipe access modifier (expecting %s)",
               side == READER ? "read_only" : "write_only");
    return false;
}

// ---- packets -------------------------------------------------------------------------------------

// An integer type of the same size, for types that are copied only and that the device may not support.
static struct type *bits_of(struct types *types, struct type *type)
{
    struct type *scalar = type_is_vector(type) ? type->elem.type : type;
    if (scalar->kind != TYPE_HALF && !type_is_small_float(scalar))
        return type;
    scalar = type_basic(types, scalar->size == 1 ? TYPE_UCHAR : TYPE_USHORT);
    return type_is_vector(type) ? type_vector(types, scalar, type_lanes(type)) : scalar;
}

// The pointee as an object of another type.
static struct expr *object_at(const struct pipe_call *call, struct expr *pointer, struct type *type)
{
    struct qtype object = pointer->type.type->elem;
    object.type = type;
    object.quals &= QUAL_VOLATILE;
    struct type *as = type_pointer(call->ast->types, object);
    struct expr *place = sema_one(call->ast, EXPR_DEREF, type, sema_convert_node(call->ast, as, pointer), call->loc);
    place->type = object;
    place->lvalue = true;
    return place;
}

static struct expr *copy_packet(const struct pipe_call *call, struct expr *place, struct expr *pointer)
{
    struct ast *ast = call->ast;
    struct type *packet = call->args[0]->type.type->elem.type, *type = bits_of(ast->types, packet);
    struct expr *args[3] = {call->pipe, place, number(call, (uint32_t)packet->size)};
    struct expr *in_pipe = object_at(call, sema_call_builtin(ast, "__pipe_packet", args, 3, call->loc), type);
    struct expr *outside = object_at(call, pointer, type);
    bool reads = call->function->side == READER;
    struct expr *copy = sema_one(ast, EXPR_ASSIGN, type, reads ? outside : in_pipe, call->loc);
    copy->b = sema_one(ast, EXPR_LOAD, type, reads ? in_pipe : outside, call->loc);
    return copy;
}

// Copies the packet at `place`, if there is one, and then evaluates `finally`.
static struct expr *copy_if_present(const struct pipe_call *call, struct expr *place, struct expr *pointer, struct expr *finally)
{
    struct ast *ast = call->ast;
    struct expr *none = sema_const_int(ast, TYPE_INT, 0, call->loc), *bad = sema_const_int(ast, TYPE_INT, UINT32_MAX, call->loc);
    struct expr *copy = copy_packet(call, place, pointer);
    struct expr *done = sequence(call, finally ? sequence(call, copy, finally) : copy, none);
    struct expr *made = choose(call, compare(call, TOK_NE, place, (uint32_t)NO_PLACE), done, bad);
    return sema_with(ast, pointer, sema_with(ast, place, made));
}

static struct expr *make_one(const struct pipe_call *call)
{
    if (!is_packet(call, call->args[1]))
        return failed(call);
    struct expr *pointer = sema_once(call->ast, call->args[1]);
    struct expr *place = sema_once(call->ast, library(call, "__pipe_reserve", number(call, 1), NULL));
    struct expr *commit = library(call, "__pipe_commit", make_number(call, place, number(call, 1)), NULL);
    return copy_if_present(call, place, pointer, commit);
}

static struct expr *make_reserved(const struct pipe_call *call)
{
    if (!is_id(call, call->args[1]) || !is_number(call, call->args[2]) || !is_packet(call, call->args[3]))
        return failed(call);
    struct expr *args[3] = {call->pipe, number_of_id(call->ast, call->args[1]), call->args[2]};
    struct expr *pointer = sema_once(call->ast, call->args[3]);
    struct expr *place = sema_once(call->ast, sema_call_builtin(call->ast, "__pipe_place", args, 3, call->loc));
    return copy_if_present(call, place, pointer, NULL);
}

static struct expr *make_move(const struct pipe_call *call)
{
    return call->count == 2 ? make_one(call) : make_reserved(call);
}

// ---- reservations --------------------------------------------------------------------------------

static const struct {
    const char *item, *barrier, *broadcast;
} groups[] = {
    [WORK_GROUP] = {"get_local_linear_id", "work_group_barrier", "work_group_broadcast"},
    [SUB_GROUP] = {"get_sub_group_local_id", "sub_group_barrier", "sub_group_broadcast"},
};

static struct expr *is_first(const struct pipe_call *call)
{
    return compare(call, TOK_EQ, plain(call, groups[call->function->group].item, NULL, NULL), 0);
}

// A value that only the group's first work-item computes, broadcast to the others.
static struct expr *of_first(const struct pipe_call *call, struct expr *value)
{
    unsigned group = call->function->group;
    struct expr *zero = number(call, 0), *args[4] = {choose(call, is_first(call), value, zero), zero, zero, zero};
    return sema_call_builtin(call->ast, groups[group].broadcast, args, group == WORK_GROUP ? 4 : 2, call->loc);
}

static struct expr *make_reserve(const struct pipe_call *call)
{
    if (!is_number(call, call->args[1]))
        return failed(call);
    struct ast *ast = call->ast;
    struct expr *packets = sema_once(ast, sema_convert_node(ast, type_basic(ast->types, TYPE_UINT), call->args[1]));
    struct expr *place = library(call, "__pipe_reserve", packets, NULL);
    if (call->function->group != ITEM)
        place = of_first(call, place);
    if (sema_is_error(place))
        return place;
    struct expr *id = sema_one(ast, EXPR_CAST, id_type(ast), make_number(call, place, packets), call->loc);
    return sema_with(ast, packets, id);
}

// A group commits a reservation only after all its work-items have accessed their packets.
static struct expr *make_commit(const struct pipe_call *call)
{
    if (!is_id(call, call->args[1]))
        return failed(call);
    struct expr *commit = library(call, "__pipe_commit", number_of_id(call->ast, call->args[1]), NULL);
    if (call->function->group == ITEM)
        return commit;
    struct expr *nothing = sema_one(call->ast, EXPR_CAST, commit->type.type, number(call, 0), call->loc);
    struct expr *all_memory = number(call, 3);
    struct expr *meet = plain(call, groups[call->function->group].barrier, all_memory, NULL);
    if (sema_is_error(meet))
        return meet;
    return sequence(call, meet, choose(call, is_first(call), commit, nothing));
}

// ---- queries -------------------------------------------------------------------------------------

static struct expr *make_num_packets(const struct pipe_call *call) { return plain(call, "__pipe_num_packets", call->pipe, NULL); }
static struct expr *make_max_packets(const struct pipe_call *call) { return plain(call, "__pipe_max_packets", call->pipe, NULL); }

// The one function that has no pipe argument.
static struct expr *is_valid(struct ast *ast, struct expr *id, struct loc loc)
{
    id = sema_convert_at(ast, qtype_of(id_type(ast)), id, SEMA_ARGUMENT, sema_start(id));
    if (sema_is_error(id))
        return id;
    return sema_binary(ast, TOK_NE, number_of_id(ast, id), sema_const_int(ast, TYPE_LONG, 0, loc), loc);
}

// ---- calls ---------------------------------------------------------------------------------------

static const struct pipe_function functions[] = {
    {"commit_read_pipe", READER, ITEM, 2, make_commit},
    {"commit_write_pipe", WRITER, ITEM, 2, make_commit},
    {"get_pipe_max_packets", EITHER, ITEM, 1, make_max_packets},
    {"get_pipe_num_packets", EITHER, ITEM, 1, make_num_packets},
    {"is_valid_reserve_id", EITHER, ITEM, 1, NULL},
    {"read_pipe", READER, ITEM, 0, make_move},
    {"reserve_read_pipe", READER, ITEM, 2, make_reserve},
    {"reserve_write_pipe", WRITER, ITEM, 2, make_reserve},
    {"sub_group_commit_read_pipe", READER, SUB_GROUP, 2, make_commit},
    {"sub_group_commit_write_pipe", WRITER, SUB_GROUP, 2, make_commit},
    {"sub_group_reserve_read_pipe", READER, SUB_GROUP, 2, make_reserve},
    {"sub_group_reserve_write_pipe", WRITER, SUB_GROUP, 2, make_reserve},
    {"work_group_commit_read_pipe", READER, WORK_GROUP, 2, make_commit},
    {"work_group_commit_write_pipe", WRITER, WORK_GROUP, 2, make_commit},
    {"work_group_reserve_read_pipe", READER, WORK_GROUP, 2, make_reserve},
    {"work_group_reserve_write_pipe", WRITER, WORK_GROUP, 2, make_reserve},
    {"write_pipe", WRITER, ITEM, 0, make_move},
};

static const struct pipe_function *find(struct ast *ast, const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions && ast_has_pipes(ast); i++)
        if (!strcmp(name, functions[i].name))
            return &functions[i];
    return NULL;
}

bool sema_is_pipe_function(struct ast *ast, const char *name)
{
    return (strstr(name, "_pipe") || !strcmp(name, "is_valid_reserve_id")) && find(ast, name);
}

static bool count_fits(const struct pipe_call *call, struct loc end)
{
    uint32_t wanted = call->function->count, count = call->count;
    if (wanted ? count == wanted : count == 2 || count == 4)
        return true;
    if (!wanted)
        diag_error(call->ast->diag, call->loc, "invalid number of arguments to function: '%s'", call->function->name);
    else
        diag_error(call->ast->diag, count < wanted ? end : sema_start(call->args[wanted]),
                   "too %s arguments to function call, expected %u, have %u", count < wanted ? "few" : "many", wanted, count);
    return false;
}

struct expr *sema_pipe_call(struct ast *ast, const char *name, struct expr **args, uint32_t count, struct loc loc, struct loc end)
{
    struct pipe_call call = {ast, find(ast, name), args, count, loc, NULL};
    if (!count_fits(&call, end))
        return sema_error(ast, loc);
    if (!call.function->make)
        return is_valid(ast, args[0], loc);
    if (!pipe_fits(&call))
        return sema_error(ast, loc);
    struct qtype words = {.type = type_basic(ast->types, TYPE_UINT), .space = SPACE_GLOBAL};
    call.pipe = sema_once(ast, sema_one(ast, EXPR_CAST, type_pointer(ast->types, words), args[0], loc));
    return sema_with(ast, call.pipe, call.function->make(&call));
}
