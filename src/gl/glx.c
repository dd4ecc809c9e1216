// SPDX-License-Identifier: Apache-2.0
// GLX: creates a context that shares with the application's. The application may close its X
// display while our context on it still exists: a close hook ends the context first.
#include <stdlib.h>
#include <string.h>

#include "gl/system.h"
#include "util/gate.h"
#include "util/log.h"

typedef unsigned long xid;
typedef int (*close_fn)(void *display, int *codes);
typedef int (*error_fn)(void *display, void *event);

static void *library, *x; // NULL: not available, or incomplete

static struct {
    void *(*GetProcAddress)(const char *name);
    int (*QueryContext)(void *display, void *context, int name, int *value);
    void **(*GetFBConfigs)(void *display, int screen, int *count);
    int (*GetFBConfigAttrib)(void *display, void *config, int name, int *value);
    void *(*CreateContextAttribs)(void *display, void *config, void *shared, int direct, const int *list);
    void *(*CreateNewContext)(void *display, void *config, int type, void *shared, int direct);
    void (*DestroyContext)(void *display, void *context);
    xid (*CreatePbuffer)(void *display, void *config, const int *list);
    void (*DestroyPbuffer)(void *display, xid pbuffer);
    int (*MakeContextCurrent)(void *display, xid draw, xid read, void *context);
    void *(*GetCurrentContext)(void);
    const char *(*QueryExtensionsString)(void *display, int screen);
    int (*Free)(void *data);
    int (*Sync)(void *display, int discard);
    error_fn (*SetErrorHandler)(error_fn handler);
    int *(*AddExtension)(void *display);
    close_fn (*SetCloseDisplay)(void *display, int extension, close_fn fn);
} glx;

// The library that the application uses, because contexts are pointers into it.
static void *open_library(void)
{
    static const char *const names[] = {"libGLX.so.0", "libGL.so.1"};
    void *found = NULL;
    for (int i = 0; i < 4 && !found; i++)
        found = i < 2 ? library_loaded(names[i % 2]) : library_open(names[i % 2]);
    return found;
}

static void *find(const char *name)
{
    void *found = library_find(*name == 'X' ? x : library, name);
    return found || *name == 'X' ? found : glx.GetProcAddress(name);
}

static void load(void)
{
    static const char names[] =
        "glXGetProcAddressARB\0glXQueryContext\0glXGetFBConfigs\0glXGetFBConfigAttrib\0?glXCreateContextAttribsARB\0"
        "glXCreateNewContext\0glXDestroyContext\0glXCreatePbuffer\0glXDestroyPbuffer\0glXMakeContextCurrent\0"
        "glXGetCurrentContext\0glXQueryExtensionsString\0XFree\0XSync\0XSetErrorHandler\0XAddExtension\0XESetCloseDisplay\0";
    x = library_open("libX11.so.6");
    library = x ? open_library() : NULL;
    *(void **)&glx.GetProcAddress = library ? library_find(library, names) : NULL;
    const char *missing = glx.GetProcAddress ? gl_load(&glx, names, find) : names;
    if (missing) {
        log_write(LOG_MEM, "libGLX and libX11 lack %s", missing);
        library = NULL;
    }
}

static void *proc(const char *name)
{
    return glx.GetProcAddress(name);
}

// ---- errors -------------------------------------------------------------------------------------

// X errors end the process by default. Those of other displays are passed to the previous handler.
static struct {
    pthread_mutex_t lock;
    void *display;
    error_fn before;
    bool seen;
} errors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int take_error(void *display, void *event)
{
    if (display != errors.display)
        return errors.before ? errors.before(display, event) : 0;
    errors.seen = true;
    return 0;
}

static void errors_begin(void *display)
{
    pthread_mutex_lock(&errors.lock);
    errors.display = display;
    errors.seen = false;
    errors.before = glx.SetErrorHandler(take_error);
}

static bool errors_end(void)
{
    glx.Sync(errors.display, 0);
    glx.SetErrorHandler(errors.before);
    bool none = !errors.seen;
    pthread_mutex_unlock(&errors.lock);
    return none;
}

// ---- closing of displays ------------------------------------------------------------------------

static struct display {
    struct display *next;
    void *handle;
} *displays;
static pthread_mutex_t displays_lock = PTHREAD_MUTEX_INITIALIZER;

static int display_closed(void *handle, int *codes)
{
    struct gate_visitor *visitor = gate_enter();
    (void)codes;
    gl_share_abandon(handle);
    pthread_mutex_lock(&displays_lock);
    struct display **at = &displays;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    struct display *gone = *at;
    if (gone)
        *at = gone->next;
    pthread_mutex_unlock(&displays_lock);
    free(gone);
    gate_leave(&visitor);
    return 0;
}

