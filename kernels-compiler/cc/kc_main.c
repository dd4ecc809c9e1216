// SPDX-License-Identifier: Apache-2.0
// pumice-cc: the compiler as a command.
//
// Exit status: 0 done, 1 the source is wrong, 2 the command line is wrong or a file cannot be read or written.
// Inputs ending in .ir are IR text: they go through the passes named and are printed or written. Inputs ending in .o are
// objects: they are linked, into kernels or with -create-library into an object; so are several sources.
#include "cc/help.h"
#include "cc/json.h"
#include "cc/mapping.h"
#include "cc/presets.h"
#include "cc/show.h"
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct command {
    struct arena arena;
    jmp_buf full;
    struct kc_target target;
    struct str options; // for the compiler
    VEC(const char *) files;
    VEC(const char *) passes;
    VEC(const char *) mapping_words; // options that ask for modules for other programs
    struct mapping_request mapping;
    VEC(struct kc_spec_value) spec_values; // sizes still unknown
    struct str first_lines; // of a source: what is included before it
    const char *out, *kernel, *target_name, *json;
    bool target_chosen, list_targets, physical, all, time, info, show, library, keep_going, object, unverified;
    bool create_library, enable_link_options;
    enum form { FORM_SPIRV, FORM_C, FORM_TEXT } form;
    enum input { INPUT_BY_NAME, INPUT_SOURCE, INPUT_SPIRV } input;
    unsigned repeat;
    struct driver driver;
    int status;
};

static int complain(struct command *c, const char *what, const char *name)
{
    fprintf(stderr, "pumice-cc: %s '%s'\n", what, name);
    return c->status = 2;
}

// ---- files ---------------------------------------------------------------------------------------

static char *read_file(struct command *c, const char *name, size_t *size)
{
    FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
    struct str text;
    char part[4096];
    if (!f) {
        complain(c, strerror(errno), name);
        return NULL;
    }
    str_init(&text, &c->arena);
    str_add(&text, "");
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;)
        str_addn(&text, part, got);
    bool failed = ferror(f) && complain(c, strerror(errno), name); // a folder
    if (f != stdin)
        fclose(f);
    if (failed)
        return NULL;
    *size = text.length;
    return text.text;
}

static void write_file(struct command *c, const char *name, const void *bytes, size_t size)
{
    FILE *f = strcmp(name, "-") ? fopen(name, "wb") : stdout;
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    if (f && f != stdout)
        ok &= fclose(f) == 0;
    if (!ok)
        complain(c, "cannot write", name);
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && !strcmp(name + length - tail, end);
}

static bool all_end_in(const struct command *c, const char *end)
{
    for (size_t i = 0; i < c->files.count; i++)
        if (!ends_in(c->files.items[i], end))
            return false;
    return true;
}

// ---- the command line ----------------------------------------------------------------------------

static unsigned dump_bits(const char *list)
{
    unsigned bits = 0;
    for (size_t span; *list; list += span + (list[span] == ',')) {
        span = strcspn(list, ",");
        unsigned found = driver_dump_bit(list, span);
        if (!found)
            return 0;
        bits |= found;
    }
    return bits;
}

// Whether all of a list are passes.
static bool check_passes(struct command *c, const char *list, bool (*known)(const char *name, size_t length))
{
    for (size_t span; *list; list += span + (list[span] == ',')) {
        span = strcspn(list, ",");
        if (!known(list, span))
            return !complain(c, known == driver_has_pass ? "unknown pass in" : "no pass that can be left out in", list);
    }
    return true;
}

// An option of the compiler proper; quoted again, as it came as one word.
static void pass_on(struct command *c, const char *word)
{
    str_addc(&c->options, ' ');
    str_addc(&c->options, '"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            str_addc(&c->options, '\\');
        str_addc(&c->options, *word);
    }
    str_addc(&c->options, '"');
}

