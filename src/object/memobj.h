// SPDX-License-Identifier: Apache-2.0
// Memory objects: buffers, sub-buffers and images, with one device buffer (or image) for each
// device that has needed it.
//
// A sub-buffer is a range of its parent and has no memory of its own; images may have parents too.
// In a context with several devices the contents are on one device at a time; memobj_buffer() moves
// them.
#ifndef PUMICE_OBJECT_MEMOBJ_H
#define PUMICE_OBJECT_MEMOBJ_H

#include "object/queue.h"
#include "vulkan/memory.h"

// A mapped region, in the list of the root object. `bytes`: dimension 0 of [begin, end) counts
// bytes of the root; otherwise the box counts texels, rows and slices of the object itself.
struct memobj_mapping {
    struct memobj_mapping *next;
    struct _cl_mem *mem; // the mapped object
    bool bytes;
    uint32_t level; // mip level of an image
    size_t begin[3], end[3];
    bool writes;
    void *pointer; // NULL: the map is still being enqueued
    int device_index; // device whose memory is mapped
    struct cmd_mapping *mapping;
    unsigned nested; // SVM: maps of bytes that were mapped already, each of which may have its own unmap
};

struct memobj_image; // image.h
struct memobj_gl;    // gl.h
struct vk_exported;  // vulkan/external.h

// Properties of a new object. `external`: the type of the fd that its memory is imported from, on
// these devices (none: all of the context). On success the object takes the fd and closes it.
struct memobj_options {
    const cl_mem_properties *properties; // NULL: none were passed
    size_t count;                        // including the terminating 0
    bool addressed;
    VkExternalMemoryHandleTypeFlagBits external;
    int fd;
    const cl_mem_properties *devices;
    size_t device_count;
};

struct memobj_copy {
    struct vk_buffer buffer; // zeroed: not created yet, or an image
    bool imported;           // its memory is the application's
    bool pinned;             // it is in the device's map of pinned memory
    struct command *last; // last command that used it; only maintained in contexts with several
                          // devices
};

struct _cl_mem {
    struct object base;
    struct _cl_context *context;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    void *host_ptr;                // from CL_MEM_USE_HOST_PTR (address of byte 0 of this object)
    struct _cl_mem *parent;        // of a sub-buffer, or what an image was created from
    size_t origin;                 // in the parent
    struct memobj_image *image;    // NULL: a buffer
    struct memobj_gl *gl;          // NULL: not created from an OpenGL or EGL object
    struct _cl_mem *storage;       // the object whose copies hold the bytes: itself or its root
    size_t storage_offset;         // of byte 0 in `storage`
    bool addressed;                // the application may use its device addresses
    struct _cl_mem *svm;           // the SVM allocation that CL_MEM_USE_HOST_PTR refers to
    cl_unified_shared_memory_type_intel usm; // 0: not unified shared memory; otherwise `home` never
                                             // changes
    struct _cl_device_id *usm_device;        // that it was allocated for; NULL: none
    cl_mem_alloc_flags_intel usm_flags;
    int svm_type; // enum svm_type: for SVM, including the kinds of unified shared memory; else 0
    cl_svm_alloc_access_flags_khr svm_access;
    cl_mem_properties *properties; // as passed, including the terminating 0; NULL: none
    size_t property_count;
    cl_uint packet_size, max_packets; // of a pipe; else 0

    VkExternalMemoryHandleTypeFlagBits external; // type of the fd that its memory was imported
                                                 // from; 0: its own memory
    struct memobj_copy *copies; // one per device of the context; NULL if another object is the
                                // storage
    int home;                   // index of the copy with the current contents
    bool host_backed;           // all copies are the same host memory at one address
    pthread_mutex_t lock;       // guards copies, home, mappings, callbacks
    struct memobj_mapping *mappings;
    struct object_callback *callbacks;
};

// If there was no memory: commands may still hold some that the application has released. Waits until some of it is
// free, at most until `end` (cmd_wait_for_memory()); true: try again. Call without locks.
bool memobj_wait_for_memory(const struct _cl_context *context, cl_int error, uint64_t *end);

// Flags are already checked and complete; the contents come from host_ptr as the flags say.
cl_int memobj_create_buffer(struct _cl_context *context, cl_mem_flags flags, size_t size,
                            void *host_ptr, const struct memobj_options *options,
                            struct _cl_mem **out);
