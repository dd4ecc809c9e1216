// SPDX-License-Identifier: Apache-2.0
// The compiler's driver: source -> kernels. It calls the stages in order, one call a line (kernels.c: the last ones).
//
// The IR of a build is in one arena. Tokens and the AST, and later the data of one kernel after another, are in a
// second arena that is reset between uses. A fatal error or the memory limit unwinds out of both. The caller's result
// is copied into an arena of its own (result.c).
#include "build.h"
#include "environment.h"
#include "platform/platform.h"
#include "result.h"

#include "ast/ast.h"
#include "link/linker.h"
#include "link/object.h"
#include "pack/library.h"
#include "pack/library_unit.h"
#include "reader/read.h"
#include "util/stack.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_LIMIT = 1 << 30 };

// ---- dumps and times -----------------------------------------------------------------------------

void build_add_time(struct build *b, enum driver_stage stage)
{
    uint64_t now = thread_own_ns();
    b->driver->ns[stage] += now - b->since;
    b->since = now;
}

bool build_dumps(const struct build *b, unsigned what) { return (b->driver->dump & what) != 0; }

void build_dump(struct build *b, const char *what, const void *bytes, size_t size)
{
    b->driver->write(b->driver->data, what, b->kernel ? b->kernel->info.name : NULL, bytes, size);
}

void build_dump_ir(struct build *b, const char *what, const struct ir_module *module)
{
    struct str text;
    str_init(&text, &b->arena);
    ir_print_module(&text, module);
    build_dump(b, what, text.text ? text.text : "", text.length);
}

void build_dump_pass(void *data, const char *pass, struct ir_module *module, struct ir_function *function)
{
    struct build *b = data;
    struct str text;
    str_init(&text, &b->arena);
    if (!function) {
        build_dump_ir(b, pass, module);
        return;
    }
    ir_print_function(&text, function);
    b->driver->write(b->driver->data, pass, function->name, text.text, text.length);
}

static void dump_source(struct build *b)
{
    struct str text;
    str_init(&text, &b->arena);
    text_print(&text, &b->tokens);
    if (build_dumps(b, DRIVER_DUMP_SOURCE))
        build_dump(b, "source", text.text ? text.text : "", text.length);
}

static void dump_tokens(struct build *b)
{
    struct str text;
    str_init(&text, &b->arena);
    for (size_t i = 0; i + 1 < b->tokens.count; i++) {
        struct token_list one = {.items = &b->tokens.items[i], .count = 1};
        text_print(&text, &one);
        str_addc(&text, '\n');
    }
    build_dump(b, "tokens", text.text ? text.text : "", text.length);
}

static void dump_ast(struct build *b)
{
    struct str text;
    str_init(&text, &b->arena);
    ast_dump(&text, b->unit);
    build_dump(b, "ast", text.text ? text.text : "", text.length);
}

// ---- the stages ----------------------------------------------------------------------------------

bool build_failed(const struct build *b) { return b->diag.errors != 0; }

static void note_ignored(struct build *b)
{
    for (size_t i = 0; i < b->options.ignored_count && !b->options.warnings_off; i++)
        diag_note(&b->diag, (struct loc){0}, "option '%s' has no effect", b->options.ignored[i]);
}

static bool read_options(struct build *b)
{
    const char *text = b->input->options;
    if (options_parse(&b->arena, text, false, &b->options, b->why, sizeof b->why) != KC_OK)
        return false;
    if (b->input->il)
        b->options.version = 200; // SPIR-V has no language version: allow what CL2.0 allows
    b->diag.warnings_off = b->options.warnings_off;
    b->diag.warnings_are_errors = b->options.warnings_are_errors;
    note_ignored(b);
    if (b->options.version > 300 && !b->target->c_3_1)
        diag_error(&b->diag, (struct loc){0}, "the device supports OpenCL C up to 3.0, not 3.1");
    return true;
}