static const struct {
    const char *name;
    size_t field; // a bool of struct command
} flags[] = {
    {"--physical", offsetof(struct command, physical)}, {"--all", offsetof(struct command, all)},
    {"--time", offsetof(struct command, time)},         {"--info", offsetof(struct command, info)},
    {"--show", offsetof(struct command, show)},         {"--library", offsetof(struct command, library)},
    {"-c", offsetof(struct command, object)},           {"--keep-going", offsetof(struct command, keep_going)},
    {"-create-library", offsetof(struct command, create_library)},
    {"-enable-link-options", offsetof(struct command, enable_link_options)},
    {"--no-verify", offsetof(struct command, unverified)}, {"-E", offsetof(struct command, driver.preprocess_only)},
};

static bool read_flag(struct command *c, const char *word)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].name))
            return *(bool *)((char *)c + flags[i].field) = true;
    return false;
}

static void take_spec(struct command *c, const char *value)
{
    char *colon, *end = NULL;
    errno = 0;
    unsigned long long id = strtoull(value, &colon, 0), bits = *colon == ':' ? strtoull(colon + 1, &end, 0) : 0;
    if (colon == value || !end || end == colon + 1 || *end || errno || id > UINT32_MAX)
        complain(c, "no number and value in --spec", value);
    else
        vec_push(&c->arena, &c->spec_values, ((struct kc_spec_value){.id = (uint32_t)id, .bits = bits}));
}

static void take_dump(struct command *c, const char *value)
{
    unsigned bits = dump_bits(value);
    c->driver.dump |= bits;
    if (!bits)
        complain(c, "unknown stage in --dump", value);
}

static void take_target(struct command *c, const char *value)
{
    c->list_targets |= !strcmp(value, "help");
    if (!c->list_targets && !preset_find(value, &c->target))
        complain(c, "no such target (--target=help lists them):", value);
    c->target_name = value;
    c->target_chosen = true;
}

static void take_skip(struct command *c, const char *value)
{
    c->driver.skip = value;
    check_passes(c, value, driver_may_skip);
}

static void take_last(struct command *c, const char *value)
{
    c->driver.stop_after = value;
    check_passes(c, value, driver_has_pass);
}

static void take_pass(struct command *c, const char *value) { vec_push(&c->arena, &c->passes, value); }
static void take_repeat(struct command *c, const char *value) { c->repeat = (unsigned)strtoul(value, NULL, 10); }
static void take_out(struct command *c, const char *value) { c->out = value; }
static void take_kernel(struct command *c, const char *value) { c->kernel = value; }

static void take_json(struct command *c, const char *value) { c->json = value; }

static void take_included(struct command *c, const char *value)
{
    str_printf(&c->first_lines, "#include \"%s\"\n", value);
}

static void take_language(struct command *c, const char *value)
{
    static const struct {
        const char *name;
        enum input input;
    } languages[] = {{"cl", INPUT_SOURCE}, {"CL", INPUT_SOURCE}, {"spirv", INPUT_SPIRV}, {"spir-v", INPUT_SPIRV}, {"spv", INPUT_SPIRV}};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(value, languages[i].name)) {
            c->input = languages[i].input;
            return;
        }
    complain(c, "cl or spirv is wanted behind -x (no LLVM is in here that would read its IR), not", value);
}

static void take_form(struct command *c, const char *value)
{
    static const struct {
        const char *name;
        enum form form;
    } forms[] = {{"spv", FORM_SPIRV}, {"c", FORM_C}, {"text", FORM_TEXT}, {"spvasm", FORM_TEXT}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(value, forms[i].name)) {
            c->form = forms[i].form;
            return;
        }
    complain(c, "spv, c or text is wanted as form (no LLVM is in here that would have ll or bc), not", value);
}

// Their value follows '=' or is the next word.
static const struct setting {
    const char *name;
    void (*take)(struct command *c, const char *value);
} settings[] = {
    {"-o", take_out},         {"--kernel", take_kernel},   {"--target", take_target},        {"--dump", take_dump},
    {"--skip", take_skip},    {"--stop-after", take_last}, {"--spec", take_spec},            {"--pass", take_pass},
    {"--repeat", take_repeat}, {"-x", take_language},      {"-include", take_included},      {"--output-format", take_form},
    {"-output-format", take_form}, {"-mfmt", take_form},      {"--json", take_json},
};