cl_int memobj_create_sub_buffer(struct _cl_mem *parent, cl_mem_flags flags, size_t origin,
                                size_t size, struct _cl_mem **out);

// Creates an empty pipe. The sizes are already checked; CL_MEM_OBJECT_ALLOCATION_FAILURE: the
// product is too large.
cl_int memobj_create_pipe(struct _cl_context *context, cl_mem_flags flags, cl_uint packet_size,
                          cl_uint max_packets, struct _cl_mem **out);

// Memory that is identified by its address, allocated by one device; `host_ptr` is the address,
// even if the host cannot access it.
cl_int memobj_create_shared(struct _cl_context *context, cl_mem_flags flags, size_t size, int maker,
                            enum vk_memory_kind kind, struct _cl_mem **out);
// Makes the same memory available to another device at the same address.
cl_int memobj_share(struct _cl_mem *mem, int device_index);

// The device buffer with the object's contents for commands on a device of the context, and the
// offset of byte 0 in it.
cl_int memobj_buffer(struct _cl_mem *mem, int device_index, struct vk_buffer **buffer,
                     uint64_t *offset);

// The address of byte 0 on a device of the context; only for `addressed` objects.
uint64_t memobj_address(const struct _cl_mem *mem, int device_index);

// Whether memory of another API can be used on a device.
bool memobj_is_shared_on(const struct _cl_mem *mem, int device_index);

// Records the last command that used the object on a device; see struct memobj_copy.
void memobj_used(struct _cl_mem *mem, int device_index, struct command *command);

// The address where cmd_map() must make byte 0 of the device buffer visible; NULL: any.
void *memobj_map_address(const struct _cl_mem *mem, int device_index);

// Mappings of the object, newest first. Reserve an entry before enqueuing the command: it fails if
// a byte would be mapped for writing twice (CL_INVALID_OPERATION). The entry belongs to the list
// until it is removed, directly or by the pointer that was returned (NULL: not found); then the
// caller frees it or puts it back.
cl_int memobj_reserve_mapping(struct _cl_mem *mem, size_t offset, size_t size, bool writes,
                              struct memobj_mapping **entry);
cl_int memobj_reserve_box(struct _cl_mem *mem, uint32_t level, const size_t origin[3], const size_t region[3],
                          bool writes, struct memobj_mapping **entry);
// SVM: whether the bytes are in a mapping that writes, which then counts another map in it (by: 1) or unmap (-1).
bool memobj_nest_mapping(struct _cl_mem *mem, size_t offset, size_t size, int by);
// For an unmap beyond the first one: the size of the bytes that were mapped more than once; 0: there are none.
size_t memobj_take_nested(struct _cl_mem *mem, const void *pointer);
void memobj_set_mapping(struct memobj_mapping *entry, int device_index, struct cmd_mapping *mapping,
                        void *pointer);
// For an unmap on another device: moves the contents and the mapping there.
cl_int memobj_move_mapping(struct memobj_mapping *entry, int device_index);
void memobj_remove_mapping(struct memobj_mapping *entry);
struct memobj_mapping *memobj_take_mapping(struct _cl_mem *mem, const void *pointer);
void memobj_put_mapping(struct memobj_mapping *entry);
void memobj_end_mapping(struct memobj_mapping *entry); // after memobj_take_mapping()
cl_uint memobj_map_count(const struct _cl_mem *mem);

// For image.c: a new object without memory; and moving the contents to a device, under the lock of
// its storage.
struct _cl_mem *memobj_new(struct _cl_context *context, cl_mem_flags flags, size_t size);
cl_int memobj_new_copies(struct _cl_mem *mem);
cl_int memobj_set_options(struct _cl_mem *mem, const struct memobj_options *options);
bool memobj_options_allow(const struct memobj_options *options, const struct _cl_device_id *device);
// For gl.c: replaces the memory of an unused buffer by memory that others can import; NULL: by
// memory of its own.
cl_int memobj_reallocate(struct _cl_mem *mem, struct vk_exported *out);
// For gl.c: uses the first bytes of another API's memory for such a buffer, which then keeps a
// duplicate of the fd.
cl_int memobj_import_dma_buf(struct _cl_mem *mem, int fd);
cl_int memobj_import_error(VkResult result);
cl_int memobj_move_to(struct _cl_mem *root, int device_index);

cl_int memobj_add_callback(struct _cl_mem *mem, void (*fn)(void), void *data);

#endif
