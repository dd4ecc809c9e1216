// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines, compiled by the launch that needs one, or earlier by background threads.
//
// A pipeline is identified by the values of the kernel's specialization constants: local size,
// sizes of local arguments, samplers and, if the device needs named image formats, those formats.
// Each kernel has a short list of pipelines, and the most recent one is found without a lock. They
// live as long as the kernel. One lock guards all lists; it is not held while the driver compiles,
// so a launch waits only for its own pipeline.
//
// A driver compiles for a few milliseconds up to seconds, which delays a program's first launch. So
// likely pipelines are requested as soon as a program is built, and threads compile them in the
// background (PUMICE_AHEAD): those that an earlier process has used first (vulkan/recall.h), else
// by guesses. Order: what created kernels most probably need (the local size of the
// last launch of another kernel), then other kernels of small programs, then second guesses. If a
// kernel's first launch finds none of them ready, it cancels its kernel's queued jobs and compiles
// the pipeline itself. If its local size differs from the prediction, kernels that have not been
// launched yet get a pipeline for that size too. Few pipelines are compiled until launches use
// them, because most kernels of a library are never launched. A thread is inside the gate while it
// compiles (util/gate.h), like any caller; a kernel that is destroyed meanwhile is freed by the
// last thread that works on it. Not on CPU devices: they compile at the first run, and need the CPU
// themselves.
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "command/kernel.h"
#include "util/gate.h"
#include "util/hash.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"

struct cmd_pipeline {
    struct cmd_pipeline *next;
    VkPipeline handle;
    bool ready; // else a thread is compiling it
    bool run;   // a launch has used it
    bool ahead; // compiled because of a guess
    uint32_t values[];
};

// Everything needed to create a pipeline, independent of the kernel's description, which may be
// freed meanwhile.
struct recipe {
    VkPipelineLayout layout;
    VkShaderModule module;
    bool own_module; // used by this pipeline only
    bool full_subgroups;
    uint32_t lanes; // required sub-group size; 0: none
    uint32_t count;
    struct vk_spec specs[VK_SPEC_MAX];
    char name[64];
};

struct job {
    struct job *next;
    struct cmd_kernel *kernel;
    struct cmd_pipeline *pipeline;
    struct recipe recipe;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; // a pipeline is ready or has failed;
                                                          // there is a job
enum { THREADS_MAX = 16, THREADS_USUAL = 8 };
enum { JOBS_MAX = 64, GUESSES_FREE = 32, GUESSES_EARNED = 4, REGUESSES_MAX = 2 };
enum order { CREATED, BUILT, SECOND, ORDERS }; // first guesses for created kernels, for other
                                               // kernels; second guesses
static struct {
    struct job *jobs[ORDERS];
    struct cmd_kernel *waiting; // kernels with guesses and without a launch yet, in order
    unsigned begun, used; // number of guesses
    unsigned threads, idle;
    struct worker {
        struct cmd_kernel *kernel; // that the thread is compiling for
        bool orphan;               // the kernel's owner has destroyed it
    } workers[THREADS_MAX];
} ahead;

// ---- recipes ------------------------------------------------------------------------------------

// Vulkan allows full sub-groups only if they fill a row of the work-group.
static bool wants_full_subgroups(const struct cmd_kernel *kernel, const uint32_t *values)
{
    const struct kc_kernel *info = kernel->info;
    uint32_t size = (uint32_t)cmd_kernel_preferred_multiple(kernel), row = info->reqd_local_size[0];
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_LOCAL_SIZE && info->specs[i].dim == 0)
            row = values[i];
    return info->uses_subgroups && kernel->device->facts->features.full_subgroups && size &&
           row % size == 0;
}

static bool names_formats(const struct kc_kernel *info)
{
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind == KC_SPEC_IMAGE_FORMAT)
            return true;
    return false;
}

static VkResult own_module(const struct cmd_kernel *kernel, const uint32_t *values, VkShaderModule *module)
{
    size_t count;
    uint32_t *words = kc_name_formats(kernel->info, values, &count);
    VkResult result = words ? vk_module_create(kernel->device, words, count, module) : VK_ERROR_OUT_OF_HOST_MEMORY;
    free(words);
    return result;
}

