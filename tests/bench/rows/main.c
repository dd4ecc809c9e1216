// SPDX-License-Identifier: Apache-2.0
// Rows of measurements on every OpenCL platform, side by side, each checked against the host:
// typical kernels of real programs, chains of one operation or function, and operations that a
// program waits for.
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_rows FOLDER-OF-KERNELS [--svg=FILE] [ROW or GROUP ...]
//
// Times are medians, of the device (by events) and of the host's clock from the enqueue to the
// end; groups: programs, chains, waits. If a platform is a CPU, sizes are small. The exit status is
// 1 if a result is wrong. To measure builds without caches, disable the drivers' caches.
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- platforms ----------------------------------------------------------------------------------

static bool open_platform(cl_platform_id id, struct platform *p)
{
    if (!bench_cl_open(&p->cl, id, CL_QUEUE_PROFILING_ENABLE))
        return false;
    clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof p->name, p->name, NULL);
    clGetDeviceInfo(p->cl.device, CL_DEVICE_EXTENSIONS, sizeof p->extensions - 1, p->extensions, NULL);
    return true;
}

// Pumice first, then the others in their order.
static void open_platforms(struct bench_rows *bench)
{
    cl_platform_id ids[PLATFORMS];
    cl_uint found = 0;
    clGetPlatformIDs(PLATFORMS, ids, &found);
    for (cl_uint i = 0; i < found && i < PLATFORMS; i++)
        bench->count += open_platform(ids[i], &bench->platforms[bench->count]);
    for (unsigned i = 1; i < bench->count; i++) {
        struct platform ours = bench->platforms[i];
        if (strcmp(ours.name, "Pumice") != 0)
            continue;
        memmove(&bench->platforms[1], &bench->platforms[0], i * sizeof ours);
        bench->platforms[0] = ours;
    }
}

static bool make_buffers(struct bench_rows *bench)
{
    cl_int status = CL_SUCCESS;
    for (unsigned i = 0; i < bench->count; i++)
        bench->small |= bench->platforms[i].cl.is_cpu;
    bench->bytes = (size_t)(bench->small ? 16 : 256) << 20;
    bench->a = malloc(bench->bytes);
    bench->b = malloc(bench->bytes);
    bench->result = malloc(bench->bytes);
    for (unsigned i = 0; i < bench->count; i++) {
        struct platform *p = &bench->platforms[i];
        for (cl_mem *mem = &p->a; mem <= &p->out && !status; mem++)
            *mem = clCreateBuffer(p->cl.context, CL_MEM_READ_WRITE, bench->bytes, NULL, &status);
    }
    return bench->a && bench->b && bench->result && !status;
}

// ---- functions for the groups -------------------------------------------------------------------

