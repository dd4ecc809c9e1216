// SPDX-License-Identifier: Apache-2.0
// pumice-cc: the compiler as a command.
//
// Exit status: 0 success, 1 an error in the source, 2 an error in the command line or with a file. Inputs ending in
// .ir are IR text: the named passes run, and the result is printed or written. Inputs ending in .o are objects: they
// are linked into kernels, or with -create-library into an object. Several sources are linked, too.
#include "cc/command.h"
#include "cc/help.h"
#include "cc/output.h"
#include "cc/presets.h"
#include "cc/show.h"
#include "platform/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(struct command *c, const char *name, size_t *size)
{
    FILE *f = strcmp(name, "-") ? file_open(name, "rb") : stdin;
    struct str text;
    char chunk[4096];
    if (!f) {
        complain(c, strerror(errno), name);
        return NULL;
    }
    str_init(&text, &c->arena);
    str_add(&text, "");
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, f)) > 0;)
        str_addn(&text, chunk, got);
    bool failed = ferror(f) && complain(c, strerror(errno), name); // for example a folder
    if (f != stdin)
        fclose(f);
    if (failed)
        return NULL;
    *size = text.length;
    return text.text;
}

// ---- actions -------------------------------------------------------------------------------------

// Prints the log, ended by a newline, and sets the status unless there was an error before.
static void apply_status(struct command *c, enum kc_status status, const char *log)
{
    size_t length = log ? strlen(log) : 0;
    if (length)
        fprintf(stderr, "%s%s", log, log[length - 1] == '\n' ? "" : "\n");
    if (!c->status)
        c->status = status == KC_OK ? 0 : status == KC_INVALID_OPTIONS ? 2 : 1;
}

