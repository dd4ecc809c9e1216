// SPDX-License-Identifier: Apache-2.0
// Statements -> structured nodes, one to one. Code after a jump is not generated. Statements that goto enters or
// leaves are in gen_goto.c.
#include "gen/gen_internal.h"
#include "util/stack.h"

typedef void stmt_function(struct gen *gen, const struct stmt *stmt);

static void stmt_null(struct gen *gen, const struct stmt *stmt)
{
    (void)gen, (void)stmt;
}

static void stmt_expr(struct gen *gen, const struct stmt *stmt)
{
    gen_effect(gen, stmt->expr);
}

static void declare(struct gen *gen, struct decl *decl)
{
    if (decl->kind != DECL_VARIABLE || decl->storage == STORAGE_EXTERN)
        return;
    if (gen_is_constant_sampler(decl))
        return;
    if (decl->type.type->kind == TYPE_BLOCK) {
        gen_value(gen, decl->init->entries[0].value);
        return;
    }
    if (decl->init && gen_is_handle(decl->type.type)) { // another name of a parameter
        struct ir_instr *value = gen_value(gen, decl->init->entries[0].value);
        if (!value->block) {
            decl->gen = value;
            return;
        }
    }
    struct ir_instr *address = gen_variable_address(gen, decl);
    if (decl->init && decl->type.space == SPACE_PRIVATE)
        gen_init(gen, decl->init, gen_place_at(gen, address, decl->type, decl->attributes.aligned));
}

static void stmt_decl(struct gen *gen, const struct stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->decl_count; i++)
        declare(gen, stmt->decls[i]);
}

static void stmt_compound(struct gen *gen, const struct stmt *stmt)
{
    gen_stmts(gen, stmt->first);
}

static void stmt_if(struct gen *gen, const struct stmt *stmt)
{
    struct ir_instr *cond = gen_bool(gen, stmt->expr);
    if (gen->b.dead)
        return;
    struct ir_if *branch = ir_add_if(&gen->b, cond);
    ir_place_end(&gen->b, &branch->then_list);
    gen_stmt(gen, stmt->body);
    ir_place_end(&gen->b, &branch->else_list);
    if (stmt->else_body)
        gen_stmt(gen, stmt->else_body);
    bool ends = ir_ends_in_jump(ir_list_last(&branch->then_list)) && ir_ends_in_jump(ir_list_last(&branch->else_list));
    ir_place_after(&gen->b, &branch->node);
    if (ends)
        ir_jump(&gen->b, IR_OP_unreachable, NULL);
}

static void break_unless(struct gen *gen, const struct expr *condition)
{
    struct ir_instr *cond = gen_bool(gen, condition);
    if (gen->b.dead || (ir_is_const(cond) && cond->lanes[0]))
        return;
    struct ir_if *leave = ir_add_if(&gen->b, ir_op1(&gen->b, IR_OP_not, cond));
    ir_place_end(&gen->b, &leave->then_list);
    ir_jump(&gen->b, IR_OP_break, NULL);
    ir_place_after(&gen->b, &leave->node);
}

static struct ir_loop *begin_loop(struct gen *gen, const struct stmt *stmt)
{
    struct ir_loop *loop = ir_add_loop(&gen->b);
    loop->unroll = stmt->unroll;
    ir_place_end(&gen->b, &loop->body);
    return loop;
}

static void stmt_while(struct gen *gen, const struct stmt *stmt)
{
    struct ir_loop *loop = begin_loop(gen, stmt);
    break_unless(gen, stmt->expr);
    gen_stmt(gen, stmt->body);
    ir_place_after(&gen->b, &loop->node);
}

static void stmt_do(struct gen *gen, const struct stmt *stmt)
{
    struct ir_loop *loop = begin_loop(gen, stmt);
    gen_stmt(gen, stmt->body);
    ir_place_end(&gen->b, &loop->cont);
    loop->cond = gen_bool(gen, stmt->expr);
    ir_place_after(&gen->b, &loop->node);
}

static void stmt_for(struct gen *gen, const struct stmt *stmt)
{
    if (stmt->first)
        gen_stmt(gen, stmt->first);
    if (gen->b.dead)
        return;
    struct ir_loop *loop = begin_loop(gen, stmt);
    if (stmt->expr)
        break_unless(gen, stmt->expr);
    gen_stmt(gen, stmt->body);
    ir_place_end(&gen->b, &loop->cont);
    if (stmt->step)
        gen_effect(gen, stmt->step);
    ir_place_after(&gen->b, &loop->node);
}

// ---- switch --------------------------------------------------------------------------------------

static bool has_case_inside(const struct stmt *stmt)
{
    stack_check();
    for (; stmt; stmt = stmt->next) {
        if (stmt->kind == STMT_CASE)
            return true;
        if (stmt->kind == STMT_SWITCH || stmt->kind == STMT_EXPR)
            continue;
        if ((stmt->kind != STMT_FOR && has_case_inside(stmt->first)) || has_case_inside(stmt->body) ||
            has_case_inside(stmt->else_body))
            return true;
    }
    return false;
}

// The statement after a run of labels (case 1: case 2: default: ...).
static const struct stmt *labelled(const struct stmt *stmt)
{
    while (stmt && stmt->kind == STMT_CASE)
        stmt = stmt->body;
    return stmt;
}

static void fill_labels(struct gen *gen, struct ir_case *to, const struct stmt *stmt)
{
    uint32_t count = 0;
    for (const struct stmt *s = stmt; s && s->kind == STMT_CASE; s = s->body)
        count += !s->is_default;
    to->values = ARENA_ARRAY(gen->arena, uint64_t, count ? count : 1);
    for (const struct stmt *s = stmt; s && s->kind == STMT_CASE; s = s->body) {
        if (s->is_default)
            to->is_default = true;
        else
            to->values[to->value_count++] = s->value;
    }
}

