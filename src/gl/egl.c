// SPDX-License-Identifier: Apache-2.0
// EGL: creates a context that shares with the application's, with the same client API, without a
// surface if EGL allows it.
#include <string.h>

#include "gl/export.h"
#include "gl/system.h"
#include "util/log.h"

enum { MAX_PLANES = 8 };

static void *library; // NULL: not available, or incomplete

static struct {
    void *(*GetProcAddress)(const char *name);
    unsigned (*BindAPI)(unsigned api);
    const char *(*QueryString)(void *display, int name);
    unsigned (*QueryContext)(void *display, void *context, int name, int *value);
    unsigned (*ChooseConfig)(void *display, const int *list, void **configs, int room, int *count);
    void *(*CreateContext)(void *display, void *config, void *shared, const int *list);
    unsigned (*DestroyContext)(void *display, void *context);
    void *(*CreatePbufferSurface)(void *display, void *config, const int *list);
    unsigned (*DestroySurface)(void *display, void *surface);
    unsigned (*MakeCurrent)(void *display, void *draw, void *read, void *context);
    void *(*GetCurrentContext)(void);
    unsigned (*ReleaseThread)(void);
    int (*ClientWaitSync)(void *display, void *sync, int flags, uint64_t ns);
    unsigned (*GetSyncAttrib)(void *display, void *sync, int name, int *value);
    void *(*CreateImage)(void *display, void *context, unsigned target, void *object, const int *list);
    unsigned (*DestroyImage)(void *display, void *image);
    unsigned (*ExportQuery)(void *display, void *image, int *fourcc, int *planes, uint64_t *modifiers);
    unsigned (*Export)(void *display, void *image, int *fds, int *pitches, int *offsets);
    void *(*CreateSync)(void *display, unsigned type, const int *list);
    unsigned (*DestroySync)(void *display, void *sync);
    int (*WaitSync)(void *display, void *sync, int flags);
} egl;

static void *find(const char *name)
{
    void *found = library_find(library, name);
    return found ? found : egl.GetProcAddress(name);
}

static void load(void)
{
    static const char names[] =
        "eglGetProcAddress\0eglBindAPI\0eglQueryString\0eglQueryContext\0eglChooseConfig\0eglCreateContext\0"
        "eglDestroyContext\0eglCreatePbufferSurface\0eglDestroySurface\0eglMakeCurrent\0eglGetCurrentContext\0"
        "eglReleaseThread\0?eglClientWaitSyncKHR\0?eglGetSyncAttribKHR\0?eglCreateImageKHR\0?eglDestroyImageKHR\0"
        "?eglExportDMABUFImageQueryMESA\0?eglExportDMABUFImageMESA\0?eglCreateSyncKHR\0?eglDestroySyncKHR\0?eglWaitSyncKHR\0";
    library = library_open("libEGL.so.1");
    *(void **)&egl.GetProcAddress = library ? library_find(library, names) : NULL;
    const char *missing = egl.GetProcAddress ? gl_load(&egl, names, find) : names;
    if (missing) {
        log_write(LOG_MEM, "libEGL.so.1 lacks %s", missing);
        library = NULL;
    }
}

static void *proc(const char *name)
{
    return egl.GetProcAddress(name);
}

// ---- the context --------------------------------------------------------------------------------

// The context's config; without a context one for pbuffers. NULL with true: none, which drivers
// without windows allow.
static bool config_of(const struct gl_share *share, void **config)
{
    int id = 0, count = 0;
    *config = NULL;
    if (share->origin.context && !egl.QueryContext(share->origin.display, share->origin.context, EGL_CONFIG_ID, &id))
        return false;
    const int list[] = {id ? EGL_CONFIG_ID : EGL_SURFACE_TYPE, id ? id : EGL_PBUFFER_BIT, EGL_NONE};
    if (share->origin.context && !id)
        return true;
    return (egl.ChooseConfig(share->origin.display, list, config, 1, &count) && count) || !id;
}

static bool has_extension(const struct gl_share *share, const char *extension)
{
    const char *all = egl.QueryString(share->origin.display, EGL_EXTENSIONS);
    return all && strstr(all, extension);
}

