// SPDX-License-Identifier: Apache-2.0
#include "cc/command.h"
#include "cc/help.h"
#include "cc/presets.h"
#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int complain(struct command *c, const char *what, const char *name)
{
    fprintf(stderr, "pumice-cc: %s '%s'\n", what, name);
    return c->status = 2;
}

bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && !strcmp(name + length - tail, end);
}

bool all_end_in(const struct command *c, const char *end)
{
    for (size_t i = 0; i < c->files.count; i++)
        if (!ends_in(c->files.items[i], end))
            return false;
    return true;
}

// ---- words ---------------------------------------------------------------------------------------

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

// Whether all words of a list name passes.
static bool check_passes(struct command *c, const char *list, bool (*known)(const char *name, size_t length))
{
    for (size_t span; *list; list += span + (list[span] == ',')) {
        span = strcspn(list, ",");
        if (!known(list, span))
            return !complain(c, known == driver_has_pass ? "unknown pass in" : "not an optional pass in", list);
    }
    return true;
}

// Adds an option for the compiler proper, quoted, because it was one word.
static void add_option(struct command *c, const char *word)
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
    {"--no-verify", offsetof(struct command, unverified)}, {"--verify", offsetof(struct command, verified)},
    {"-verify", offsetof(struct command, verified)},       {"-E", offsetof(struct command, driver.preprocess_only)},
};

static bool read_flag(struct command *c, const char *word)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].name))
            return *(bool *)((char *)c + flags[i].field) = true;
    return false;
}

static void set_spec(struct command *c, const char *value)
{
    char *colon, *end = NULL;
    errno = 0;
    unsigned long long id = strtoull(value, &colon, 0), bits = *colon == ':' ? strtoull(colon + 1, &end, 0) : 0;
    if (colon == value || !end || end == colon + 1 || *end || errno || id > UINT32_MAX)
        complain(c, "expected NUMBER=VALUE in --spec, not", value);
    else
        vec_push(&c->arena, &c->spec_values, ((struct kc_spec_value){.id = (uint32_t)id, .bits = bits}));
}

static void set_dump(struct command *c, const char *value)
{
    unsigned bits = dump_bits(value);
    c->driver.dump |= bits;
    if (!bits)
        complain(c, "unknown stage in --dump:", value);
}

static void set_target(struct command *c, const char *value)
{
    c->list_targets |= !strcmp(value, "help");
    if (!c->list_targets && !preset_find(value, &c->target))
        complain(c, "unknown target (--target=help lists all):", value);
    c->target_name = value;
    c->target_chosen = true;
}

static void set_skip(struct command *c, const char *value)
{
    c->driver.skip = value;
    check_passes(c, value, driver_may_skip);
}

static void set_stop_after(struct command *c, const char *value)
{
    c->driver.stop_after = value;
    check_passes(c, value, driver_has_pass);
}

static void add_pass(struct command *c, const char *value) { vec_push(&c->arena, &c->passes, value); }
static void set_repeat(struct command *c, const char *value) { c->repeat = (unsigned)strtoul(value, NULL, 10); }
static void set_out(struct command *c, const char *value) { c->out = value; }
static void set_kernel(struct command *c, const char *value) { c->kernel = value; }

static void set_json(struct command *c, const char *value) { c->json = value; }

static void add_include(struct command *c, const char *value)
{
    str_printf(&c->first_lines, "#include \"%s\"\n", value);
}

static void set_language(struct command *c, const char *value)
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
    complain(c, "expected cl or spirv after -x (LLVM IR is not supported), not", value);
}

static void set_form(struct command *c, const char *value)
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
    complain(c, "expected output format spv, c or text (LLVM IR is not supported), not", value);
}

// Settings with a value after '=' or in the next word.
static const struct setting {
    const char *name;
    void (*set)(struct command *c, const char *value);
} settings[] = {
    {"-o", set_out},         {"--kernel", set_kernel},   {"--target", set_target},        {"--dump", set_dump},
    {"--skip", set_skip},    {"--stop-after", set_stop_after}, {"--spec", set_spec},            {"--pass", add_pass},
    {"--repeat", set_repeat}, {"-x", set_language},      {"-include", add_include},      {"--output-format", set_form},
    {"-output-format", set_form}, {"-mfmt", set_form},      {"--json", set_json},
};

// The value if the word is `name`=value; `next` if the word is `name`; else NULL.
static const char *value_of(const char *word, const char *name, const char *next)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length))
        return NULL;
    return word[length] == '=' ? word + length + 1 : word[length] ? NULL : next;
}

// Returns how many words were used; 0 if it is not a setting. `next` is "" after the last word.
static int read_setting(struct command *c, const char *word, const char *next)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *value = value_of(word, settings[i].name, next ? next : "");
        if (value && !*value)
            complain(c, "missing value after", settings[i].name);
        else if (value)
            settings[i].set(c, value);
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
    if (request.renamed)
        str_printf(&c->options, " %s", request.renamed);
    return 1 + joined;
}

