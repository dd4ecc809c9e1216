// SPDX-License-Identifier: Apache-2.0
// Vector literals: (float4)(a, b.xy, 1).
#include "ast/sema_impl.h"

// (type)(a, b, ...): OpenCL C 6.1.6. The lanes of all arguments together form the vector.
struct expr *sema_vector_literal(struct ast *ast, struct type *type, struct expr **args,
                                 uint32_t count, struct loc loc, struct loc open)
{
    if (!type_is_vector(type) || count == 1) {
        struct expr *last = args[0];
        for (uint32_t i = 1; i < count; i++)
            last = sema_binary(ast, TOK_COMMA, last, args[i], args[i]->loc);
        return sema_cast(ast, qtype_of(type), last, loc);
    }
    struct type *elem = type->elem.type;
    unsigned lanes = 0;
    bool failed = false;
    const struct expr *excess = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct expr *a = args[i] = sema_value(ast, args[i]);
        struct type *s = a->type.type;
        failed |= sema_is_error(a);
        lanes += type_lanes(s);
        if (lanes > type_lanes(type) && !excess)
            excess = a;
        if (sema_is_error(a) || (type_is_vector(s) && s->elem.type == elem))
            continue;
        args[i] = sema_convert_at(ast, qtype_of(elem), a, SEMA_INIT, sema_start(a));
        failed |= sema_is_error(args[i]);
    }
    if (failed)
        return sema_error(ast, loc);
    if (lanes < type_lanes(type))
        diag_error(ast->diag, open, "too few elements in vector initialization (expected %u elements, have %u)",
                   type_lanes(type), lanes);
    if (lanes > type_lanes(type))
        diag_error(ast->diag, sema_start(excess), "excess elements in vector initializer");
    if (lanes != type_lanes(type))
        return sema_error(ast, loc);
    struct expr *expr = sema_new(ast, EXPR_VECTOR, qtype_of(type), loc);
    expr->args = arena_copy(ast->arena, args, sizeof *args * count);
    expr->arg_count = count;
    return sema_fold(ast, expr);
}