static void preprocess(struct build *b)
{
    struct text_input in = {.arena = &b->work,
                            .intern = &b->intern,
                            .diag = &b->diag,
                            .input = b->input,
                            .target = b->target,
                            .version = b->options.version,
                            .fast_relaxed_math = b->options.fast_relaxed_math,
                            .finite_math_only = b->options.finite_math_only,
                            .single_precision_constant = b->options.single_precision_constant,
                            .knows_builtin = ast_knows_builtin,
                            .knows_attribute = ast_knows_attribute,
                            .defines = b->options.defines,
                            .define_count = b->options.define_count};
    b->tokens = text_preprocess(&in);
    b->files = arena_copy(&b->arena, b->tokens.files, b->tokens.file_count * sizeof *b->files);
    b->file_count = b->tokens.file_count;
    if (build_dumps(b, DRIVER_DUMP_SOURCE))
        dump_source(b);
    if (build_dumps(b, DRIVER_DUMP_TOKENS))
        dump_tokens(b);
    build_add_time(b, DRIVER_PREPROCESS);
}

static void parse(struct build *b)
{
    struct ast_options options = {.version = b->options.version,
                                  .single_precision_constant = b->options.single_precision_constant,
                                  .fp_contract = !b->library, // contraction would break its error bounds
                                  .unsafe_math = b->options.unsafe_math_optimizations,
                                  .library = b->library,
                                  .separate = b->separate};
    b->unit = ast_parse(&b->work, &b->intern, &b->diag, b->target, &options, &b->tokens);
    if (build_dumps(b, DRIVER_DUMP_AST))
        dump_ast(b);
    build_add_time(b, DRIVER_PARSE);
}

static bool is_uniform(const struct build *b)
{
    bool regions = b->options.version >= 200 || (b->target->mapping.on && b->target->mapping.regions);
    return !regions || b->options.uniform_work_group_size;
}

static struct gen_options gen_options_of(const struct build *b)
{
    return (struct gen_options){.unsafe_math = b->options.unsafe_math_optimizations,
                                .mad_enable = b->options.mad_enable || b->options.unsafe_math_optimizations,
                                .correctly_rounded = b->options.correctly_rounded_divide_sqrt,
                                .optimize = !b->options.opt_disable,
                                .exact_quotients = b->library,
                                .signed_wraps = b->library,
                                .any_types = b->options.any_aliasing || b->library,
                                .uniform_groups = is_uniform(b),
                                .separate = b->separate,
                                .all_functions = b->library,
                                .debug = b->options.debug};
}

static void generate(struct build *b)
{
    struct gen_options options = gen_options_of(b);
    b->module = gen_unit(&b->arena, &b->intern, &b->diag, b->target, &options, b->unit);
    if (build_dumps(b, DRIVER_DUMP_IR))
        build_dump_ir(b, "ir", b->module);
    build_add_time(b, DRIVER_GEN);
}

// Reports at the place that the module names, else at the kernel being lowered.
void build_report_in(struct build *b, const struct ir_module *module, const char *error)
{
    uint32_t origin = module ? module->error_origin : 0;
    struct loc loc = diag_loc(&b->diag, b->kernel && !origin ? b->kernel->origin : origin);
    if (b->kernel)
        diag_error(&b->diag, loc, "kernel '%s': %s", b->kernel->info.name, error);
    else
        diag_error(&b->diag, loc, "%s", error);
}

void build_report(struct build *b, const char *error) { build_report_in(b, b->module, error); }

static void link_library(struct build *b)
{
    const char *error = library_link(b->module);
    if (error)
        build_report(b, error);
    build_add_time(b, DRIVER_LINK);
}

static struct ir_function *find_kernel(const struct build *b, const char *name, size_t length)
{
    for (size_t i = 0; i < b->module->functions.count; i++) {
        struct ir_function *f = b->module->functions.items[i];
        if (f->kernel && f->has_body && strlen(f->name) == length && !memcmp(f->name, name, length))
            return f;
    }
    return NULL;
}

