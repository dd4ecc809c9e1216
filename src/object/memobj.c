// SPDX-License-Identifier: Apache-2.0
// Buffers -> device memory. Where the memory comes from:
//
//  CL_MEM_USE_HOST_PTR    the application's own pages, if device and host share memory and alignment
//                         and driver allow it; else device memory, and maps and unmaps copy to and
//                         from those pages (a discrete GPU would access imported pages at the speed
//                         of the bus)
//  CL_MEM_ALLOC_HOST_PTR  memory that the host reads and writes at full speed
//  otherwise              device memory, filled from host_ptr for CL_MEM_COPY_HOST_PTR
//
// In contexts with several devices each device has a copy, one of which is current. Moving the
// contents waits for the last command that used the object, so an enqueue may block. Contexts with
// one device are not affected.
#include "object/memobj.h"

#include "object/gl.h"
#include "object/image.h"

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "util/log.h"
#include "vulkan/external.h"

static void memobj_call(void (*fn)(void), void *object, void *data)
{
    ((void(CL_CALLBACK *)(cl_mem, void *))fn)(object, data);
}

static struct _cl_mem *memobj_root(const struct _cl_mem *mem)
{
    return mem->storage;
}

static void memobj_drop_mappings(struct _cl_mem *mem)
{
    struct _cl_mem *root = memobj_root(mem);
    pthread_mutex_lock(&root->lock);
    for (struct memobj_mapping **at = &root->mappings; *at;) {
        struct memobj_mapping *entry = *at;
        if (entry->mem != mem) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        cmd_mapping_destroy(entry->mapping);
        free(entry);
    }
    pthread_mutex_unlock(&root->lock);
}

static void memobj_forget_addresses(struct _cl_mem *mem)
{
    for (cl_uint i = 0; mem->copies && i < mem->context->device_count; i++)
        address_map_remove(&mem->context->devices[i].addresses, mem->copies[i].buffer.address, mem);
}

static void memobj_destroy(void *object)
{
    struct _cl_mem *mem = object;
    if (mem->addressed)
        memobj_forget_addresses(mem);
    memobj_drop_mappings(mem);
    if (mem->gl)
        memobj_gl_finish(mem);
    if (mem->image)
        image_finish(mem);
    for (cl_uint i = 0; mem->copies && i < mem->context->device_count; i++) {
        cmd_release(mem->copies[i].last);
        if (mem->copies[i].pinned)
            address_map_remove(&mem->context->devices[i].pinned,
                               (uintptr_t)mem->copies[i].buffer.host, mem);
        vk_buffer_destroy(&mem->copies[i].buffer);
    }
    // The application may free its host pointer in a callback: the device no longer uses the pages.
    object_run_callbacks(&mem->callbacks, mem, memobj_call);
    pthread_mutex_destroy(&mem->lock);
    free(mem->copies);
    free(mem->properties);
    object_drop(mem->parent);
    object_drop(mem->svm);
    object_drop(mem->context);
    free(mem);
}

struct _cl_mem *memobj_new(struct _cl_context *context, cl_mem_flags flags, size_t size)
{
    struct _cl_mem *mem = calloc(1, sizeof *mem);
    if (!mem)
        return NULL;
    object_init(&mem->base, OBJECT_MEM, memobj_destroy);
    pthread_mutex_init(&mem->lock, NULL);
    mem->context = object_use(context);
    mem->type = CL_MEM_OBJECT_BUFFER;
    mem->flags = flags;
    mem->size = size;
    mem->storage = mem;
    return mem;
}

