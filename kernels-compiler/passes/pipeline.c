// SPDX-License-Identifier: Apache-2.0
// Runs the rows of passes.def in their order.
//
// A row is a pass or one end of a repeated group. The passes between two module passes run function by function, so
// that a function stays in the processor's cache. The scratch arena is reset after each pass. If memory runs out,
// this file unwinds and frees the scratch arena.
#include "passes/inline.h"
#include "passes/passes.h"
#include <string.h>

enum row_kind { ROW_PROGRAM, ROW_FUNCTION, ROW_MODULE, ROW_BEGIN, ROW_CLEANUP, ROW_END };
enum { MAX_ROUNDS = 6 };

struct row {
    enum row_kind kind;
    const char *name;
    int optional; // 1: skipped when not optimizing; 2: skipped only by name
    pass_function *run;
    pass_module *run_module;
};

static const struct row rows[] = {
#define PASS_PROGRAM(name, optional) {ROW_PROGRAM, #name, optional, NULL, name},
#define PASS(name, optional) {ROW_FUNCTION, #name, optional, name, NULL},
#define PASS_MODULE(name, optional) {ROW_MODULE, #name, optional, NULL, name},
#define REPEAT_BEGIN {ROW_BEGIN, NULL, 0, NULL, NULL},
#define REPEAT_END {ROW_END, NULL, 0, NULL, NULL},
#define CLEANUP_BEGIN {ROW_CLEANUP, NULL, 0, NULL, NULL},
#define CLEANUP_END {ROW_END, NULL, 0, NULL, NULL},
#include "passes/passes.def"
    {ROW_END, NULL, 0, NULL, NULL},
};

static const struct row prepare_rows[] = {
#define PREPARE(name, optional) {ROW_FUNCTION, #name, optional, name, NULL},
#include "passes/passes.def"
};

enum {
    PREPARE_COUNT = sizeof prepare_rows / sizeof *prepare_rows,
    ROW_COUNT = sizeof rows / sizeof *rows - 1
}; // the last one only prevents an empty array

struct pipeline {
    struct pass_context context;
    const struct pipeline_options *options;
    struct arena *scratch, own; // own: if the options give none
    const char *error;
    bool stopped;
};

static bool in_list(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t span = strcspn(at, ",");
        if (span == length && !memcmp(at, name, length))
            return true;
    }
    return false;
}

static bool skipped(const struct pipeline_options *options, const struct row *row)
{
    if (!row->optional)
        return false;
    return (row->optional == 1 && !options->optimize) || in_list(options->skip, row->name);
}

// What the options ask for after a pass; f: NULL after a module pass. A function without changes is verified with the
// module, after the next module pass.
static void after_row(struct pipeline *p, const struct row *row, struct ir_function *f, bool changed)
{
    const struct pipeline_options *options = p->options;
    struct ir_module *m = p->context.module;
    arena_reset(p->scratch);
    if (options->dump)
        options->dump(options->dump_data, row->name, m, f);
    if (m->error) {
        p->error = m->error;
        return;
    }
    const char *wrong = !options->verify || !changed ? NULL : f ? ir_verify_function(f) : ir_verify(m);
    if (wrong)
        p->error = arena_printf(m->arena, "after pass %s: %s", row->name, wrong);
    p->stopped |= options->stop_after && !strcmp(options->stop_after, row->name);
}

static bool run_row(struct pipeline *p, const struct row *row, struct ir_function *f)
{
    if (skipped(p->options, row))
        return false;
    bool changed = row->run(&p->context, f);
    f->converged &= !changed;
    after_row(p, row, f, changed);
    return changed;
}

static void run_module_row(struct pipeline *p, const struct row *row)
{
    row->run_module(&p->context);
    after_row(p, row, NULL, true);
}

static bool is_running(const struct pipeline *p) { return !p->error && !p->stopped; }

static size_t group_end(size_t first)
{
    while (rows[first].kind != ROW_END)
        first++;
    return first;
}

