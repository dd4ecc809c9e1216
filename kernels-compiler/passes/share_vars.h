// SPDX-License-Identifier: Apache-2.0
// Variables of functions in steps that can be one variable: copies between them disappear.
#ifndef KC_PASSES_SHARE_VARS_H
#define KC_PASSES_SHARE_VARS_H

#include "passes/steps.h"

struct share_body { // a function in steps
    const struct steps *steps;
    uint32_t first_var; // index of its first variable that may be shared; `fixed` are not
    struct ir_var *fixed[2];
};

struct shared_var {
    struct ir_var *var;
    struct shared_var *leader; // of its class
    uint32_t body;             // index of its function
    bool many_bodies;          // of a leader: the class has variables of several functions
    uint32_t number;           // for the user of this file
    // private:
    struct shared_var *next, *last; // members of the class, from the leader
    uint32_t bit, members, stores;
    uint64_t *over; // set of the bodies that are active while the variable is live in its own
    struct shared_store *first_store, *last_store;
};

// Finds classes of variables, and removes the copies inside of these. `bodies`: callers before callees. Returns a map from
// ir_var to struct shared_var.
struct map share_vars(struct arena *scratch, const struct share_body *bodies, size_t count);

#endif
