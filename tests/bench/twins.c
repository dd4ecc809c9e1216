// SPDX-License-Identifier: Apache-2.0
// Kernels in OpenCL C compared with the same kernels in GLSL, on the same device and driver:
// measures the quality of the compiler's code.
//
// A row of `twins` is a pair of programs/NAME.cl and twins/NAME.comp, which do the same work on
// the same data: two input buffers, one output buffer, a number n. Times are the device's, the
// minimum of several launches after one that includes compilation; results are compared. On a CPU
// the work is smaller and times are the process's CPU time, so that other processes do not matter.
//
//   OCL_ICD_VENDORS=libpumice.so bench_twins FOLDER-OF-PROGRAMS [NAME ...]
#include <math.h>
#include <string.h>

#include "bench.h"
#include "bench_cl.h"
#include "bench_device.h"

#include "blur_spv.h"
#include "fft_spv.h"
#include "fill_matrix_spv.h"
#include "gemm_spv.h"
#include "lookup_spv.h"
#include "matvec_half_spv.h"
#include "median_spv.h"
#include "nbody_spv.h"
#include "quotients_double_spv.h"
#include "quotients_spv.h"
#include "reduce_spv.h"
#include "scan_spv.h"
#include "sha256_spv.h"
#include "stencil_spv.h"
#include "transpose_spv.h"

enum { ROUNDS = 9 };
static const size_t compared_bytes = (size_t)1 << 20;

// HALVES: in the first buffer, floats in the second. RISING: n ascending floats from 0 to 1 in the
// first buffer.
enum inputs { FLOATS, INTEGERS, HALVES, RISING };

struct work {
    size_t global[3];
    int n;
    size_t bytes; // of each buffer
};

static const struct twin {
    const char *name;
    const uint32_t *words;
    size_t size;
    size_t local[3];
    struct work large, small; // for a GPU, for a CPU
    enum inputs inputs;
    float tolerance; // of results, relative to the largest; 0: bit for bit
    bool sums;       // one result for each work-group instead of each work-item
} twins[] = {
#define MB (1u << 20)
    {"gemm",
     gemm_spv,
     sizeof gemm_spv,
     {16, 16, 1},
     {{1024, 1024, 1}, 4096, 64 * MB},
     {{128, 128, 1}, 512, MB},
     FLOATS,
     1e-4f,
     false},
    {"reduce",
     reduce_spv,
     sizeof reduce_spv,
     {256, 1, 1},
     {{262144, 1, 1}, 1 << 26, 256 * MB},
     {{16384, 1, 1}, 1 << 24, 64 * MB},
     FLOATS,
     1e-4f,
     true},
    {"nbody",
     nbody_spv,
     sizeof nbody_spv,
     {256, 1, 1},
     {{65536, 1, 1}, 65536, MB},
     {{4096, 1, 1}, 4096, MB},
     FLOATS,
     1e-3f,
     false},
    {"fft",
     fft_spv,
     sizeof fft_spv,
     {128, 1, 1},
     {{1 << 21, 1, 1}, 16, 256 * MB},
     {{1 << 17, 1, 1}, 16, 16 * MB},
     FLOATS,
     1e-4f,
     false},
    {"blur",
     blur_spv,
     sizeof blur_spv,
     {32, 8, 1},
     {{8192, 8192, 1}, 8192, 256 * MB},
     {{1024, 1024, 1}, 1024, 4 * MB},
     INTEGERS,
     0,
     false},
    {"transpose",
     transpose_spv,
     sizeof transpose_spv,
     {32, 8, 1},
     {{8192, 2048, 1}, 8192, 256 * MB},
     {{2048, 512, 1}, 2048, 16 * MB},
     FLOATS,
     1e-6f,
     false},
    {"sha256",
     sha256_spv,
     sizeof sha256_spv,
     {256, 1, 1},
     {{1 << 20, 1, 1}, 64, 8 * MB},
     {{16384, 1, 1}, 64, MB},
     INTEGERS,
     0,
     false},
    {"stencil",
     stencil_spv,
     sizeof stencil_spv,
     {40, 5, 1},
     {{400, 400, 400}, 400, 256 * MB},
     {{120, 120, 120}, 120, 16 * MB},
     FLOATS,
     1e-5f,
     false},
    {"lookup",
     lookup_spv,
     sizeof lookup_spv,
     {256, 1, 1},
     {{4 * MB, 1, 1}, 512 * 1024, 256 * MB},
     {{16384, 1, 1}, 32768, 16 * MB},
     RISING,
     1e-2f,
     false},
    {"quotients",
     quotients_spv,
     sizeof quotients_spv,
     {256, 1, 1},
     {{64 * MB, 1, 1}, 32, 256 * MB},
     {{65536, 1, 1}, 32, MB},
     FLOATS,
     1e-5f,
     false},
    {"quotients_double",
     quotients_double_spv,
     sizeof quotients_double_spv,
     {256, 1, 1},
     {{16 * MB, 1, 1}, 32, 64 * MB},
     {{65536, 1, 1}, 32, MB},
     FLOATS,
     1e-6f,
     false},
    {"fill_matrix",
     fill_matrix_spv,
     sizeof fill_matrix_spv,
     {8, 8, 1},
     {{8192, 8192, 1}, 8192, 256 * MB},
     {{512, 512, 1}, 512, MB},
     FLOATS,
     1e-6f,
     false},
    {"scan",
     scan_spv,
     sizeof scan_spv,
     {256, 1, 1},
     {{32 * MB, 1, 1}, 0, 256 * MB},
     {{65536, 1, 1}, 0, MB},
     INTEGERS,
     0,
     false},
    {"median",
     median_spv,
     sizeof median_spv,
     {32, 8, 1},
     {{4096, 4096, 1}, 4096, 64 * MB},
     {{256, 256, 1}, 256, MB},
     FLOATS,
     1e-6f,
     false},
    {"matvec_half",
     matvec_half_spv,
     sizeof matvec_half_spv,
     {128, 1, 1},
     {{MB, 1, 1}, 8192, 128 * MB},
     {{65536, 1, 1}, 512, MB},
     HALVES,
     1e-4f,
     true},
#undef MB
};
enum { TWINS = sizeof twins / sizeof *twins };

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double least(const double *samples)
{
    double best = samples[0];
    for (unsigned i = 1; i < ROUNDS; i++)
        best = fmin(best, samples[i]);
    return best;
}