// What follows `name` and '=' in the word; all of the next one where `name` is all; else NULL.
static const char *value_of(const char *word, const char *name, const char *next)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length))
        return NULL;
    return word[length] == '=' ? word + length + 1 : word[length] ? NULL : next;
}

// How many words it took; 0: none of these. The text behind the last is empty.
static int read_setting(struct command *c, const char *word, const char *next)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = value_of(word, settings[i].name, next ? next : "");
        if (value && !*value)
            complain(c, "missing value after", settings[i].name);
        else if (value)
            settings[i].take(c, value);
        if (value)
            return 1 + (value == next);
    }
    return 0;
}

static int read_mapping(struct command *c, const char *word, const char *next)
{
    struct kc_target none = {0};
    struct mapping_request request = {0};
    const char *why = NULL;
    bool joined = mapping_wants_value(word);
    if (joined && !next)
        return complain(c, "missing value after", word);
    if (joined)
        word = arena_printf(&c->arena, "%s=%s", word, next);
    if (!mapping_option(word, &none, &request, &why))
        return 0;
    vec_push(&c->arena, &c->mapping_words, word);
    if (why)
        complain(c, why, word);
    if (request.meant)
        pass_on(c, request.meant);
    return 1 + joined;
}

// clang's option parser lets options begin with two dashes, too.
static const char *single_dash(const char *word)
{
    return !strncmp(word, "--cl-", 5) || !strcmp(word, "--w") || !strcmp(word, "--Werror") ? word + 1 : word;
}

static void refuse_unknown(struct command *c, const char *word)
{
    const char *nearest = help_nearest(word);
    complain(c, "unknown option", word);
    if (nearest)
        fprintf(stderr, "pumice-cc: did you mean '%s'?\n", nearest);
}

static int read_compiler(struct command *c, const char *word, const char *next)
{
    char why[256];
    word = single_dash(word);
    if (!strncmp(word, "-O", 2)) { // levels are one; kernels that are all the same by any
        if (!strcmp(word, "-O0"))
            pass_on(c, "-cl-opt-disable");
        if (strlen(word) > 3 || (word[2] && !strchr("0123sz", word[2])))
            refuse_unknown(c, word);
        return 1;
    }
    if (!strncmp(word, "--", 2) || (kc_check_options(word, false, why, sizeof why) != KC_OK && strstr(why, "unknown option")))
        refuse_unknown(c, word);
    pass_on(c, word);
    bool takes_next = next && (!strcmp(word, "-D") || !strcmp(word, "-I") || !strcmp(word, "-U"));
    if (takes_next)
        pass_on(c, next);
    return 1 + takes_next;
}

static int read_word(struct command *c, const char *word, const char *next)
{
    if (word[0] != '-' || !word[1]) {
        vec_push(&c->arena, &c->files, word);
        return 1;
    }
    if (read_flag(c, word))
        return 1;
    if (!strcmp(word, "-S")) {
        c->form = FORM_TEXT;
        return 1;
    }
    if (!strncmp(word, "-x", 2) && word[2] && word[2] != '=') {
        take_language(c, word + 2);
        return 1;
    }
    int taken = read_setting(c, word, next);
    if (!taken)
        taken = read_mapping(c, word, next);
    return taken ? taken : read_compiler(c, word, next);
}

static void read_words(struct command *c, int count, char **words)
{
    for (int i = 1; i < count && !c->status;)
        i += read_word(c, words[i], i + 1 < count ? words[i + 1] : NULL);
    c->driver.verify = !c->unverified;
    if (c->driver.preprocess_only)
        c->driver.dump |= DRIVER_DUMP_SOURCE;
}

