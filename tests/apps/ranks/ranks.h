// SPDX-License-Identifier: Apache-2.0
// Processes that compute one thing together. They stand in a row, and each exchanges blocks of bytes with its neighbours.
//
// Two implementations: ranks_mpi.c on MPI; ranks_fork.c, whose processes are forked from one and share memory, for machines
// without MPI. OpenCL must not be used before ranks_begin().
#ifndef PUMICE_TESTS_APPS_RANKS_H
#define PUMICE_TESTS_APPS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

enum ranks_side { RANKS_BELOW, RANKS_ABOVE, RANKS_SIDES };

struct ranks {
    int rank, count;
    int local; // its number among the ranks of its machine
};

// Starts `count` processes, or finds those that a launcher has started. Each returns, with a rank of its own. `block_bytes`:
// of the largest block.
void ranks_begin(struct ranks *self, int count, size_t block_bytes);
// Ends all of them; what the program is to return: 0 if every rank passes `ok`. Only rank 0 returns if they are forked.
int ranks_end(const struct ranks *self, bool ok);

bool ranks_has(const struct ranks *self, enum ranks_side side); // a neighbour

// Memory of a block for one exchange: those of step N and N + 1 are distinct.
void *ranks_to_send(const struct ranks *self, enum ranks_side side, unsigned step);
// Sends the blocks of `step` to both neighbours and waits for theirs.
void ranks_exchange(const struct ranks *self, unsigned step, size_t bytes);
const void *ranks_received(const struct ranks *self, enum ranks_side side, unsigned step);

void ranks_barrier(const struct ranks *self);
double ranks_max(const struct ranks *self, double value);
double ranks_sum(const struct ranks *self, double value);

#endif
