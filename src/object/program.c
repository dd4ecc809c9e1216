// SPDX-License-Identifier: Apache-2.0
// Programs -> code for each device. A build runs in the calling thread.
//
// A rebuild replaces the code; existing kernels keep theirs.
#include "object/program.h"
#include "object/program_cache.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/thread.h"

// ---- code ---------------------------------------------------------------------------------------

static void free_built(struct kc_program *built, bool loaded)
{
    if (loaded)
        program_binary_free(built);
    else
        kc_program_destroy(built);
}

static struct program_code *program_code_create(struct _cl_context *context, int device_index,
                                                struct kc_program *program, bool loaded)
{
    struct program_code *code = calloc(1, sizeof *code);
    struct cmd_kernel **kernels =
        calloc(program->kernel_count ? program->kernel_count : 1, sizeof(struct cmd_kernel *));
    struct general_form *general = calloc(program->kernel_count + 1, sizeof *general);
    if (!code || !kernels || !general) {
        free(code);
        free(kernels);
        free(general);
        return NULL;
    }
    atomic_init(&code->uses, 1);
    pthread_mutex_init(&code->lock, NULL);
    code->context = object_use(context);
    code->vk = context->devices[device_index].vk;
    code->program = program;
    code->loaded = loaded;
    code->kernels = kernels;
    code->general = general;
    return code;
}

void program_code_use(struct program_code *code)
{
    atomic_fetch_add_explicit(&code->uses, 1, memory_order_relaxed);
}

void program_code_drop(struct program_code *code)
{
    if (!code || atomic_fetch_sub_explicit(&code->uses, 1, memory_order_acq_rel) != 1)
        return;
    for (uint32_t i = 0; i < code->program->kernel_count; i++) {
        cmd_kernel_destroy(code->kernels[i]);
        cmd_kernel_destroy(code->general[i].commands);
        kc_program_destroy(code->general[i].program);
    }
    vk_buffer_destroy(&code->segment);
    free_built(code->program, code->loaded);
    pthread_mutex_destroy(&code->lock);
    free(code->kernels);
    free(code->general);
    object_drop(code->context);
    free(code);
}

uint32_t program_kernel_count(const struct kc_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->kernel_count; i++)
        count += !program->kernels[i].block;
    return count;
}

int program_code_find(const struct program_code *code, const char *name)
{
    for (uint32_t i = 0; code && i < code->program->kernel_count; i++) {
        if (!code->program->kernels[i].block && !strcmp(code->program->kernels[i].name, name))
            return (int)i;
    }
    return -1;
}

cl_int program_code_kernel(struct program_code *code, uint32_t index, struct cmd_kernel **kernel)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&code->lock);
    if (!code->kernels[index])
        error = cmd_kernel_create(code->vk, &code->program->kernels[index], code->uniform, &code->kernels[index]);
    *kernel = code->kernels[index];
    pthread_mutex_unlock(&code->lock);
    return error;
}

bool program_same_args(const struct kc_kernel *a, const struct kc_kernel *b)
{
    if (a->arg_count != b->arg_count)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++) {
        if (a->args[i].kind != b->args[i].kind || a->args[i].size != b->args[i].size)
            return false;
    }
    return true;
}

static cl_int make_general(struct program_code *code, const struct kc_target *target, const struct kc_kernel *info,
                           struct general_form *form)
{
    form->tried = true;
    struct kc_program *program = kc_build_general(code->program, info, target);
    bool good = program && program->status == KC_OK && program_same_args(info, program->kernels);
    cl_int error = program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (good)
        error = cmd_kernel_create(code->vk, program->kernels, code->uniform, &form->commands);
    if (good && !error) {
        form->program = program;
        return CL_SUCCESS;
    }
    if (program)
        log_write(LOG_BUILD, "the version of '%s' for any launch: %s", info->name, program->log);
    kc_program_destroy(program);
    return error;
}

cl_int program_code_general(struct program_code *code, const struct kc_target *target, const struct kc_kernel **info,
                            struct cmd_kernel **kernel)
{
    struct general_form *form = &code->general[*info - code->program->kernels];
    cl_int error = CL_SUCCESS;
    if (!kc_has_general_form(code->program, *info))
        return CL_SUCCESS;
    pthread_mutex_lock(&code->lock);
    if (!form->tried)
        error = make_general(code, target, *info, form);
    if (form->program) {
        *info = form->program->kernels;
        *kernel = form->commands;
    }
    pthread_mutex_unlock(&code->lock);
    return error;
}

// ---- programs -----------------------------------------------------------------------------------

static void program_free_headers(struct _cl_program *program)
{
    for (uint32_t i = 0; i < program->header_count; i++) {
        free(program->headers[i].name);
        free(program->headers[i].text);
    }
    free(program->headers);
    program->headers = NULL;
    program->header_count = 0;
}

