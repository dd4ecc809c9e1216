// SPDX-License-Identifier: Apache-2.0
// A kernel's pipelines: made by the launch that needs one, or ahead of it by a thread of ours.
//
// A pipeline is known by the values of the kernel's specialization constants (local size, local argument sizes, what its
// samplers are), of which the formats of its images are one kind where the device wants them named: a short list per
// kernel, and the last used one without a lock. They stay as long as the kernel. One lock guards all lists; nobody holds
// it while a driver compiles, so a launch waits for no pipeline but its own.
//
// A driver takes from a few milliseconds to seconds to compile, which is long where a program waits for its first
// launch. So the likely pipelines of kernels are asked for as soon as a program is built, and threads make them while the
// program goes on (PUMICE_AHEAD): first what kernels that have been created most probably need (the local size of the last
// launch of another), then other kernels of small programs, then second guesses. The first launch that finds none of them ready
// takes back what has not been begun for its kernel and compiles itself; if it has another local size than was expected,
// kernels that wait for their first launch get a pipeline for that, too. Few are made unless launches use them: most kernels
// of a library are never launched. A thread is inside the gate while it compiles (util/gate.h), as any caller; a kernel that is
// destroyed meanwhile goes when the last thread at it has done. Not on CPU devices: they compile at the first run, and the
// processors are theirs.
#include <stdlib.h>
#include <string.h>

#include "command/internal.h"
#include "command/kernel.h"
#include "util/gate.h"
#include "util/log.h"
#include "util/options.h"
#include "util/thread.h"

struct cmd_pipeline {
    struct cmd_pipeline *next;
    VkPipeline handle;
    bool ready; // else somebody is at it
    bool run;   // some launch has had it
    bool ahead; // it was guessed
    uint32_t values[];
};

