// SPDX-License-Identifier: Apache-2.0
// See semaphore.h.
#include "gl/semaphore.h"

#include <string.h>

#include "gl/system.h"
#include "util/gate.h"

enum { MAX_OBJECTS = 16 };

// Functions of a missing extension may be found nevertheless, and do nothing.
static bool has_extension(struct gl_share *share, const char *extension)
{
    int count = 0;
    share->fn.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (int i = 0; i < count; i++) {
        const char *name = (const char *)share->fn.GetStringi(GL_EXTENSIONS, (unsigned)i);
        if (name && !strcmp(name, extension))
            return true;
    }
    return false;
}

bool gl_can_wait_fds(const struct gl_share *share)
{
    return share->waits_fds;
}

bool gl_fd_wait(struct gl_share *share, int fd)
{
    return share->system->wait_fd(share, fd);
}

bool gl_fences_pass_waits(const struct gl_share *share)
{
    return share->interop.export;
}

unsigned gl_semaphore_import(struct gl_share *share, int fd)
{
    const struct gl_functions *fn = &share->fn;
    unsigned name = 0;
    if (!share->context || !fn->GetStringi || !fn->GenSemaphoresEXT ||
        !fn->DeleteSemaphoresEXT || !fn->ImportSemaphoreFdEXT || !fn->WaitSemaphoreEXT ||
        !has_extension(share, "GL_EXT_semaphore_fd"))
        return 0;
    gl_no_error(share);
    fn->GenSemaphoresEXT(1, &name);
    fn->ImportSemaphoreFdEXT(name, GL_HANDLE_TYPE_OPAQUE_FD, fd);
    if (gl_no_error(share))
        return name;
    gl_semaphore_delete(share, name);
    return 0;
}

void gl_semaphore_delete(struct gl_share *share, unsigned name)
{
    if (share->context && name)
        share->fn.DeleteSemaphoresEXT(1, &name);
}

bool gl_is_own_current(const struct gl_share *share)
{
    return !gate_ended() && share->origin.context && share->system->current() == share->origin.context;
}

// The arguments of glWaitSemaphoreEXT and glSignalSemaphoreEXT.
struct names {
    unsigned buffers[MAX_OBJECTS], textures[MAX_OBJECTS], layouts[MAX_OBJECTS];
    unsigned buffer_count, texture_count;
};

static void list_names(const struct gl_object *const *objects, unsigned count, struct names *names)
{
    names->buffer_count = names->texture_count = 0;
    for (unsigned i = 0; i < count && i < MAX_OBJECTS; i++) {
        unsigned name = objects[i]->mirror ? objects[i]->mirror : objects[i]->name;
        if (objects[i]->target == GL_ARRAY_BUFFER) {
            names->buffers[names->buffer_count++] = name;
        } else if (objects[i]->target != GL_RENDERBUFFER || objects[i]->mirror) {
            names->layouts[names->texture_count] = GL_LAYOUT_GENERAL;
            names->textures[names->texture_count++] = name;
        }
    }
}

void gl_semaphore_wait(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count)
{
    struct names names;
    list_names(objects, count, &names);
    share->fn.WaitSemaphoreEXT(name, names.buffer_count, names.buffers, names.texture_count, names.textures, names.layouts);
}

void gl_semaphore_signal(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count)
{
    struct names names;
    list_names(objects, count, &names);
    share->fn.SignalSemaphoreEXT(name, names.buffer_count, names.buffers, names.texture_count, names.textures, names.layouts);
    share->fn.Flush();
}