cl_int memobj_new_copies(struct _cl_mem *mem)
{
    mem->copies = calloc(mem->context->device_count, sizeof *mem->copies);
    return mem->copies ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

// ---- device memory ------------------------------------------------------------------------------

static bool memobj_import(struct _cl_mem *mem, struct vk_device *vk, struct memobj_copy *copy)
{
    uint64_t align = vk->facts->host_import_align;
    if (!(mem->flags & CL_MEM_USE_HOST_PTR) || mem->context->device_count > 1 || !align ||
        !vk->facts->unified || (uintptr_t)mem->host_ptr % align)
        return false;
    VkResult result = vk_buffer_import(vk, mem->host_ptr, mem->size, &copy->buffer);
    if (result != VK_SUCCESS) {
        log_write(LOG_MEM, "copying %zu bytes of host memory, which cannot be imported: %s", mem->size,
                  vk_result_name(result));
        memset(&copy->buffer, 0, sizeof copy->buffer);
        return false;
    }
    copy->imported = true;
    return true;
}

// The device can access this host memory too, so transfers to and from it need no staging.
static void memobj_note_pinned(struct _cl_mem *mem, int index)
{
    struct memobj_copy *copy = &mem->copies[index];
    struct context_device *device = &mem->context->devices[index];
    copy->pinned = copy->buffer.host && !device->vk->facts->unified &&
                   address_map_add(&device->pinned, (uintptr_t)copy->buffer.host, mem->size, mem) ==
                       CL_SUCCESS;
}

static cl_int memobj_make_copy(struct _cl_mem *mem, int index)
{
    struct memobj_copy *copy = &mem->copies[index];
    struct vk_device *vk = mem->context->devices[index].vk;
    if (copy->buffer.size || mem->external || memobj_import(mem, vk, copy))
        return CL_SUCCESS;
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (mem->flags & CL_MEM_ALLOC_HOST_PTR)
        result = vk_buffer_create(vk, VK_MEMORY_READBACK, mem->size, &copy->buffer);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        result = vk_buffer_create(vk, VK_MEMORY_WINDOW, mem->size, &copy->buffer);
    if (result == VK_SUCCESS) {
        memobj_note_pinned(mem, index);
        return CL_SUCCESS;
    }
    log_write(LOG_MEM, "cannot create a buffer of %zu bytes: %s", mem->size,
              vk_result_name(result));
    memset(&copy->buffer, 0, sizeof copy->buffer);
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                   : cmd_error(result);
}

static void drop_buffer(struct _cl_mem *mem)
{
    struct memobj_copy *copy = &mem->copies[0];
    if (copy->pinned)
        address_map_remove(&mem->context->devices[0].pinned, (uintptr_t)copy->buffer.host, mem);
    copy->pinned = false;
    vk_buffer_destroy(&copy->buffer);
    memset(&copy->buffer, 0, sizeof copy->buffer);
}

cl_int memobj_import_dma_buf(struct _cl_mem *mem, int fd)
{
    struct vk_buffer buffer;
    VkResult result = vk_buffer_import_fd(mem->context->devices[0].vk, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT, fd,
                                          mem->size, &buffer);
    if (result != VK_SUCCESS)
        return memobj_import_error(result);
    drop_buffer(mem);
    mem->copies[0].buffer = buffer;
    return CL_SUCCESS;
}

cl_int memobj_reallocate(struct _cl_mem *mem, struct vk_exported *out)
{
    struct memobj_copy *copy = &mem->copies[0];
    drop_buffer(mem);
    if (out)
        return cmd_error(vk_buffer_export_fd(mem->context->devices[0].vk, mem->size, &copy->buffer, out));
    return memobj_make_copy(mem, 0);
}

static cl_int memobj_fill(struct _cl_mem *mem, const void *data)
{
    struct memobj_copy *copy = &mem->copies[0];
    if (copy->imported)
        return CL_SUCCESS;
    if (copy->buffer.host) {
        memcpy(copy->buffer.host, data, mem->size);
        return CL_SUCCESS;
    }
    return cmd_upload(mem->context->devices[0].vk, &copy->buffer, 0, data, mem->size);
}

cl_int memobj_set_options(struct _cl_mem *mem, const struct memobj_options *options)
{
    mem->external = options->external;
    if (!options->properties)
        return CL_SUCCESS;
    mem->properties = malloc(options->count * sizeof *options->properties);
    if (!mem->properties)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(mem->properties, options->properties, options->count * sizeof *options->properties);
    mem->property_count = options->count;
    return CL_SUCCESS;
}

// ---- memory of other APIs -----------------------------------------------------------------------

bool memobj_options_allow(const struct memobj_options *options, const struct _cl_device_id *device)
{
    bool wished = !options->device_count;
    for (size_t i = 0; i < options->device_count; i++)
        wished |= (const struct _cl_device_id *)(uintptr_t)options->devices[i] == device;
    return wished;
}

cl_int memobj_import_error(VkResult result)
{
    switch (result) {
    case VK_ERROR_INVALID_EXTERNAL_HANDLE: // expected by Khronos's tests
        return CL_INVALID_VALUE;
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
        return CL_IMAGE_FORMAT_NOT_SUPPORTED;
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return CL_INVALID_DEVICE;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    default:
        return cmd_error(result);
    }
}

bool memobj_is_shared_on(const struct _cl_mem *mem, int device_index)
{
    return mem->image ? mem->image->copies[device_index].made
                      : mem->copies[device_index].buffer.size > 0;
}

static cl_int memobj_import_fd(struct _cl_mem *mem, const struct memobj_options *options)
{
    VkResult result = VK_SUCCESS;
    for (cl_uint i = mem->context->device_count; i-- > 0 && result == VK_SUCCESS;) {
        const struct context_device *device = &mem->context->devices[i];
        if (!memobj_options_allow(options, device->device))
            continue;
        mem->home = (int)i;
        result = vk_buffer_import_fd(device->vk, mem->external, options->fd, mem->size,
                                     &mem->copies[i].buffer);
    }
    if (result != VK_SUCCESS)
        log_write(LOG_MEM, "fd %d cannot be imported for a buffer of %zu bytes: %s", options->fd,
                  mem->size, vk_result_name(result));
    return memobj_import_error(result);
}

// A buffer with a host pointer to SVM uses that allocation. False: the pointer is not SVM.
static bool memobj_take_svm(struct _cl_mem *mem)
{
    if (!(mem->flags & CL_MEM_USE_HOST_PTR))
        return false;
    mem->svm =
        address_map_find(&mem->context->shared, (uintptr_t)mem->host_ptr, &mem->storage_offset);
    if (mem->svm)
        mem->storage = mem->svm;
    return mem->svm != NULL;
}

// Allocates device memory on all devices at once, because the addresses must not change.
static cl_int memobj_give_addresses(struct _cl_mem *mem)
{
    cl_int error = CL_SUCCESS;
    mem->addressed = true;
    for (cl_uint i = 0; mem->copies && i < mem->context->device_count && !error; i++) {
        error = memobj_make_copy(mem, (int)i);
        if (!error && mem->copies[i].buffer.size)
            error = address_map_add(&mem->context->devices[i].addresses,
                                    mem->copies[i].buffer.address, mem->size, mem);
    }
    return error;
}

static cl_int memobj_make_contents(struct _cl_mem *mem, const void *host_ptr,
                                   const struct memobj_options *options)
{
    if (memobj_take_svm(mem))
        return CL_SUCCESS;
    cl_int error = memobj_new_copies(mem);
    if (!error && mem->external)
        return memobj_import_fd(mem, options);
    if (!error)
        error = memobj_make_copy(mem, 0);
    if (!error && mem->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))
        error = memobj_fill(mem, host_ptr);
    return error;
}

