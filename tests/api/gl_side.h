// SPDX-License-Identifier: Apache-2.0
// The OpenGL side of the sharing tests: a context of EGL without a window, or of GLX, opened at run
// time.
//
// side_open() exits with 77 if there is no such context. The functions in src/gl/procs.def are the
// ones that the runtime itself calls.
#ifndef PUMICE_TESTS_API_GL_SIDE_H
#define PUMICE_TESTS_API_GL_SIDE_H

#include "test.h"

#include <CL/cl_egl.h>
#include <dlfcn.h>

#include "gl/names.h"

enum side_kind { SIDE_GL, SIDE_ES, SIDE_GLX };

static struct {
#define PROC(result, name, ...) result (*name)(__VA_ARGS__);
#include "gl/procs.def"
    void (*TexImage1D)(unsigned target, int level, int internal, int width, int border, unsigned format, unsigned type,
                       const void *data);
    void (*TexImage3D)(unsigned target, int level, int internal, int width, int height, int depth, int border,
                       unsigned format, unsigned type, const void *data);
    void (*TexBuffer)(unsigned target, unsigned internal, unsigned buffer);
    void (*RenderbufferStorageMultisample)(unsigned target, int samples, unsigned internal, int width, int height);
    void (*ClearColor)(float r, float g, float b, float a);
    void (*Clear)(unsigned mask);
    void (*ActiveTexture)(unsigned unit);
    void *(*MapBuffer)(unsigned target, unsigned access);
} gl;

static struct {
    enum side_kind kind;
    void *display, *context;
    bool es;
    void *(*proc)(const char *name);
    void *(*current)(void);
    // EGL's
    void *(*CreateContext)(void *display, void *config, void *shared, const int *list);
    unsigned (*DestroyContext)(void *display, void *context);
    unsigned (*MakeCurrent)(void *display, void *draw, void *read, void *context);
    void *(*CreateImage)(void *display, void *context, unsigned target, void *buffer, const int *list);
    unsigned (*DestroyImage)(void *display, void *image);
    void *(*CreateSync)(void *display, unsigned type, const int *list);
    unsigned (*DestroySync)(void *display, void *sync);
    unsigned (*Terminate)(void *display);
    // GLX's
    void *(*GlxCreateContext)(void *display, void *config, int type, void *shared, int direct);
    int (*GlxMakeCurrent)(void *display, unsigned long draw, unsigned long read, void *context);
    void (*GlxDestroyContext)(void *display, void *context);
    int (*CloseDisplay)(void *display);
} side;

static inline void side_none(const char *why)
{
    printf("no OpenGL to share with: %s\n", why);
    exit(77);
}

static inline void *side_symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found)
        side_none(name);
    return found;
}

static inline void side_load(void)
{
#define PROC(result, name, ...) *(void **)&gl.name = side.proc("gl" #name);
#include "gl/procs.def"
#define LOAD(name) *(void **)&gl.name = side.proc("gl" #name);
    LOAD(TexImage1D) LOAD(TexImage3D) LOAD(TexBuffer) LOAD(RenderbufferStorageMultisample)
    LOAD(ClearColor) LOAD(Clear) LOAD(ActiveTexture) LOAD(MapBuffer)
    side.es = strstr((const char *)gl.GetString(GL_VERSION), "ES") != NULL;
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

// Uses the EGL device with the number SIDE_EGL_DEVICE (to select one that draws on the CPU),
// otherwise Mesa's surfaceless platform.
static inline void *side_display(void)
{
    void *(*get)(unsigned, void *, const int *) = (void *(*)(unsigned, void *, const int *))side.proc("eglGetPlatformDisplayEXT");
    unsigned (*devices)(int, void **, int *) = (unsigned (*)(int, void **, int *))side.proc("eglQueryDevicesEXT");
    void *list[16];
    int count = 0;
    if (getenv("SIDE_EGL_DEVICE") && get && devices && devices(16, list, &count) && count > atoi(getenv("SIDE_EGL_DEVICE")))
        return get(0x313F, list[atoi(getenv("SIDE_EGL_DEVICE"))], NULL); // EGL_PLATFORM_DEVICE_EXT
    return get ? get(0x31DD, NULL, NULL) : NULL; // EGL_PLATFORM_SURFACELESS_MESA
}

static inline void *side_egl_context(void *shared)
{
    static const int embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE}, none[] = {EGL_NONE};
    return side.CreateContext(side.display, NULL, shared, side.kind == SIDE_ES ? embedded : none);
}

