// SPDX-License-Identifier: Apache-2.0
// Semaphores between the application's OpenGL context and Vulkan, for copies that the former makes.
// A semaphore is used again when the wait for its last signal has ended.
#include "object/gl_moves.h"

#include <stdlib.h>

#include "gl/semaphore.h"
#include "util/log.h"
#include "vulkan/external.h"

enum { ORDERS = 16 };

struct gl_orders {
    pthread_mutex_t lock;
    bool missing; // not supported
    unsigned count;
    struct gl_order list[ORDERS];
};

static struct gl_orders *orders_of(struct context_share *share)
{
    struct gl_orders *orders = share->orders, *none = NULL;
    if (orders || !(orders = calloc(1, sizeof *orders)))
        return orders;
    pthread_mutex_init(&orders->lock, NULL);
    if (atomic_compare_exchange_strong(&share->orders, &none, orders))
        return orders;
    pthread_mutex_destroy(&orders->lock); // another thread was faster
    free(orders);
    return none;
}

static struct gl_order *find_free(struct gl_orders *orders)
{
    for (unsigned i = 0; i < orders->count; i++) {
        struct gl_order *order = &orders->list[i];
        if (order->busy || (order->waits && cmd_status(order->waits) != CL_COMPLETE))
            continue;
        cmd_release(order->waits);
        order->waits = NULL;
        return order;
    }
    return NULL;
}

struct gl_order *gl_order_take(struct context_share *share, struct vk_device *device)
{
    struct gl_orders *orders = orders_of(share);
    if (!orders)
        return NULL;
    pthread_mutex_lock(&orders->lock);
    struct gl_order *order = find_free(orders);
    if (!order && !orders->missing && orders->count < ORDERS) {
        order = &orders->list[orders->count];
        order->name = gl_make_semaphore(share, device, &order->binary);
        orders->missing = !order->name;
        orders->count += !orders->missing;
        if (orders->missing) {
            log_write(LOG_MEM, "copies wait on the host: OpenGL and Vulkan have no common kind of semaphore");
            order = NULL;
        }
    }
    if (order)
        order->busy = true;
    pthread_mutex_unlock(&orders->lock);
    return order;
}

void gl_order_give(struct context_share *share, struct gl_order *order, struct command *waits)
{
    struct gl_orders *orders = share->orders;
    pthread_mutex_lock(&orders->lock);
    order->waits = waits;
    order->busy = false;
    pthread_mutex_unlock(&orders->lock);
}

static enum gl_result run_delete(struct gl_share *share, void *data)
{
    const struct gl_orders *orders = data;
    for (unsigned i = 0; i < orders->count; i++)
        gl_semaphore_delete(share, orders->list[i].name);
    return GL_FINE;
}

void gl_orders_finish(struct context_share *share, struct vk_device *device)
{
    struct gl_orders *orders = share->orders;
    if (!orders)
        return;
    gl_share_call(share->share, run_delete, orders);
    for (unsigned i = 0; i < orders->count; i++) {
        cmd_release(orders->list[i].waits);
        vk_semaphore_destroy(device, orders->list[i].binary.handle);
    }
    pthread_mutex_destroy(&orders->lock);
    free(orders);
}