// What such modules are made for: the target that was named, as far as descriptors do.
static void apply_mapping(struct command *c)
{
    const char *why = NULL;
    if (c->status || (!c->mapping_words.count && !c->target.mapping.on))
        return;
    if (!c->target_chosen)
        preset_find("vulkan", &c->target);
    c->target.physical_addressing = false;
    c->target.matrix_shape_count = 0;
    c->target.mapping.on = true;
    for (size_t i = 0; i < c->mapping_words.count; i++)
        mapping_option(c->mapping_words.items[i], &c->target, &c->mapping, &why);
    mapping_hide_missing(&c->target);
    const char *excluded = mapping_check(&c->mapping);
    if (excluded)
        complain(c, "options that exclude each other:", excluded);
    if (c->mapping.features && !strstr(c->options.text, "-cl-std=CL3"))
        complain(c, "only with -cl-std=CL3.0:", "-enable-feature-macros");
    if (c->all)
        complain(c, "all kernels are in one module: not also", "--all");
    if (c->json)
        complain(c, "such modules tell of themselves (-descriptormap=FILE): not also", "--json");
    if (c->physical)
        complain(c, "memory by descriptors: not also", "--physical");
    c->driver.kernel = c->kernel;
    if (!all_end_in(c, ".o"))
        str_add(&c->options, " -DVULKAN=100");
}

// ---- output --------------------------------------------------------------------------------------

static void write_disassembly(const void *words, size_t size)
{
    fflush(stdout);
    FILE *tool = popen("spirv-dis --no-color - 2>/dev/null", "w");
    size_t written = tool ? fwrite(words, 1, size, tool) : 0;
    if (!tool || pclose(tool) != 0 || written != size)
        fprintf(stderr, "pumice-cc: spirv-dis is missing or refuses the module\n");
}

static void write_dump(void *data, const char *what, const char *kernel, const void *bytes, size_t size)
{
    struct command *c = data;
    if (kernel && c->kernel && strcmp(kernel, c->kernel))
        return;
    if (c->driver.preprocess_only && c->out) {
        write_file(c, c->out, bytes, size);
        return;
    }
    if (!strcmp(what, "spirv")) {
        write_disassembly(bytes, size);
        return;
    }
    if (kernel && strcmp(what, "lowered"))
        printf("; %s: after %s\n", kernel, what);
    fwrite(bytes, 1, size, stdout);
    if (size && ((const char *)bytes)[size - 1] != '\n')
        putchar('\n');
}

static void write_info(const struct kc_kernel *k)
{
    static const char *const kinds[] = {"value", "global", "constant", "local", "image", "sampler"};
    static const char *const pushes[] = {"arg", "local_arg", "global_base", "global_offset", "global_size",
                                         "num_groups", "group_base", "enqueued_local", "work_dim", "data", "printf",
                                         "scratch", "image_order", "image_type", "image_size"};
    static const char *const specs[] = {"local_size", "local_arg", "local_total", "image_format"};
    static const char *const bindings[] = {"sampled", "storage", "uniform_texels", "storage_texels", "samplers",
                                           "buffer",  "cluster", "data",           "printf",         "scratch",  "push",
                                           "pods",    "pods_uniform"};
    static const char *const dims[] = {"1d", "1d_array", "2d", "2d_array", "3d", "buffer"};
    static const char *const texels[] = {"float", "int", "uint"};
    printf("kernel %s: push %u bytes%s, local %u + %u, scratch %u, reqd %u %u %u%s%s\n", k->name, k->push_size,
           k->push_indirect ? " indirect" : "", k->local_memory, k->local_static_shared, k->scratch_bytes,
           k->reqd_local_size[0], k->reqd_local_size[1], k->reqd_local_size[2], k->uses_barrier ? ", barrier" : "",
           k->uses_printf ? ", printf" : "");
    for (uint32_t i = 0; i < k->arg_count; i++)
        printf("  arg %u %s: %s %s size %u align %u%s\n", i, k->args[i].name, kinds[k->args[i].kind], k->args[i].type_name,
               k->args[i].size, k->args[i].align, k->args[i].clustered ? " clustered" : "");
    for (uint32_t i = 0; i < k->push_count; i++)
        printf("  push %s dim %u arg %u at %u size %u\n", pushes[k->push[i].kind], k->push[i].dim, k->push[i].arg,
               k->push[i].offset, k->push[i].size);
    for (uint32_t i = 0; i < k->spec_count; i++)
        printf("  spec %u %s dim %u arg %u unit %u\n", k->specs[i].id, specs[k->specs[i].kind], k->specs[i].dim,
               k->specs[i].arg, k->specs[i].unit);
    for (uint32_t i = 0; i < k->binding_count; i++) {
        const struct kc_binding *binding = &k->bindings[i];
        printf("  binding %u %s arg %u", binding->binding, bindings[binding->kind], binding->arg);
        if (binding->kind < KC_BINDING_BUFFER)
            printf(" %s %s%s", dims[binding->dim], texels[binding->texel], binding->depth ? " depth" : "");
        putchar('\n');
    }
}