// Runs the passes of a group in turn until none of them changes anything; returns the group's end.
static size_t run_group(struct pipeline *p, struct ir_function *f, size_t first)
{
    size_t end = group_end(first), count = end - first, idle = f->converged ? count : 0;
    for (size_t i = 0; i < MAX_ROUNDS * count && idle < count && is_running(p); i++)
        idle = run_row(p, &rows[first + i % count], f) ? 0 : idle + 1;
    f->converged = idle == count;
    return end;
}

static void run_function_rows(struct pipeline *p, struct ir_function *f, size_t first, size_t end)
{
    p->stopped = false;
    for (size_t i = first; i < end && is_running(p); i++)
        if (rows[i].kind == ROW_BEGIN)
            i = run_group(p, f, i + 1);
        else if (rows[i].kind == ROW_CLEANUP && f->converged)
            i = group_end(i);
        else if (rows[i].kind == ROW_FUNCTION)
            run_row(p, &rows[i], f);
}

static void run_rows(struct pipeline *p)
{
    struct ir_module *m = p->context.module;
    for (size_t i = 0, end; i < ROW_COUNT && is_running(p); i = end) {
        end = i + 1;
        if (rows[i].kind == ROW_MODULE) {
            run_module_row(p, &rows[i]);
            continue;
        }
        while (end < ROW_COUNT && rows[end].kind != ROW_MODULE)
            end++;
        for (size_t k = 0; k < m->functions.count && !p->error; k++)
            if (m->functions.items[k]->has_body)
                run_function_rows(p, m->functions.items[k], i, end);
    }
}

static void run_program_row(struct pipeline *p, const struct row *row)
{
    struct ir_module *m = p->context.module;
    if (row->run_module && !skipped(p->options, row))
        run_module_row(p, row);
    for (size_t i = 0; row->kind == ROW_FUNCTION && i < m->functions.count && !p->error; i++)
        if (m->functions.items[i]->has_body)
            run_row(p, row, m->functions.items[i]);
}

static struct pipeline start(struct ir_module *m, const struct kc_target *target,
                             const struct pipeline_options *options)
{
    struct pipeline p = {.options = options};
    p.context = (struct pass_context){.module = m, .target = target, .optimize = options->optimize};
    return p;
}

static void prepare(struct pipeline *p);

static void run(struct pipeline *p, const struct row *only, bool whole_program)
{
    p->context.scratch = p->scratch;
    if (whole_program)
        prepare(p);
    else if (only)
        run_program_row(p, only);
    else
        run_rows(p);
}

// Out of memory may be raised by the module's arena, the one of names, or the scratch arena.
static void guarded(struct pipeline *p, const struct row *only, bool whole_program)
{
    struct ir_module *m = p->context.module;
    struct arena *arena = m->arena, *names = m->intern->arena;
    jmp_buf *outer = arena->on_full, *names_outer = names->on_full, full;
    volatile bool ran_out = true;
    arena_init(&p->own, 0, NULL);
    p->scratch = p->options->scratch ? p->options->scratch : &p->own;
    p->scratch->on_full = &full;
    if (!setjmp(full)) {
        arena->on_full = names->on_full = &full;
        run(p, only, whole_program);
        ran_out = false;
    }
    names->on_full = names_outer;
    arena->on_full = outer;
    p->scratch->on_full = NULL;
    arena_reset(p->scratch);
    arena_finish(&p->own);
    if (!ran_out)
        return;
    if (outer)
        longjmp(*outer, 1);
    p->error = "out of memory";
}

// ---- the functions of a program ------------------------------------------------------------------

// Marks by id the functions called from `f`, with an explicit worklist: the depth depends on the source.
static void mark_called(struct pipeline *p, struct ir_function *f)
{
    VEC(struct ir_function *) todo = {0};
    vec_push(p->scratch, &todo, f);
    while (todo.count) {
        f = todo.items[--todo.count];
        for (struct ir_block *b = ir_first_block(f); b; b = ir_next_block(b))
            for (struct ir_instr *x = b->first; x; x = x->next)
                if (x->op == IR_OP_call && x->callee->has_body && !x->callee->id) {
                    x->callee->id = 1;
                    vec_push(p->scratch, &todo, x->callee);
                }
    }
}