bool memobj_wait_for_memory(const struct _cl_context *context, cl_int error, uint64_t *end)
{
    if (error != CL_MEM_OBJECT_ALLOCATION_FAILURE && error != CL_OUT_OF_RESOURCES)
        return false;
    bool some = false;
    for (cl_uint i = 0; i < context->device_count; i++)
        some |= cmd_wait_for_memory(context->devices[i].vk, end);
    return some;
}

static cl_int create_buffer(struct _cl_context *context, cl_mem_flags flags, size_t size,
                            void *host_ptr, const struct memobj_options *options,
                            struct _cl_mem **out)
{
    struct _cl_mem *mem = memobj_new(context, flags, size);
    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    mem->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
    cl_int error = memobj_set_options(mem, options);
    if (!error)
        error = memobj_make_contents(mem, host_ptr, options);
    if (!error && options->addressed)
        error = memobj_give_addresses(mem);
    if (error) {
        memobj_destroy(mem);
        return error;
    }
    if (mem->external)
        descriptor_close(options->fd);
    *out = mem;
    return CL_SUCCESS;
}

cl_int memobj_create_buffer(struct _cl_context *context, cl_mem_flags flags, size_t size,
                            void *host_ptr, const struct memobj_options *options,
                            struct _cl_mem **out)
{
    uint64_t end = 0;
    cl_int error;
    do
        error = create_buffer(context, flags, size, host_ptr, options, out);
    while (memobj_wait_for_memory(context, error, &end));
    return error;
}