static const struct kc_kernel *chosen_kernel(struct command *c, const struct kc_program *p)
{
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (!c->kernel || !strcmp(c->kernel, p->kernels[i].name))
            return &p->kernels[i];
    complain(c, c->kernel ? "no kernel" : "no kernel in", c->kernel ? c->kernel : c->files.items[0]);
    return NULL;
}

static FILE *open_output(struct command *c, const char *name)
{
    FILE *f = strcmp(name, "-") ? fopen(name, "w") : stdout;
    if (!f)
        complain(c, "cannot write", name);
    return f;
}

static void close_output(struct command *c, const char *name, FILE *f)
{
    if (ferror(f) || (f != stdout && fclose(f)))
        complain(c, "cannot write", name);
}

static void write_map(struct command *c, const struct kc_program *p)
{
    FILE *f = open_output(c, c->mapping.map_file);
    if (!f)
        return;
    mapping_write(f, p, &c->target.mapping);
    close_output(c, c->mapping.map_file, f);
}

static void write_list(struct command *c, const char *name, const uint32_t *words, size_t count)
{
    FILE *f = open_output(c, name);
    if (!f)
        return;
    mapping_write_list(f, words, count);
    close_output(c, name, f);
}

// For a shell.
static const char *quoted(struct command *c, const char *name)
{
    struct str out;
    str_init(&out, &c->arena);
    str_addc(&out, '\'');
    for (; *name; name++)
        *name == '\'' ? str_add(&out, "'\\''") : str_addc(&out, *name);
    str_addc(&out, '\'');
    return out.text;
}

static void write_text(struct command *c, const char *name, const uint32_t *words, size_t count)
{
    const char *to = strcmp(name, "-") ? arena_printf(&c->arena, " -o %s", quoted(c, name)) : "";
    fflush(stdout);
    FILE *tool = popen(arena_printf(&c->arena, "spirv-dis --no-color%s - 2>/dev/null", to), "w");
    size_t written = tool ? fwrite(words, 4, count, tool) : 0;
    if (!tool || pclose(tool) != 0 || written != count)
        complain(c, "spirv-dis, which makes text of modules, is missing, or cannot write", name);
}

static void write_words(struct command *c, const char *name, const uint32_t *words, size_t count)
{
    if (c->form == FORM_C)
        write_list(c, name, words, count);
    else if (c->form == FORM_TEXT)
        write_text(c, name, words, count);
    else
        write_file(c, name, words, count * 4);
}

static void write_module_summary(const struct command *c, const struct kc_program *p)
{
    const char *name = c->files.items[0];
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct kc_kernel *k = &p->kernels[i];
        printf("%s: kernel %s: %u arguments, %u bindings, %u bytes of push constants\n", name, k->name, (unsigned)k->arg_count,
               (unsigned)k->binding_count, (unsigned)k->push_size);
    }
    printf("%s: %u kernels, %zu bytes of SPIR-V %u.%u, nothing written (-o FILE)\n", name, (unsigned)p->kernel_count,
           p->spirv_words * (size_t)4, (unsigned)(p->spirv[1] >> 16), (unsigned)(p->spirv[1] >> 8 & 255));
}

