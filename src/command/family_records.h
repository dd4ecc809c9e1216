// SPDX-License-Identifier: Apache-2.0
// A family's memory and nodes, and how the host reads the memory. Only for family.c, which explains
// what a family is, and family_records.c.
#ifndef PUMICE_COMMAND_FAMILY_RECORDS_H
#define PUMICE_COMMAND_FAMILY_RECORDS_H

#include "command/family.h"

enum {
    FAMILY_TIMES = 1024, // profiling queries that one step can write, in slots of this size:
    FAMILY_TIMES_BYTES = 16,
    FAMILY_ROOT = 0, // the application's own launch
};

enum node_state { NODE_FREE, NODE_WAITS, NODE_RUNS, NODE_ENDED };

// A launch, a marker or a profiling query.
struct node {
    enum node_state state;
    bool enqueues, has_children;
    uint32_t parent, open; // the number of incomplete ones among itself and its children
    cl_int status;         // 0, or the first error of the node or a child
    uint64_t event;
    uint64_t queried_event; // the event whose times this node writes
    uint64_t start, end;
    struct command *command;         // counted, while it is running
    const struct kc_enqueue *record; // while it is waiting
    bool owns_record;                // the node owns the record's memory
    const struct kc_kernel *kernel;  // of the launch; NULL: it passes no image on to children
    const struct cmd_surface **images; // its image arguments
};

// The host's state of a device event.
struct event_state {
    bool taken;
    uint32_t owner; // the node that completes it, plus 1
    uint32_t pins;  // records that wait for it
    uint32_t time_queries; // its times have not been written yet; commands that wait for it must
                           // find them there
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
    uint32_t bytes;             // space for records
    struct kc_enqueued *shared; // this and the next four point into `memory`
    struct kc_device_event *events;
    uint32_t *names;
    uint64_t *times;
    uint8_t *records;
    struct event_state *event_states;
    uint8_t *taken; // a copy of the records of this step
    uint32_t taken_size;
    struct list live;                     // numbers of events in use
    uint32_t given; // event numbers that kernels have allocated, as of the last check
    struct list running, waiting, unused; // nodes
    struct node *nodes;
    uint32_t node_count, node_capacity;
    struct parent *parent;
    uint32_t launched, printing, time_queries; // during this step
    uint32_t tries;                     // attempts to submit a step
    cl_int failure;
};

struct parent {
    struct command base;
    struct command *root; // the application's own launch, until it is enqueued
    const struct kc_kernel *kernel;
    const struct cmd_surface **images; // its image arguments
    struct cmd_enqueuer enqueuer;
    const struct kc_program *program;
    const struct vk_buffer *data;
};

// The variable parts that follow a record.
struct family_parts {
    const uint64_t *waits;
    const uint32_t *locals;
    const uint8_t *captured;
};

bool family_list_add(struct list *list, uint32_t item); // false: no memory
void family_fail(struct cmd_family *f, cl_int error);

// Assigns and clears the parts of the memory at `at` and returns the total size. `at` NULL: only
// the size.
uint64_t family_lay_out(struct cmd_family *f, uint8_t *at);

// Creates a waiting child. 0: out of memory.
uint32_t family_node_new(struct cmd_family *f, uint32_t parent);
// The node has ended, or one of its children is complete.
void family_node_close(struct cmd_family *f, uint32_t id);
void family_node_end(struct cmd_family *f, uint32_t id, cl_int status);

// Turns the records that the kernels of the last generation have written into waiting nodes.
void family_take_records(struct cmd_family *f);
// False: the parts do not fit in the record.
bool family_find_parts(const struct kc_enqueue *record, struct family_parts *parts);
// Collects the launch's arguments; images come from the parent's arguments.
void family_take_args(const struct cmd_family *f, const struct kc_kernel *info, const struct kc_enqueue *record,
                      struct cmd_arg *args);
// Saves image arguments for the node's own children. False: out of memory.
bool family_keep_images(struct node *node, const struct kc_kernel *info, const struct cmd_arg *args);
void family_forget_images(struct cmd_family *f, uint32_t id);
// The node is no longer waiting.
void family_stop_waiting(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record);
// Copies the records of nodes that wait beyond this step to memory of their own.
void family_save_waiting(struct cmd_family *f);

// Registers the events that kernels have allocated since the last call.
void family_collect_events(struct cmd_family *f);
// Recycles the numbers of events that nothing references any more. `all`: of all events.
void family_recycle_events(struct cmd_family *f, bool all);

#endif