// Like clang, accepts these options with two dashes, too.
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
    if (!strncmp(word, "-O", 2)) { // all levels but -O0 are the same; so is -O in kernels
        if (!strcmp(word, "-O0"))
            add_option(c, "-cl-opt-disable");
        if (strlen(word) > 3 || (word[2] && !strchr("0123sz", word[2])))
            refuse_unknown(c, word);
        return 1;
    }
    if (!strncmp(word, "--", 2) || (kc_check_options(word, false, why, sizeof why) != KC_OK && strstr(why, "unknown option")))
        refuse_unknown(c, word);
    add_option(c, word);
    bool takes_next = next && (!strcmp(word, "-D") || !strcmp(word, "-I") || !strcmp(word, "-U"));
    if (takes_next)
        add_option(c, next);
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
        set_language(c, word + 2);
        return 1;
    }
    int used = read_setting(c, word, next);
    if (!used)
        used = read_mapping(c, word, next);
    return used ? used : read_compiler(c, word, next);
}

static void read_words(struct command *c, int count, char **words)
{
    for (int i = 1; i < count && !c->status;)
        i += read_word(c, words[i], i + 1 < count ? words[i + 1] : NULL);
    c->driver.verify = !c->unverified;
    if (c->driver.preprocess_only)
        c->driver.dump |= DRIVER_DUMP_SOURCE;
}

// A named target determines what the device supports; the interface for programs comes from the preset "vulkan".
static void apply_vulkan_preset(struct command *c)
{
    struct kc_target usual = {0};
    preset_find("vulkan", &usual);
    if (!c->target_chosen) {
        c->target = usual;
        return;
    }
    c->target.physical_addressing = false;
    c->target.matrix_shape_count = 0;
    c->target.address_bits = usual.address_bits;
    usual.mapping.any_sub_groups = c->target.mapping.any_sub_groups;
    c->target.mapping = usual.mapping;
    // Both would have to be enabled by the program without benefit, and older versions of Vulkan lack them.
    c->target.local_size_id = c->target.maximal_reconvergence = false;
    c->target.max_function_array = usual.max_function_array; // there is no buffer for larger ones
    // The descriptor determines the texel format, and modules do not name one.
    c->target.image_bgra_by_rgba = c->target.image_unorm16_by_uint = false;
    c->target.image_read_without_format = c->target.image_write_without_format = true;
    kc_extensions_remove(&c->target.extensions, KC_EXT_SRGB_IMAGE_WRITES);
    kc_extensions_remove(&c->target.extensions, KC_EXT_MIPMAP_IMAGE);
    kc_extensions_remove(&c->target.extensions, KC_EXT_MIPMAP_IMAGE_WRITES);
}

// The target for modules for other programs: the named target, restricted to what descriptors support.
static void apply_mapping(struct command *c)
{
    const char *why = NULL;
    if (c->status || (!c->mapping_words.count && !c->target.mapping.on))
        return;
    apply_vulkan_preset(c);
    for (size_t i = 0; i < c->mapping_words.count; i++)
        mapping_option(c->mapping_words.items[i], &c->target, &c->mapping, &why);
    mapping_finish(&c->target);
    const char *excluded = mapping_check(&c->mapping, &c->target);
    if (excluded)
        complain(c, "options cannot be combined:", excluded);
    if (c->mapping.features && !strstr(c->options.text, "-cl-std=CL3"))
        complain(c, "-cl-std=CL3.0 is required for", "-enable-feature-macros");
    if (c->all)
        complain(c, "modules for any Vulkan program (--vulkan) contain all kernels: cannot be combined with", "--all");
    if (c->json)
        complain(c, "modules for any Vulkan program describe themselves (-descriptormap=FILE): cannot be combined with", "--json");
    if (c->physical)
        complain(c, "modules for any Vulkan program use descriptors: cannot be combined with", "--physical");
    c->driver.kernel = c->kernel;
    c->driver.verify = c->verified; // takes a third of the compile time of large kernels
    if (!all_end_in(c, ".o"))
        str_add(&c->options, " -DVULKAN=100");
}

// Reads standard input if no file is named, for build scripts that pipe a source in.
static void default_to_stdin(struct command *c)
{
    if (c->target.mapping.on && !c->files.count && !c->show && !c->list_targets && !stream_is_terminal(stdin))
        vec_push(&c->arena, &c->files, "-");
}

void command_read(struct command *c, int count, char **words)
{
    c->target_name = "full";
    preset_find(c->target_name, &c->target);
    str_init(&c->options, &c->arena);
    str_init(&c->first_lines, &c->arena);
    str_add(&c->options, "");
    read_words(c, count, words);
    c->target.no_cost_limit = driver_ignores_cost();
    apply_mapping(c);
    default_to_stdin(c);
}