static cl_int create_shared(struct _cl_context *context, cl_mem_flags flags, size_t size, int maker,
                            enum vk_memory_kind kind, struct _cl_mem **out)
{
    struct _cl_mem *mem = memobj_new(context, flags, size);
    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    mem->copies = calloc(context->device_count, sizeof *mem->copies);
    if (mem->copies)
        error = cmd_error(vk_buffer_create(context->devices[maker].vk, kind, size,
                                           &mem->copies[maker].buffer));
    if (error) {
        memobj_destroy(mem);
        return error;
    }
    mem->home = maker;
    mem->host_ptr = (void *)(uintptr_t)mem->copies[maker].buffer.address;
    mem->host_backed = mem->copies[maker].buffer.host != NULL;
    *out = mem;
    return CL_SUCCESS;
}

cl_int memobj_create_shared(struct _cl_context *context, cl_mem_flags flags, size_t size, int maker,
                            enum vk_memory_kind kind, struct _cl_mem **out)
{
    uint64_t end = 0;
    cl_int error;
    do
        error = create_shared(context, flags, size, maker, kind, out);
    while (memobj_wait_for_memory(context, error, &end));
    return error;
}

cl_int memobj_share(struct _cl_mem *mem, int device_index)
{
    struct vk_buffer *buffer = &mem->copies[device_index].buffer;
    VkResult result =
        vk_buffer_import(mem->context->devices[device_index].vk, mem->host_ptr, mem->size, buffer);
    if (result == VK_SUCCESS && buffer->address != (uintptr_t)mem->host_ptr) {
        log_write(LOG_MEM, "'%s' accesses the host memory %p at a different address",
                  mem->context->devices[device_index].device->caps.name, mem->host_ptr);
        result = VK_ERROR_FEATURE_NOT_PRESENT;
    }
    return cmd_error(result);
}

cl_int memobj_create_sub_buffer(struct _cl_mem *parent, cl_mem_flags flags, size_t origin,
                                size_t size, struct _cl_mem **out)
{
    struct _cl_mem *mem = memobj_new(parent->context, flags, size);
    if (!mem)
        return CL_OUT_OF_HOST_MEMORY;
    mem->parent = object_use(parent);
    mem->origin = origin;
    mem->storage = parent->storage;
    mem->storage_offset = parent->storage_offset + origin;
    mem->addressed = parent->addressed;
    mem->host_ptr = parent->host_ptr ? (char *)parent->host_ptr + origin : NULL;
    *out = mem;
    return CL_SUCCESS;
}

// ---- use on a device ----------------------------------------------------------------------------

// Moves the contents through host memory, piece by piece. Under the object's lock.
static cl_int buffer_move(struct _cl_mem *mem, int to)
{
    enum { PIECE = 16 << 20 };
    int from = mem->home;
    cl_int error = memobj_make_copy(mem, to);
    if (error)
        return error;
    if (mem->copies[from].last)
        cmd_wait(&mem->copies[from].last, 1);
    void *piece = malloc(mem->size < PIECE ? mem->size : PIECE);
    if (!piece)
        return CL_OUT_OF_HOST_MEMORY;
    for (size_t at = 0; at < mem->size && !error; at += PIECE) {
        size_t size = mem->size - at < PIECE ? mem->size - at : PIECE;
        error = cmd_download(mem->context->devices[from].vk, &mem->copies[from].buffer, at, piece,
                             size);
        if (!error)
            error =
                cmd_upload(mem->context->devices[to].vk, &mem->copies[to].buffer, at, piece, size);
    }
    free(piece);
    return error;
}

