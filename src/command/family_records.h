// SPDX-License-Identifier: Apache-2.0
// A family's memory and nodes, and what the host takes out of the first. For family.c, which tells
// what a family is, and family_records.c alone.
#ifndef PUMICE_COMMAND_FAMILY_RECORDS_H
#define PUMICE_COMMAND_FAMILY_RECORDS_H

#include "command/family.h"

enum {
    FAMILY_TIMES = 1024, // asked for that a step writes, each in a slot of
    FAMILY_TIMES_BYTES = 16,
    FAMILY_ROOT = 0, // the application's own launch
};

enum node_state { NODE_FREE, NODE_WAITS, NODE_RUNS, NODE_ENDED };

// A launch, marker or question for times.
struct node {
    enum node_state state;
    bool enqueues, has_children;
    uint32_t parent, open; // itself while it has not ended, and its children
    cl_int status;         // 0, or the first error, of it or of a child
    uint64_t event;
    uint64_t asks; // an event whose times it writes
    uint64_t start, end;
    struct command *command;         // counted, while it runs
    const struct kc_enqueue *record; // while it waits
    bool keeps;                      // that is its own
    const struct kc_kernel *kernel;  // it launches; NULL: it will pass on no image
    const struct cmd_surface **images; // its arguments, where they are images
};

// What the host knows of an event.
struct event_side {
    bool taken;
    uint32_t owner; // the node that completes it + 1
    uint32_t pins;  // records that wait for it
    uint32_t asked; // times that are not written yet: what waits for it must find them
    uint64_t times[2];
};

struct list {
    uint32_t *items;
    uint32_t count, capacity;
};

struct cmd_family {
    struct cmd_family *next;
    struct cmd_queue *queue;
    struct vk_buffer memory;
    uint32_t bytes;             // of records
    struct kc_enqueued *shared; // these lie in the memory
    struct kc_device_event *events;
    uint32_t *names;
    uint64_t *times;
    uint8_t *records;
    struct event_side *sides;
    uint8_t *taken; // the records of this step, copied
    uint32_t taken_size;
    struct list live;                     // events' numbers that are taken
    uint32_t given;                       // names taken, as far as we have seen
    struct list running, waiting, unused; // nodes
    struct node *nodes;
    uint32_t node_count, node_capacity;
    struct parent *of;
    uint32_t launched, printing, asked; // in this step
    uint32_t tries;                     // of a step
    cl_int failure;
};

struct parent {
    struct command base;
    struct command *root; // the application's own launch, until it is enqueued
    const struct kc_kernel *kernel;
    const struct cmd_surface **images; // its arguments, where they are images
    struct cmd_enqueuer who;
    const struct kc_program *program;
    const struct vk_buffer *data;
};

// What lies behind a record.
struct family_parts {
    const uint64_t *waits;
    const uint32_t *locals;
    const uint8_t *captured;
};

bool family_list_add(struct list *list, uint32_t item); // false: no memory
void family_fail(struct cmd_family *f, cl_int error);

// Where all lies in the memory, emptied; returns how much that is. `at` NULL: that alone.
uint64_t family_lay_out(struct cmd_family *f, uint8_t *at);

// A new child that waits. 0: no memory.
uint32_t family_node_new(struct cmd_family *f, uint32_t parent);
// It has ended, or one of its children is complete.
void family_node_close(struct cmd_family *f, uint32_t id);
void family_node_end(struct cmd_family *f, uint32_t id, cl_int status);

// What the kernels of the last generation have left: nodes that wait.
void family_take_records(struct cmd_family *f);
// False: they do not fit into the record.
bool family_find_parts(const struct kc_enqueue *record, struct family_parts *parts);
// The arguments of what it launches; images are its parent's.
void family_take_args(const struct cmd_family *f, const struct kc_kernel *info, const struct kc_enqueue *record,
                      struct cmd_arg *args);
// For what the node itself enqueues. False: no memory.
bool family_keep_images(struct node *node, const struct kc_kernel *info, const struct cmd_arg *args);
void family_forget_images(struct cmd_family *f, uint32_t id);
// The node waits no longer.
void family_let_go(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record);
// What waits does so in the next step, too: records get memory of their own.
void family_keep_waiting(struct cmd_family *f);

// The events that kernels have taken since.
void family_see_names(struct cmd_family *f);
// Those that nobody has any more can be given again. `all`: so can all.
void family_give_names_back(struct cmd_family *f, bool all);

#endif