static void finish_program(struct command *c, struct kc_program *p)
{
    apply_status(c, p ? p->status : KC_ERROR, p ? p->log : NULL);
    if (p && p->status == KC_OK && !c->driver.preprocess_only && !c->driver.stop_after)
        c->target.mapping.on ? output_module(c, p) : output_kernels(c, p);
    if (c->time)
        output_times(&c->driver);
    kc_program_destroy(p);
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Stores the median times of `repeat` builds in the driver.
static void repeat_build(struct command *c, const struct kc_input *input)
{
    uint64_t *times = ARENA_ARRAY(&c->arena, uint64_t, (size_t)c->repeat * DRIVER_STAGE_COUNT);
    for (unsigned i = 0; i < c->repeat; i++) {
        struct driver quiet = {.skip = c->driver.skip, .stop_after = c->driver.stop_after};
        kc_program_destroy(driver_build(input, &c->target, &quiet));
        for (unsigned stage = 0; stage < DRIVER_STAGE_COUNT; stage++)
            times[stage * c->repeat + i] = quiet.ns[stage];
    }
    for (unsigned stage = 0; stage < DRIVER_STAGE_COUNT; stage++) {
        qsort(times + stage * c->repeat, c->repeat, sizeof *times, compare_times);
        c->driver.ns[stage] = times[stage * c->repeat + c->repeat / 2];
    }
}

// Sets the size of each --spec constant from the module.
static void find_specs(struct command *c, const char *name, const struct kc_il_spec *specs, size_t count)
{
    for (size_t i = 0; i < c->spec_values.count; i++) {
        struct kc_spec_value *value = &c->spec_values.items[i];
        for (size_t k = 0; k < count; k++)
            if (specs[k].id == value->id)
                value->size = specs[k].size;
        if (!value->size)
            complain(c, arena_printf(&c->arena, "no specialization constant %u in", value->id), name);
    }
    for (size_t i = 0; i < count && c->info && !c->status; i++)
        printf("specialization constant %u: %u bytes\n", specs[i].id, specs[i].size);
}

static void set_module(struct command *c, struct kc_input *input, const void *bytes, size_t size)
{
    struct kc_il_spec *specs;
    size_t count;
    char *log;
    enum kc_status status = kc_il_read(bytes, size, &specs, &count, &log);
    if (status != KC_OK) {
        fprintf(stderr, "%s: error: %s\n", input->file_name, log ? log : "out of memory");
        c->status = 1;
    } else {
        find_specs(c, input->file_name, specs, count);
    }
    free(specs);
    free(log);
    input->il = bytes;
    input->il_size = size;
    input->spec_values = c->spec_values.items;
    input->spec_value_count = c->spec_values.count;
}

static const char *with_first_lines(struct command *c, const char *name, const char *source, size_t *size)
{
    struct str text;
    str_init(&text, &c->arena);
    str_printf(&text, "%s#line 1 \"%s\"\n", c->first_lines.text, name);
    str_addn(&text, source, *size);
    *size = text.length;
    return text.text;
}

// Reads a source, or a SPIR-V module if the name says so.
static bool read_input(struct command *c, const char *name, struct kc_input *input)
{
    size_t size;
    char *bytes = read_file(c, name, &size);
    bool module = c->input == INPUT_BY_NAME ? ends_in(name, ".spv") : c->input == INPUT_SPIRV;
    *input = (struct kc_input){.file_name = strcmp(name, "-") ? name : "<stdin>", .options = c->options.text};
    if (bytes && module && c->driver.preprocess_only) {
        complain(c, "nothing to preprocess in", name);
    } else if (bytes && module) {
        set_module(c, input, bytes, size);
    } else if (bytes) {
        input->source = c->first_lines.length ? with_first_lines(c, name, bytes, &size) : bytes;
        input->length = size;
    }
    return bytes && !c->status;
}

static void compile(struct command *c, const char *name)
{
    struct kc_input input;
    if (!read_input(c, name, &input))
        return;
    struct kc_program *program = driver_build(&input, &c->target, &c->driver);
    if (c->repeat)
        repeat_build(c, &input);
    finish_program(c, program);
}

static void write_object(struct command *c, struct kc_object *object)
{
    apply_status(c, object ? object->status : KC_ERROR, object ? object->log : NULL);
    if (!c->status)
        output_file(c, c->out ? c->out : "-", object->bytes, object->size);
    kc_object_destroy(object);
}

static void compile_object(struct command *c, const char *name)
{
    struct kc_input input;
    if (read_input(c, name, &input))
        write_object(c, kc_compile(&input, &c->target));
}

// Reads an object; compiles anything else.
static bool read_unit(struct command *c, const char *name, struct kc_bytes *unit)
{
    struct kc_input input;
    if (ends_in(name, ".o"))
        return (unit->bytes = read_file(c, name, &unit->size));
    if (!read_input(c, name, &input))
        return false;
    struct kc_object *object = kc_compile(&input, &c->target);
    apply_status(c, object ? object->status : KC_ERROR, object ? object->log : NULL);
    if (!c->status)
        *unit = (struct kc_bytes){arena_copy(&c->arena, object->bytes, object->size), object->size};
    kc_object_destroy(object);
    return !c->status;
}

static void compile_all(struct command *c)
{
    struct kc_input *inputs = ARENA_ARRAY(&c->arena, struct kc_input, c->files.count);
    for (size_t i = 0; i < c->files.count; i++)
        if (!read_input(c, c->files.items[i], &inputs[i]))
            return;
    finish_program(c, driver_build_all(inputs, c->files.count, &c->target, &c->driver));
}

// Sources were compiled with the other options already.
static const char *link_options(struct command *c, bool sources)
{
    return arena_printf(&c->arena, "%s%s%s", sources ? "" : c->options.text, c->create_library ? " -create-library" : "",
                        c->enable_link_options ? " -enable-link-options" : "");
}

static void link_units(struct command *c, bool sources)
{
    struct kc_bytes *units = ARENA_ARRAY(&c->arena, struct kc_bytes, c->files.count);
    struct kc_link_input input = {units, c->files.count, link_options(c, sources)};
    for (size_t i = 0; i < c->files.count; i++)
        if (!read_unit(c, c->files.items[i], &units[i]))
            return;
    if (c->create_library) {
        write_object(c, kc_link_library(&input, &c->target));
        return;
    }
    finish_program(c, driver_link(&input, &c->target, &c->driver));
}

static void run_ir(struct command *c, const char *name)
{
    size_t size, count = 0;
    char *text = read_file(c, name, &size);
    const uint32_t *words = NULL;
    struct str out;
    if (!text)
        return;
    str_init(&out, &c->arena);
    bool spirv = c->out || c->driver.dump & DRIVER_DUMP_SPIRV;
    const char *error = driver_ir(&c->target, &c->arena, text, size, c->passes.items, c->passes.count, &out,
                                  spirv ? &words : NULL, &count);
    if (error) {
        fprintf(stderr, "%s: error: %s\n", name, error);
        c->status = 1;
        return;
    }
    if (!spirv || c->driver.dump & DRIVER_DUMP_IR)
        fputs(out.text ? out.text : "", stdout);
    if (c->driver.dump & DRIVER_DUMP_SPIRV)
        output_disassembly(words, count * 4);
    if (c->out)
        output_words(c, c->out, words, count);
}

static void build_library(struct command *c)
{
    struct library_texts texts = {0};
    unsigned failures = 0;
    for (size_t i = 0; i < c->files.count && !c->status; i++) {
        size_t size;
        char *source = read_file(c, c->files.items[i], &size);
        const char *log = "";
        if (!source)
            return;
        struct kc_input input = {
            .source = source, .length = size, .file_name = c->files.items[i], .options = c->options.text};
        failures += !driver_library(&input, &c->target, &c->arena, &texts, &log);
        fputs(log, stderr);
    }
    struct str blob = library_pack(&c->arena, texts.items, texts.count);
    if (!c->status)
        output_file(c, c->out ? c->out : "-", blob.text, blob.length);
    if (failures && !c->keep_going)
        c->status = 1;
}

static bool check_files(struct command *c)
{
    if (!c->status && !c->files.count) {
        help_write(stderr);
        c->status = 2;
    } else if (!c->status && c->files.count > 1 && (c->object || c->driver.preprocess_only || all_end_in(c, ".ir"))) {
        complain(c, "only one input file is allowed with -E, also given:", c->files.items[1]);
    }
    return !c->status;
}

static bool any_ends_in(const struct command *c, const char *end)
{
    for (size_t i = 0; i < c->files.count; i++)
        if (ends_in(c->files.items[i], end))
            return true;
    return false;
}

static void work(struct command *c)
{
    const char *name = c->files.items[0];
    if (c->library)
        build_library(c);
    else if (all_end_in(c, ".ir"))
        run_ir(c, name);
    else if (c->create_library || any_ends_in(c, ".o"))
        link_units(c, !all_end_in(c, ".o"));
    else if (c->files.count > 1)
        compile_all(c);
    else if (c->object)
        compile_object(c, name);
    else
        compile(c, name);
}

int main(int argc, char **argv)
{
    struct command *c = calloc(1, sizeof *c);
    if (!c)
        return 2;
    process_words(&argc, &argv);
    stream_in_bytes(stdin);
    stream_in_bytes(stdout);
    arena_init(&c->arena, 0, &c->full);
    if (setjmp(c->full)) {
        fprintf(stderr, "pumice-cc: out of memory\n");
        return 2;
    }
    c->driver = (struct driver){.write = output_dump, .data = c};
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-help"))) {
        help_write(stdout);
    } else if (argc == 2 && !strcmp(argv[1], "--version")) {
        printf("pumice-cc %s\n", PUMICE_VERSION);
    } else {
        command_read(c, argc, argv);
        if (c->list_targets && !c->status)
            preset_list(stdout);
        else if (c->show && !c->status)
            show_target(c->target_name, &c->target);
        if (!((c->show || c->list_targets) && !c->files.count) && check_files(c))
            work(c);
    }
    if ((fflush(stdout) || ferror(stdout)) && !c->status)
        complain(c, "cannot write", "-");
    int status = c->status;
    arena_finish(&c->arena);
    free(c);
    return status;
}