// Once for each display, because hooks cannot be removed.
static void watch_display(void *handle)
{
    pthread_mutex_lock(&displays_lock);
    struct display *known = displays;
    while (known && known->handle != handle)
        known = known->next;
    struct display *fresh = known ? NULL : malloc(sizeof *fresh);
    int *codes = fresh ? glx.AddExtension(handle) : NULL;
    if (codes) {
        *fresh = (struct display){displays, handle};
        displays = fresh;
        glx.SetCloseDisplay(handle, *codes, display_closed);
    } else {
        free(fresh);
    }
    pthread_mutex_unlock(&displays_lock);
}

// ---- the context --------------------------------------------------------------------------------

// The context's config; any if it has none.
static void *config_of(const struct gl_share *share)
{
    int id = 0, screen = 0, count = 0, of = 0;
    void *display = share->origin.display, *config = NULL;
    if (glx.QueryContext(display, share->origin.context, GLX_FBCONFIG_ID, &id) ||
        glx.QueryContext(display, share->origin.context, GLX_SCREEN, &screen))
        return NULL;
    void **configs = glx.GetFBConfigs(display, screen, &count);
    for (int i = 0; configs && i < count && !config; i++)
        if (!id || (!glx.GetFBConfigAttrib(display, configs[i], GLX_FBCONFIG_ID, &of) && of == id))
            config = configs[i];
    if (configs)
        glx.Free(configs);
    return config;
}

// See egl.c.
static void *create_as(const struct gl_share *share, void *config, int version, bool resets)
{
    const int list[] = {GLX_MAJOR_VERSION, version / 10, GLX_MINOR_VERSION, version % 10, GLX_PROFILE_MASK, GL_CORE_PROFILE_BIT,
                        resets ? GLX_RESET_STRATEGY : 0, GLX_LOSE_CONTEXT_ON_RESET, 0};
    return glx.CreateContextAttribs(share->origin.display, config, share->origin.context, 1, list);
}

static void *make_context(const struct gl_share *share, void *config)
{
    void *context = NULL;
    for (int i = 0; gl_versions[i] && !context && glx.CreateContextAttribs; i++)
        for (int resets = 0; resets < 2 && !context; resets++)
            context = create_as(share, config, gl_versions[i], resets);
    if (!context)
        context = glx.CreateNewContext(share->origin.display, config, GLX_RGBA_TYPE, share->origin.context, 1);
    return context;
}

static bool make_current(struct gl_share *share, void *config)
{
    static const int one[] = {GLX_PBUFFER_WIDTH, 1, GLX_PBUFFER_HEIGHT, 1, 0};
    if (glx.MakeContextCurrent(share->origin.display, 0, 0, share->context))
        return true;
    share->surface = glx.CreatePbuffer(share->origin.display, config, one);
    return share->surface &&
           glx.MakeContextCurrent(share->origin.display, share->surface, share->surface, share->context);
}

static enum gl_result begin(struct gl_share *share)
{
    errors_begin(share->origin.display);
    void *config = config_of(share);
    share->context = config ? make_context(share, config) : NULL;
    bool is_current = share->context && make_current(share, config);
    if (is_current)
        watch_display(share->origin.display);
    errors_end();
    return is_current ? GL_FINE : GL_NO_CONTEXT;
}

static void end(struct gl_share *share)
{
    errors_begin(share->origin.display);
    glx.MakeContextCurrent(share->origin.display, 0, 0, NULL);
    if (share->context)
        glx.DestroyContext(share->origin.display, share->context);
    if (share->surface)
        glx.DestroyPbuffer(share->origin.display, share->surface);
    errors_end();
}

static void *current(void)
{
    return glx.GetCurrentContext();
}

static void interop(struct gl_share *share)
{
    int screen = 0;
    glx.QueryContext(share->origin.display, share->origin.context, GLX_SCREEN, &screen);
    const char *all = glx.QueryExtensionsString(share->origin.display, screen);
    if (!all || !strstr(all, "GLX_MESA_gl_interop"))
        return; // functions found by name may do nothing then
    *(void **)&share->interop.export = proc("glXGLInteropExportObjectMESA");
    *(void **)&share->interop.flush = proc("glXGLInteropFlushObjectsMESA");
}

const struct gl_system_functions *gl_glx(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static const struct gl_system_functions functions = {begin, end, current, proc, interop, NULL, NULL, NULL, NULL};
    pthread_once(&once, load);
    return library ? &functions : NULL;
}
