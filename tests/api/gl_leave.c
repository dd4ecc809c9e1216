// SPDX-License-Identifier: Apache-2.0
// Processes that share with OpenGL end without a crash or hang, whatever is still alive and
// whatever is destroyed first. gl_leave: runs each case several times; gl_leave WAY KIND: runs one.
#define _GNU_SOURCE
#include "gl_side.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 4, PATIENCE_S = 30 };

static unsigned name;
static cl_mem mem;

static void make_object(void)
{
    cl_int code;
    gl.GenBuffers(1, &name);
    gl.BindBuffer(GL_ARRAY_BUFFER, name);
    gl.BufferData(GL_ARRAY_BUFFER, 4096, NULL, 0x88E0);
    mem = clCreateFromGLBuffer(test_context, 0, name, &code);
    CHECK_OK(code);
    CHECK_OK(clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL));
}

static void fill_and_release(cl_command_queue queue)
{
    const cl_uint value = 7;
    clEnqueueFillBuffer(queue, mem, &value, sizeof value, 0, 4096, 0, NULL, NULL);
    clEnqueueReleaseGLObjects(queue, 1, &mem, 0, NULL, NULL);
}

static void alive(void)
{
    CHECK_OK(clFinish(test_queue));
}

static void under_way(void)
{
    fill_and_release(test_queue);
    CHECK_OK(clFlush(test_queue));
}

// The last reference to the context is dropped by a command, on a thread of the library.
static void dropped(void)
{
    side.MakeCurrent(side.display, NULL, NULL, NULL);
    fill_and_release(test_queue);
    CHECK_OK(clReleaseMemObject(mem));
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clReleaseContext(test_context));
}

static void terminated(void)
{
    side.Terminate(side.display);
}

static void destroyed(void)
{
    side.MakeCurrent(side.display, NULL, NULL, NULL);
    side.DestroyContext(side.display, side.context);
    side.Terminate(side.display);
}

static void call_late(void)
{
    fill_and_release(test_queue);
    clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL);
    clFinish(test_queue);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(test_queue);
    clReleaseContext(test_context);
}

static void late(void)
{
}

static void *go_on(void *unused)
{
    (void)unused;
    for (;;) {
        clEnqueueAcquireGLObjects(test_queue, 1, &mem, 0, NULL, NULL);
        fill_and_release(test_queue);
        clFinish(test_queue);
    }
    return NULL;
}

static void meanwhile(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, go_on, NULL);
    usleep(20000);
}

static const struct way {
    const char *name;
    void (*leave)(void);
} ways[] = {
    {"alive", alive}, {"under_way", under_way}, {"dropped", dropped},     {"terminated", terminated},
    {"late", late},   {"destroyed", destroyed}, {"meanwhile", meanwhile},
};
enum { WAYS = sizeof ways / sizeof *ways };

static int one_way(const char *which, const char *kind)
{
    if (!strcmp(which, "late"))
        atexit(call_late); // registered before ours, so it runs after it
    side_open(kind);
    make_object();
    for (int i = 0; i < WAYS; i++)
        if (!strcmp(ways[i].name, which))
            ways[i].leave();
    return test_failures != 0;
}

static void check_end(const char *self, const char *which, const char *kind)
{
    int status = -1;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (!child) {
        alarm(PATIENCE_S);
        execl(self, self, which, kind, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        exit(77);
    if (status)
        printf("%s, %s: status 0x%x\n", which, kind, status);
    CHECK_EQ(status, 0);
    CHECK(end.tv_sec - begin.tv_sec < PATIENCE_S / 2);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 2 ? argv[2] : "gl";
    if (argc > 1)
        return one_way(argv[1], kind);
    for (int i = 0; i < WAYS * TIMES; i++)
        check_end(argv[0], ways[i % WAYS].name, i / WAYS % 2 ? "es" : "gl");
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures || !test_checks;
}