static void program_destroy(void *object)
{
    struct _cl_program *program = object;
    for (cl_uint i = 0; program->builds && i < program->context->device_count; i++) {
        program_build_clear(&program->builds[i]);
        free(program->builds[i].options);
        free(program->builds[i].log);
    }
    program_free_headers(program);
    pthread_mutex_destroy(&program->lock);
    free(program->builds);
    free(program->devices);
    free(program->source);
    free(program->il);
    free(program->specs);
    free(program->spec_values);
    object_drop(program->context);
    free(program);
}

cl_int program_set_text(char **slot, const char *text)
{
    char *copy = strdup(text ? text : "");
    if (!copy)
        return CL_OUT_OF_HOST_MEMORY;
    free(*slot);
    *slot = copy;
    return CL_SUCCESS;
}

cl_int program_create(struct _cl_context *context, struct _cl_program **out)
{
    struct _cl_program *program = calloc(1, sizeof *program);
    if (!program)
        return CL_OUT_OF_HOST_MEMORY;
    cl_uint count = context->device_count;
    object_init(&program->base, OBJECT_PROGRAM, program_destroy);
    pthread_mutex_init(&program->lock, NULL);
    program->context = object_use(context);
    program->builds = calloc(count, sizeof *program->builds);
    program->devices = calloc(count, sizeof *program->devices);
    cl_int error = program->builds && program->devices ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count && !error; i++) {
        program->devices[i] = true;
        if (context->devices[i].device->physical->facts.props.deviceType ==
            VK_PHYSICAL_DEVICE_TYPE_CPU)
            device_svm(context->devices[i].device); // the features available to programs depend on
                                                    // it
        program->builds[i].status = CL_BUILD_NONE;
        error = program_set_text(&program->builds[i].options, "");
        if (!error)
            error = program_set_text(&program->builds[i].log, "");
    }
    if (error) {
        program_destroy(program);
        return error;
    }
    *out = program;
    return CL_SUCCESS;
}

cl_int program_set_source(struct _cl_program *program, cl_uint count, const char **strings,
                          const size_t *lengths)
{
    size_t total = 0;
    for (cl_uint i = 0; i < count; i++) {
        if (__builtin_add_overflow(total, lengths && lengths[i] ? lengths[i] : strlen(strings[i]),
                                   &total) ||
            total == SIZE_MAX)
            return CL_OUT_OF_HOST_MEMORY;
    }
    char *source = malloc(total + 1);
    if (!source)
        return CL_OUT_OF_HOST_MEMORY;
    size_t at = 0;
    for (cl_uint i = 0; i < count; i++) {
        size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(source + at, strings[i], length);
        at += length;
    }
    source[at] = '\0';
    program->source = source;
    program->source_length = total;
    return CL_SUCCESS;
}

// Reads the module's specialization constants and allocates space for their values.
static cl_int program_read_specs(struct _cl_program *program)
{
    char *log;
    enum kc_status status = kc_il_read(program->il, program->il_size, &program->specs, &program->spec_count, &log);
    if (status == KC_ERROR)
        log_write(LOG_BUILD, "%s", log);
    free(log);
    if (status == KC_ERROR)
        return CL_INVALID_VALUE;
    program->spec_values = calloc(program->spec_count + 1, sizeof *program->spec_values);
    return status == KC_OK && program->spec_values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int program_set_il(struct _cl_program *program, const void *il, size_t size)
{
    program->il = malloc(size ? size : 1);
    if (!program->il)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(program->il, il, size);
    program->il_size = size;
    return program_read_specs(program);
}

static const struct kc_il_spec *program_find_spec(const struct _cl_program *program, uint32_t id)
{
    for (size_t i = 0; i < program->spec_count; i++)
        if (program->specs[i].id == id)
            return &program->specs[i];
    return NULL;
}

static struct kc_spec_value *program_spec_slot(struct _cl_program *program, uint32_t id)
{
    for (size_t i = 0; i < program->spec_value_count; i++)
        if (program->spec_values[i].id == id)
            return &program->spec_values[i];
    return &program->spec_values[program->spec_value_count++];
}

cl_int program_set_spec(struct _cl_program *program, cl_uint id, size_t size, const void *value)
{
    const struct kc_il_spec *spec = program_find_spec(program, id);
    if (!spec)
        return CL_INVALID_SPEC_ID;
    if (size != spec->size)
        return CL_INVALID_VALUE;
    struct kc_spec_value set = {.id = id, .size = (uint32_t)size};
    memcpy(&set.bits, value, size); // little-endian
    pthread_mutex_lock(&program->lock);
    *program_spec_slot(program, id) = set;
    pthread_mutex_unlock(&program->lock);
    return CL_SUCCESS;
}

static cl_int program_add_header(struct _cl_program *program, const char *name, const char *text,
                                 size_t length)
{
    struct program_header *header = &program->headers[program->header_count];
    header->name = strdup(name);
    header->text = malloc(length + 1);
    if (!header->name || !header->text) {
        free(header->name);
        free(header->text);
        return CL_OUT_OF_HOST_MEMORY;
    }
    memcpy(header->text, text, length);
    header->text[length] = '\0';
    header->length = length;
    program->header_count++;
    return CL_SUCCESS;
}

cl_int program_set_headers(struct _cl_program *program, cl_uint count,
                           struct _cl_program *const *sources, const char *const *names)
{
    program_free_headers(program);
    if (!count)
        return CL_SUCCESS;
    program->headers = calloc(count, sizeof *program->headers);
    cl_int error = program->headers ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count && !error; i++)
        error =
            program_add_header(program, names[i], sources[i]->source, sources[i]->source_length);
    return error;
}