// ---- OpenCL -------------------------------------------------------------------------------------

static double launch_cl(const struct bench_cl *cl, const struct twin *twin, const struct work *work,
                        cl_kernel kernel)
{
    cl_event event;
    double begin = processor_time();
    bench_check(clEnqueueNDRangeKernel(cl->queue, kernel, 3, NULL, work->global, twin->local, 0,
                                       NULL, &event),
                twin->name);
    double seconds = bench_seconds(event);
    return cl->is_cpu ? processor_time() - begin : seconds;
}

static double run_cl(const struct bench_cl *cl, const struct twin *twin, const struct work *work,
                     const char *folder, void *const inputs[2], void *result)
{
    cl_kernel kernel = bench_kernel(cl, folder, twin->name);
    if (!kernel)
        exit(1);
    cl_mem buffers[3];
    double samples[ROUNDS];
    for (unsigned i = 0; i < 3; i++) {
        cl_int status;
        buffers[i] =
            clCreateBuffer(cl->context, CL_MEM_READ_WRITE | (i < 2 ? CL_MEM_COPY_HOST_PTR : 0),
                           work->bytes, i < 2 ? inputs[i] : NULL, &status);
        bench_check(status, "clCreateBuffer");
        clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
    }
    cl_int n = work->n;
    clSetKernelArg(kernel, 3, sizeof n, &n);
    launch_cl(cl, twin, work, kernel);
    for (unsigned i = 0; i < ROUNDS; i++)
        samples[i] = launch_cl(cl, twin, work, kernel);
    bench_check(clEnqueueReadBuffer(cl->queue, buffers[2], CL_TRUE, 0, compared_bytes, result, 0,
                                    NULL, NULL),
                "read");
    for (unsigned i = 0; i < 3; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    return least(samples);
}

// ---- Vulkan -------------------------------------------------------------------------------------

struct clock {
    VkQueryPool pool;
    double tick; // seconds
    bool is_cpu;
};

static struct clock open_clock(struct vk *vk)
{
    struct clock clock;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(vk->physical, &properties);
    clock.tick = (double)properties.limits.timestampPeriod * 1e-9;
    clock.is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    VK(vkCreateQueryPool(vk->device,
                         &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                                  .queryCount = 2},
                         NULL, &clock.pool));
    return clock;
}

static void copy_in(struct vk *vk, const struct vk_memory *staging, const struct vk_memory *to,
                    const void *data, size_t bytes)
{
    VkBufferCopy all = {0, 0, bytes};
    memcpy(staging->map, data, bytes);
    vk_begin(vk);
    vkCmdCopyBuffer(vk->commands, staging->buffer, to->buffer, 1, &all);
    vk_barrier(vk);
    vk_finish(vk);
}

