// SPDX-License-Identifier: Apache-2.0
// #include (C 6.10.2): a header's name -> its text on the stack of files.
//
// Search order: the headers given to clCompileProgram by name; the folder of the including file if that file was
// itself included (quoted names only); the folders of -I; the folder of the main file. A text is loaded once per
// compilation.
#include "text/pp.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/hash.h"

// Enters the headers in reverse order, so that the first of several with one name wins.
static void enter_headers(struct pp *pp)
{
    const struct kc_input *kc = pp->input->input;
    for (size_t i = kc->header_count; i-- > 0;)
        if (kc->headers[i].name)
            map_set(pp->arena, &pp->headers, intern_cstring(pp->names.intern, kc->headers[i].name), (void *)&kc->headers[i]);
}

static struct pp_source *find_header(struct pp *pp, const char *name)
{
    if (!pp->input->input->header_count)
        return NULL;
    if (!pp->headers.count)
        enter_headers(pp);
    const char *key = intern_cstring(pp->names.intern, name);
    const struct kc_header *header = map_get(&pp->headers, key);
    struct pp_source *source = header ? map_get(&pp->header_sources, key) : NULL;
    if (!header || source)
        return source;
    source = ARENA_NEW(pp->arena, struct pp_source);
    source->name = name;
    source->length = header->length;
    source->text = arena_strndup(pp->arena, header->text, source->length);
    map_set(pp->arena, &pp->header_sources, key, source);
    return source;
}

// Opens a regular file up to the size limit, else returns NULL: opening a pipe, for example, could block forever.
static FILE *open_text(const char *path, size_t *size)
{
    struct file_facts facts;
    FILE *file = file_open_plain(path, &facts);
    if (!file)
        return NULL;
    if (facts.size <= PP_MAX_FILE) {
        *size = (size_t)facts.size;
        return file;
    }
    fclose(file);
    return NULL;
}

static char *read_file(struct pp *pp, const char *path, size_t *size)
{
    char *text = NULL;
    FILE *file = open_text(path, size);
    if (!file)
        return NULL;
    if (!pp->arena->limit || *size < pp->arena->limit - pp->arena->total) {
        text = arena_alloc(pp->arena, *size + 1);
        text[*size] = 0;
        if (fread(text, 1, *size, file) != *size)
            text = NULL;
    }
    fclose(file);
    return text;
}

// Never returns 0.
static uint64_t hash_text(const char *text, size_t size)
{
    uint64_t hash = hash_bytes64(text, size);
    return hash ? hash : 1;
}

bool kc_file_is_same(const struct kc_file *file)
{
    size_t size;
    FILE *text_file = open_text(file->path, &size);
    if (!text_file)
        return !file->hash;
    char *text = malloc(size + 1);
    bool same = text && fread(text, 1, size, text_file) == size && hash_text(text, size) == file->hash;
    free(text);
    fclose(text_file);
    return same;
}

static struct pp_source *find_file(struct pp *pp, const char *folder, size_t folder_length,
                                   const char *name)
{
    const char *path = name;
    if (!path_is_absolute(name) && folder_length)
        path = arena_printf(pp->arena, "%.*s/%s", (int)folder_length, folder, name);
    path = intern_cstring(pp->names.intern, path);
    struct pp_source *source = map_get(&pp->sources, path);
    if (source)
        return source;
    if (map_get(&pp->missing_files, path))
        return NULL;
    size_t length;
    char *text = read_file(pp, path, &length);
    vec_push(pp->arena, &pp->files_asked, ((struct kc_file){path, text ? hash_text(text, length) : 0}));
    if (!text) {
        map_set(pp->arena, &pp->missing_files, path, (void *)(uintptr_t)path);
        return NULL;
    }
    source = ARENA_NEW(pp->arena, struct pp_source);
    *source = (struct pp_source){.name = path, .text = text, .length = length, .on_disk = true};
    map_set(pp->arena, &pp->sources, path, source);
    return source;
}

static size_t folder_length(const char *path)
{
    const char *slash = path_last_separator(path);
    return slash ? (slash == path ? 1 : (size_t)(slash - path)) : 0;
}

static struct pp_source *find_source(struct pp *pp, const char *name, bool quoted)
{
    const struct pp_source *includer = pp->files.items[pp->files.count - 1]->source;
    const struct pp_source *main = pp->files.items[0]->source;
    size_t folder = folder_length(includer->name);
    struct pp_source *found = find_header(pp, name);
    if (!found && pp->files.count > 1 && !includer->on_disk && folder)
        found =
            find_header(pp, arena_printf(pp->arena, "%.*s/%s", (int)folder, includer->name, name));
    if (!found && quoted && includer->on_disk)
        found = find_file(pp, includer->name, folder, name);
    for (size_t i = 0; i < pp->input->define_count && !found; i++)
        if (pp->input->defines[i].kind == TEXT_INCLUDE_DIR)
            found =
                find_file(pp, pp->input->defines[i].text, strlen(pp->input->defines[i].text), name);
    if (!found && quoted)
        found = find_file(pp, main->name, folder_length(main->name), name);
    return found;
}

// #include MACRO: expands to "x" or to < tokens >.
static const char *expanded_name(struct pp *pp, bool *quoted, struct loc *place)
{
    struct pp_token token;
    struct str text;
    pp_next(pp, &token);
    *place = token.loc;
    *quoted = token.kind == TOK_STRING;
    if (*quoted)
        return arena_strndup(pp->arena, token.text + 1, token.length - 2);
    if (token.kind != TOK_LT)
        return NULL;
    str_init(&text, pp->arena);
    str_add(&text, "");
    for (pp_next(pp, &token); token.kind != TOK_GT; pp_next(pp, &token)) {
        if (token.kind == PP_END_OF_LINE)
            return NULL;
        if (token.flags & PP_SPACE && text.length)
            str_addc(&text, ' ');
        str_addn(&text, pp_token_text(&token),
                 token.kind == TOK_IDENTIFIER ? token.name->length : token.length);
    }
    return text.text;
}

static const char *header_name(struct pp *pp, bool *quoted, struct loc *place)
{
    size_t length;
    char quote;
    const char *text = pp->contexts.count ? NULL : lexer_header_name(pp->lexer, &length, &quote);
    if (!text)
        return expanded_name(pp, quoted, place);
    *place = lexer_loc(pp->lexer);
    place->column -= place->column > length + 2 ? (uint32_t)length + 2 : 0;
    *quoted = quote == '"';
    return arena_strndup(pp->arena, text, length);
}

bool pp_include_exists(struct pp *pp, bool *named)
{
    bool quoted;
    struct loc place;
    const char *name = header_name(pp, &quoted, &place);
    *named = name && *name;
    return *named && find_source(pp, name, quoted);
}

void pp_include(struct pp *pp, struct loc loc)
{
    bool quoted;
    struct loc place;
    const char *name = header_name(pp, &quoted, &place);
    if (!name || !*name) {
        diag_error(pp->diag, loc, "expected \"FILENAME\" or <FILENAME>");
        return;
    }
    pp_end_of_line(pp, "include");
    struct pp_source *source = find_source(pp, name, quoted);
    if (!source)
        diag_fatal(pp->diag, place, "'%s' file not found", name);
    if (source->once)
        return;
    if (pp->files.count > PP_MAX_INCLUDE_DEPTH)
        diag_fatal(pp->diag, loc, "#include nested too deeply: more than %d files",
                   PP_MAX_INCLUDE_DEPTH);
    pp_charge(pp, loc, source->length / 4 + 64);
    pp_open(pp, source);
}