// Kernels that are missing from the driver's list become ordinary functions.
static void choose_kernels(struct build *b)
{
    struct ir_module *m = b->module;
    for (size_t i = 0; i < m->functions.count; i++)
        m->functions.items[i]->id = m->functions.items[i]->kernel && m->functions.items[i]->kernel->info.block;
    const char *list = b->driver->kernel;
    for (size_t span; *list; list += span + (list[span] == ',')) {
        span = strcspn(list, ",");
        struct ir_function *f = find_kernel(b, list, span);
        if (f)
            f->id = 1;
        else
            build_report(b, arena_printf(&b->arena, "no kernel '%.*s'", (int)span, list));
    }
    for (size_t i = 0; i < m->functions.count; i++)
        if (!m->functions.items[i]->id)
            m->functions.items[i]->kernel = NULL;
}

static unsigned object_flags(const struct build *b)
{
    return (b->options.opt_disable ? OBJECT_UNOPTIMIZED : 0u) | (is_uniform(b) ? OBJECT_UNIFORM : 0u);
}

static bool takes_buffers(const struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_GLOBAL || info->args[i].kind == KC_ARG_CONSTANT)
            return true;
    return false;
}

static bool may_be_bounded(const struct build *b)
{
    if (!b->target->plain_arguments || b->target->mapping.on)
        return false;
    for (size_t i = 0; i < b->module->functions.count; i++)
        if (b->module->functions.items[i]->kernel && takes_buffers(&b->module->functions.items[i]->kernel->info))
            return true;
    return false;
}

// Serializes the module before passes change it.
static void save_general_object(struct build *b)
{
    const bool matrices = b->target->matrix_shape_count && build_has_matrices(b->module);
    if (!b->general_kernel && (matrices || may_be_bounded(b) || b->target->max_array_in_local))
        b->general_object = object_write(b->module, object_flags(b));
}

static void check_rounding(struct build *b)
{
    const struct kc_target *target = b->target;
    if (b->options.correctly_rounded_divide_sqrt &&
        !((target->exact_division[1] && target->exact_sqrt[1]) || target->fused_fma[1]))
        diag_error(&b->diag, (struct loc){0}, "-cl-fp32-correctly-rounded-divide-sqrt is not supported by the device");
}

static bool read_il(struct build *b)
{
    struct gen_options options = gen_options_of(b);
    struct reader_input in = {.arena = &b->arena,
                              .work = &b->work,
                              .intern = &b->intern,
                              .diag = &b->diag,
                              .target = b->target,
                              .options = &options,
                              .il = b->input->il,
                              .size = b->input->il_size,
                              .spec_values = b->input->spec_values,
                              .spec_value_count = b->input->spec_value_count};
    b->module = reader_read(&in);
    arena_reset(&b->work);
    if (build_dumps(b, DRIVER_DUMP_IR))
        build_dump_ir(b, "ir", b->module);
    build_add_time(b, DRIVER_GEN);
    return !build_failed(b);
}

// Copies the source texts, which later stages may quote. #line makes several files of one text.
static void keep_sources(struct build *b)
{
    struct map copied = {0};
    for (uint32_t i = 1; i < b->diag.file_count; i++) {
        struct diag_file *file = &b->diag.files[i];
        const char *text = map_get(&copied, file->text);
        if (!text) {
            text = arena_strndup(&b->arena, file->text, file->length);
            map_set(&b->work, &copied, file->text, (void *)(uintptr_t)text);
        }
        file->text = text;
        file->name = arena_strndup(&b->arena, file->name, strlen(file->name));
    }
}

// The front end: source or SPIR-V to IR of the whole unit.
static bool front_end(struct build *b)
{
    check_rounding(b);
    if (b->input->il)
        return read_il(b);
    preprocess(b);
    if (build_failed(b) || b->driver->preprocess_only)
        return false;
    parse(b);
    if (build_failed(b))
        return false;
    generate(b);
    b->unit = NULL;
    keep_sources(b);
    arena_reset(&b->work);
    return !build_failed(b);
}