// One module of all kernels, for other programs than our runtime.
static void write_module(struct command *c, const struct kc_program *p)
{
    for (uint32_t i = 0; c->info && i < p->kernel_count; i++)
        write_info(&p->kernels[i]);
    if (c->out)
        write_words(c, c->out, p->spirv, p->spirv_words);
    if (c->mapping.map_file)
        write_map(c, p);
    if (!c->out && !c->mapping.map_file && !c->driver.dump && !c->time && !c->info)
        write_module_summary(c, p);
}

static void write_chosen(struct command *c, const struct kc_program *p)
{
    const struct kc_kernel *chosen = chosen_kernel(c, p);
    if (chosen && !c->kernel && p->kernel_count > 1)
        complain(c, "several kernels (one: --kernel NAME, each in its file: --all) in", c->files.items[0]);
    else if (chosen)
        write_words(c, c->out, chosen->spirv, chosen->spirv_words);
}

// For who asked for nothing in particular.
static void write_summary(const struct command *c, const struct kc_program *p)
{
    const char *name = c->files.items[0];
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (!c->kernel || !strcmp(c->kernel, p->kernels[i].name))
            printf("%s: kernel %s: %zu bytes of SPIR-V\n", name, p->kernels[i].name, p->kernels[i].spirv_words * (size_t)4);
    printf("%s: %u kernels, nothing written (-o FILE: one, --all: each)\n", name, (unsigned)p->kernel_count);
}

enum { KERNEL_FILE_NAME = 240 }; // the longest name of a kernel that a file is called by

// NAME.spv; a longer name is cut, and the kernel's number follows.
static const char *file_of(struct command *c, const char *kernel, uint32_t number)
{
    static const char *const ends[] = {[FORM_SPIRV] = "spv", [FORM_C] = "spvinc", [FORM_TEXT] = "spvasm"};
    const char *folder = c->out ? c->out : "";
    if (strlen(kernel) <= KERNEL_FILE_NAME)
        return arena_printf(&c->arena, "%s%s.%s", folder, kernel, ends[c->form]);
    return arena_printf(&c->arena, "%s%.*s.%u.%s", folder, KERNEL_FILE_NAME, kernel, (unsigned)number, ends[c->form]);
}

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

// With the names of the modules that are written.
static void write_json(struct command *c, const struct kc_program *p)
{
    const char **files = ARENA_ARRAY(&c->arena, const char *, p->kernel_count + 1);
    const struct kc_kernel *chosen = c->out && !c->all ? chosen_kernel(c, p) : NULL;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        files[i] = base_name(c->all ? file_of(c, p->kernels[i].name, i) : &p->kernels[i] == chosen ? c->out : NULL);
    FILE *f = open_output(c, c->json);
    if (!f)
        return;
    json_write(f, p, &c->target, files);
    close_output(c, c->json, f);
}

static void write_kernels(struct command *c, const struct kc_program *p)
{
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct kc_kernel *k = &p->kernels[i];
        if (c->info)
            write_info(k);
        if (c->all)
            write_words(c, file_of(c, k->name, i), k->spirv, k->spirv_words);
    }
    if (c->out && !c->all)
        write_chosen(c, p);
    else if (c->kernel && !chosen_kernel(c, p))
        return;
    else if (!c->all && !c->info && !c->time && !c->driver.dump && !c->json)
        write_summary(c, p);
    if (c->json && !c->status)
        write_json(c, p);
}

static void write_times(const struct driver *d)
{
    static const char *const names[] = {"preprocess", "parse", "gen", "link", "passes", "spirv", "result"};
    uint64_t total = 0;
    for (unsigned i = 0; i < DRIVER_STAGE_COUNT; i++) {
        fprintf(stderr, "%-10s %8.3f ms\n", names[i], (double)d->ns[i] * 1e-6);
        total += d->ns[i];
    }
    fprintf(stderr, "%-10s %8.3f ms\n", "total", (double)total * 1e-6);
}

// ---- the three things it does --------------------------------------------------------------------

// The log, in whole lines; an error already there stays.
static void take_status(struct command *c, enum kc_status status, const char *log)
{
    size_t length = log ? strlen(log) : 0;
    if (length)
        fprintf(stderr, "%s%s", log, log[length - 1] == '\n' ? "" : "\n");
    if (!c->status)
        c->status = status == KC_OK ? 0 : status == KC_INVALID_OPTIONS ? 2 : 1;
}

