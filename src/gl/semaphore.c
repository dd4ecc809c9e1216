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

// A semaphore can be signalled again when a fence after its wait has been signalled, but Mesa's
// fences pass waits that are not followed by other commands.
unsigned gl_semaphore_import(struct gl_share *share, int fd)
{
    const struct gl_functions *fn = &share->fn;
    unsigned name = 0;
    if (!share->context || share->interop.export || !fn->GetStringi || !fn->GenSemaphoresEXT ||
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

void gl_semaphore_wait(struct gl_share *share, unsigned name, const struct gl_object *const *objects, unsigned count)
{
    unsigned buffers[MAX_OBJECTS], textures[MAX_OBJECTS], layouts[MAX_OBJECTS], buffer_count = 0,
                                                                                texture_count = 0;
    for (unsigned i = 0; i < count && i < MAX_OBJECTS; i++) {
        if (objects[i]->target == GL_ARRAY_BUFFER) {
            buffers[buffer_count++] = objects[i]->name;
        } else if (objects[i]->target != GL_RENDERBUFFER) {
            layouts[texture_count] = GL_LAYOUT_GENERAL;
            textures[texture_count++] = objects[i]->name;
        }
    }
    share->fn.WaitSemaphoreEXT(name, buffer_count, buffers, texture_count, textures, layouts);
}