// -g: the source lines that SPIR-V modules refer to, if there is source.
static void collect_debug_lines(struct build *b)
{
    const struct diag *diag = &b->diag;
    if (!b->options.debug || diag->file_count < 2)
        return;
    struct ir_line *lines = ARENA_ARRAY(&b->arena, struct ir_line, diag->places.count + 1);
    for (size_t i = 0; i < diag->places.count; i++) {
        struct loc loc = diag->places.items[i];
        const struct diag_file *file = &diag->files[loc.file];
        lines[i + 1] = (struct ir_line){file->name, (uint32_t)(loc.line + file->line_shift), loc.column};
    }
    b->debug = (struct ir_debug){diag->files[1].name, b->options.version, lines};
}

// The back end: IR of the whole program to kernels.
static void back_end(struct build *b)
{
    collect_debug_lines(b);
    save_general_object(b);
    if (b->driver->kernel)
        choose_kernels(b);
    link_library(b);
    if (build_failed(b))
        return;
    struct pipeline_options options = build_pass_options(b);
    const char *error = pipeline_program(b->module, b->target, &options);
    if (error)
        build_report(b, error);
    matrices_add_numbers(b->module, b->target);
    if (b->target->mapping.on)
        mapping_drop_unused(b->module);
    data_segment_build(b->module, &b->data);
    if (b->module->error)
        build_report(b, b->module->error);
    error = b->target->mapping.on ? mapping_plan(b->module, is_uniform(b), &b->data, &b->mapping) : NULL;
    b->mapping.arg_info = b->options.kernel_arg_info;
    if (error)
        build_report(b, error);
    else
        build_kernels(b);
}

static void run(struct build *b)
{
    if (front_end(b))
        back_end(b);
}

// ---- beginning and end ---------------------------------------------------------------------------

static struct build *begin(const struct kc_target *target, struct driver *driver)
{
    struct build *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->target = target;
    b->driver = driver ? driver : &b->no_driver;
    arena_init(&b->arena, MEMORY_LIMIT, &b->unwound);
    arena_init(&b->work, MEMORY_LIMIT, &b->unwound);
    arena_init(&b->scratch, 0, &b->unwound);
    b->since = thread_own_ns();
    fegetenv(&b->host);
    fesetenv(FE_DFL_ENV);
    return b;
}

static void end(struct build *b)
{
    fesetenv(&b->host);
    arena_finish(&b->scratch);
    arena_finish(&b->work);
    arena_finish(&b->arena);
    free(b);
}

static enum kc_status status_of(const struct build *b) { return build_failed(b) ? KC_ERROR : KC_OK; }

// After a fatal error, arenas may still have a pass's jump buffer: set on_full again.
static void do_task(void *data)
{
    struct build *b = data;
    b->arena.on_full = b->work.on_full = b->scratch.on_full = &b->unwound;
    if (setjmp(b->unwound)) {
        b->status = build_failed(b) ? KC_ERROR : KC_OUT_OF_MEMORY;
        return;
    }
    if (!b->diag.arena) {
        diag_init(&b->diag, &b->arena, &b->unwound);
        intern_init(&b->intern, &b->arena);
    }
    b->status = b->task(b);
}

static enum stack_end run_task(struct build *b, enum kc_status (*task)(struct build *b))
{
    b->task = task;
    return stack_run(do_task, b);
}

static enum kc_status report_full_stack(struct build *b)
{
    build_report(b, arena_printf(&b->arena, "nested too deeply: the compiler's stack of %u MiB is full", (unsigned)(stack_size >> 20)));
    return KC_ERROR;
}

// Runs the task on a stack of known size, independent of the caller's. Returns the task's status.
static enum kc_status run_on_own_stack(struct build *b, enum kc_status (*task)(struct build *b))
{
    enum stack_end end = run_task(b, task);
    if (end == STACK_FULL)
        end = run_task(b, report_full_stack);
    return end == STACK_RETURNED ? b->status : KC_OUT_OF_MEMORY;
}

static bool needs_general_object(const struct build *b)
{
    for (size_t i = 0; i < b->kernels.count && b->general_object.text; i++)
        if (kc_may_not_fit(&b->kernels.items[i]))
            return true;
    return false;
}

