// SPDX-License-Identifier: Apache-2.0
// The cost of mapping, and of transfers from and to mapped host memory, on every OpenCL platform:
// GB/s of the first time and of the best of the later ones.
//
//   map-read       map a device buffer for reading, unmap
//   map-look       the same, and the host copies all of it while it is mapped
//   map-write      map all of it for writing (invalidated), write nothing, unmap
//   map-both       map for reading and writing, unmap
//   write, read    write and read a device buffer with memory from malloc()
//   write-pinned, read-pinned      the same with a mapped CL_MEM_ALLOC_HOST_PTR buffer
//   copy-pinned    copy on the device to such a buffer; copy-back: from it
//
//   OCL_ICD_VENDORS=FOLDER-WITH-ICD-FILES bench_map [MiB...]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_cl.h"

enum { TIMES = 8, PLATFORMS = 4, MIB = 1 << 20 };

struct state {
    struct bench_cl cl;
    cl_mem device, host;
    unsigned char *pinned, *plain;
    size_t size;
};

static double map(struct state *s, cl_map_flags flags, bool look)
{
    cl_int status;
    double begin = bench_now();
    void *pointer = clEnqueueMapBuffer(s->cl.queue, s->device, CL_TRUE, flags, 0, s->size, 0, NULL,
                                       NULL, &status);
    bench_check(status, "clEnqueueMapBuffer");
    if (look)
        memcpy(s->plain, pointer, s->size);
    bench_check(clEnqueueUnmapMemObject(s->cl.queue, s->device, pointer, 0, NULL, NULL),
                "clEnqueueUnmapMemObject");
    bench_check(clFinish(s->cl.queue), "clFinish");
    return bench_now() - begin;
}

static double map_read(struct state *s)
{
    return map(s, CL_MAP_READ, false);
}

static double map_look(struct state *s)
{
    return map(s, CL_MAP_READ, true);
}

static double map_write(struct state *s)
{
    return map(s, CL_MAP_WRITE_INVALIDATE_REGION, false);
}

static double map_both(struct state *s)
{
    return map(s, CL_MAP_READ | CL_MAP_WRITE, false);
}

static double transfer(struct state *s, void *memory, bool write)
{
    double begin = bench_now();
    cl_int status = write ? clEnqueueWriteBuffer(s->cl.queue, s->device, CL_TRUE, 0, s->size,
                                                 memory, 0, NULL, NULL)
                          : clEnqueueReadBuffer(s->cl.queue, s->device, CL_TRUE, 0, s->size, memory,
                                                0, NULL, NULL);
    bench_check(status, write ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer");
    return bench_now() - begin;
}

static double write_plain(struct state *s)
{
    return transfer(s, s->plain, true);
}

static double read_plain(struct state *s)
{
    return transfer(s, s->plain, false);
}

static double write_pinned(struct state *s)
{
    return transfer(s, s->pinned, true);
}

static double read_pinned(struct state *s)
{
    return transfer(s, s->pinned, false);
}

static double copy(struct state *s, cl_mem from, cl_mem to)
{
    double begin = bench_now();
    bench_check(clEnqueueCopyBuffer(s->cl.queue, from, to, 0, 0, s->size, 0, NULL, NULL),
                "clEnqueueCopyBuffer");
    bench_check(clFinish(s->cl.queue), "clFinish");
    return bench_now() - begin;
}

static double copy_pinned(struct state *s)
{
    return copy(s, s->device, s->host);
}

static double copy_back(struct state *s)
{
    return copy(s, s->host, s->device);
}

static const struct row {
    const char *name;
    double (*seconds)(struct state *s);
    bool unmapped; // the host's buffer must not be mapped
} rows[] = {
    {"map-read", map_read, false},         {"map-look", map_look, false},
    {"map-write", map_write, false},       {"map-both", map_both, false},
    {"write", write_plain, false},         {"read", read_plain, false},
    {"write-pinned", write_pinned, false}, {"read-pinned", read_pinned, false},
    {"copy-pinned", copy_pinned, true},    {"copy-back", copy_back, true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void show_host(struct state *s, bool mapped)
{
    cl_int status = CL_SUCCESS;
    if (mapped == (s->pinned != NULL))
        return;
    if (mapped)
        s->pinned = clEnqueueMapBuffer(s->cl.queue, s->host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                       s->size, 0, NULL, NULL, &status);
    else
        status = clEnqueueUnmapMemObject(s->cl.queue, s->host, s->pinned, 0, NULL, NULL);
    bench_check(status, "clEnqueue(Un)map...");
    if (!mapped)
        s->pinned = NULL;
}

static void begin(struct state *s, size_t size)
{
    cl_int status;
    s->size = size;
    s->pinned = NULL;
    s->device = clCreateBuffer(s->cl.context, CL_MEM_READ_WRITE, size, NULL, &status);
    bench_check(status, "clCreateBuffer");
    s->host = clCreateBuffer(s->cl.context, CL_MEM_ALLOC_HOST_PTR, size, NULL, &status);
    bench_check(status, "clCreateBuffer");
    s->plain = malloc(size);
    memset(s->plain, 1, size);
    show_host(s, true);
    memset(s->pinned, 2, size);
    transfer(s, s->plain, true);
}

static void end(struct state *s)
{
    show_host(s, false);
    clFinish(s->cl.queue);
    clReleaseMemObject(s->device);
    clReleaseMemObject(s->host);
    free(s->plain);
}

static void time_size(struct state *s, double mib)
{
    begin(s, (size_t)(mib * MIB));
    printf("%8.3g", mib);
    for (int r = 0; r < ROWS; r++) {
        double first = 0, best = 1e9;
        show_host(s, !rows[r].unmapped);
        for (int i = 0; i < TIMES; i++) {
            double seconds = rows[r].seconds(s);
            if (!i)
                first = seconds;
            else if (seconds < best)
                best = seconds;
        }
        printf(" %6.2f %6.2f", 1e-9 * (double)s->size / first, 1e-9 * (double)s->size / best);
        fflush(stdout);
    }
    printf("\n");
    end(s);
}

static void time_platform(cl_platform_id platform, int count, char **sizes)
{
    static char *usual[] = {"0.0625", "1", "16", "256"};
    struct state s;
    char name[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (!bench_cl_open(&s.cl, platform, 0))
        return;
    printf("%s, %s\n     MiB", name, s.cl.name);
    for (int r = 0; r < ROWS; r++)
        printf(" %13s", rows[r].name);
    printf("\n");
    for (int i = 0; i < (count ? count : 4); i++)
        time_size(&s, atof(count ? sizes[i] : usual[i]));
    bench_cl_close(&s.cl);
}

int main(int argc, char **argv)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    clGetPlatformIDs(PLATFORMS, platforms, &count);
    if (!count) {
        fprintf(stderr, "no OpenCL platform\n");
        return 77;
    }
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        time_platform(platforms[i], argc - 1, argv + 1);
    return 0;
}