struct row *rows_begin(struct bench_rows *bench, const char *group, const char *name)
{
    if (!bench_wanted(name, bench->wanted_count, bench->wanted) && !bench_wanted(group, bench->wanted_count, bench->wanted))
        return NULL;
    if (bench->row_count == bench->row_room) {
        bench->row_room = bench->row_room * 2 + 64;
        bench->rows = realloc(bench->rows, bench->row_room * sizeof *bench->rows);
    }
    struct row *row = &bench->rows[bench->row_count++];
    memset(row, 0, sizeof *row);
    snprintf(row->group, sizeof row->group, "%s", group);
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

bool rows_read(struct bench_rows *bench, const struct platform *p, size_t bytes)
{
    return bytes <= bench->bytes &&
           !clEnqueueReadBuffer(p->cl.queue, p->out, CL_TRUE, 0, bytes, bench->result, 0, NULL, NULL);
}

bool rows_time(const struct platform *p, cl_kernel kernel, cl_uint dims, const size_t *global, const size_t *local,
               struct cell *cell)
{
    double device[ROUNDS], wall[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        cl_event event;
        double begin = bench_now();
        if (clEnqueueNDRangeKernel(p->cl.queue, kernel, dims, NULL, global, local, 0, NULL, &event) ||
            clFinish(p->cl.queue))
            return false;
        double end = bench_now(), seconds = bench_seconds(event);
        if (i >= 0) {
            wall[i] = end - begin;
            device[i] = seconds;
        }
    }
    cell->device = bench_median(device, ROUNDS);
    cell->wall = bench_median(wall, ROUNDS);
    return true;
}

// ---- the table ----------------------------------------------------------------------------------

static const char *const verdicts[] = {"", "", "PASS", "FAIL"};

static void print_ratio(double ours, double theirs)
{
    if (ours > 0 && theirs > 0)
        printf(" %6.2f", theirs / ours);
    else
        printf(" %6s", "");
}

static void print_time(double seconds)
{
    if (seconds > 0)
        printf(" %11.2f", seconds * 1e6);
    else
        printf(" %11s", "");
}

void rows_end(struct bench_rows *bench)
{
    const struct row *row = &bench->rows[bench->row_count - 1];
    printf("%-9s %-26s", row->group, row->name);
    for (unsigned i = 0; i < bench->count; i++) {
        const struct cell *cell = &row->cells[i];
        print_time(cell->device);
        print_time(cell->wall);
        printf(" %-4s", verdicts[cell->verdict]);
        if (i) {
            print_ratio(row->cells[0].device, cell->device);
            print_ratio(row->cells[0].wall, cell->wall);
        }
    }
    printf("\n");
    fflush(stdout);
}

static void print_head(const struct bench_rows *bench)
{
    printf("microseconds of the device and of the wall clock; ratios of both: a platform's by the first one's\n%-36s", "");
    for (unsigned i = 0; i < bench->count; i++)
        printf(i ? " %-42.42s" : " %-28.28s", bench->platforms[i].name);
    printf("\n");
}

// The geometric mean of another platform's ratios, of device time if measured, and the number of
// ratios below 0.95.
static void print_mean(const struct bench_rows *bench, unsigned other)
{
    double sums[2] = {0};
    unsigned counts[2] = {0}, below[2] = {0};
    for (const struct row *row = bench->rows; row < bench->rows + bench->row_count; row++) {
        const struct cell *ours = &row->cells[0], *theirs = &row->cells[other];
        double ratios[2] = {theirs->device / ours->device, theirs->wall / ours->wall};
        for (int i = 0; i < 2; i++)
            if (ratios[i] > 0 && isfinite(ratios[i])) {
                sums[i] += log(ratios[i]);
                counts[i]++;
                below[i] += ratios[i] < 0.95;
            }
    }
    for (int i = 0; i < 2; i++)
        if (counts[i])
            printf("%s / %s, %s: geometric mean %.3f of %u rows, %u below 0.95\n", bench->platforms[other].name,
                   bench->platforms[0].name, i ? "wall" : "device", exp(sums[i] / counts[i]), counts[i], below[i]);
}

static unsigned count_wrong(const struct bench_rows *bench)
{
    unsigned wrong = 0;
    for (const struct row *row = bench->rows; row < bench->rows + bench->row_count; row++)
        for (unsigned i = 0; i < bench->count; i++)
            wrong += row->cells[i].verdict == FAIL;
    return wrong;
}

int main(int argc, char **argv)
{
    static struct bench_rows bench;
    const char *svg = NULL;
    int first = 2;
    open_platforms(&bench);
    if (argc < 2 || !bench.count || !make_buffers(&bench)) {
        fprintf(stderr, "usage: bench_rows FOLDER [--svg=FILE] [ROW or GROUP ...], with an OpenCL platform or more\n");
        return bench.count ? 1 : 77;
    }
    if (argc > 2 && !strncmp(argv[2], "--svg=", 6))
        svg = argv[first++] + 6;
    bench.folder = argv[1];
    bench.wanted_count = argc - first;
    bench.wanted = argv + first;
    print_head(&bench);
    programs_run(&bench);
    chains_run(&bench);
    waits_run(&bench);
    for (unsigned i = 1; i < bench.count; i++)
        print_mean(&bench, i);
    if (count_wrong(&bench))
        printf("%u wrong results\n", count_wrong(&bench));
    if (svg && !plot_write(&bench, svg))
        return 1;
    return count_wrong(&bench) ? 1 : 0;
}