// Non-uniform work-groups exist since OpenCL C 2.0.
static struct kc_program *finish(struct build *b, enum kc_status status)
{
    struct result_source source = {.status = status,
                                   .log = status == KC_INVALID_OPTIONS ? b->why : b->diag.log.text,
                                   .kernels = b->kernels.items,
                                   .kernel_count = status == KC_OK ? (uint32_t)b->kernels.count : 0};
    if (status == KC_OK) {
        source.data = b->data.data;
        source.data_size = b->data.size;
        source.data_writable = b->data.writable;
        source.uniform_work_groups = is_uniform(b);
        source.files = b->files;
        source.file_count = (uint32_t)b->file_count;
        source.relocations = b->data.relocations;
        source.relocation_count = b->data.relocation_count;
        source.data_layout = b->data.layout;
        source.spirv = b->words;
        source.spirv_words = b->word_count;
        source.shared = b->mapping.shared;
        source.shared_count = b->mapping.count;
        source.samplers = b->mapping.samplers.items;
        source.sampler_count = (uint32_t)b->mapping.samplers.count;
    }
    if (status == KC_OK && needs_general_object(b)) {
        source.object = b->general_object.text;
        source.object_size = b->general_object.length;
    }
    struct kc_program *program = result_create(&source);
    build_add_time(b, DRIVER_RESULT);
    end(b);
    return program;
}

// The same build, from the beginning.
static struct build *begin_apart(const struct build *first)
{
    struct build *b = begin(first->target, first->driver);
    if (b) {
        b->input = first->input;
        b->input_count = first->input_count;
        b->linked = first->linked;
        b->from = first->from;
        b->general_kernel = first->general_kernel;
        b->apart = true;
    }
    return b;
}

// Runs `task` and returns its program; a NULL `b` means out of memory. Functions that several kernels share may make a
// kernel larger than it would be on its own, so that is tried, too.
static struct kc_program *make_program(struct build *b, enum kc_status (*task)(struct build *b))
{
    const struct build first = b ? *b : (struct build){0};
    enum kc_status status = b ? run_on_own_stack(b, task) : KC_OUT_OF_MEMORY;
    if (b && b->too_large) {
        end(b);
        b = begin_apart(&first);
        status = b ? run_on_own_stack(b, task) : KC_OUT_OF_MEMORY;
    }
    return b ? finish(b, status) : result_create(&(struct result_source){.status = status});
}

static enum kc_status build_source(struct build *b)
{
    if (!read_options(b))
        return KC_INVALID_OPTIONS;
    run(b);
    return status_of(b);
}

struct kc_program *driver_build(const struct kc_input *input, const struct kc_target *target, struct driver *driver)
{
    struct build *b = begin(target, driver);
    if (b)
        b->input = input;
    return make_program(b, build_source);
}

// ---- separate compilation ------------------------------------------------------------------------

static struct kc_object *make_object(struct build *b, enum kc_status (*task)(struct build *b))
{
    if (!b)
        return NULL;
    enum kc_status status = run_on_own_stack(b, task);
    const char *log = status == KC_INVALID_OPTIONS ? b->why : b->diag.log.text;
    struct kc_object *object = result_object(status, log, b->object.text, status == KC_OK ? b->object.length : 0);
    end(b);
    return object;
}

static void write_object(struct build *b)
{
    b->object = object_write(b->module, object_flags(b));
}

static enum kc_status compile_source(struct build *b)
{
    b->separate = true;
    if (!read_options(b))
        return KC_INVALID_OPTIONS;
    if (front_end(b))
        write_object(b);
    return status_of(b);
}

struct kc_object *kc_compile(const struct kc_input *input, const struct kc_target *target)
{
    struct build *b = begin(target, NULL);
    if (b)
        b->input = input;
    return make_object(b, compile_source);
}

static struct ir_module *new_module(struct build *b) { return ir_module_create(&b->arena, &b->intern, b->target); }

