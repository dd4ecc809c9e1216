// SPDX-License-Identifier: Apache-2.0
// EGL: a context that shares with the application's, of the same client API, without a surface where EGL allows it.
#include <string.h>

#include "gl/system.h"
#include "util/log.h"

static void *library; // NULL: there is none, or it lacks something

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
        "eglReleaseThread\0?eglClientWaitSyncKHR\0?eglGetSyncAttribKHR\0";
    library = library_open("libEGL.so.1");
    *(void **)&egl.GetProcAddress = library ? library_find(library, names) : NULL;
    const char *missing = egl.GetProcAddress ? gl_load(&egl, names, find) : names;
    if (missing) {
        log_write(LOG_MEM, "libEGL.so.1 has no %s", missing);
        library = NULL;
    }
}

static void *proc(const char *name)
{
    return egl.GetProcAddress(name);
}

// ---- the context --------------------------------------------------------------------------------

// The context's own; without a context one for pbuffers. NULL with true: none, which drivers without windows allow.
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

static bool has(const struct gl_share *share, const char *extension)
{
    const char *all = egl.QueryString(share->origin.display, EGL_EXTENSIONS);
    return all && strstr(all, extension);
}

static bool make_current(struct gl_share *share, void *config)
{
    static const int one[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    void *surface = NULL;
    if (!has(share, "EGL_KHR_surfaceless_context"))
        surface = egl.CreatePbufferSurface(share->origin.display, config, one);
    share->surface = (uintptr_t)surface;
    return egl.MakeCurrent(share->origin.display, surface, surface, share->context);
}

static enum gl_result begin(struct gl_share *share)
{
    // Contexts share only if they answer to a reset in the same way.
    static const int desktop[][9] = {
        {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_PROFILE_MASK, GL_CORE_PROFILE_BIT, EGL_NONE},
        {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_PROFILE_MASK, GL_CORE_PROFILE_BIT,
         EGL_RESET_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE},
        {EGL_NONE},
    };
    static const int embedded[][9] = {
        {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE},
        {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_RESET_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE},
        {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE},
    };
    int api = EGL_OPENGL_ES_API;
    void *config;
    if (!config_of(share, &config))
        return GL_NO_CONTEXT;
    if (share->origin.context &&
        !egl.QueryContext(share->origin.display, share->origin.context, EGL_CONTEXT_CLIENT_TYPE, &api))
        return GL_NO_CONTEXT;
    share->es = api == EGL_OPENGL_ES_API;
    egl.BindAPI((unsigned)api);
    for (int i = 0; i < 3 && !share->context; i++)
        share->context = egl.CreateContext(share->origin.display, config, share->origin.context,
                                           share->es ? embedded[i] : desktop[i]);
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

const struct gl_system_functions *gl_egl(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const struct gl_system_functions functions = {begin, end, current, proc};
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
