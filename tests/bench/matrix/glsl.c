// SPDX-License-Identifier: Apache-2.0
// See glsl.h.
#include "glsl.h"

#include <string.h>

#include "../bench.h"
#include "extensions.h"

const struct shader *shader_find(const char *form, const char *types)
{
    for (unsigned i = 0; i < shader_count; i++)
        if (!strcmp(shaders[i].form, form) && !strcmp(shaders[i].types, types))
            return &shaders[i];
    return NULL;
}

// ---- the device ---------------------------------------------------------------------------------

static bool has_extension(VkPhysicalDevice device, const char *name)
{
    uint32_t count = 0;
    bool found = false;
    vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL);
    VkExtensionProperties *all = calloc(count + 1, sizeof *all);
    vkEnumerateDeviceExtensionProperties(device, NULL, &count, all);
    for (uint32_t i = 0; i < count && !found; i++)
        found = !strcmp(all[i].extensionName, name);
    free(all);
    return found;
}

// All features of the device, except for checks that cost time.
struct features {
    VkPhysicalDeviceFeatures2 base;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    struct matrix_features matrix;
    struct matrix2_features matrix2;
    struct bfloat16_features bfloat;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics;
    const char *extensions[4];
    uint32_t count;
};

static void add_feature(struct features *f, const char *extension, void *structure, int32_t type)
{
    VkBaseOutStructure *new = structure;
    new->sType = (VkStructureType)type;
    new->pNext = f->base.pNext;
    f->base.pNext = structure;
    if (extension)
        f->extensions[f->count++] = extension;
}

static void find_features(struct glsl *g, struct features *f)
{
    static const char matrix[] = "VK_KHR_cooperative_matrix", bfloat[] = "VK_KHR_shader_bfloat16",
                      matrix2[] = "VK_NV_cooperative_matrix2",
                      statistics[] = "VK_KHR_pipeline_executable_properties";
    VkPhysicalDevice device = g->vk.physical;
    *f = (struct features){.base.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    add_feature(f, NULL, &f->v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    add_feature(f, NULL, &f->v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    add_feature(f, NULL, &f->v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    if (has_extension(device, matrix))
        add_feature(f, matrix, &f->matrix, TYPE_COOPERATIVE_MATRIX_FEATURES);
    if (has_extension(device, matrix2))
        add_feature(f, matrix2, &f->matrix2, TYPE_MATRIX2_FEATURES);
    if (has_extension(device, bfloat))
        add_feature(f, bfloat, &f->bfloat, TYPE_BFLOAT16_FEATURES);
    if (has_extension(device, statistics))
        add_feature(f, statistics, &f->statistics,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    vkGetPhysicalDeviceFeatures2(device, &f->base);
    f->base.features.robustBufferAccess = VK_FALSE;
    f->v13.robustImageAccess = VK_FALSE;
    f->matrix.robust = VK_FALSE;
    g->matrices = f->matrix.matrix;
    g->bfloats = f->bfloat.matrix;
    g->work_group_matrices = f->matrix2.workgroup && f->matrix2.tensors;
    g->statistics = f->statistics.pipelineExecutableInfo;
}

static void find_properties(struct glsl *g)
{
    VkPhysicalDeviceSubgroupProperties groups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &groups};
    vkGetPhysicalDeviceProperties2(g->vk.physical, &all);
    g->tick = (double)all.properties.limits.timestampPeriod * 1e-9;
    g->sub_group = groups.subgroupSize;
    g->most_shared = all.properties.limits.maxComputeSharedMemorySize;
}

struct push {
    VkDeviceAddress a, b, c;
    uint32_t n;
};

bool glsl_open(struct glsl *g, const char *name)
{
    struct features features;
    if (!vk_choose(&g->vk, name))
        return false;
    find_features(g, &features);
    find_properties(g);
    g->vk.addresses = features.v12.bufferDeviceAddress;
    if (!g->vk.addresses)
        return false;
    vk_start(&g->vk, features.extensions, features.count, &features.base);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct push)};
    VK(vkCreatePipelineLayout(
        g->vk.device,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &g->vk.set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &range},
        NULL, &g->layout));
    VK(vkCreateQueryPool(g->vk.device,
                         &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                  .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                                  .queryCount = 2},
                         NULL, &g->clock));
    return true;
}

void glsl_close(struct glsl *g)
{
    vkDestroyQueryPool(g->vk.device, g->clock, NULL);
    vkDestroyPipelineLayout(g->vk.device, g->layout, NULL);
    vk_close(&g->vk);
}

// ---- tables -------------------------------------------------------------------------------------

static const char *component_name(int32_t type)
{
    static const char *const names[] = {"f16", "f32", "f64", "i8",  "i16", "i32",
                                        "i64", "u8",  "u16", "u32", "u64"};
    if (type >= 0 && type < (int32_t)(sizeof names / sizeof *names))
        return names[type];
    return type == COMPONENT_BFLOAT16 ? "bf16"
           : type == COMPONENT_E4M3   ? "e4m3"
           : type == COMPONENT_E5M2   ? "e5m2"
                                      : "?";
}