int program_first_built(const struct _cl_program *program)
{
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        const struct program_build *build = &program->builds[i];
        if (build->code && build->status == CL_BUILD_SUCCESS &&
            build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
            return (int)i;
    }
    return -1;
}

// ---- building -----------------------------------------------------------------------------------

static const cl_int action_failure[] = {
    [PROGRAM_BUILD] = CL_BUILD_PROGRAM_FAILURE,
    [PROGRAM_COMPILE] = CL_COMPILE_PROGRAM_FAILURE,
    [PROGRAM_LINK] = CL_LINK_PROGRAM_FAILURE,
};

static const cl_int action_bad_options[] = {
    [PROGRAM_BUILD] = CL_INVALID_BUILD_OPTIONS,
    [PROGRAM_COMPILE] = CL_INVALID_COMPILER_OPTIONS,
    [PROGRAM_LINK] = CL_INVALID_LINKER_OPTIONS,
};

// Creates device code from a finished compilation; frees that on failure.
static cl_int program_make_code(struct _cl_program *program, int device_index,
                                struct kc_program *built, bool loaded, struct program_code **out)
{
    struct program_code *code = program_code_create(program->context, device_index, built, loaded);
    if (!code) {
        free_built(built, loaded);
        return CL_OUT_OF_HOST_MEMORY;
    }
    code->uniform = built->uniform_work_groups;
    if (built->data_size) {
        cl_int error = cmd_segment_create(code->vk, built, &code->segment);
        if (error) {
            memset(&code->segment, 0, sizeof code->segment);
            program_code_drop(code);
            return error;
        }
    }
    *out = code;
    return CL_SUCCESS;
}

cl_int program_set_log(struct program_build *build, enum kc_status status, const char *log,
                       enum program_action action)
{
    cl_int error = program_set_text(&build->log, log);
    if (status == KC_OK)
        return error;
    build->status = CL_BUILD_ERROR;
    log_write(LOG_BUILD, "%s", build->log);
    if (error || status == KC_OUT_OF_MEMORY)
        return CL_OUT_OF_HOST_MEMORY;
    return status == KC_INVALID_OPTIONS ? action_bad_options[action] : action_failure[action];
}

// Starts compiling pipelines before kernels are created; only for small programs, whose kernels are
// mostly all launched.
static void begin_pipelines(struct program_code *code)
{
    enum { FEW = 16 };
    struct cmd_kernel *kernel;
    if (program_kernel_count(code->program) > FEW)
        return;
    for (uint32_t i = 0; i < code->program->kernel_count; i++)
        if (!code->program->kernels[i].block && !program_code_kernel(code, i, &kernel))
            cmd_kernel_ahead(kernel, false);
}

static cl_int take_code(struct _cl_program *program, int device_index, struct kc_program *built, bool loaded,
                        enum program_action action)
{
    struct program_build *build = &program->builds[device_index];
    if (!built)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = program_set_log(build, built->status, built->log, action);
    if (error)
        free_built(built, loaded);
    else
        error = program_make_code(program, device_index, built, loaded, &build->code);
    if (error)
        return error;
    begin_pipelines(build->code);
    build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    build->status = CL_BUILD_SUCCESS;
    return CL_SUCCESS;
}

cl_int program_set_code(struct _cl_program *program, int device_index, struct kc_program *built,
                        enum program_action action)
{
    return take_code(program, device_index, built, false, action);
}

static cl_int program_build_one(struct _cl_program *program, int device_index, const struct kc_input *input)
{
    const struct context_device *device = &program->context->devices[device_index];
    struct program_cache entry;
    program_cache_begin(&entry, device->vk->facts, input, device->target);
    struct kc_program *built = program_cache_load(&entry);
    bool loaded = built != NULL;
    if (!loaded)
        built = kc_build(input, device->target);
    cl_int error = take_code(program, device_index, built, loaded, PROGRAM_BUILD);
    if (!error && !loaded)
        program_cache_store(&entry, &program->builds[device_index]);
    program_cache_end(&entry);
    return error;
}

