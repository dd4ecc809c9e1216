// SPDX-License-Identifier: Apache-2.0
// What the kernels of a family write to its memory: records of launches and event numbers. See
// family.c and kc.h: struct kc_enqueued.
//
// The host reads the memory between two generations, when no kernel is running. A record becomes a
// node, which waits until family.c starts it. Kernels can write anywhere, so all data is validated;
// invalid data ends the family with CL_OUT_OF_RESOURCES.
#include "command/family_records.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"
#include "util/thread.h"

bool family_list_add(struct list *list, uint32_t item)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? list->capacity * 2 : 64;
        uint32_t *items = realloc(list->items, capacity * sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

void family_fail(struct cmd_family *f, cl_int error)
{
    if (!f->failure)
        f->failure = error;
}

// ---- the memory ---------------------------------------------------------------------------------

static uint32_t round_up(size_t value)
{
    return (uint32_t)((value + 15) / 16 * 16);
}

uint64_t family_lay_out(struct cmd_family *f, uint8_t *at)
{
    uint32_t names = (uint32_t)sizeof *f->shared + CMD_DEVICE_EVENTS * (uint32_t)sizeof *f->events;
    uint32_t times = round_up(names + CMD_DEVICE_EVENTS * sizeof *f->names);
    uint32_t first = times + FAMILY_TIMES * FAMILY_TIMES_BYTES;
    if (!at)
        return (uint64_t)first + f->bytes;
    f->shared = (struct kc_enqueued *)at;
    f->events = (struct kc_device_event *)(at + sizeof *f->shared);
    f->names = (uint32_t *)(at + names);
    f->times = (uint64_t *)(at + times);
    f->records = at + first;
    memset(at, 0, first + f->bytes);
    *f->shared = (struct kc_enqueued){
        .limit = f->bytes, .first = first, .event_limit = CMD_DEVICE_EVENTS, .free = names};
    for (uint32_t i = 0; i < CMD_DEVICE_EVENTS; i++)
        f->names[i] = i + 1;
    return (uint64_t)first + f->bytes;
}

// ---- nodes --------------------------------------------------------------------------------------

uint32_t family_node_new(struct cmd_family *f, uint32_t parent)
{
    uint32_t id;
    if (f->unused.count) {
        id = f->unused.items[--f->unused.count];
    } else if (f->node_count < f->node_capacity) {
        id = f->node_count++;
    } else {
        uint32_t capacity = f->node_capacity ? f->node_capacity * 2 : 64;
        struct node *nodes = realloc(f->nodes, capacity * sizeof *nodes);
        if (!nodes)
            return 0;
        f->nodes = nodes;
        f->node_capacity = capacity;
        id = f->node_count++;
    }
    f->nodes[id] = (struct node){.state = NODE_WAITS, .parent = parent, .open = 1};
    if (id != FAMILY_ROOT)
        f->nodes[parent].open++;
    return id;
}

static void tell_event(struct cmd_family *f, const struct node *node)
{
    if (!node->event)
        return;
    struct event_state *side = &f->event_states[node->event - 1];
    uint64_t now = thread_now_ns();
    side->owner = 0;
    side->times[0] = node->end - node->start;
    side->times[1] = node->has_children && now > node->end ? now - node->start : side->times[0];
    memcpy(f->events[node->event - 1].times, side->times, sizeof side->times);
    f->events[node->event - 1].status = node->status;
}

// The root's images belong to its command.
void family_forget_images(struct cmd_family *f, uint32_t id)
{
    if (id != FAMILY_ROOT)
        free(f->nodes[id].images);
    f->nodes[id].images = NULL;
}

void family_node_close(struct cmd_family *f, uint32_t id)
{
    while (--f->nodes[id].open == 0) {
        struct node *node = &f->nodes[id];
        if (node->queried_event)
            f->event_states[node->queried_event - 1].time_queries--;
        uint32_t parent = node->parent;
        tell_event(f, node);
        node->state = id == FAMILY_ROOT ? NODE_ENDED : NODE_FREE;
        if (id == FAMILY_ROOT)
            return;
        family_forget_images(f, id);
        if (node->status < 0 && !f->nodes[parent].status)
            f->nodes[parent].status = node->status;
        if (!family_list_add(&f->unused, id))
            family_fail(f, CL_OUT_OF_HOST_MEMORY);
        id = parent;
    }
}

void family_node_end(struct cmd_family *f, uint32_t id, cl_int status)
{
    f->nodes[id].state = NODE_ENDED;
    if (status < 0 && !f->nodes[id].status)
        f->nodes[id].status = status;
    family_node_close(f, id);
}

// ---- records ------------------------------------------------------------------------------------

static uint64_t round_up_8(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

bool family_find_parts(const struct kc_enqueue *record, struct family_parts *parts)
{
    const uint8_t *at = (const uint8_t *)(record + 1);
    uint64_t waits = record->wait_count * UINT64_C(8),
             locals = round_up_8(record->local_count * UINT64_C(4));
    parts->waits = (const uint64_t *)at;
    parts->locals = (const uint32_t *)(at + waits);
    parts->captured = at + waits + locals;
    return sizeof *record + waits + locals + round_up_8(record->captured) <= record->size;
}

static bool is_number(uint64_t event)
{
    return event >= 1 && event <= CMD_DEVICE_EVENTS;
}

static bool is_event(const struct cmd_family *f, uint64_t event)
{
    return is_number(event) && f->event_states[event - 1].taken;
}

static bool same_image(const struct kc_arg *a, const struct kc_arg *b)
{
    return a->kind == KC_ARG_IMAGE && a->dim == b->dim && a->access == b->access;
}

// The parent's argument that is passed as argument `arg`, the `nth` image; the caller checks its
// kind. UINT32_MAX: none.
static uint32_t captured_image(const struct node *parent, const struct kc_enqueue *record, uint32_t nth)
{
    struct family_parts parts;
    uint32_t number;
    family_find_parts(record, &parts);
    if ((nth + 1) * sizeof number > record->captured || !parent->images)
        return UINT32_MAX;
    memcpy(&number, parts.captured + nth * sizeof number, sizeof number);
    return number < parent->kernel->arg_count ? number : UINT32_MAX;
}

static bool has_args(const struct cmd_family *f, const struct kc_kernel *info, const struct kc_enqueue *record)
{
    const struct node *parent = &f->nodes[record->parent];
    uint32_t locals = 0, images = 0, values = 0;
    for (uint32_t i = 0; i < info->arg_count; i++) {
        locals += info->args[i].kind == KC_ARG_LOCAL;
        values += info->args[i].kind == KC_ARG_VALUE && info->args[i].size <= record->captured;
        if (info->args[i].kind != KC_ARG_IMAGE)
            continue;
        uint32_t from = captured_image(parent, record, images++);
        if (from == UINT32_MAX || !same_image(&parent->kernel->args[from], &info->args[i]))
            return false;
    }
    return info->block && locals == record->local_count && locals + images + values == info->arg_count &&
           values <= 1;
}

static bool is_sound(const struct cmd_family *f, const struct kc_enqueue *record, uint64_t room)
{
    const struct kc_program *program = f->parent->program;
    struct family_parts parts;
    if (record->size % 8 || record->size < sizeof *record || record->size > room ||
        !family_find_parts(record, &parts))
        return false;
    if (record->event && !is_event(f, record->event))
        return false;
    if (record->parent >= f->node_count || f->nodes[record->parent].state != NODE_ENDED)
        return false;
    if (record->kernel < 0)
        return record->kernel >= KC_ENQUEUE_PROFILE &&
               (record->kernel == KC_ENQUEUE_MARKER || record->event);
    return (uint32_t)record->kernel < program->kernel_count && record->work_dim >= 1 &&
           record->work_dim <= 3 && has_args(f, &program->kernels[record->kernel], record);
}

// ---- arguments ----------------------------------------------------------------------------------

static const struct cmd_surface *image_of(const struct cmd_family *f, const struct kc_enqueue *record, uint32_t arg)
{
    const struct node *parent = &f->nodes[record->parent];
    return parent->images[captured_image(parent, record, arg - record->local_count)];
}

void family_take_args(const struct cmd_family *f, const struct kc_kernel *info, const struct kc_enqueue *record,
                      struct cmd_arg *args)
{
    struct family_parts parts;
    uint32_t local = 0;
    family_find_parts(record, &parts);
    memset(args, 0, info->arg_count * sizeof *args);
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == KC_ARG_LOCAL)
            args[i].size = parts.locals[local++];
        else if (info->args[i].kind == KC_ARG_IMAGE)
            args[i].surface = image_of(f, record, i);
        else
            args[i].value = parts.captured;
}

bool family_keep_images(struct node *node, const struct kc_kernel *info, const struct cmd_arg *args)
{
    bool any = false;
    for (uint32_t i = 0; i < info->arg_count; i++)
        any |= args[i].surface != NULL;
    if (!any || !info->enqueues)
        return true;
    node->kernel = info;
    node->images = calloc(info->arg_count, sizeof *node->images);
    for (uint32_t i = 0; i < info->arg_count && node->images; i++)
        node->images[i] = args[i].surface;
    return node->images;
}

static void pin(struct cmd_family *f, const struct kc_enqueue *record, uint32_t by)
{
    struct family_parts parts;
    family_find_parts(record, &parts);
    for (uint32_t i = 0; i < record->wait_count; i++)
        f->event_states[parts.waits[i] - 1].pins += by; // all are valid events, because the record
                                                        // was accepted
    if (record->kernel == KC_ENQUEUE_PROFILE)
        f->event_states[record->event - 1].pins += by;
}

static bool waits_for_events(const struct cmd_family *f, const struct kc_enqueue *record)
{
    struct family_parts parts;
    family_find_parts(record, &parts);
    for (uint32_t i = 0; i < record->wait_count; i++)
        if (!is_event(f, parts.waits[i]))
            return false;
    return true;
}

static void take_record(struct cmd_family *f, const struct kc_enqueue *record)
{
    uint32_t id = family_node_new(f, record->parent);
    if (!id) {
        family_fail(f, CL_OUT_OF_HOST_MEMORY);
        return;
    }
    f->nodes[record->parent].has_children = true;
    if (record->event && record->kernel != KC_ENQUEUE_PROFILE) {
        f->nodes[id].event = record->event;
        f->event_states[record->event - 1].owner = id + 1;
        f->events[record->event - 1].status = CL_SUBMITTED;
    }
    if (!waits_for_events(f, record)) {
        family_node_end(f, id, CL_INVALID_EVENT_WAIT_LIST);
        return;
    }
    if (!family_list_add(&f->waiting, id)) {
        family_fail(f, CL_OUT_OF_HOST_MEMORY);
        return;
    }
    f->nodes[id].record = record;
    pin(f, record, 1);
    if (record->kernel == KC_ENQUEUE_PROFILE) {
        f->nodes[id].queried_event = record->event;
        f->event_states[record->event - 1].time_queries++;
    }
}

// Copies the records out of memory that the next kernels will overwrite.
static uint32_t copy_records(struct cmd_family *f)
{
    uint32_t used = f->shared->used < f->bytes ? f->shared->used : f->bytes;
    if (f->shared->used > f->bytes)
        log_write(LOG_QUEUE,
                  "the device queue is full: it has %u bytes of commands, its size is %u",
                  f->shared->used, f->bytes);
    if (used > f->taken_size) {
        free(f->taken);
        f->taken = malloc(used);
        f->taken_size = f->taken ? used : 0;
    }
    if (used && !f->taken) {
        family_fail(f, CL_OUT_OF_HOST_MEMORY);
        return 0;
    }
    if (used)
        memcpy(f->taken, f->records, used);
    memset(f->records, 0, used);
    f->shared->used = 0;
    return used;
}

void family_take_records(struct cmd_family *f)
{
    uint32_t used = copy_records(f);
    for (uint32_t at = 0; used - at >= sizeof(struct kc_enqueue) && !f->failure;) {
        const struct kc_enqueue *record = (const struct kc_enqueue *)(f->taken + at);
        if (!record->size)
            break; // the first record that did not fit
        if (!is_sound(f, record, used - at)) {
            log_write(LOG_QUEUE,
                      "a kernel has written an invalid enqueue record: kernel %d, %u bytes",
                      record->kernel, record->size);
            family_fail(f, CL_OUT_OF_RESOURCES);
            break;
        }
        take_record(f, record);
        at += record->size;
    }
}

void family_stop_waiting(struct cmd_family *f, uint32_t id, const struct kc_enqueue *record)
{
    pin(f, record, UINT32_MAX);
    if (f->nodes[id].owns_record)
        free((void *)record);
    f->nodes[id].owns_record = false;
    f->nodes[id].record = NULL;
}

void family_save_waiting(struct cmd_family *f)
{
    for (uint32_t i = 0; i < f->waiting.count && !f->failure; i++) {
        struct node *node = &f->nodes[f->waiting.items[i]];
        if (node->owns_record)
            continue;
        struct kc_enqueue *copy = malloc(node->record->size);
        if (!copy) {
            family_fail(f, CL_OUT_OF_HOST_MEMORY);
            return;
        }
        memcpy(copy, node->record, node->record->size);
        node->record = copy;
        node->owns_record = true;
    }
}

// ---- events -------------------------------------------------------------------------------------

void family_collect_events(struct cmd_family *f)
{
    uint32_t given = f->shared->events < CMD_DEVICE_EVENTS ? f->shared->events : CMD_DEVICE_EVENTS;
    for (uint32_t i = f->given; i < given; i++) {
        uint32_t event = f->names[i];
        if (!is_number(event) || f->event_states[event - 1].taken ||
            !family_list_add(&f->live, event)) {
            family_fail(f, CL_OUT_OF_RESOURCES);
            return;
        }
        f->event_states[event - 1] = (struct event_state){.taken = true};
    }
    f->given = given;
}

void family_recycle_events(struct cmd_family *f, bool all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->live.count; i++) {
        uint32_t event = f->live.items[i];
        struct event_state *side = &f->event_states[event - 1];
        if (!all && (f->events[event - 1].references > 0 || side->pins || side->time_queries ||
                     side->owner)) {
            f->live.items[kept++] = event;
            continue;
        }
        *side = (struct event_state){.taken = false};
        f->events[event - 1] = (struct kc_device_event){0};
        f->names[--f->given] = event;
    }
    f->live.count = kept;
    f->shared->events = f->given;
}
