// SPDX-License-Identifier: Apache-2.0
// Optimizes the module of one library source and prints its functions and variables as texts.
#include "pack/library_unit.h"
#include "passes/passes.h"
#include <string.h>

struct unit_texts {
    struct ir_module *m;
    const struct kc_target *target;
    struct arena *out; // holds the texts
    struct library_texts *texts;
};

static void add_text(struct unit_texts *t, const char *name, struct str *text)
{
    struct library_text one = {arena_strndup(t->out, name, strlen(name)), arena_strndup(t->out, text->text, text->length),
                              text->length};
    vec_push(t->out, t->texts, one);
}

static void print_function(struct unit_texts *t, struct ir_function *f)
{
    struct str text;
    str_init(&text, t->m->arena);
    ir_print_function(&text, f);
    add_text(t, f->name, &text);
}

static void print_var(struct unit_texts *t, struct ir_var *var)
{
    struct ir_module *var_module = ir_module_create(t->m->arena, t->m->intern, t->target);
    struct str text;
    str_init(&text, t->m->arena);
    vec_push(t->m->arena, &var_module->vars, var);
    ir_print_module(&text, var_module);
    add_text(t, var->name, &text);
}

// A helper's name is local to its file: appends the file's number.
static const char *library_name(struct unit_texts *t, const char *name, size_t number)
{
    return strchr(name, '.') ? name : intern_cstring(t->m->intern, arena_printf(t->m->arena, "%s..%zu", name, number));
}

// Removes helpers whose calls are all inlined.
static void drop_helpers(struct ir_module *m)
{
    size_t remaining = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = strchr(m->functions.items[i]->name, '.') != NULL;
    for (size_t i = 0; i < m->functions.count; i++)
        for (struct ir_block *at = ir_first_block(m->functions.items[i]); at; at = ir_next_block(at))
            for (struct ir_instr *x = at->first; x; x = x->next)
                if (x->op == IR_OP_call)
                    x->callee->id = 1;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->id)
            m->functions.items[remaining++] = m->functions.items[i];
    m->functions.count = remaining;
}

static void print_unit(struct unit_texts *t)
{
    size_t number = t->texts->count;
    drop_helpers(t->m);
    for (size_t i = 0; i < t->m->vars.count; i++)
        t->m->vars.items[i]->name = library_name(t, t->m->vars.items[i]->name, number);
    for (size_t i = 0; i < t->m->functions.count; i++)
        if (t->m->functions.items[i]->has_body)
            t->m->functions.items[i]->name = library_name(t, t->m->functions.items[i]->name, number);
    for (size_t i = 0; i < t->m->vars.count; i++)
        print_var(t, t->m->vars.items[i]);
    for (size_t i = 0; i < t->m->functions.count; i++)
        if (t->m->functions.items[i]->has_body)
            print_function(t, t->m->functions.items[i]);
}

// Whether calls in the function must not be inlined: vector functions call a scalar function for each lane, which
// keeps the text short; functions with images are resolved before inlining.
static bool must_keep_calls(const struct ir_function *f)
{
    bool keeps = f->handles || f->result.lanes > 1;
    for (uint32_t i = 0; i < f->param_count; i++)
        keeps |= f->params[i]->type.lanes > 1;
    return keeps;
}

static void inline_helpers(struct unit_texts *t)
{
    struct ir_module *m = t->m;
    bool *has_body = ARENA_ARRAY(t->m->arena, bool, m->functions.count + 1);
    for (size_t i = 0; i < m->functions.count; i++) {
        has_body[i] = m->functions.items[i]->has_body;
        m->functions.items[i]->has_body &= !must_keep_calls(m->functions.items[i]);
    }
    pipeline_run_one(m, t->target, "inline_calls");
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->has_body = has_body[i];
}

// Optimizes once what every program that uses a function would have to optimize.
static void optimize_unit(struct unit_texts *t)
{
    static const char *const passes[] = {"opt_split_vars", "opt_mem2reg",    "opt_algebraic", "opt_branches",
                                         "opt_cse",        "opt_if_convert", "opt_dce"};
    enum { COUNT = sizeof passes / sizeof *passes, ROUNDS = 3 };
    pipeline_run_one(t->m, t->target, "lower_returns");
    inline_helpers(t);
    for (size_t i = 0; i < ROUNDS * COUNT; i++)
        pipeline_run_one(t->m, t->target, passes[i % COUNT]);
}

void library_unit(struct ir_module *module, const struct kc_target *target, struct arena *arena, struct library_texts *texts)
{
    struct unit_texts t = {module, target, arena, texts};
    optimize_unit(&t);
    print_unit(&t);
}