static double launch_vk(struct vk *vk, const struct twin *twin, const struct work *work,
                        const struct clock *clock, VkPipeline pipeline, VkDescriptorSet set)
{
    uint64_t times[2];
    int32_t n = work->n;
    double begin = processor_time();
    vk_begin(vk);
    vkCmdResetQueryPool(vk->commands, clock->pool, 0, 2);
    vkCmdBindPipeline(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &set, 0,
                            NULL);
    vkCmdPushConstants(vk->commands, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof n, &n);
    vkCmdWriteTimestamp(vk->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, clock->pool, 0);
    vkCmdDispatch(vk->commands, (uint32_t)(work->global[0] / twin->local[0]),
                  (uint32_t)(work->global[1] / twin->local[1]),
                  (uint32_t)(work->global[2] / twin->local[2]));
    vkCmdWriteTimestamp(vk->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock->pool, 1);
    vk_barrier(vk);
    vk_finish(vk);
    VK(vkGetQueryPoolResults(vk->device, clock->pool, 0, 2, sizeof times, times, sizeof *times,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    return clock->is_cpu ? processor_time() - begin : (double)(times[1] - times[0]) * clock->tick;
}

static double run_vk(struct vk *vk, const struct twin *twin, const struct work *work,
                     const struct clock *clock, void *const inputs[2], void *result)
{
    VkMemoryPropertyFlags visible =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    struct vk_memory staging = vk_memory_create(vk, work->bytes, visible), buffers[3];
    double samples[ROUNDS];
    for (unsigned i = 0; i < 3; i++)
        buffers[i] = vk_memory_create(vk, work->bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    for (unsigned i = 0; i < 2; i++)
        copy_in(vk, &staging, &buffers[i], inputs[i], work->bytes);
    VkDescriptorSet set = vk_bind(vk, buffers, 3);
    VkPipeline pipeline = vk_pipeline_create(vk, twin->words, twin->size);
    launch_vk(vk, twin, work, clock, pipeline, set);
    for (unsigned i = 0; i < ROUNDS; i++)
        samples[i] = launch_vk(vk, twin, work, clock, pipeline, set);
    VkBufferCopy part = {0, 0, compared_bytes};
    vk_begin(vk);
    vkCmdCopyBuffer(vk->commands, buffers[2].buffer, staging.buffer, 1, &part);
    vk_barrier(vk);
    vk_finish(vk);
    memcpy(result, staging.map, compared_bytes);
    vkDestroyPipeline(vk->device, pipeline, NULL);
    VK(vkResetDescriptorPool(vk->device, vk->sets, 0));
    for (unsigned i = 0; i < 3; i++)
        vk_memory_destroy(vk, &buffers[i]);
    vk_memory_destroy(vk, &staging);
    return least(samples);
}

// ---- side by side -------------------------------------------------------------------------------

static void fill(const struct twin *twin, const struct work *work, void *const inputs[2])
{
    for (unsigned k = 0; k < 2; k++)
        bench_fill(inputs[k], work->bytes,
                   twin->inputs == INTEGERS           ? BENCH_INTEGERS
                   : twin->inputs == HALVES && k == 0 ? BENCH_HALVES
                                                      : BENCH_FLOATS,
                   k + 1);
    float *grid = inputs[0];
    for (int i = 0; twin->inputs == RISING && i < work->n; i++)
        grid[i] = ((float)i + 0.75f * grid[i]) / (float)work->n;
}

static size_t result_bytes(const struct twin *twin, const struct work *work)
{
    size_t items =
        work->global[0] * work->global[1] * work->global[2] / (twin->sums ? twin->local[0] : 1);
    return items * 4 < compared_bytes ? items * 4 : compared_bytes;
}

int main(int argc, char **argv)
{
    struct bench_cl cl = {0};
    struct vk vk = {0};
    double log_sum = 0;
    unsigned rows = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_twins FOLDER [NAME ...]\n");
        return 1;
    }
    if (!bench_cl_open(&cl, NULL, CL_QUEUE_PROFILING_ENABLE) || !vk_open(&vk, cl.name))
        return 77;
    struct clock clock = open_clock(&vk);
    void *results[2] = {malloc(compared_bytes), malloc(compared_bytes)};
    printf("device: %s\n%-12s %12s %12s %8s\n", cl.name, "", "OpenCL ms", "GLSL ms", "ratio");
    for (unsigned i = 0; i < TWINS; i++) {
        const struct twin *twin = &twins[i];
        const struct work *work = cl.is_cpu ? &twin->small : &twin->large;
        if (!bench_wanted(twin->name, argc - 2, argv + 2))
            continue;
        void *inputs[2] = {malloc(work->bytes), malloc(work->bytes)};
        fill(twin, work, inputs);
        double ours = run_cl(&cl, twin, work, argv[1], inputs, results[0]);
        double theirs = run_vk(&vk, twin, work, &clock, inputs, results[1]);
        bool same = bench_alike(results[0], results[1], result_bytes(twin, work), twin->tolerance);
        printf("%-12s %12.4f %12.4f %8.2f%s\n", twin->name, ours * 1e3, theirs * 1e3, ours / theirs,
               same ? "" : " other results");
        fflush(stdout);
        log_sum += log(ours / theirs);
        rows++;
        free(inputs[0]);
        free(inputs[1]);
    }
    printf("%-12s %34.2f  (below 1: OpenCL is faster)\n", "mean", rows ? exp(log_sum / rows) : 0);
    vkDestroyQueryPool(vk.device, clock.pool, NULL);
    vk_close(&vk);
    free(results[0]);
    free(results[1]);
    bench_cl_close(&cl);
    return 0;
}