cl_int memobj_move_to(struct _cl_mem *root, int device_index)
{
    if (root->external)
        return memobj_is_shared_on(root, device_index) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
    if (root->home == device_index || (root->host_backed && root->copies[device_index].buffer.size))
        return CL_SUCCESS;
    cl_int error = root->image ? image_move(root, device_index) : buffer_move(root, device_index);
    if (!error)
        root->home = device_index;
    return error;
}

cl_int memobj_buffer(struct _cl_mem *mem, int device_index, struct vk_buffer **buffer,
                     uint64_t *offset)
{
    struct _cl_mem *root = memobj_root(mem);
    pthread_mutex_lock(&root->lock);
    cl_int error = memobj_move_to(root, device_index);
    pthread_mutex_unlock(&root->lock);
    *buffer = &root->copies[device_index].buffer;
    *offset = mem->storage_offset;
    return error;
}

uint64_t memobj_address(const struct _cl_mem *mem, int device_index)
{
    return memobj_root(mem)->copies[device_index].buffer.address + mem->storage_offset;
}

void memobj_used(struct _cl_mem *mem, int device_index, struct command *command)
{
    struct _cl_mem *root = memobj_root(mem);
    if (root->context->device_count < 2)
        return;
    pthread_mutex_lock(&root->lock);
    struct command *before = root->copies[device_index].last;
    root->copies[device_index].last = cmd_retain(command);
    pthread_mutex_unlock(&root->lock);
    cmd_release(before);
}

void *memobj_map_address(const struct _cl_mem *mem, int device_index)
{
    const struct _cl_mem *root = memobj_root(mem);
    return root->copies[device_index].imported ? NULL : root->host_ptr;
}

// ---- mappings -----------------------------------------------------------------------------------

static bool mappings_clash(const struct memobj_mapping *a, const struct memobj_mapping *b)
{
    if (!a->writes || !b->writes || a->bytes != b->bytes || (!a->bytes && (a->mem != b->mem || a->level != b->level)))
        return false;
    for (int i = 0; i < 3; i++)
        if (a->begin[i] >= b->end[i] || b->begin[i] >= a->end[i])
            return false;
    return true;
}

static void push_mapping(struct _cl_mem *root, struct memobj_mapping *entry)
{
    entry->next = root->mappings;
    root->mappings = entry;
}

static cl_int reserve(struct _cl_mem *mem, bool bytes, uint32_t level, const size_t origin[3], const size_t region[3],
                      bool writes, struct memobj_mapping **out)
{
    struct _cl_mem *root = memobj_root(mem);
    struct memobj_mapping *entry = calloc(1, sizeof *entry), *other;
    if (!entry)
        return CL_OUT_OF_HOST_MEMORY;
    entry->mem = mem;
    entry->bytes = bytes;
    entry->level = level;
    for (int i = 0; i < 3; i++) {
        entry->begin[i] = origin[i];
        entry->end[i] = origin[i] + region[i];
    }
    entry->writes = writes;
    pthread_mutex_lock(&root->lock);
    for (other = root->mappings; other && !mappings_clash(entry, other);)
        other = other->next;
    if (!other)
        push_mapping(root, entry);
    pthread_mutex_unlock(&root->lock);
    if (other) {
        free(entry);
        return CL_INVALID_OPERATION;
    }
    *out = entry;
    return CL_SUCCESS;
}

cl_int memobj_reserve_mapping(struct _cl_mem *mem, size_t offset, size_t size, bool writes,
                              struct memobj_mapping **out)
{
    const size_t origin[3] = {mem->storage_offset + offset, 0, 0}, region[3] = {size, 1, 1};
    return reserve(mem, true, 0, origin, region, writes, out);
}

cl_int memobj_reserve_box(struct _cl_mem *mem, uint32_t level, const size_t origin[3], const size_t region[3],
                          bool writes, struct memobj_mapping **out)
{
    return reserve(mem, false, level, origin, region, writes, out);
}

