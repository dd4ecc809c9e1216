// SPDX-License-Identifier: Apache-2.0
// Ranks forked from one process, with their blocks in shared memory, from which a neighbour reads
// them. Each rank counts its steps in a word of that memory. If a rank dies, all end.
#define _GNU_SOURCE
#include "ranks.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, SPINS = 1000 };

static struct shared {
    struct {
        _Alignas(64) atomic_uint sent; // exchanges for which the blocks have been written
        atomic_uint said; // collective calls
        double value[2];
    } ranks[MOST];
} *shared;
static char *blocks; // by rank, step, side
static size_t block_size;
static pid_t parent, children[MOST];
static unsigned collectives;

static void *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    return memory;
}

static void end_children(int count)
{
    for (int i = 1; i < count; i++)
        if (children[i] > 0)
            kill(children[i], SIGKILL);
}

static void look_after_children(int count)
{
    int status;
    pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended <= 0)
        return;
    for (int i = 1; i < count; i++)
        if (children[i] == ended)
            children[i] = 0;
    if (WIFEXITED(status) && !WEXITSTATUS(status)) // all values that this rank waits for have been
                                                   // written
        return;
    fprintf(stderr, "a rank has died\n");
    end_children(count);
    exit(1);
}

void ranks_begin(struct ranks *self, int count, size_t block_bytes)
{
    count = count < 1 ? 1 : count > MOST ? MOST : count;
    block_size = (block_bytes + 4095) / 4096 * 4096;
    shared = share(sizeof *shared);
    blocks = share((size_t)count * 2 * RANKS_SIDES * block_size);
    *self = (struct ranks){.count = count};
    parent = getpid();
    fflush(stdout);
    for (int i = 1; i < count; i++) {
        children[i] = fork();
        if (children[i] < 0) {
            perror("fork");
            end_children(count);
            exit(1);
        }
        if (!children[i]) {
            memset(children, 0, sizeof children);
            self->rank = self->local = i;
            return;
        }
    }
}

static void wait_until(const struct ranks *self, const atomic_uint *word, unsigned value)
{
    for (int i = 1; (int)(atomic_load(word) - value) < 0; i++)
        if (i % SPINS == 0) {
            sched_yield();
            if (!self->rank)
                look_after_children(self->count);
            else if (getppid() != parent)
                _exit(1);
        }
}

int ranks_end(const struct ranks *self, bool ok)
{
    double failed = ranks_sum(self, !ok);
    fflush(stdout);
    if (self->rank)
        exit(failed > 0);
    for (int i = 1; i < self->count; i++) {
        int status = 0;
        if (children[i])
            waitpid(children[i], &status, 0);
        failed += status != 0;
    }
    return failed > 0;
}

bool ranks_has(const struct ranks *self, enum ranks_side side)
{
    return side == RANKS_BELOW ? self->rank > 0 : self->rank < self->count - 1;
}

static char *block(int rank, enum ranks_side side, unsigned step)
{
    return blocks + ((size_t)(rank * 2 + (int)(step % 2)) * RANKS_SIDES + side) * block_size;
}

void *ranks_to_send(const struct ranks *self, enum ranks_side side, unsigned step)
{
    return block(self->rank, side, step);
}

void ranks_exchange(const struct ranks *self, unsigned step, size_t bytes)
{
    (void)bytes;
    atomic_store(&shared->ranks[self->rank].sent, step + 1);
    for (int side = 0; side < RANKS_SIDES; side++)
        if (ranks_has(self, side))
            wait_until(self, &shared->ranks[self->rank + (side == RANKS_BELOW ? -1 : 1)].sent, step + 1);
}

const void *ranks_received(const struct ranks *self, enum ranks_side side, unsigned step)
{
    return side == RANKS_BELOW ? block(self->rank - 1, RANKS_ABOVE, step) : block(self->rank + 1, RANKS_BELOW, step);
}

// Writes this rank's value of a collective call. A slot is reused two calls later, when all ranks
// have read it.
static void say(const struct ranks *self, double value)
{
    shared->ranks[self->rank].value[collectives % 2] = value;
    atomic_store(&shared->ranks[self->rank].said, ++collectives);
    for (int i = 0; i < self->count; i++)
        wait_until(self, &shared->ranks[i].said, collectives);
}

static double said(int rank)
{
    return shared->ranks[rank].value[(collectives - 1) % 2];
}

void ranks_barrier(const struct ranks *self)
{
    say(self, 0);
}

double ranks_max(const struct ranks *self, double value)
{
    say(self, value);
    for (int i = 0; i < self->count; i++)
        value = said(i) > value ? said(i) : value;
    return value;
}

double ranks_sum(const struct ranks *self, double value)
{
    double sum = 0;
    say(self, value);
    for (int i = 0; i < self->count; i++)
        sum += said(i);
    return sum;
}
