// SPDX-License-Identifier: Apache-2.0
#include "cc/output.h"
#include "cc/json.h"
#include "platform/platform.h"

#include <stdio.h>
#include <string.h>

void output_file(struct command *c, const char *name, const void *bytes, size_t size)
{
    FILE *f = strcmp(name, "-") ? file_open(name, "wb") : stdout;
    bool ok = f && fwrite(bytes, 1, size, f) == size;
    if (f && f != stdout)
        ok &= fclose(f) == 0;
    if (!ok)
        complain(c, "cannot write", name);
}

void output_disassembly(const void *words, size_t size)
{
    fflush(stdout);
    static const char *const program[] = {"spirv-dis", "--no-color", "-", NULL};
    FILE *tool = stream_to_program(program);
    size_t written = tool ? fwrite(words, 1, size, tool) : 0;
    if (!tool || !stream_end_program(tool) || written != size)
        fprintf(stderr, "pumice-cc: spirv-dis is not installed, or rejects the module\n");
}

void output_dump(void *data, const char *what, const char *kernel, const void *bytes, size_t size)
{
    struct command *c = data;
    if (kernel && c->kernel && strcmp(kernel, c->kernel))
        return;
    if (c->driver.preprocess_only && c->out) {
        output_file(c, c->out, bytes, size);
        return;
    }
    if (!strcmp(what, "spirv")) {
        output_disassembly(bytes, size);
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
    static const char *const kinds[] = {"value", "global", "constant", "local", "image", "sampler", "queue"};
    static const char *const pushes[] = {"arg", "local_arg", "global_base", "global_offset", "global_size",
                                         "num_groups", "group_base", "enqueued_local", "work_dim", "data", "printf",
                                         "enqueued", "launch", "scratch", "image_order", "image_type", "image_size",
                                         "items"};
    static const char *const specs[] = {"local_size", "local_arg", "local_items", "local_total", "image_format", "sampler", "guard"};
    static const char *const bindings[] = {"sampled", "storage", "uniform_texels", "storage_texels", "samplers",
                                           "buffer",  "cluster", "data",           "printf",         "scratch",  "push",
                                           "pods",    "pods_uniform", "uniform", "sampler"};
    static const char *const dims[] = {"1d", "1d_array", "2d", "2d_array", "3d", "buffer"};
    static const char *const texels[] = {"float", "int", "uint"};
    printf("kernel %s: push %u bytes%s, local %u + %u + %u per item, scratch %u, reqd %u %u %u%s%s%s%s\n", k->name, k->push_size,
           k->push_indirect ? " indirect" : "", k->local_memory, k->local_static_shared, k->local_per_item, k->scratch_bytes,
           k->reqd_local_size[0], k->reqd_local_size[1], k->reqd_local_size[2], k->uses_barrier ? ", barrier" : "",
           k->uses_printf ? ", printf" : "", k->enqueues ? ", enqueues" : "", k->block ? ", block" : "");
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
    FILE *f = strcmp(name, "-") ? file_open(name, "w") : stdout;
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

static void write_text(struct command *c, const char *name, const uint32_t *words, size_t count)
{
    const bool named = strcmp(name, "-") != 0;
    const char *const program[] = {"spirv-dis", "--no-color", "-", named ? "-o" : NULL, name, NULL};
    fflush(stdout);
    FILE *tool = stream_to_program(program);
    size_t written = tool ? fwrite(words, 4, count, tool) : 0;
    if (!tool || !stream_end_program(tool) || written != count)
        complain(c, "spirv-dis, which disassembles modules, is not installed or cannot write", name);
}

void output_words(struct command *c, const char *name, const uint32_t *words, size_t count)
{
    if (c->form == FORM_C)
        write_list(c, name, words, count);
    else if (c->form == FORM_TEXT)
        write_text(c, name, words, count);
    else
        output_file(c, name, words, count * 4);
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void write_module_summary(const struct command *c, const struct kc_program *p)
{
    const char *name = c->files.items[0];
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct kc_kernel *k = &p->kernels[i];
        printf("%s: kernel %s: %u argument%s, %u binding%s, %u bytes of push constants\n", name, k->name, (unsigned)k->arg_count,
               plural(k->arg_count), (unsigned)k->binding_count, plural(k->binding_count), (unsigned)k->push_size);
    }
    if (!p->kernel_count)
        printf("%s: no kernels, nothing to write\n", name);
    else
        printf("%s: %u kernel%s, %zu bytes of SPIR-V %u.%u, not written (use -o FILE)\n", name, (unsigned)p->kernel_count,
               plural(p->kernel_count), p->spirv_words * (size_t)4, (unsigned)(p->spirv[1] >> 16),
               (unsigned)(p->spirv[1] >> 8 & 255));
}

// Writes one module of all kernels, for programs other than our runtime.
void output_module(struct command *c, const struct kc_program *p)
{
    for (uint32_t i = 0; c->info && i < p->kernel_count; i++)
        write_info(&p->kernels[i]);
    if (c->out && !p->kernel_count) // a Vulkan module needs an entry point (SPIR-V 2.16.1)
        complain(c, "no kernel in", c->files.items[0]);
    else if (c->out)
        output_words(c, c->out, p->spirv, p->spirv_words);
    if (c->mapping.map_file)
        write_map(c, p);
    if (!c->out && !c->mapping.map_file && !c->driver.dump && !c->time && !c->info)
        write_module_summary(c, p);
}

static void write_chosen(struct command *c, const struct kc_program *p)
{
    const struct kc_kernel *chosen = chosen_kernel(c, p);
    if (chosen && !c->kernel && p->kernel_count > 1)
        complain(c, "several kernels (use --kernel NAME, or --all for one file each) in", c->files.items[0]);
    else if (chosen)
        output_words(c, c->out, chosen->spirv, chosen->spirv_words);
}

// Printed if no output was requested.
static void write_summary(const struct command *c, const struct kc_program *p)
{
    const char *name = c->files.items[0];
    for (uint32_t i = 0; i < p->kernel_count; i++)
        if (!c->kernel || !strcmp(c->kernel, p->kernels[i].name))
            printf("%s: kernel %s: %zu bytes of SPIR-V\n", name, p->kernels[i].name, p->kernels[i].spirv_words * (size_t)4);
    printf("%s: %u kernel%s, not written (use -o FILE for one kernel, --all for each)\n", name, (unsigned)p->kernel_count,
           plural(p->kernel_count));
}

enum { KERNEL_FILE_NAME = 240 }; // longest kernel name that is used as a file name

// What file names begin with: a folder, or whatever the user wants.
static const char *prefix_of(struct command *c)
{
    if (!c->out)
        return "";
    return folder_exists(c->out) ? arena_printf(&c->arena, "%s/", c->out) : c->out;
}

// NAME.spv; a longer name is truncated and followed by the kernel's number.
static const char *file_of(struct command *c, const char *kernel, uint32_t number)
{
    static const char *const ends[] = {[FORM_SPIRV] = "spv", [FORM_C] = "spvinc", [FORM_TEXT] = "spvasm"};
    const char *prefix = prefix_of(c);
    if (strlen(kernel) <= KERNEL_FILE_NAME)
        return arena_printf(&c->arena, "%s%s.%s", prefix, kernel, ends[c->form]);
    return arena_printf(&c->arena, "%s%.*s.%u.%s", prefix, KERNEL_FILE_NAME, kernel, (unsigned)number, ends[c->form]);
}

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

// Includes the names of the written modules.
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

void output_kernels(struct command *c, const struct kc_program *p)
{
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct kc_kernel *k = &p->kernels[i];
        if (c->info)
            write_info(k);
        if (c->all)
            output_words(c, file_of(c, k->name, i), k->spirv, k->spirv_words);
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

void output_times(const struct driver *d)
{
    static const char *const names[] = {"preprocess", "parse", "gen", "link", "passes", "spirv", "result"};
    uint64_t total = 0;
    for (unsigned i = 0; i < DRIVER_STAGE_COUNT; i++) {
        fprintf(stderr, "%-10s %8.3f ms\n", names[i], (double)d->ns[i] * 1e-6);
        total += d->ns[i];
    }
    fprintf(stderr, "%-10s %8.3f ms\n", "total", (double)total * 1e-6);
}

