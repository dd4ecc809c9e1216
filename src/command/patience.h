// SPDX-License-Identifier: Apache-2.0
// When a wait polls the device: around each duration that the queue's recent batches, and the last one of the same kind,
// had.
#ifndef COMMAND_PATIENCE_H
#define COMMAND_PATIENCE_H

#include <stdint.h>

enum {
    PATIENCE_RECENT = 8,
    PATIENCE_KINDS = 64,
    PATIENCE_MARGIN_NS = 50000, // a sleeper wakes up so late
    PATIENCE_MOST_NS = 20000000, // of polling in one wait, for more than one duration
};

struct durations { // of batches that a caller waited for
    uint64_t ns[PATIENCE_RECENT]; // recent ones
    unsigned count, next;
    struct {
        uint64_t kind, ns;
    } last[PATIENCE_KINDS]; // the last one of each recent kind
    unsigned next_kind;
};

struct span {
    uint64_t from, until;
};

struct patience { // ascending spans that do not touch
    struct span spans[PATIENCE_RECENT + 1];
    unsigned count;
};

// `kind`: batches with the same commands have the same; 0: several batches.
void durations_add(struct durations *durations, uint64_t kind, uint64_t ns);

// When `batches` batches may end, of which the device began the first at time `since`. Programs wait for long and short
// batches in turn, and for the same one with others between, so the last duration of this kind and each recent one count
// for themselves.
struct patience patience_after(const struct durations *durations, uint64_t kind, uint64_t since, uint64_t batches);

#endif