static bool make_current(struct gl_share *share, void *config)
{
    static const int one[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    void *surface = NULL;
    if (!has_extension(share, "EGL_KHR_surfaceless_context"))
        surface = egl.CreatePbufferSurface(share->origin.display, config, one);
    share->surface = (uintptr_t)surface;
    return egl.MakeCurrent(share->origin.display, surface, surface, share->context);
}

// Contexts can share only if they have the same reset strategy.
static void *create_as(const struct gl_share *share, void *config, int version, bool resets)
{
    const int strategy = share->es ? EGL_RESET_STRATEGY_EXT : EGL_RESET_STRATEGY;
    int list[9], count = 0;
    list[count++] = EGL_CONTEXT_MAJOR_VERSION;
    list[count++] = version / 10;
    if (!share->es || version % 10) {
        list[count++] = EGL_CONTEXT_MINOR_VERSION;
        list[count++] = version % 10;
    }
    if (!share->es) {
        list[count++] = EGL_CONTEXT_PROFILE_MASK;
        list[count++] = GL_CORE_PROFILE_BIT;
    }
    if (resets) {
        list[count++] = strategy;
        list[count++] = EGL_LOSE_CONTEXT_ON_RESET;
    }
    list[count] = EGL_NONE;
    return egl.CreateContext(share->origin.display, config, share->origin.context, list);
}

// Some drivers create no newer version than requested.
static void create(struct gl_share *share, void *config)
{
    static const int none[] = {EGL_NONE};
    const int *versions = share->es ? gl_versions_es : gl_versions;
    for (int i = 0; versions[i] && !share->context; i++)
        for (int resets = 0; resets < 2 && !share->context; resets++)
            share->context = create_as(share, config, versions[i], resets);
    if (!share->context && !share->es)
        share->context = egl.CreateContext(share->origin.display, config, share->origin.context, none);
}

static enum gl_result begin(struct gl_share *share)
{
    int api = EGL_OPENGL_ES_API;
    void *config;
    if (!config_of(share, &config))
        return GL_NO_CONTEXT;
    if (share->origin.context &&
        !egl.QueryContext(share->origin.display, share->origin.context, EGL_CONTEXT_CLIENT_TYPE, &api))
        return GL_NO_CONTEXT;
    share->es = api == EGL_OPENGL_ES_API;
    egl.BindAPI((unsigned)api);
    create(share, config);
    return share->context && make_current(share, config) ? GL_FINE : GL_NO_CONTEXT;
}

static void end(struct gl_share *share)
{
    egl.MakeCurrent(share->origin.display, NULL, NULL, NULL);
    if (share->context)
        egl.DestroyContext(share->origin.display, share->context);
    if (share->surface)
        egl.DestroySurface(share->origin.display, (void *)share->surface);
    egl.ReleaseThread();
}

static void *current(void)
{
    return egl.GetCurrentContext();
}

// ---- exports ------------------------------------------------------------------------------------

static void interop(struct gl_share *share)
{
    share->waits_fds = has_extension(share, "EGL_ANDROID_native_fence_sync") && egl.CreateSync &&
                       egl.DestroySync && egl.WaitSync;
    if (!has_extension(share, "EGL_MESA_gl_interop"))
        return;
    *(void **)&share->interop.export = proc("eglGLInteropExportObjectMESA");
    *(void **)&share->interop.flush = proc("eglGLInteropFlushObjectsMESA");
}

static unsigned image_target(const struct gl_object *object)
{
    if (gl_is_face(object->target))
        return EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X + object->target - GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    return object->target == GL_TEXTURE_2D     ? EGL_GL_TEXTURE_2D
           : object->target == GL_RENDERBUFFER ? EGL_GL_RENDERBUFFER
                                               : 0;
}

static void *make_image(struct gl_share *share, const struct gl_object *object)
{
    const bool texture = object->target != GL_RENDERBUFFER;
    const int list[] = {EGL_IMAGE_PRESERVED, EGL_TRUE, texture ? EGL_GL_TEXTURE_LEVEL : EGL_NONE, object->level, EGL_NONE};
    unsigned target = egl.CreateImage && egl.DestroyImage ? image_target(object) : 0;
    return target ? egl.CreateImage(share->origin.display, share->context, target, (void *)(uintptr_t)object->name, list) : NULL;
}

static void drop_image(struct gl_share *share, void *image)
{
    egl.DestroyImage(share->origin.display, image);
}

static bool export_image(const struct gl_share *share, void *image, struct gl_exported *out)
{
    void *display = share->origin.display;
    int fourcc, planes = 0, fds[MAX_PLANES], pitches[MAX_PLANES], offsets[MAX_PLANES];
    uint64_t modifiers[MAX_PLANES] = {0};
    // with several planes nothing that would have to be closed is exported
    if (!egl.ExportQuery(display, image, &fourcc, &planes, NULL) || planes != 1 ||
        !egl.ExportQuery(display, image, NULL, NULL, modifiers))
        return false;
    memset(fds, -1, sizeof fds);
    if (!egl.Export(display, image, fds, pitches, offsets))
        return false;
    *out = (struct gl_exported){fds[0], *modifiers, (uint64_t)*offsets, (uint32_t)*pitches, "EGL_MESA_image_dma_buf_export"};
    return true;
}

static bool export(struct gl_share *share, const struct gl_object *object, struct gl_exported *out)
{
    if (!has_extension(share, "EGL_MESA_image_dma_buf_export") || !egl.ExportQuery || !egl.Export)
        return false;
    void *image = object->image ? object->image : make_image(share, object);
    if (!image)
        return false;
    bool done = export_image(share, image, out);
    if (!object->image)
        drop_image(share, image);
    return done;
}

static bool wait_fd(struct gl_share *share, int fd)
{
    const int list[] = {EGL_SYNC_NATIVE_FENCE_FD, fd, EGL_NONE};
    void *display = share->origin.display, *sync = egl.CreateSync(display, EGL_SYNC_NATIVE_FENCE, list);
    if (!sync) {
        descriptor_close(fd);
        return false;
    }
    bool waits = egl.WaitSync(display, sync, 0) == EGL_TRUE;
    egl.DestroySync(display, sync);
    return waits;
}

const struct gl_system_functions *gl_egl(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const struct gl_system_functions functions = {begin, end, current, proc, interop, export, wait_fd, make_image, drop_image};
    pthread_once(&once, load);
    return library ? &functions : NULL;
}

int gl_egl_sync(void *display, void *sync)
{
    int type = 0;
    if (!egl.GetSyncAttrib || !egl.ClientWaitSync || !egl.GetSyncAttrib(display, sync, EGL_SYNC_TYPE, &type) ||
        type != EGL_SYNC_FENCE)
        return -1;
    int state = egl.ClientWaitSync(display, sync, 0, 0);
    return state == EGL_CONDITION_SATISFIED ? 0 : state == EGL_TIMEOUT_EXPIRED ? 1 : -1;
}