static inline void side_open_egl(void)
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW);
    if (!library)
        side_none("libEGL.so.1");
    *(void **)&side.proc = side_symbol(library, "eglGetProcAddress");
    unsigned (*initialize)(void *, int *, int *) = (unsigned (*)(void *, int *, int *))side_symbol(library, "eglInitialize");
    unsigned (*bind)(unsigned) = (unsigned (*)(unsigned))side_symbol(library, "eglBindAPI");
    *(void **)&side.CreateContext = side_symbol(library, "eglCreateContext");
    *(void **)&side.DestroyContext = side_symbol(library, "eglDestroyContext");
    *(void **)&side.MakeCurrent = side_symbol(library, "eglMakeCurrent");
    *(void **)&side.Terminate = side_symbol(library, "eglTerminate");
    *(void **)&side.current = side_symbol(library, "eglGetCurrentContext");
    *(void **)&side.CreateImage = side.proc("eglCreateImageKHR");
    *(void **)&side.DestroyImage = side.proc("eglDestroyImageKHR");
    *(void **)&side.CreateSync = side.proc("eglCreateSyncKHR");
    *(void **)&side.DestroySync = side.proc("eglDestroySyncKHR");
    side.display = side_display();
    if (!side.display || !initialize(side.display, NULL, NULL))
        side_none("EGL has no display without a window");
    bind(side.kind == SIDE_ES ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
    side.context = side_egl_context(NULL);
    if (!side.context || !side.MakeCurrent(side.display, NULL, NULL, side.context))
        side_none("no context of EGL");
}

static inline void side_open_glx(void)
{
    void *library = dlopen("libGLX.so.0", RTLD_NOW), *x = dlopen("libX11.so.6", RTLD_NOW);
    if (!library || !x)
        side_none("libGLX.so.0, libX11.so.6");
    *(void **)&side.proc = side_symbol(library, "glXGetProcAddressARB");
    *(void **)&side.current = side_symbol(library, "glXGetCurrentContext");
    *(void **)&side.GlxCreateContext = side_symbol(library, "glXCreateNewContext");
    *(void **)&side.GlxMakeCurrent = side_symbol(library, "glXMakeContextCurrent");
    *(void **)&side.GlxDestroyContext = side_symbol(library, "glXDestroyContext");
    *(void **)&side.CloseDisplay = side_symbol(x, "XCloseDisplay");
    void *(*open)(const char *) = (void *(*)(const char *))side_symbol(x, "XOpenDisplay");
    void **(*configs)(void *, int, const int *, int *) =
        (void **(*)(void *, int, const int *, int *))side_symbol(library, "glXChooseFBConfig");
    unsigned long (*pbuffer)(void *, void *, const int *) =
        (unsigned long (*)(void *, void *, const int *))side_symbol(library, "glXCreatePbuffer");
    static const int none[] = {0x8010, 4, 0}, size[] = {GLX_PBUFFER_WIDTH, 4, GLX_PBUFFER_HEIGHT, 4, 0}; // for a pbuffer
    int count = 0;
    side.display = open(NULL);
    void **list = side.display ? configs(side.display, 0, none, &count) : NULL;
    if (!list || !count)
        side_none("no X display with GLX");
    unsigned long surface = pbuffer(side.display, *list, size);
    side.context = side.GlxCreateContext(side.display, *list, GLX_RGBA_TYPE, NULL, 1);
    if (!side.context || !side.GlxMakeCurrent(side.display, surface, surface, side.context))
        side_none("no context of GLX");
}

static inline const cl_context_properties *side_properties(void)
{
    static cl_context_properties properties[7];
    const cl_context_properties all[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)test_platform, CL_GL_CONTEXT_KHR,
                                         (cl_context_properties)side.context,
                                         side.kind == SIDE_GLX ? CL_GLX_DISPLAY_KHR : CL_EGL_DISPLAY_KHR,
                                         (cl_context_properties)side.display, 0};
    memcpy(properties, all, sizeof all);
    return properties;
}

// test_open() with a context that shares with OpenGL. `kind`: "gl", "es" or "glx".
static inline void side_open(const char *kind)
{
    cl_int error;
    side.kind = !strcmp(kind, "glx") ? SIDE_GLX : !strcmp(kind, "es") ? SIDE_ES : SIDE_GL;
    if (side.kind == SIDE_GLX)
        side_open_glx();
    else
        side_open_egl();
    side_load();
    test_open();
    if (!test_has(test_device, "cl_khr_gl_sharing")) {
        printf("the device does not share with OpenGL\n");
        exit(77);
    }
    CHECK_OK(clReleaseCommandQueue(test_queue));
    CHECK_OK(clReleaseContext(test_context));
    test_context = clCreateContext(side_properties(), 1, &test_device, NULL, NULL, &error);
    CHECK_OK(error);
    test_queue = error ? NULL : clCreateCommandQueue(test_context, test_device, 0, &error);
    CHECK_OK(error);
    if (error)
        exit(1);
}

#endif