static uint32_t count_cases(const struct stmt *first, bool *has_default)
{
    uint32_t count = 0;
    for (const struct stmt *s = first; s; s = s->next) {
        count += s->kind == STMT_CASE;
        for (const struct stmt *label = s; label && label->kind == STMT_CASE; label = label->body)
            *has_default |= label->is_default;
    }
    return count;
}

bool gen_switch_is_plain(const struct stmt *stmt)
{
    const struct stmt *first = stmt->body->kind == STMT_COMPOUND ? stmt->body->first : stmt->body;
    for (const struct stmt *s = first; s; s = s->next) {
        const struct stmt *inner = labelled(s);
        if (!inner)
            continue;
        struct stmt single = *inner;
        single.next = NULL;
        if (has_case_inside(&single))
            return false;
    }
    return true;
}

static void gen_case(struct gen *gen, const struct stmt *label, struct ir_case *to)
{
    fill_labels(gen, to, label);
    ir_place_end(&gen->b, &to->list);
    gen_stmt(gen, labelled(label));
    for (const struct stmt *s = label->next; s && s->kind != STMT_CASE; s = s->next)
        gen_stmt(gen, s);
}

static void declare_before_cases(struct gen *gen, const struct stmt *first)
{
    for (const struct stmt *s = first; s && s->kind != STMT_CASE; s = s->next)
        if (s->kind == STMT_DECL)
            for (uint32_t i = 0; i < s->decl_count; i++)
                if (s->decls[i]->kind == DECL_VARIABLE)
                    gen_variable_address(gen, s->decls[i]);
}

static void stmt_switch(struct gen *gen, const struct stmt *stmt)
{
    struct ir_instr *value = gen_value(gen, stmt->expr);
    const struct stmt *first = stmt->body->kind == STMT_COMPOUND ? stmt->body->first : stmt->body;
    bool has_default = false;
    uint32_t count = count_cases(first, &has_default);
    if (gen->b.dead)
        return;
    declare_before_cases(gen, first);
    struct ir_switch *node = ir_add_switch(&gen->b, value, count + !has_default);
    uint32_t index = 0;
    for (const struct stmt *s = first; s; s = s->next)
        if (s->kind == STMT_CASE)
            gen_case(gen, s, &node->cases[index++]);
    if (!has_default)
        node->cases[index].is_default = true;
    ir_place_after(&gen->b, &node->node);
}

// ---- jumps ---------------------------------------------------------------------------------------

static void stmt_break(struct gen *gen, const struct stmt *stmt)
{
    (void)stmt;
    ir_jump(&gen->b, IR_OP_break, NULL);
}

static void stmt_continue(struct gen *gen, const struct stmt *stmt)
{
    (void)stmt;
    ir_jump(&gen->b, IR_OP_continue, NULL);
}

static void stmt_return(struct gen *gen, const struct stmt *stmt)
{
    struct ir_instr *value = NULL;
    if (stmt->expr && gen->result_place) {
        struct gen_place from = gen_record(gen, stmt->expr);
        struct gen_place to = gen_place_at(gen, gen->result_place, stmt->expr->type, 0);
        gen_copy_record(gen, &to, &from);
    } else if (stmt->expr) {
        value = gen_value(gen, stmt->expr);
    }
    if (!value && gen->function->result.base != IR_VOID) // return without a value: the caller must not use it
        value = ir_undef(gen->module, gen->function->result);
    ir_jump(&gen->b, IR_OP_return, value);
}

static void stmt_label(struct gen *gen, const struct stmt *stmt)
{
    if (gen->in_expression)
        gen_unsupported(gen, stmt->loc, "a label inside a statement expression");
    gen_stmt(gen, stmt->body); // no jump to this label
}

static void stmt_jump_out(struct gen *gen, const struct stmt *stmt)
{
    gen_unsupported(gen, stmt->loc, "a jump into or out of a statement expression");
}

static stmt_function *const stmt_functions[] = {
    [STMT_NULL] = stmt_null,     [STMT_EXPR] = stmt_expr,         [STMT_DECL] = stmt_decl,
    [STMT_COMPOUND] = stmt_compound, [STMT_IF] = stmt_if,         [STMT_WHILE] = stmt_while,
    [STMT_DO] = stmt_do,         [STMT_FOR] = stmt_for,           [STMT_SWITCH] = stmt_switch,
    [STMT_CASE] = stmt_jump_out,     [STMT_BREAK] = stmt_break,       [STMT_CONTINUE] = stmt_continue,
    [STMT_RETURN] = stmt_return, [STMT_LABEL] = stmt_label,       [STMT_GOTO] = stmt_jump_out,
};

void gen_stmt(struct gen *gen, const struct stmt *stmt)
{
    stack_check();
    if (!stmt)
        return;
    gen_at(gen, stmt->loc);
    if (gen->graph && gen_needs_graph(stmt)) {
        if (gen->in_expression)
            stmt_jump_out(gen, stmt);
        else
            gen_graph_stmt(gen, stmt);
    } else if (!gen->b.dead) {
        struct cfg *graph = gen->graph;
        gen->graph = NULL; // nested statements are structured
        stmt_functions[stmt->kind](gen, stmt);
        gen->graph = graph;
    }
}

void gen_stmts(struct gen *gen, const struct stmt *first)
{
    for (const struct stmt *s = first; s; s = s->next)
        gen_stmt(gen, s);
}
