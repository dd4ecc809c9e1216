// SPDX-License-Identifier: Apache-2.0
// Processes that work on one problem. They form a row; each exchanges blocks of bytes with its
// neighbours.
//
// There are two implementations: ranks_mpi.c uses MPI; ranks_fork.c, for systems without MPI, forks
// all processes from one and uses shared memory. OpenCL must not be used before ranks_begin().
#ifndef PUMICE_TESTS_APPS_RANKS_H
#define PUMICE_TESTS_APPS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

enum ranks_side { RANKS_BELOW, RANKS_ABOVE, RANKS_SIDES };

struct ranks {
    int rank, count;
    int local; // its number among the ranks of the same machine
};

// Starts `count` processes, or joins those that a launcher has started. It returns in each, with a
// different rank. `block_bytes`: size of the largest block.
void ranks_begin(struct ranks *self, int count, size_t block_bytes);
// Ends all processes; returns the program's exit status: 0 if every rank passes true. With fork,
// only rank 0 returns.
int ranks_end(const struct ranks *self, bool ok);

bool ranks_has(const struct ranks *self, enum ranks_side side); // has a neighbour

// The memory of a block to send in step `step`: consecutive steps use different memory.
void *ranks_to_send(const struct ranks *self, enum ranks_side side, unsigned step);
// Sends the blocks of `step` to both neighbours and waits for theirs.
void ranks_exchange(const struct ranks *self, unsigned step, size_t bytes);
const void *ranks_received(const struct ranks *self, enum ranks_side side, unsigned step);

void ranks_barrier(const struct ranks *self);
double ranks_max(const struct ranks *self, double value);
double ranks_sum(const struct ranks *self, double value);

#endif
