// SPDX-License-Identifier: Apache-2.0
// stack_run(): runs deep recursion on a thread with a small stack, returns an error if its stack is
// full, and can be called again after that; on several threads at once, in a child of fork(), on a
// cancelled thread, and without memory for a stack.
#include "check.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/stack.h"
#include "util/thread.h"

enum { SMALL_STACK = 64 << 10, LARGE_STACK = 1 << 20, THREADS = 4, ROUNDS = 3, FRAME = 4 << 10 };

struct descent {
    unsigned wanted, reached;
};

static __attribute__((noinline)) unsigned descend(struct descent *d, unsigned depth)
{
    volatile char frame[FRAME];
    stack_check();
    frame[0] = frame[FRAME - 1] = (char)depth;
    d->reached = depth;
    unsigned below = depth < d->wanted ? descend(d, depth + 1) : depth;
    return below + (unsigned)(frame[0] != frame[FRAME - 1]);
}

static void go(void *data)
{
    struct descent *d = data;
    descend(d, 1);
}

static void nested(void *data)
{
    struct descent endless = {.wanted = UINT32_MAX}, *d = data;
    CHECK(stack_run(go, &endless) == STACK_FULL);
    CHECK(stack_run(go, d) == STACK_RETURNED);
}

static void check_runs(void)
{
    struct descent shallow = {.wanted = 10}, deep = {.wanted = 1000}, endless = {.wanted = UINT32_MAX};
    CHECK(stack_run(go, &shallow) == STACK_RETURNED && shallow.reached == 10);
    CHECK(stack_run(go, &deep) == STACK_RETURNED && deep.reached == 1000);
    CHECK(stack_run(go, &endless) == STACK_FULL && endless.reached > 1000);
    CHECK(endless.reached < stack_size / FRAME);
    CHECK(stack_run(go, &deep) == STACK_RETURNED && deep.reached == 1000);
    deep.reached = 0;
    CHECK(stack_run(nested, &deep) == STACK_RETURNED && deep.reached == 1000);
}

static void *runs(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        check_runs();
    return unused;
}

static void start(pthread_t *thread, size_t stack, void *(*run)(void *), void *data)
{
    pthread_attr_t attributes;
    CHECK(!pthread_attr_init(&attributes));
    CHECK(!pthread_attr_setstacksize(&attributes, stack));
    if (pthread_create(thread, &attributes, run, data))
        abort();
    pthread_attr_destroy(&attributes);
}

static void check_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        start(&threads[i], SMALL_STACK, runs, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

// In a child, the stack of another thread stays in use; other stacks are used.
static atomic_bool waits, goes_on;

static void wait_on_stack(void *data)
{
    waits = true;
    while (!goes_on)
        usleep(1000);
    *(bool *)data = true;
}

static void *run_waiting(void *data)
{
    CHECK(stack_run(wait_on_stack, data) == STACK_RETURNED);
    return NULL;
}

static void check_fork(void)
{
    pthread_t thread;
    bool ended = false;
    int status = -1;
    start(&thread, LARGE_STACK, run_waiting, &ended);
    while (!waits)
        usleep(1000);
    pid_t child = fork();
    if (!child) {
        check_runs();
        _exit(check_result());
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_cancel(thread); // it continues to the end of the function on the stack, which is free
                            // then
    usleep(50000);
    goes_on = true;
    pthread_join(thread, NULL);
    CHECK(ended);
}

// Sanitizers need memory themselves.
static void check_no_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    int status = -1;
    pid_t child = fork();
    if (!child) {
        struct rlimit none = {0, 0};
        struct descent shallow = {.wanted = 10};
        bool right = !setrlimit(RLIMIT_AS, &none) && stack_run(go, &shallow) == STACK_NO_MEMORY;
        _exit(!right);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

int main(void)
{
    check_no_memory();
    check_runs();
    check_threads();
    check_fork();
    return check_result();
}
