// SPDX-License-Identifier: Apache-2.0
// SPIR-V that another compiler generates for a program (tests/il/module.sh IN.cl OUT.spv OPTIONS...), or has
// generated before.
#include "module.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OPTIONS = 16 };

extern char **environ;

// Returns the exit status; its output goes to the file `messages`.
static int execute(char *const words[], const char *messages)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int error = posix_spawn(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static bool write_text(const char *name, const struct str *text)
{
    FILE *f = fopen(name, "w");
    bool ok = f && fwrite(text->text, 1, text->length, f) == text->length;
    return f && fclose(f) == 0 && ok;
}

static struct str read_bytes(const char *name, struct arena *arena)
{
    FILE *f = fopen(name, "rb");
    struct str bytes;
    char part[4096];
    str_init(&bytes, arena);
    str_add(&bytes, "");
    for (size_t got; f && (got = fread(part, 1, sizeof part, f)) > 0;)
        str_addn(&bytes, part, got);
    if (f)
        fclose(f);
    return bytes;
}

enum module_result module_make(const char *script, const struct str *text, const char *options, struct arena *arena,
                               struct str *module, char *why, size_t size)
{
    char folder[] = "/tmp/diff-XXXXXX", in[64], out[64], messages[64], copy[256];
    char *words[MAX_OPTIONS + 4] = {(char *)script, in, out}, *rest;
    unsigned count = 3;
    if (!mkdtemp(folder))
        return MODULE_REFUSED;
    snprintf(in, sizeof in, "%s/in.cl", folder);
    snprintf(out, sizeof out, "%s/out.spv", folder);
    snprintf(messages, sizeof messages, "%s/messages", folder);
    snprintf(copy, sizeof copy, "%s", options);
    for (char *word = strtok_r(copy, " ", &rest); word && count < MAX_OPTIONS + 3; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    int status = write_text(in, text) ? execute(words, messages) : -1;
    *module = read_bytes(status ? messages : out, arena);
    if (status)
        snprintf(why, size, "no module: %.400s", module->text);
    remove(in);
    remove(out);
    remove(messages);
    rmdir(folder);
    return status == 0 ? MODULE_MADE : status == 77 ? MODULE_NO_TOOLS : MODULE_REFUSED;
}

static const char *file_name(const char *folder, uint64_t seed, struct arena *arena)
{
    struct str name;
    str_init(&name, arena);
    str_printf(&name, "%s/%llu.spv", folder, (unsigned long long)seed);
    return name.text;
}

bool module_keep(const char *folder, uint64_t seed, const struct str *module)
{
    return write_text(file_name(folder, seed, module->arena), module);
}

bool module_take(const char *folder, uint64_t seed, struct arena *arena, struct str *module, char *why, size_t size)
{
    const char *name = file_name(folder, seed, arena);
    *module = read_bytes(name, arena);
    if (!module->length)
        snprintf(why, size, "no module: %s is not there", name);
    return module->length > 0;
}