// All that is needed to make a pipeline, so that the kernel's description need not be there any more.
struct recipe {
    VkPipelineLayout layout;
    VkShaderModule module;
    bool own_module; // of this pipeline alone
    bool full_subgroups;
    uint32_t lanes; // that it asks for; 0: does not
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
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; // a pipeline is ready, or is none; there is a job
enum { THREADS_MAX = 16, THREADS_USUAL = 8 };
enum { JOBS_MOST = 64, GUESSES_FREE = 32, GUESSES_EARNED = 4, REGUESSES_MOST = 2 };
enum order { CREATED, BUILT, SECOND, ORDERS }; // first guesses of kernels there are, of other kernels; second ones
static struct {
    struct job *jobs[ORDERS];
    struct cmd_kernel *waiting; // kernels that have guesses and no launch yet, in order
    unsigned begun, used; // guesses
    unsigned threads, idle;
    struct worker {
        struct cmd_kernel *kernel; // that the thread is at
        bool orphan;               // which its owner has destroyed
    } workers[THREADS_MAX];
} ahead;

// ---- recipes ------------------------------------------------------------------------------------

// Vulkan allows to ask for full sub-groups only where they fill a row of the work-group.
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

// Whoever waits for it looks again.
static void settle(struct cmd_kernel *kernel, struct cmd_pipeline *pipeline, VkResult result)
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

// Those of a kernel that nobody has begun.
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

// ---- kernels that wait for their first launch: under the lock -----------------------------------

static void add_waiting(struct cmd_kernel *kernel)
{
    struct cmd_kernel **at = &ahead.waiting;
    while (*at)
        at = &(*at)->next_waiting;
    *at = kernel;
    kernel->waiting = true;
}

// In a child of fork() the list is empty.
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

// What a launch that has to compile tells of others.
static void learn(struct cmd_kernel *kernel, const uint32_t *values)
{
    bool first = kernel->waiting;
    end_waiting(kernel);
    if (atomic_load(&kernel->guessed) && cmd_kernel_learn(kernel, values) && first) // not by kernels of our own
        guess_for_waiting();
}

// ---- launches -----------------------------------------------------------------------------------

// Under the lock, which it gives up for a while.
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
    settle(kernel, pipeline, result);
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
    drop_jobs(kernel); // of other sizes than it takes
    learn(kernel, values);
    if (!pipeline)
        result = make_now(kernel, values, &pipeline);
    if (result == VK_SUCCESS) {
        *handle = pipeline->handle;
        *first |= !pipeline->run;
        if (pipeline->ahead && !pipeline->run) {
            ahead.used++; // which allows for more
            pthread_cond_broadcast(&changed);
        }
        pipeline->run = true;
        atomic_store_explicit(&kernel->recent, pipeline, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

// ---- ahead --------------------------------------------------------------------------------------

// By what has been learnt since the job was asked for; false: nothing is left to guess, or somebody has made that.
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

// Second guesses are seldom right.
static bool is_worth(enum order order)
{
    unsigned most = GUESSES_FREE + ahead.used * GUESSES_EARNED;
    return ahead.begun < (order == SECOND ? most / 2 : most);
}

// Under the lock.
static struct job *take_job(struct worker *worker)
{
    for (int order = 0; order < ORDERS; order++)
        for (struct job *job; is_worth((enum order)order) && (job = ahead.jobs[order]);) {
            ahead.jobs[order] = job->next;
            if (!guess_again(job, order == SECOND)) {
                drop_job(job);
                continue;
            }
            ahead.begun++;
            job->pipeline->ahead = true;
            worker->kernel = job->kernel;
            vk_device_retain(job->kernel->device); // the kernel, and its context, may go meanwhile
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

// Whether some thread is at the kernel.
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
    settle(kernel, job->pipeline, result);
    bool orphan = worker->orphan;
    *worker = (struct worker){0};
    orphan &= !has_worker(kernel); // the last one lets it go
    pthread_mutex_unlock(&lock);
    if (orphan)
        cmd_kernel_free(kernel);
    vk_device_close(device);
    end_job(job);
}

// Each job is a visit of its own: at the end of the process the thread waits like all others.
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

// Others may need the processors.
static bool may_start(const struct vk_device *device)
{
    return ahead.threads < wanted_threads(device) &&
           (!ahead.threads || option_get(OPTION_AHEAD) || thread_idle_processors() > 1);
}

// Under the lock. Without a thread the jobs lie until launches take them back. False: there are enough of them.
static bool add_job(struct job *job, enum order order)
{
    pthread_t thread;
    unsigned before = 0;
    struct job **at = &ahead.jobs[order];
    for (; *at; at = &(*at)->next)
        before++;
    if (before >= JOBS_MOST)
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

// Jobs that nobody has begun follow by themselves. Under the lock: the kernel has had a job, so its module is there.
static void guess_for_waiting(void)
{
    uint32_t values[VK_SPEC_MAX];
    for (struct cmd_kernel *kernel = ahead.waiting; kernel; kernel = kernel->next_waiting) {
        if (kernel->reguesses == REGUESSES_MOST || has_job(kernel) || !cmd_kernel_guess(kernel, 0, values) || find(kernel, values))
            continue;
        struct job *job = new_job(kernel, values);
        if (job && !add_job(job, kernel->created ? CREATED : BUILT)) {
            free_job(job);
            return;
        }
        kernel->reguesses++;
    }
}

// Its first guess goes to those of kernels that have been created.
static void hurry(struct cmd_kernel *kernel)
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

void cmd_kernel_ahead(struct cmd_kernel *kernel, bool created)
{
    if (!wanted_threads(kernel->device) || gate_ended() || vk_device_check(kernel->device) != VK_SUCCESS)
        return;
    cmd_fork_watch();
    if (!atomic_exchange(&kernel->guessed, true)) {
        guess_one(kernel, created ? CREATED : BUILT);
        if (!created)
            return;
        pthread_mutex_lock(&lock);
        kernel->created = true;
        pthread_mutex_unlock(&lock);
        guess_one(kernel, SECOND);
    } else if (created && !atomic_exchange(&kernel->hurried, true)) {
        hurry(kernel);
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
    if (when == CMD_FORK_CHILD) { // which has no threads
        changed = fresh;
        memset(&ahead, 0, sizeof ahead);
    }
    pthread_mutex_unlock(&lock);
}