// A restriction of one unit applies to the linked program.
static void merge_flags(struct build *b, unsigned flags)
{
    b->options.opt_disable |= (flags & OBJECT_UNOPTIMIZED) != 0;
    b->options.uniform_work_group_size |= (flags & OBJECT_UNIFORM) != 0;
}

static struct ir_module **read_objects(struct build *b, const struct kc_link_input *input)
{
    struct ir_module **units = ARENA_ARRAY(&b->arena, struct ir_module *, input->count + 1);
    for (size_t i = 0; i < input->count; i++) {
        unsigned flags = 0;
        units[i] = new_module(b);
        const char *error = object_read(units[i], input->objects[i].bytes, input->objects[i].size, &flags);
        if (error)
            diag_error(&b->diag, (struct loc){0}, "program %zu is unusable: %s", i + 1, error);
        merge_flags(b, flags);
    }
    return units;
}

// The first step of every link.
static enum kc_status link_objects(struct build *b, bool library)
{
    const struct kc_link_input *input = b->linked;
    enum kc_status status = options_parse(&b->arena, input->options, true, &b->options, b->why, sizeof b->why);
    if (status != KC_OK)
        return status;
    note_ignored(b);
    b->options.version = 200; // each unit's own version was applied when it was compiled
    struct ir_module **units = read_objects(b, input);
    b->module = new_module(b);
    if (!build_failed(b))
        link_units(b->module, units, input->count, library, &b->diag);
    build_add_time(b, DRIVER_LINK);
    return status_of(b);
}

static enum kc_status link_program(struct build *b)
{
    enum kc_status status = link_objects(b, false);
    if (status != KC_OK)
        return status;
    if (build_dumps(b, DRIVER_DUMP_IR))
        build_dump_ir(b, "ir", b->module);
    back_end(b);
    return status_of(b);
}

struct kc_program *driver_link(const struct kc_link_input *input, const struct kc_target *target, struct driver *driver)
{
    struct build *b = begin(target, driver);
    if (b)
        b->linked = input;
    return make_program(b, link_program);
}

static enum kc_status link_library_of(struct build *b)
{
    enum kc_status status = link_objects(b, true);
    if (status == KC_OK)
        write_object(b);
    return status;
}

struct kc_object *kc_link_library(const struct kc_link_input *input, const struct kc_target *target)
{
    struct build *b = begin(target, NULL);
    if (b)
        b->linked = input;
    return make_object(b, link_library_of);
}

// Compiles and links several sources of one program. Unlike objects, they keep their source locations for messages.
static enum kc_status front_end_all(struct build *b)
{
    const struct kc_input *inputs = b->input;
    size_t count = b->input_count;
    struct ir_module **units = ARENA_ARRAY(&b->arena, struct ir_module *, count + 1);
    unsigned flags = 0;
    b->separate = true;
    for (size_t i = 0; i < count; i++) {
        b->input = &inputs[i];
        if (!read_options(b))
            return KC_INVALID_OPTIONS;
        if (front_end(b))
            flags |= object_flags(b);
        units[i] = b->module;
    }
    b->module = new_module(b);
    b->options.version = 200; // each unit's own version was applied when it was compiled
    merge_flags(b, flags);
    if (!build_failed(b))
        link_units(b->module, units, count, false, &b->diag);
    build_add_time(b, DRIVER_LINK);
    return status_of(b);
}

static enum kc_status build_all(struct build *b)
{
    enum kc_status status = front_end_all(b);
    if (status != KC_OK)
        return status;
    back_end(b);
    return status_of(b);
}

struct kc_program *driver_build_all(const struct kc_input *inputs, size_t count, const struct kc_target *target, struct driver *driver)
{
    struct build *b = begin(target, driver);
    if (b) {
        b->input = inputs;
        b->input_count = count;
    }
    return make_program(b, build_all);
}

static void read_general_object(struct build *b, const struct kc_program *program)
{
    unsigned flags = 0;
    b->options.version = 200; // the object's flags replace the options
    b->module = new_module(b);
    const char *error = object_read(b->module, program->object, program->object_size, &flags);
    if (error)
        build_report(b, error);
    merge_flags(b, flags);
}

