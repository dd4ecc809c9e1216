// SPDX-License-Identifier: Apache-2.0
// Block literals: captured variables are copied where the literal is evaluated and passed to the block's function as
// extra arguments. A block has no other representation at run time.
#include "gen/gen_internal.h"

bool gen_is_in_memory(const struct type *type)
{
    return type_is_record(type) || type->kind == TYPE_ARRAY;
}

static struct ir_instr *copy_of(struct gen *gen, const struct capture *capture)
{
    struct gen_place from = gen_lvalue(gen, capture->outer);
    struct qtype type = capture->inner->type;
    struct ir_instr *address = gen_temporary(gen, type.type, capture->inner->name);
    struct gen_place to = gen_place_at(gen, address, type, 0);
    if (gen_is_in_memory(type.type)) {
        gen_copy_record(gen, &to, &from);
    } else {
        gen_store(gen, &to, gen_load(gen, &from));
    }
    return address;
}

struct ir_instr *gen_block(struct gen *gen, const struct expr *expr)
{
    for (size_t i = 0; i < expr->decl->captures.count; i++) {
        struct capture *capture = expr->decl->captures.items[i];
        bool handle = gen_is_handle(capture->inner->type.type);
        capture->gen = handle ? gen_handle(gen, capture->outer->decl) : copy_of(gen, capture);
        if (!capture->gen) {
            gen_unsupported(gen, expr->loc, "capture of a sampler by a block");
            capture->gen = ir_undef(gen->module, ir_int(32));
        }
    }
    return NULL;
}

struct ir_instr *gen_captured(struct gen *gen, const struct capture *capture)
{
    const struct type *type = capture->inner->type.type;
    if (gen_is_in_memory(type) || gen_is_handle(type))
        return capture->gen;
    struct gen_place place = gen_place_at(gen, capture->gen, capture->inner->type, 0);
    return gen_load(gen, &place);
}
