// SPDX-License-Identifier: Apache-2.0
// Functions with goto, or with case labels inside nested statements. Statements that such a jump enters or leaves
// become nodes of a control-flow graph; all others stay structured inside a node. cfg_structurize() makes a tree of
// the graph.
//
// Values never cross nodes: between statements, all values are in variables.
#include "gen/gen_internal.h"
#include "util/stack.h"

// ---- which statements ----------------------------------------------------------------------------

struct inside {
    bool loop, breakable, own_switch; // what encloses the statement
};

static bool is_unstructured(const struct stmt *stmt, struct inside in);

static bool is_list_unstructured(const struct stmt *first, struct inside in)
{
    for (const struct stmt *s = first; s; s = s->next)
        if (is_unstructured(s, in))
            return true;
    return false;
}

static bool is_switch_unstructured(const struct stmt *stmt, struct inside in)
{
    in.breakable = true;
    if (!gen_switch_is_plain(stmt))
        return true;
    in.own_switch = true;
    return is_unstructured(stmt->body, in);
}

// Whether control may enter or leave the statement other than at its start and end.
static bool is_unstructured(const struct stmt *stmt, struct inside in)
{
    stack_check();
    const struct inside loop = {true, true, in.own_switch};
    if (!stmt)
        return false;
    switch (stmt->kind) {
    case STMT_GOTO:
    case STMT_LABEL:
        return true;
    case STMT_BREAK:
        return !in.breakable;
    case STMT_CONTINUE:
        return !in.loop;
    case STMT_CASE:
        return !in.own_switch || is_unstructured(stmt->body, in);
    case STMT_COMPOUND:
        return is_list_unstructured(stmt->first, in);
    case STMT_IF:
        return is_unstructured(stmt->body, in) || is_unstructured(stmt->else_body, in);
    case STMT_WHILE:
    case STMT_DO:
    case STMT_FOR:
        return is_unstructured(stmt->body, loop);
    case STMT_SWITCH:
        return is_switch_unstructured(stmt, in);
    default:
        return false;
    }
}

bool gen_needs_graph(const struct stmt *stmt)
{
    return is_unstructured(stmt, (struct inside){0});
}

// Whether the statements contain a goto or an irregular switch. Labels alone do not need a graph.
bool gen_has_goto(const struct stmt *stmt)
{
    stack_check();
    for (; stmt; stmt = stmt->next) {
        if (stmt->kind == STMT_GOTO || (stmt->kind == STMT_SWITCH && !gen_switch_is_plain(stmt)))
            return true;
        if (stmt->kind == STMT_COMPOUND && gen_has_goto(stmt->first))
            return true;
        if ((stmt->body && gen_has_goto(stmt->body)) || (stmt->else_body && gen_has_goto(stmt->else_body)))
            return true;
    }
    return false;
}

// ---- nodes ---------------------------------------------------------------------------------------

static void continue_at(struct gen *gen, struct cfg_node *node)
{
    gen->node = node;
    ir_place_end(&gen->b, &node->code);
}

static void jump_to(struct gen *gen, struct cfg_node *node)
{
    if (!gen->b.dead)
        cfg_end_jump(gen->graph, gen->node, node);
    gen->b.dead = true;
}

// Ends the current node with a jump to `node` and continues there.
static void enter(struct gen *gen, struct cfg_node *node)
{
    jump_to(gen, node);
    continue_at(gen, node);
}

static void branch(struct gen *gen, const struct expr *condition, struct cfg_node *yes, struct cfg_node *no)
{
    struct ir_instr *cond = gen_bool(gen, condition);
    if (!gen->b.dead)
        cfg_end_branch(gen->graph, gen->node, cond, yes, no);
    gen->b.dead = true;
}

static struct cfg_node *new_node(struct gen *gen)
{
    return cfg_node_add(gen->graph);
}

struct cfg *gen_graph_begin(struct gen *gen)
{
    struct cfg *graph = ARENA_NEW(gen->arena, struct cfg);
    graph->function = gen->function;
    graph->arena = gen->arena;
    gen->graph = graph;
    continue_at(gen, new_node(gen));
    return graph;
}

// ---- statements ----------------------------------------------------------------------------------

static void graph_if(struct gen *gen, const struct stmt *stmt)
{
    struct cfg_node *yes = new_node(gen), *no = new_node(gen), *after = stmt->else_body ? new_node(gen) : no;
    branch(gen, stmt->expr, yes, no);
    continue_at(gen, yes);
    gen_stmt(gen, stmt->body);
    jump_to(gen, after);
    if (stmt->else_body) {
        continue_at(gen, no);
        gen_stmt(gen, stmt->else_body);
        jump_to(gen, after);
    }
    continue_at(gen, after);
}