static void finish_program(struct command *c, struct kc_program *p)
{
    take_status(c, p ? p->status : KC_ERROR, p ? p->log : NULL);
    if (p && p->status == KC_OK && !c->driver.preprocess_only && !c->driver.stop_after)
        c->target.mapping.on ? write_module(c, p) : write_kernels(c, p);
    if (c->time)
        write_times(&c->driver);
    kc_program_destroy(p);
}

static int compare_times(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Median times of `repeat` builds, into the driver.
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

// The bytes of each --spec's constant.
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

static void take_module(struct command *c, struct kc_input *input, const void *bytes, size_t size)
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

// A source, or a module of SPIR-V by its name.
static bool read_input(struct command *c, const char *name, struct kc_input *input)
{
    size_t size;
    char *bytes = read_file(c, name, &size);
    bool module = c->input == INPUT_BY_NAME ? ends_in(name, ".spv") : c->input == INPUT_SPIRV;
    *input = (struct kc_input){.file_name = name, .options = c->options.text};
    if (bytes && module && c->driver.preprocess_only) {
        complain(c, "nothing to preprocess in", name);
    } else if (bytes && module) {
        take_module(c, input, bytes, size);
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
    take_status(c, object ? object->status : KC_ERROR, object ? object->log : NULL);
    if (!c->status)
        write_file(c, c->out ? c->out : "-", object->bytes, object->size);
    kc_object_destroy(object);
}

static void compile_object(struct command *c, const char *name)
{
    struct kc_input input;
    if (read_input(c, name, &input))
        write_object(c, kc_compile(&input, &c->target));
}

// An object as it is, anything else compiled.
static bool read_unit(struct command *c, const char *name, struct kc_bytes *unit)
{
    struct kc_input input;
    if (ends_in(name, ".o"))
        return (unit->bytes = read_file(c, name, &unit->size));
    if (!read_input(c, name, &input))
        return false;
    struct kc_object *object = kc_compile(&input, &c->target);
    take_status(c, object ? object->status : KC_ERROR, object ? object->log : NULL);
    if (!c->status)
        *unit = (struct kc_bytes){arena_copy(&c->arena, object->bytes, object->size), object->size};
    kc_object_destroy(object);
    return !c->status;
}

// Sources have heard the others.
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
        write_disassembly(words, count * 4);
    if (c->out)
        write_words(c, c->out, words, count);
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
        write_file(c, c->out ? c->out : "-", blob.text, blob.length);
    if (failures && !c->keep_going)
        c->status = 1;
}

static bool check_files(struct command *c)
{
    if (!c->status && !c->files.count) {
        help_write(stderr);
        c->status = 2;
    } else if (!c->status && c->files.count > 1 && (c->object || c->driver.preprocess_only || all_end_in(c, ".ir"))) {
        complain(c, "one file at a time: not also", c->files.items[1]);
    }
    return !c->status;
}

static void work(struct command *c)
{
    const char *name = c->files.items[0];
    if (c->library)
        build_library(c);
    else if (all_end_in(c, ".ir"))
        run_ir(c, name);
    else if (c->files.count > 1 || c->create_library || all_end_in(c, ".o"))
        link_units(c, !all_end_in(c, ".o"));
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
    arena_init(&c->arena, 0, &c->full);
    if (setjmp(c->full)) {
        fprintf(stderr, "pumice-cc: out of memory\n");
        return 2;
    }
    c->target_name = "full";
    preset_find(c->target_name, &c->target);
    str_init(&c->options, &c->arena);
    str_init(&c->first_lines, &c->arena);
    str_add(&c->options, "");
    c->driver = (struct driver){.write = write_dump, .data = c};
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-help"))) {
        help_write(stdout);
    } else if (argc == 2 && !strcmp(argv[1], "--version")) {
        printf("pumice-cc %s\n", PUMICE_VERSION);
    } else {
        read_words(c, argc, argv);
        apply_mapping(c);
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