bool memobj_nest_mapping(struct _cl_mem *mem, size_t offset, size_t size, int by)
{
    struct _cl_mem *root = memobj_root(mem);
    size_t begin = mem->storage_offset + offset;
    pthread_mutex_lock(&root->lock);
    struct memobj_mapping *entry = root->mappings;
    while (entry && !(entry->writes && entry->begin[0] <= begin && begin + size <= entry->end[0]))
        entry = entry->next;
    if (entry && (by > 0 || entry->nested))
        entry->nested += (unsigned)by;
    pthread_mutex_unlock(&root->lock);
    return entry;
}

void memobj_set_mapping(struct memobj_mapping *entry, int device_index, struct cmd_mapping *mapping,
                        void *pointer)
{
    struct _cl_mem *root = memobj_root(entry->mem);
    pthread_mutex_lock(&root->lock);
    entry->device_index = device_index;
    entry->mapping = mapping;
    entry->pointer = pointer;
    pthread_mutex_unlock(&root->lock);
}

cl_int memobj_move_mapping(struct memobj_mapping *entry, int device_index)
{
    const struct cmd_surface *surface = NULL;
    struct vk_buffer *buffer = NULL;
    uint64_t offset;
    cl_int error = entry->mem->image ? memobj_surface(entry->mem, device_index, &surface)
                                     : memobj_buffer(entry->mem, device_index, &buffer, &offset);
    if (error)
        return error;
    entry->device_index = device_index;
    if (surface)
        surface += entry->level;
    cmd_mapping_move(entry->mapping, surface ? surface->buffer : buffer, surface);
    return CL_SUCCESS;
}

static struct memobj_mapping *unlink_mapping(struct memobj_mapping **at)
{
    struct memobj_mapping *entry = *at;
    *at = entry->next;
    return entry;
}

void memobj_remove_mapping(struct memobj_mapping *entry)
{
    struct _cl_mem *root = memobj_root(entry->mem);
    struct memobj_mapping **at = &root->mappings;
    pthread_mutex_lock(&root->lock);
    while (*at != entry)
        at = &(*at)->next;
    unlink_mapping(at);
    pthread_mutex_unlock(&root->lock);
    free(entry);
}

// `ended`: one that memobj_end_mapping() has left for further unmaps.
static struct memobj_mapping *take(struct _cl_mem *mem, const void *pointer, bool ended)
{
    struct _cl_mem *root = memobj_root(mem);
    struct memobj_mapping **at = &root->mappings, *entry = NULL;
    pthread_mutex_lock(&root->lock);
    while (pointer && *at && ((*at)->mem != mem || (*at)->pointer != pointer || !(*at)->mapping != ended))
        at = &(*at)->next;
    if (pointer && *at)
        entry = unlink_mapping(at);
    pthread_mutex_unlock(&root->lock);
    return entry;
}

struct memobj_mapping *memobj_take_mapping(struct _cl_mem *mem, const void *pointer)
{
    return take(mem, pointer, false);
}

size_t memobj_take_nested(struct _cl_mem *mem, const void *pointer)
{
    struct memobj_mapping *entry = take(mem, pointer, true);
    size_t size = entry ? entry->end[0] - entry->begin[0] : 0;
    if (entry)
        memobj_end_mapping(entry);
    return size;
}

void memobj_end_mapping(struct memobj_mapping *entry)
{
    if (!entry->nested) {
        free(entry);
        return;
    }
    entry->nested--;
    entry->writes = false;
    entry->mapping = NULL;
    memobj_put_mapping(entry);
}

void memobj_put_mapping(struct memobj_mapping *entry)
{
    struct _cl_mem *root = memobj_root(entry->mem);
    pthread_mutex_lock(&root->lock);
    push_mapping(root, entry);
    pthread_mutex_unlock(&root->lock);
}

cl_uint memobj_map_count(const struct _cl_mem *mem)
{
    struct _cl_mem *root = memobj_root(mem);
    cl_uint count = 0;
    pthread_mutex_lock(&root->lock);
    for (const struct memobj_mapping *entry = root->mappings; entry; entry = entry->next)
        count += entry->mem == mem && entry->pointer;
    pthread_mutex_unlock(&root->lock);
    return count;
}

cl_int memobj_add_callback(struct _cl_mem *mem, void (*fn)(void), void *data)
{
    return object_add_callback(&mem->callbacks, &mem->lock, fn, data);
}