static uint32_t fill_constants(const struct kc_kernel *info, const uint32_t *values, struct vk_spec *specs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->spec_count; i++)
        if (info->specs[i].kind != KC_SPEC_IMAGE_FORMAT)
            specs[count++] = (struct vk_spec){info->specs[i].id, values[i]};
    return count;
}

static void set_values(const struct cmd_kernel *kernel, const uint32_t *values, struct recipe *recipe)
{
    recipe->full_subgroups = wants_full_subgroups(kernel, values);
    recipe->lanes = cmd_kernel_lanes(kernel);
    recipe->count = fill_constants(kernel->info, values, recipe->specs);
}

static VkResult make_recipe(struct cmd_kernel *kernel, const uint32_t *values, struct recipe *recipe)
{
    const struct kc_kernel *info = kernel->info;
    if (info->spec_count > VK_SPEC_MAX)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    recipe->own_module = names_formats(info);
    set_values(kernel, values, recipe);
    strncpy(recipe->name, info->name, sizeof recipe->name - 1);
    recipe->name[sizeof recipe->name - 1] = 0;
    VkResult result = cmd_kernel_layout(kernel, &recipe->layout);
    if (result == VK_SUCCESS && recipe->own_module)
        result = own_module(kernel, values, &recipe->module);
    else if (result == VK_SUCCESS)
        result = cmd_kernel_module(kernel, &recipe->module);
    return result;
}

static VkResult compile(struct vk_device *device, const struct recipe *recipe, const char *when, VkPipeline *handle)
{
    uint64_t begin = thread_now_ns();
    bool cached = false;
    VkResult result = vk_pipeline_create(device, recipe->layout, recipe->module, recipe->specs, recipe->count,
                                         recipe->full_subgroups, recipe->lanes, handle, &cached);
    if (recipe->own_module)
        vk_module_destroy(device, recipe->module);
    cmd_trace_build("pipeline of", recipe->name, begin);
    log_write(LOG_BUILD, "pipeline of %s: %s in %.2f ms%s%s", recipe->name, vk_result_name(result),
              (double)(thread_now_ns() - begin) * 1e-6, cached ? ", from the cache" : "", when);
    return result;
}

// ---- the list of a kernel: under the lock -------------------------------------------------------

static struct cmd_pipeline *new_pipeline(const struct cmd_kernel *kernel, const uint32_t *values)
{
    size_t size = kernel->info->spec_count * sizeof *values;
    struct cmd_pipeline *pipeline = calloc(1, sizeof *pipeline + size);
    if (pipeline)
        memcpy(pipeline->values, values, size);
    return pipeline;
}

static bool has_values(const struct cmd_kernel *kernel, const struct cmd_pipeline *pipeline,
                       const uint32_t *values)
{
    return !memcmp(pipeline->values, values, kernel->info->spec_count * sizeof *values);
}

static struct cmd_pipeline *find(const struct cmd_kernel *kernel, const uint32_t *values)
{
    struct cmd_pipeline *pipeline = kernel->pipelines;
    while (pipeline && !has_values(kernel, pipeline, values))
        pipeline = pipeline->next;
    return pipeline;
}

static void put(struct cmd_kernel *kernel, struct cmd_pipeline *pipeline)
{
    pipeline->next = kernel->pipelines;
    kernel->pipelines = pipeline;
}

// Marks a pipeline as ready, or removes a failed one, and wakes its waiters.
static void set_result(struct cmd_kernel *kernel, struct cmd_pipeline *pipeline, VkResult result)
{
    struct cmd_pipeline **at = &kernel->pipelines;
    pipeline->ready = result == VK_SUCCESS;
    pthread_cond_broadcast(&changed);
    if (pipeline->ready)
        return;
    while (*at != pipeline)
        at = &(*at)->next;
    *at = pipeline->next;
    free(pipeline);
}

static void end_job(struct job *job)
{
    vk_compile_ended();
    free(job);
}

static void drop_job(struct job *job)
{
    free(job->pipeline);
    end_job(job);
}

// Removes the kernel's jobs that have not been started.
static void drop_jobs(const struct cmd_kernel *kernel)
{
    for (int order = 0; order < ORDERS; order++)
        for (struct job **at = &ahead.jobs[order]; *at;) {
            struct job *job = *at;
            if (job->kernel != kernel) {
                at = &job->next;
                continue;
            }
            *at = job->next;
            drop_job(job);
        }
}