static const char *scope_name(int32_t scope)
{
    return scope == 3 ? "sub-group" : scope == 2 ? "work-group" : "?";
}

typedef VkResult (*table_function)(VkPhysicalDevice, uint32_t *, void *);

static table_function table_of(struct glsl *g, const char *name)
{
    return (table_function)vkGetInstanceProcAddr(g->vk.instance, name);
}

static void print_matrices(struct glsl *g)
{
    table_function query = table_of(g, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    uint32_t count = 0;
    if (!query || query(g->vk.physical, &count, NULL) < 0)
        return;
    struct matrix_row *rows = calloc(count + 1, sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        rows[i].type = (VkStructureType)TYPE_COOPERATIVE_MATRIX_PROPERTIES;
    query(g->vk.physical, &count, rows);
    printf("VK_KHR_cooperative_matrix: %u shapes, M x N x K, A B C result\n", count);
    for (uint32_t i = 0; i < count; i++)
        printf("  %2u x %2u x %2u  %s %s %s %s %s%s\n", rows[i].m, rows[i].n, rows[i].k,
               component_name(rows[i].a), component_name(rows[i].b), component_name(rows[i].c),
               component_name(rows[i].result), scope_name(rows[i].scope),
               rows[i].saturating ? " saturating" : "");
    free(rows);
}

static void print_flexible(struct glsl *g)
{
    table_function query =
        table_of(g, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
    uint32_t count = 0;
    if (!query || query(g->vk.physical, &count, NULL) < 0)
        return;
    struct flexible_row *rows = calloc(count + 1, sizeof *rows);
    for (uint32_t i = 0; i < count; i++)
        rows[i].type = (VkStructureType)TYPE_FLEXIBLE_PROPERTIES;
    query(g->vk.physical, &count, rows);
    printf("VK_NV_cooperative_matrix2: %u rows, multiples of M x N x K, A B C result\n", count);
    for (uint32_t i = 0; i < count; i++)
        printf("  %2u x %2u x %2u  %s %s %s %s %s%s, %u work-items\n", rows[i].m, rows[i].n,
               rows[i].k, component_name(rows[i].a), component_name(rows[i].b),
               component_name(rows[i].c), component_name(rows[i].result), scope_name(rows[i].scope),
               rows[i].saturating ? " saturating" : "", rows[i].items);
    free(rows);
}

void glsl_tables(struct glsl *g)
{
    struct matrix2_properties limits = {.type = (VkStructureType)TYPE_MATRIX2_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = g->work_group_matrices ? &limits : NULL};
    vkGetPhysicalDeviceProperties2(g->vk.physical, &all);
    printf("%s: matrices of sub-groups of %u: %s, bfloat16: %s, of work-groups: %s; shared memory "
           "%u\n",
           all.properties.deviceName, g->sub_group, g->matrices ? "yes" : "no",
           g->bfloats ? "yes" : "no", g->work_group_matrices ? "yes" : "no", g->most_shared);
    if (g->matrices)
        print_matrices(g);
    if (!g->work_group_matrices)
        return;
    printf("of work-groups: at most %u work-items, %u rows, %u bytes of shared memory reserved\n",
           limits.most_items, limits.most_rows, limits.reserved_shared);
    print_flexible(g);
}

// ---- a product ----------------------------------------------------------------------------------

static void copy(struct vk *vk, const struct vk_memory *from, const struct vk_memory *to,
                 size_t bytes)
{
    VkBufferCopy all = {0, 0, bytes};
    vk_begin(vk);
    vkCmdCopyBuffer(vk->commands, from->buffer, to->buffer, 1, &all);
    vk_barrier(vk);
    vk_finish(vk);
}

void glsl_load(struct glsl *g, const struct job *job)
{
    size_t count = (size_t)job->n * job->n, in = count * number_size(job->types->in);
    struct vk *vk = &g->vk;
    g->bytes = count * number_size(job->types->out);
    g->staging = vk_memory_create(vk, g->bytes,
                                  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                      VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    g->a = vk_memory_create(vk, in, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    g->b = vk_memory_create(vk, in, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    g->c = vk_memory_create(vk, g->bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    memcpy(g->staging.map, job->a, in);
    copy(vk, &g->staging, &g->a, in);
    memcpy(g->staging.map, job->b, in);
    copy(vk, &g->staging, &g->b, in);
    g->set = vk_bind(vk, (struct vk_memory[]){g->a, g->b, g->c}, 3);
}

void glsl_unload(struct glsl *g)
{
    VK(vkResetDescriptorPool(g->vk.device, g->vk.sets, 0));
    vk_memory_destroy(&g->vk, &g->c);
    vk_memory_destroy(&g->vk, &g->b);
    vk_memory_destroy(&g->vk, &g->a);
    vk_memory_destroy(&g->vk, &g->staging);
}

const void *glsl_result(struct glsl *g, const struct job *job)
{
    copy(&g->vk, &g->c, &g->staging, (size_t)job->n * job->n * number_size(job->types->out));
    return g->staging.map;
}

enum { CONSTANTS = 14 }; // as numbered in the shaders

static VkResult make_pipeline(struct glsl *g, const struct job *job, const struct shader *shader,
                              const struct shape *s, VkPipeline *pipeline)
{
    uint32_t values[CONSTANTS] = {s->wm * s->wn * g->sub_group,
                                  s->bm,
                                  s->bn,
                                  s->bk,
                                  s->wm,
                                  s->wn,
                                  s->tm,
                                  s->tn,
                                  s->tk,
                                  s->pad / (uint32_t)number_size(job->types->in),
                                  s->stages,
                                  s->group,
                                  job->by_columns,
                                  job->constant_n ? job->n : 0};
    VkSpecializationMapEntry entries[CONSTANTS];
    for (uint32_t i = 0; i < CONSTANTS; i++)
        entries[i] = (VkSpecializationMapEntry){i, i * 4, 4};
    VkSpecializationInfo constants = {CONSTANTS, entries, sizeof values, values};
    VkShaderModule module;
    VK(vkCreateShaderModule(
        g->vk.device,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = shader->size,
                                    .pCode = shader->words},
        NULL, &module));
    VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = module,
        .pName = "main",
        .pSpecializationInfo = &constants};
    VkResult result = vkCreateComputePipelines(
        g->vk.device, VK_NULL_HANDLE, 1,
        &(VkComputePipelineCreateInfo){
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = g->statistics ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0,
            .stage = stage,
            .layout = g->layout},
        NULL, pipeline);
    vkDestroyShaderModule(g->vk.device, module, NULL);
    return result;
}

// Prints the driver's statistics of the code, in one line.
static void print_statistics(struct glsl *g, VkPipeline pipeline)
{
    PFN_vkGetPipelineExecutableStatisticsKHR query =
        (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
            g->vk.device, "vkGetPipelineExecutableStatisticsKHR");
    VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                        .pipeline = pipeline};
    VkPipelineExecutableStatisticKHR rows[32];
    uint32_t count = sizeof rows / sizeof *rows;
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    if (!query || query(g->vk.device, &info, &count, rows) < 0)
        return;
    printf("    ");
    for (uint32_t i = 0; i < count; i++)
        printf("%s %llu%s", rows[i].name, (unsigned long long)rows[i].value.u64,
               i + 1 < count ? ", " : "\n");
}

static VkDeviceAddress address_of(struct glsl *g, const struct vk_memory *memory)
{
    return vkGetBufferDeviceAddress(
        g->vk.device,
        &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                     .buffer = memory->buffer});
}

// Runs `times` products in one submission. Returns the wall time; *device: the device's time for
// all of them.
static double launch(struct glsl *g, const struct job *job, const struct shape *shape,
                     VkPipeline pipeline, unsigned times, double *device)
{
    struct vk *vk = &g->vk;
    struct push push = {address_of(g, &g->a), address_of(g, &g->b), address_of(g, &g->c), job->n};
    uint64_t ticks[2];
    vk_begin(vk);
    vkCmdResetQueryPool(vk->commands, g->clock, 0, 2);
    vkCmdBindPipeline(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(vk->commands, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &g->set,
                            0, NULL);
    vkCmdPushConstants(vk->commands, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdWriteTimestamp(vk->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, g->clock, 0);
    for (unsigned i = 0; i < times; i++) {
        vkCmdDispatch(vk->commands, job->n / shape->bm * (job->n / shape->bn), 1, 1);
        if (i + 1 < times)
            vk_barrier(vk);
    }
    vkCmdWriteTimestamp(vk->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->clock, 1);
    vk_barrier(vk);
    double begin = bench_now();
    vk_finish(vk);
    double wall = bench_now() - begin;
    VK(vkGetQueryPoolResults(vk->device, g->clock, 0, 2, sizeof ticks, ticks, sizeof *ticks,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    *device = (double)(ticks[1] - ticks[0]) * g->tick;
    return wall;
}

static void erase(struct glsl *g)
{
    vk_begin(&g->vk);
    vkCmdFillBuffer(g->vk.commands, g->c.buffer, 0, VK_WHOLE_SIZE, 0xffffffff);
    vk_barrier(&g->vk);
    vk_finish(&g->vk);
}

bool glsl_run(struct glsl *g, const struct job *job, const struct shader *shader,
              const struct shape *shape, unsigned rounds, struct timing *timing)
{
    VkPipeline pipeline;
    double samples[32], device;
    double begin = bench_now();
    VkResult result = make_pipeline(g, job, shader, shape, &pipeline);
    timing->build = bench_now() - begin;
    if (result != VK_SUCCESS) {
        printf("    the driver makes no pipeline: %d\n", result);
        return false;
    }
    if (g->statistics && job->verbose)
        print_statistics(g, pipeline);
    erase(g);
    launch(g, job, shape, pipeline, 1, &device);
    for (unsigned i = 0; i < rounds; i++)
        launch(g, job, shape, pipeline, 1, &samples[i]);
    timing->device = median(samples, rounds);
    timing->wall = launch(g, job, shape, pipeline, rounds, &device) / rounds;
    vkDestroyPipeline(g->vk.device, pipeline, NULL);
    return true;
}
