// SPDX-License-Identifier: Apache-2.0
// Memory objects: buffers, sub-buffers and images, with one device buffer (or image) per device that
// has needed it.
//
// A sub-buffer is a window on its parent and has no memory of its own; images may have parents too. In a context with several
// devices the contents live on one at a time; memobj_buffer() moves them.
#ifndef PUMICE_OBJECT_MEMOBJ_H
#define PUMICE_OBJECT_MEMOBJ_H

#include "object/queue.h"
#include "vulkan/memory.h"

// A region that is mapped; kept in the list of the root. `bytes`: [begin, end) of dimension 0 counts
// the root's bytes; otherwise the box counts the object's own texels, rows, slices.
struct memobj_mapping {
    struct memobj_mapping *next;
    struct _cl_mem *mem; // that was mapped
    bool bytes;
    uint32_t level; // of an image's
    size_t begin[3], end[3];
    bool writes;
    void *pointer; // NULL: the map is still being enqueued
    int device_index; // whose memory is mapped
    struct cmd_mapping *mapping;
};

struct memobj_image; // image.h
struct memobj_gl;    // gl.h
struct vk_exported;  // vulkan/external.h

// What the properties of a new object say. `external`: the type of the fd that its memory is
// imported of, on these devices (none: all of the context). On success the fd is closed: it was the
// object's.
struct memobj_wishes {
    const cl_mem_properties *properties; // NULL: none were given
    size_t count;                        // terminating 0 included
    bool addressed;
    VkExternalMemoryHandleTypeFlagBits external;
    int fd;
    const cl_mem_properties *devices;
    size_t device_count;
};

struct memobj_copy {
    struct vk_buffer buffer; // zeroed: not made yet, or an image
    bool imported;           // its memory is the application's own
    bool pinned;             // in the device's map of pinned memory
    struct command *last; // last command that used it; kept in contexts with several devices only
};

struct _cl_mem {
    struct object base;
    struct _cl_context *context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    void *host_ptr;                // CL_MEM_USE_HOST_PTR's (of byte 0 of this object)
    struct _cl_mem *parent;        // of a sub-buffer, or what an image is made of
    size_t origin;                 // in the parent
    struct memobj_image *image;    // NULL: a buffer
    struct memobj_gl *gl;          // NULL: not made from an object of OpenGL's or EGL's
    struct _cl_mem *storage;       // whose copies hold the bytes: the object itself, or its root
    size_t storage_offset;         // of byte 0 in there
    bool addressed;                // its device addresses are the application's to use
    struct _cl_mem *svm;           // the shared memory that CL_MEM_USE_HOST_PTR named
    cl_unified_shared_memory_type_intel usm; // 0: no unified shared memory; its home never changes
    struct _cl_device_id *usm_device;        // that it was asked for; NULL: none
    cl_mem_alloc_flags_intel usm_flags;
    int svm_type; // enum svm_type: as shared virtual memory, one of unified shared memory's kinds too; else 0
    cl_svm_alloc_access_flags_khr svm_access;
    cl_mem_properties *properties; // as given, terminating 0 included; NULL: none
    size_t property_count;
    cl_uint packet_size, max_packets; // of a pipe; else 0

    VkExternalMemoryHandleTypeFlagBits external; // that its memory is imported of; 0: its own
    struct memobj_copy *copies; // one per device of the context; NULL when the storage is another's
    int home;                   // index of the copy that holds the contents
    bool everywhere;            // all copies are the host's own memory at one address
    pthread_mutex_t lock;       // of copies, home, mappings, callbacks
    struct memobj_mapping *mappings;
    struct object_callback *callbacks;
};

// Flags are checked and complete; contents come from host_ptr as the flags say.
cl_int memobj_create_buffer(struct _cl_context *context, cl_mem_flags flags, size_t size,
                            void *host_ptr, const struct memobj_wishes *wishes,
                            struct _cl_mem **out);
cl_int memobj_create_sub_buffer(struct _cl_mem *parent, cl_mem_flags flags, size_t origin,
                                size_t size, struct _cl_mem **out);

// An empty one. The sizes are checked; CL_MEM_OBJECT_ALLOCATION_FAILURE: together they are too large.
cl_int memobj_create_pipe(struct _cl_context *context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, struct _cl_mem **out);

// Memory that is known by its address, made by one device: `host_ptr`, whether or not the host sees
// it there.
cl_int memobj_create_shared(struct _cl_context *context, cl_mem_flags flags, size_t size, int maker,
                            enum vk_memory_kind kind, struct _cl_mem **out);
// Gives another device the same memory at the same address.
cl_int memobj_share(struct _cl_mem *mem, int device_index);

// The device buffer that holds the object's contents for commands of a device of the context, and
// the offset of byte 0 in it.
cl_int memobj_buffer(struct _cl_mem *mem, int device_index, struct vk_buffer **buffer,
                     uint64_t *offset);

// The address of byte 0 on a device of the context, for an object that is `addressed`.
uint64_t memobj_address(const struct _cl_mem *mem, int device_index);

// Whether memory that is another API's can be used on a device.
bool memobj_is_shared_on(const struct _cl_mem *mem, int device_index);

// Notes the command that used the object on a device; see struct memobj_copy.
void memobj_used(struct _cl_mem *mem, int device_index, struct command *command);

// The address that cmd_map() must show byte 0 of the device buffer at, or NULL when any will do.
void *memobj_shown_at(const struct _cl_mem *mem, int device_index);

// Mappings of the object, the newest first. Reserving comes before the command: it refuses what
// would map a byte for writing twice (CL_INVALID_OPERATION). The entry is the list's until it is
// taken, by itself or by the pointer that was handed out (NULL: there is none); then the caller
// frees it or puts it back.
cl_int memobj_reserve_mapping(struct _cl_mem *mem, size_t offset, size_t size, bool writes,
                              struct memobj_mapping **entry);
cl_int memobj_reserve_box(struct _cl_mem *mem, uint32_t level, const size_t origin[3], const size_t region[3],
                          bool writes, struct memobj_mapping **entry);
void memobj_set_mapping(struct memobj_mapping *entry, int device_index, struct cmd_mapping *mapping,
                        void *pointer);
// The mapping is to be undone on another device: the contents and it go there.
cl_int memobj_move_mapping(struct memobj_mapping *entry, int device_index);
void memobj_remove_mapping(struct memobj_mapping *entry);
struct memobj_mapping *memobj_take_mapping(struct _cl_mem *mem, const void *pointer);
void memobj_put_mapping(struct memobj_mapping *entry);
cl_uint memobj_map_count(const struct _cl_mem *mem);

// For image.c: a new object without memory, as yet; the contents on a device, under the lock of
// its storage.
struct _cl_mem *memobj_new(struct _cl_context *context, cl_mem_flags flags, size_t size);
cl_int memobj_new_copies(struct _cl_mem *mem);
cl_int memobj_take_wishes(struct _cl_mem *mem, const struct memobj_wishes *wishes);
bool memobj_is_wished(const struct memobj_wishes *wishes, const struct _cl_device_id *device);
// For gl.c: memory that others can import for a buffer that nobody has used yet; with NULL its own again.
cl_int memobj_renew(struct _cl_mem *mem, struct vk_exported *out);
// For it: the first bytes of another API's memory for such a buffer, which then keeps a copy of the fd.
cl_int memobj_import_dma_buf(struct _cl_mem *mem, int fd);
cl_int memobj_import_error(VkResult result);
cl_int memobj_bring(struct _cl_mem *root, int device_index);

cl_int memobj_add_callback(struct _cl_mem *mem, void (*fn)(void), void *data);

#endif