// ---- kernels before their first launch: under the lock ------------------------------------------

static void add_waiting(struct cmd_kernel *kernel)
{
    struct cmd_kernel **at = &ahead.waiting;
    while (*at)
        at = &(*at)->next_waiting;
    *at = kernel;
    kernel->waiting = true;
}

// In a forked child the list is empty.
static void end_waiting(struct cmd_kernel *kernel)
{
    struct cmd_kernel **at = &ahead.waiting;
    if (!kernel->waiting)
        return;
    while (*at && *at != kernel)
        at = &(*at)->next_waiting;
    if (*at)
        *at = kernel->next_waiting;
    kernel->next_waiting = NULL;
    kernel->waiting = false;
}

static void guess_for_waiting(void);

// Uses the size of a launch that had to compile as a prediction for other kernels.
static void learn(struct cmd_kernel *kernel, const uint32_t *values)
{
    bool first = kernel->waiting;
    end_waiting(kernel);
    cmd_kernel_note(kernel, values);
    // `guessed` is false for built-in kernels
    if (atomic_load(&kernel->guessed) && cmd_kernel_learn(kernel, values) && first)
        guess_for_waiting();
}

// ---- launches -----------------------------------------------------------------------------------

// Releases the lock temporarily.
static VkResult make_now(struct cmd_kernel *kernel, const uint32_t *values, struct cmd_pipeline **out)
{
    struct recipe recipe;
    struct cmd_pipeline *pipeline = new_pipeline(kernel, values);
    if (!pipeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    put(kernel, pipeline);
    pthread_mutex_unlock(&lock);
    VkResult result = make_recipe(kernel, values, &recipe);
    if (result == VK_SUCCESS)
        result = compile(kernel->device, &recipe, "", &pipeline->handle);
    pthread_mutex_lock(&lock);
    *out = pipeline;
    set_result(kernel, pipeline, result);
    return result;
}

VkResult cmd_kernel_pipeline(struct cmd_kernel *kernel, const uint32_t *values, VkPipeline *handle, bool *first)
{
    struct cmd_pipeline *pipeline = atomic_load_explicit(&kernel->recent, memory_order_acquire);
    VkResult result = VK_SUCCESS;
    if (pipeline && has_values(kernel, pipeline, values)) {
        *handle = pipeline->handle;
        return VK_SUCCESS;
    }
    result = vk_device_check(kernel->device);
    if (result != VK_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    while ((pipeline = find(kernel, values)) && !pipeline->ready)
        pthread_cond_wait(&changed, &lock);
    drop_jobs(kernel); // they are for other sizes
    learn(kernel, values);
    if (!pipeline)
        result = make_now(kernel, values, &pipeline);
    if (result == VK_SUCCESS) {
        *handle = pipeline->handle;
        *first |= !pipeline->run;
        if (pipeline->ahead && !pipeline->run) {
            ahead.used++; // this allows more guesses
            pthread_cond_broadcast(&changed);
        }
        pipeline->run = true;
        atomic_store_explicit(&kernel->recent, pipeline, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

// ---- background compilation ---------------------------------------------------------------------

// Updates the job's guess with what was learnt since it was queued; false: nothing left to guess,
// or the pipeline exists.
static bool guess_again(struct job *job, int guess)
{
    struct cmd_kernel *kernel = job->kernel;
    uint32_t values[VK_SPEC_MAX];
    if (!cmd_kernel_guess(kernel, guess, values) || find(kernel, values))
        return false;
    memcpy(job->pipeline->values, values, kernel->info->spec_count * sizeof *values);
    set_values(kernel, values, &job->recipe);
    return true;
}

// Second guesses are rarely right.
static bool is_worth_compiling(enum order order)
{
    unsigned most = GUESSES_FREE + ahead.used * GUESSES_EARNED;
    return ahead.begun < (order == SECOND ? most / 2 : most);
}

// Under the lock.
static struct job *take_job(struct worker *worker)
{
    for (int order = 0; order < ORDERS; order++)
        for (struct job *job; is_worth_compiling((enum order)order) && (job = ahead.jobs[order]);) {
            ahead.jobs[order] = job->next;
            if (!guess_again(job, order == SECOND)) {
                drop_job(job);
                continue;
            }
            ahead.begun++;
            job->pipeline->ahead = true;
            worker->kernel = job->kernel;
            vk_device_retain(job->kernel->device); // the kernel and its context may be released
                                                   // meanwhile
            put(job->kernel, job->pipeline);
            return job;
        }
    return NULL;
}

static struct job *wait_for_job(struct worker *worker)
{
    struct job *job;
    pthread_mutex_lock(&lock);
    while (!(job = take_job(worker))) {
        unsigned depth = gate_step_out();
        ahead.idle++;
        pthread_cond_wait(&changed, &lock);
        ahead.idle--;
        pthread_mutex_unlock(&lock);
        gate_step_in(depth);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return job;
}

// Whether a thread is compiling for the kernel.
static bool has_worker(const struct cmd_kernel *kernel)
{
    for (unsigned i = 0; i < ahead.threads; i++)
        if (ahead.workers[i].kernel == kernel)
            return true;
    return false;
}

static void do_job(struct worker *worker, struct job *job)
{
    struct cmd_kernel *kernel = job->kernel;
    struct vk_device *device = kernel->device;
    VkResult result = compile(device, &job->recipe, ", ahead", &job->pipeline->handle);
    pthread_mutex_lock(&lock);
    set_result(kernel, job->pipeline, result);
    bool orphan = worker->orphan;
    *worker = (struct worker){0};
    orphan &= !has_worker(kernel); // the last thread frees it
    pthread_mutex_unlock(&lock);
    if (orphan)
        cmd_kernel_free(kernel);
    vk_device_close(device);
    end_job(job);
}

// Each job is a separate visit to the gate: at the end of the process the thread waits like all
// others.
static void *thread_main(void *worker)
{
    for (;;) {
        struct gate_visitor *visitor = gate_enter();
        do_job(worker, wait_for_job(worker));
        gate_leave(&visitor);
    }
    return NULL;
}

static unsigned wanted_threads(const struct vk_device *device)
{
    const char *wish = option_get(OPTION_AHEAD);
    unsigned long count = wish ? strtoul(wish, NULL, 0) : 0;
    unsigned processors = thread_processors();
    if (wish)
        return count < THREADS_MAX ? (unsigned)count : THREADS_MAX;
    if (device->facts->props.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU || processors <= 2)
        return 0;
    return processors / 2 < THREADS_USUAL ? processors / 2 : THREADS_USUAL;
}

// Leaves CPU cores to other threads.
static bool may_start(const struct vk_device *device)
{
    return ahead.threads < wanted_threads(device) &&
           (!ahead.threads || option_get(OPTION_AHEAD) || thread_idle_processors() > 1);
}

// Under the lock. If no thread can be started, the jobs stay queued until launches cancel them.
// False: the queue is full.
static bool add_job(struct job *job, enum order order)
{
    pthread_t thread;
    unsigned before = 0;
    struct job **at = &ahead.jobs[order];
    for (; *at; at = &(*at)->next)
        before++;
    if (before >= JOBS_MAX)
        return false;
    vk_compile_begins();
    *at = job;
    if (before >= ahead.idle && may_start(job->kernel->device) &&
        !thread_start(&thread, "pumice ahead", thread_main, &ahead.workers[ahead.threads])) {
        pthread_detach(thread);
        ahead.threads++;
    }
    pthread_cond_broadcast(&changed);
    return true;
}

static struct job *new_job(struct cmd_kernel *kernel, const uint32_t *values)
{
    struct job *job = calloc(1, sizeof *job);
    struct cmd_pipeline *pipeline = job ? new_pipeline(kernel, values) : NULL;
    if (!pipeline || make_recipe(kernel, values, &job->recipe) != VK_SUCCESS) {
        free(pipeline);
        free(job);
        return NULL;
    }
    job->kernel = kernel;
    job->pipeline = pipeline;
    return job;
}

static void free_job(struct job *job)
{
    free(job->pipeline);
    free(job);
}

static void guess_one(struct cmd_kernel *kernel, enum order order)
{
    uint32_t values[VK_SPEC_MAX];
    struct job *job = cmd_kernel_guess(kernel, order == SECOND, values) ? new_job(kernel, values) : NULL;
    if (!job)
        return;
    pthread_mutex_lock(&lock);
    if (!kernel->waiting)
        add_waiting(kernel);
    if (!add_job(job, order))
        free_job(job);
    pthread_mutex_unlock(&lock);
}

static bool has_job(const struct cmd_kernel *kernel)
{
    for (int order = 0; order < SECOND; order++)
        for (const struct job *job = ahead.jobs[order]; job; job = job->next)
            if (job->kernel == kernel)
                return true;
    return false;
}

// Queued jobs update themselves. Under the lock: the kernel has had a job, so its module exists.
static void guess_for_waiting(void)
{
    uint32_t values[VK_SPEC_MAX];
    for (struct cmd_kernel *kernel = ahead.waiting; kernel; kernel = kernel->next_waiting) {
        if (kernel->reguesses == REGUESSES_MAX || has_job(kernel) ||
            !cmd_kernel_guess(kernel, 0, values) || find(kernel, values))
            continue;
        struct job *job = new_job(kernel, values);
        if (job && !add_job(job, kernel->created ? CREATED : BUILT)) {
            free_job(job);
            return;
        }
        kernel->reguesses++;
    }
}

// Moves the kernel's first guess to the jobs of created kernels.
static void prioritize(struct cmd_kernel *kernel)
{
    pthread_mutex_lock(&lock);
    struct job **at = &ahead.jobs[BUILT], **end = &ahead.jobs[CREATED];
    while (*at && (*at)->kernel != kernel)
        at = &(*at)->next;
    struct job *job = *at;
    if (job) {
        *at = job->next;
        while (*end)
            end = &(*end)->next;
        job->next = NULL;
        *end = job;
    }
    kernel->created = true;
    pthread_mutex_unlock(&lock);
}

// Never 0.
static uint64_t code_of(const struct kc_kernel *info)
{
    uint64_t code = hash_bytes64(info->name, strlen(info->name));
    for (size_t i = 0; i < info->spirv_words; i++)
        code = hash_combine(code, info->spirv[i]);
    return code ? code : 1;
}

void cmd_kernel_ahead(struct cmd_kernel *kernel, bool created)
{
    if (!wanted_threads(kernel->device) || gate_ended() || vk_device_check(kernel->device) != VK_SUCCESS)
        return;
    cmd_fork_watch();
    if (!atomic_exchange(&kernel->guessed, true)) {
        kernel->code = code_of(kernel->info);
        guess_one(kernel, created ? CREATED : BUILT);
        if (!created)
            return;
        pthread_mutex_lock(&lock);
        kernel->created = true;
        pthread_mutex_unlock(&lock);
        guess_one(kernel, SECOND);
    } else if (created && !atomic_exchange(&kernel->prioritized, true)) {
        prioritize(kernel);
        guess_one(kernel, SECOND);
    }
}

// ---- the end ------------------------------------------------------------------------------------

bool cmd_kernel_orphan(struct cmd_kernel *kernel)
{
    pthread_mutex_lock(&lock);
    drop_jobs(kernel);
    end_waiting(kernel);
    bool orphan = has_worker(kernel);
    for (unsigned i = 0; i < ahead.threads; i++)
        ahead.workers[i].orphan |= ahead.workers[i].kernel == kernel;
    pthread_mutex_unlock(&lock);
    return orphan;
}

void cmd_pipelines_free(struct cmd_kernel *kernel, bool ours)
{
    while (kernel->pipelines) {
        struct cmd_pipeline *next = kernel->pipelines->next;
        if (ours)
            vk_pipeline_destroy(kernel->device, kernel->pipelines->handle);
        free(kernel->pipelines);
        kernel->pipelines = next;
    }
}

void cmd_ahead_fork(enum cmd_fork when)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    if (when == CMD_FORK_BEFORE) {
        pthread_mutex_lock(&lock);
        return;
    }
    if (when == CMD_FORK_CHILD) { // no threads exist there
        changed = fresh;
        memset(&ahead, 0, sizeof ahead);
    }
    pthread_mutex_unlock(&lock);
}