static void prepare_function(struct pipeline *p, struct ir_function *f)
{
    for (size_t i = 0; i < PREPARE_COUNT; i++) {
        if (skipped(p->options, &prepare_rows[i]))
            continue;
        prepare_rows[i].run(&p->context, f);
        arena_reset(p->scratch);
    }
}

// Optimizes functions that will not be inlined with the passes that do not depend on the kernel, so that it is done once.
static void optimize_not_inlined(struct pipeline *p, struct ir_function *const *functions, size_t count)
{
    size_t first = 0;
    while (rows[first].kind != ROW_BEGIN)
        first++;
    inline_early(&p->context, functions, count);
    arena_reset(p->scratch);
    for (size_t i = 0; i < count && is_running(p); i++) {
        if (!inline_remains(functions[i]))
            continue;
        run_group(p, functions[i], first + 1);
    }
}

static void prepare(struct pipeline *p)
{
    struct ir_module *m = p->context.module;
    VEC(struct ir_function *) called = {0};
    size_t kernels = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = 0;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && m->functions.items[i]->has_body && ++kernels)
            mark_called(p, m->functions.items[i]);
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->id && !m->functions.items[i]->kernel)
            vec_push(m->arena, &called, m->functions.items[i]);
    arena_reset(p->scratch);
    for (size_t i = 0; i < called.count && !m->error; i++)
        if (!called.items[i]->from_library)
            prepare_function(p, called.items[i]);
    if (kernels > 1 && !m->error && !p->options->stop_after && !p->options->apart)
        optimize_not_inlined(p, called.items, called.count);
}

static bool has_kernel(const struct ir_module *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.items[i]->kernel && m->functions.items[i]->has_body)
            return true;
    return false;
}

const char *pipeline_run(struct ir_module *m, const struct kc_target *target,
                         const struct pipeline_options *options)
{
    struct pipeline p = start(m, target, options);
    const char *wrong = options->verify ? ir_verify(m) : NULL;
    if (wrong)
        return arena_printf(m->arena, "before all passes: %s", wrong);
    if (!has_kernel(m))
        return "the module has no kernel";
    guarded(&p, NULL, false);
    return p.error;
}

const char *pipeline_program(struct ir_module *m, const struct kc_target *target,
                             const struct pipeline_options *options)
{
    struct pipeline p = start(m, target, options);
    for (size_t i = 0; i < ROW_COUNT && is_running(&p); i++)
        if (rows[i].kind == ROW_PROGRAM)
            guarded(&p, &rows[i], false);
    return p.error;
}

const char *pipeline_prepare(struct ir_module *m, const struct kc_target *target,
                             const struct pipeline_options *options)
{
    struct pipeline p = start(m, target, options);
    guarded(&p, NULL, true);
    const char *wrong = options->verify && !p.error ? ir_verify(m) : NULL;
    return wrong ? arena_printf(m->arena, "after preparation: %s", wrong) : p.error ? p.error : m->error;
}

static bool is_named(const struct row *row, const char *name, size_t length)
{
    return row->name && strlen(row->name) == length && !memcmp(row->name, name, length);
}

static bool has_row(const char *name, size_t length, bool optional)
{
    bool found = false;
    for (size_t i = 0; i < ROW_COUNT; i++)
        found |= is_named(&rows[i], name, length) && (rows[i].optional || !optional);
    for (size_t i = 0; i < PREPARE_COUNT; i++)
        found |= is_named(&prepare_rows[i], name, length) && (prepare_rows[i].optional || !optional);
    return found;
}

bool pipeline_has(const char *name, size_t length) { return has_row(name, length, false); }

bool pipeline_may_skip(const char *name, size_t length) { return has_row(name, length, true); }

bool pipeline_run_one(struct ir_module *m, const struct kc_target *target, const char *pass)
{
    static const struct pipeline_options all = {.optimize = true};
    struct pipeline p = start(m, target, &all);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!is_named(&rows[i], pass, strlen(pass)))
            continue;
        guarded(&p, &rows[i], false);
        return true;
    }
    return false;
}
