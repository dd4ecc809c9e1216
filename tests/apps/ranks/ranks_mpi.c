// SPDX-License-Identifier: Apache-2.0
// Ranks with MPI. A rank's number on its machine is its rank in a communicator of the processes
// that can share memory.
#include "ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static char *blocks; // to send, then received; each for two steps and two sides
static size_t block_size;

static char *block(bool received, enum ranks_side side, unsigned step)
{
    return blocks + ((received * 2u + step % 2) * RANKS_SIDES + side) * block_size;
}

void ranks_begin(struct ranks *self, int count, size_t block_bytes)
{
    MPI_Comm machine;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &self->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &self->local);
    MPI_Comm_free(&machine);
    block_size = block_bytes;
    blocks = calloc(4 * RANKS_SIDES, block_bytes);
    if (!blocks || (count && count != self->count)) {
        fprintf(stderr, "%s\n", blocks ? "the launcher of MPI says how many ranks there are: leave --ranks out" : "no memory");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int ranks_end(const struct ranks *self, bool ok)
{
    double failed = ranks_sum(self, !ok);
    free(blocks);
    MPI_Finalize();
    return failed > 0;
}

bool ranks_has(const struct ranks *self, enum ranks_side side)
{
    return side == RANKS_BELOW ? self->rank > 0 : self->rank < self->count - 1;
}

static int neighbour(const struct ranks *self, enum ranks_side side)
{
    if (!ranks_has(self, side))
        return MPI_PROC_NULL;
    return side == RANKS_BELOW ? self->rank - 1 : self->rank + 1;
}

void *ranks_to_send(const struct ranks *self, enum ranks_side side, unsigned step)
{
    (void)self;
    return block(false, side, step);
}

void ranks_exchange(const struct ranks *self, unsigned step, size_t bytes)
{
    MPI_Request requests[2 * RANKS_SIDES];
    for (int side = 0; side < RANKS_SIDES; side++) {
        int with = neighbour(self, side);
        MPI_Irecv(block(true, side, step), (int)bytes, MPI_BYTE, with, 0, MPI_COMM_WORLD, &requests[2 * side]);
        MPI_Isend(block(false, side, step), (int)bytes, MPI_BYTE, with, 0, MPI_COMM_WORLD, &requests[2 * side + 1]);
    }
    MPI_Waitall(2 * RANKS_SIDES, requests, MPI_STATUSES_IGNORE);
}

const void *ranks_received(const struct ranks *self, enum ranks_side side, unsigned step)
{
    (void)self;
    return block(true, side, step);
}

void ranks_barrier(const struct ranks *self)
{
    (void)self;
    MPI_Barrier(MPI_COMM_WORLD);
}

double ranks_max(const struct ranks *self, double value)
{
    double most = value;
    (void)self;
    MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

double ranks_sum(const struct ranks *self, double value)
{
    double sum = value;
    (void)self;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