static enum kc_status build_general(struct build *b)
{
    read_general_object(b, b->from);
    if (!build_failed(b))
        back_end(b);
    if (!build_failed(b) && (b->kernels.count != 1 || b->data.layout != b->from->data_layout))
        build_report(b, "the general form belongs to another program");
    return status_of(b);
}

struct kc_program *kc_build_general(const struct kc_program *program, const struct kc_kernel *kernel,
                                    const struct kc_target *target)
{
    struct driver driver = {0};
    environment_driver(&driver);
    struct build *b = begin(target, &driver);
    if (b) {
        b->from = program;
        b->general_kernel = kernel->name;
    }
    return make_program(b, build_general);
}

static enum kc_status check_object(struct build *b)
{
    unsigned flags;
    const struct kc_bytes *bytes = b->linked->objects;
    return object_read(new_module(b), bytes->bytes, bytes->size, &flags) ? KC_ERROR : KC_OK;
}

bool kc_check_object(const void *bytes, size_t size, const struct kc_target *target)
{
    struct kc_bytes object = {bytes, size};
    struct kc_link_input input = {.objects = &object, .count = 1};
    struct build *b = begin(target, NULL);
    if (!b)
        return false;
    b->linked = &input;
    bool good = run_on_own_stack(b, check_object) == KC_OK;
    end(b);
    return good;
}

// ---- build of the built-in library ---------------------------------------------------------------

static enum kc_status build_library(struct build *b)
{
    if (!read_options(b) || !front_end(b))
        return KC_ERROR;
    library_unit(b->module, b->target, b->library_arena, b->library_texts);
    return KC_OK;
}

bool driver_library(const struct kc_input *input, const struct kc_target *target, struct arena *arena,
                    struct library_texts *texts, const char **log)
{
    struct build *b = begin(target, NULL);
    if (!b)
        return false;
    b->input = input;
    b->library = true;
    b->library_arena = arena;
    b->library_texts = texts;
    bool ok = run_on_own_stack(b, build_library) == KC_OK;
    const char *text = b->diag.log.text ? b->diag.log.text : b->why;
    *log = arena_strndup(arena, text, strlen(text));
    end(b);
    return ok;
}

bool driver_has_pass(const char *name, size_t length) { return pipeline_has(name, length); }

bool driver_may_skip(const char *name, size_t length) { return pipeline_may_skip(name, length); }

const char *driver_ir(const struct kc_target *target, struct arena *arena, const char *text, size_t length,
                      const char *const *passes, size_t pass_count, struct str *out, const uint32_t **words,
                      size_t *word_count)
{
    struct intern intern;
    intern_init(&intern, arena);
    struct ir_module *module = ir_module_create(arena, &intern, target);
    const char *error = ir_parse(module, text, length);
    for (size_t i = 0; !error && i < pass_count; i++) {
        if (!strcmp(passes[i], "all"))
            error = pipeline_run(module, target, &(struct pipeline_options){.optimize = true, .verify = true});
        else if (!pipeline_run_one(module, target, passes[i]))
            error = arena_printf(arena, "unknown pass '%s'", passes[i]);
    }
    if (!error)
        error = ir_verify(module);
    if (error)
        return error;
    ir_print_module(out, module);
    if (!words)
        return NULL;
    error = spv_write(module);
    for (size_t i = 0; !error && i < module->functions.count; i++) {
        if (!module->functions.items[i]->kernel)
            continue;
        *words = module->functions.items[i]->kernel->info.spirv;
        *word_count = module->functions.items[i]->kernel->info.spirv_words;
    }
    return error;
}

// ---- public functions ----------------------------------------------------------------------------

struct kc_program *kc_build(const struct kc_input *input, const struct kc_target *target)
{
    struct driver driver = {0};
    environment_driver(&driver);
    return driver_build(input, target, &driver);
}

struct kc_program *kc_link(const struct kc_link_input *input, const struct kc_target *target)
{
    struct driver driver = {0};
    environment_driver(&driver);
    return driver_link(input, target, &driver);
}