static void graph_body(struct gen *gen, const struct stmt *body, struct cfg_node *on_break, struct cfg_node *on_continue)
{
    struct cfg_node *outer_break = gen->break_node, *outer_continue = gen->continue_node;
    gen->break_node = on_break;
    gen->continue_node = on_continue;
    gen_stmt(gen, body);
    gen->break_node = outer_break;
    gen->continue_node = outer_continue;
}

static void graph_loop(struct gen *gen, const struct stmt *stmt)
{
    struct cfg_node *test = new_node(gen), *body = new_node(gen), *step = new_node(gen), *after = new_node(gen);
    if (stmt->kind == STMT_FOR && stmt->first)
        gen_stmt(gen, stmt->first);
    jump_to(gen, stmt->kind == STMT_DO ? body : test);
    continue_at(gen, test);
    if (stmt->expr)
        branch(gen, stmt->expr, body, after);
    jump_to(gen, body);
    continue_at(gen, body);
    graph_body(gen, stmt->body, after, step);
    enter(gen, step);
    if (stmt->kind == STMT_FOR && stmt->step)
        gen_effect(gen, stmt->step);
    jump_to(gen, test);
    continue_at(gen, after);
}

struct case_list {
    VEC(uint64_t) values;
    VEC(struct cfg_node *) nodes;
    struct cfg_node *fallback;
};

// Makes a node for each case of this switch, at any depth in its body.
static void collect_cases(struct gen *gen, const struct stmt *stmt, struct case_list *list)
{
    stack_check();
    for (; stmt; stmt = stmt->next) {
        if (stmt->kind == STMT_SWITCH)
            continue;
        if (stmt->kind == STMT_CASE) {
            struct cfg_node *node = new_node(gen);
            map_set(gen->arena, &gen->case_nodes, stmt, node);
            if (stmt->is_default) {
                list->fallback = node;
            } else {
                vec_push(gen->arena, &list->values, stmt->value);
                vec_push(gen->arena, &list->nodes, node);
            }
        }
        if (stmt->kind == STMT_COMPOUND)
            collect_cases(gen, stmt->first, list);
        if (stmt->body)
            collect_cases(gen, stmt->body, list);
        if (stmt->else_body)
            collect_cases(gen, stmt->else_body, list);
    }
}

static void graph_switch(struct gen *gen, const struct stmt *stmt)
{
    struct ir_instr *value = gen_value(gen, stmt->expr);
    struct cfg_node *after = new_node(gen);
    struct case_list list = {.fallback = after};
    collect_cases(gen, stmt->body, &list);
    uint32_t count = (uint32_t)list.values.count;
    vec_push(gen->arena, &list.nodes, list.fallback);
    if (!gen->b.dead)
        cfg_end_switch(gen->graph, gen->node, value, list.values.items, list.nodes.items, count);
    gen->b.dead = true;
    graph_body(gen, stmt->body, after, gen->continue_node);
    enter(gen, after);
}

static void graph_case(struct gen *gen, const struct stmt *stmt)
{
    struct cfg_node *node = map_get(&gen->case_nodes, stmt);
    assert(node);
    enter(gen, node);
    gen_stmt(gen, stmt->body);
}

static struct cfg_node *label_node(struct gen *gen, struct label *label)
{
    if (!label->gen)
        label->gen = new_node(gen);
    return label->gen;
}

void gen_graph_stmt(struct gen *gen, const struct stmt *stmt)
{
    stack_check();
    if (gen->b.dead) // reachable only through a label inside
        continue_at(gen, new_node(gen));
    switch (stmt->kind) {
    case STMT_COMPOUND:
        gen_stmts(gen, stmt->first);
        break;
    case STMT_IF:
        graph_if(gen, stmt);
        break;
    case STMT_SWITCH:
        graph_switch(gen, stmt);
        break;
    case STMT_CASE:
        graph_case(gen, stmt);
        break;
    case STMT_BREAK:
        jump_to(gen, gen->break_node);
        break;
    case STMT_CONTINUE:
        jump_to(gen, gen->continue_node);
        break;
    case STMT_GOTO:
        jump_to(gen, label_node(gen, stmt->label));
        break;
    case STMT_LABEL:
        enter(gen, label_node(gen, stmt->label));
        gen_stmt(gen, stmt->body);
        break;
    default:
        graph_loop(gen, stmt);
    }
}