static cl_int program_compile_one(struct _cl_program *program, int device_index,
                                  const struct kc_input *input, enum program_action action)
{
    struct program_build *build = &program->builds[device_index];
    const struct kc_target *target = program->context->devices[device_index].target;
    program_build_clear(build);
    build->status = CL_BUILD_ERROR;
    cl_int error = program_set_text(&build->options, input->options);
    if (!error)
        error = program_set_text(&build->log, "");
    if (error)
        return error;
    uint64_t begin = thread_now_ns();
    error = action == PROGRAM_COMPILE ? program_compile_object(build, input, target)
                                      : program_build_one(program, device_index, input);
    cmd_trace_build(action == PROGRAM_COMPILE ? "compile" : "build", "a program", begin);
    return error;
}

// The headers in the compiler's format.
static struct kc_header *program_list_headers(const struct _cl_program *program)
{
    struct kc_header *headers = calloc(program->header_count + 1, sizeof *headers);
    for (uint32_t i = 0; headers && i < program->header_count; i++)
        headers[i] = (struct kc_header){program->headers[i].name, program->headers[i].text,
                                        program->headers[i].length};
    return headers;
}

cl_int program_compile(struct _cl_program *program, const bool *devices, const char *options,
                       enum program_action action)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    struct kc_header *headers = program_list_headers(program);
    struct kc_input input = {
        .source = program->source,
        .length = program->source_length,
        .options = options ? options : "",
        .headers = headers,
        .header_count = program->header_count,
        .il = program->il,
        .il_size = program->il_size,
        .spec_values = program->spec_values,
        .spec_value_count = program->spec_value_count,
    };
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        if (!devices[i])
            continue;
        cl_int one =
            headers ? program_compile_one(program, (int)i, &input, action) : CL_OUT_OF_HOST_MEMORY;
        if (!error)
            error = one;
    }
    free(headers);
    pthread_mutex_unlock(&program->lock);
    return error;
}

cl_int program_refuse_options(struct _cl_program *program, const bool *devices, const char *options,
                              const char *why, enum program_action action)
{
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    for (cl_uint i = 0; i < program->context->device_count; i++) {
        struct program_build *build = &program->builds[i];
        if (!devices[i])
            continue;
        program_build_clear(build);
        error = program_set_text(&build->options, options);
        if (!error)
            error = program_set_log(build, KC_INVALID_OPTIONS, why, action);
    }
    pthread_mutex_unlock(&program->lock);
    return error;
}

struct program_text program_build_source(const struct _cl_program *program, cl_uint device_index)
{
    const struct program_build *build = &program->builds[device_index];
    if (!build->code || build->source.text)
        return build->source;
    return program->header_count ? (struct program_text){0} : (struct program_text){program->source, program->source_length};
}

// Keeps a copy, for binaries of the program.
static cl_int set_source(struct program_build *build, const struct program_text *source)
{
    if (!source->text)
        return CL_SUCCESS;
    char *copy = malloc(source->length + 1);
    if (!copy)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(copy, source->text, source->length);
    copy[source->length] = '\0';
    build->source = (struct program_text){copy, source->length};
    return CL_SUCCESS;
}

// Requires set_source().
static cl_int build_again(struct _cl_program *program, int device_index, const char *options)
{
    const struct program_text *source = &program->builds[device_index].source;
    const struct kc_input input = {.source = source->text, .length = source->length, .options = options};
    cl_int error = program_build_one(program, device_index, &input);
    return error && error != CL_OUT_OF_HOST_MEMORY ? CL_INVALID_BINARY : error;
}

static cl_int take_binary(struct _cl_program *program, int device_index, const struct program_binary *binary)
{
    struct program_build *build = &program->builds[device_index];
    if (binary->program)
        return program_make_code(program, device_index, binary->program, true, &build->code);
    if (binary->object)
        return program_set_object(build, binary->object, binary->object_size);
    return build_again(program, device_index, binary->options);
}

// A binary contains code or an object: clBuildProgram on code only confirms it.
cl_int program_set_binary(struct _cl_program *program, int device_index, const unsigned char *data,
                          size_t size)
{
    struct program_build *build = &program->builds[device_index];
    const struct kc_target *target = program->context->devices[device_index].target;
    struct program_binary binary;
    cl_int error = program_binary_read(data, size, target, &binary);
    if (error)
        return error;
    error = set_source(build, &binary.source);
    if (!error)
        error = take_binary(program, device_index, &binary);
    else if (binary.program)
        program_binary_free(binary.program);
    if (error) {
        free(binary.options);
        return error;
    }
    free(build->options);
    build->options = binary.options;
    build->type = binary.type;
    build->status = CL_BUILD_NONE;
    return CL_SUCCESS;
}
