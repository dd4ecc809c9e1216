// SPDX-License-Identifier: Apache-2.0
// The process, its environment and its end on Windows. See platform.h.
//
// A program that ends by exit() runs the handlers of its C library while all threads still run and
// before Windows unloads libraries. Our handlers are registered there, with each C library in the
// process, and this library stays loaded until then. A program that ends otherwise (ExitProcess, a
// statically linked C library) has its other threads terminated anywhere, and only then calls
// DllMain, under the loader's lock. Nothing may wait there: locks count as free from then on.
#include "platform/windows/windows_private.h"
#include "platform/platform.h"

#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

enum { HOOKS_MAX = 4, COMMAND_SIZE = 8192 };

// ---- the environment -----------------------------------------------------------------------------

char *process_variable(const char *name)
{
    wchar_t wide[256], value[8192];
    if (!wide_of(name, wide, sizeof wide / sizeof *wide))
        return NULL;
    DWORD length = GetEnvironmentVariableW(wide, value, sizeof value / sizeof *value);
    if (!length || length >= sizeof value / sizeof *value)
        return NULL;
    char *text = malloc(length * 3 + 1);
    if (text && !text_of(value, text, length * 3 + 1)) {
        free(text);
        text = NULL;
    }
    return text;
}

void process_set_variable(const char *name, const char *value)
{
    wchar_t wide[256], text[WIDE_PATH];
    if (wide_of(name, wide, sizeof wide / sizeof *wide) && wide_of(value, text, WIDE_PATH))
        SetEnvironmentVariableW(wide, text);
}

int process_id(void) { return (int)GetCurrentProcessId(); }

const char *process_name(void)
{
    static char name[1024];
    wchar_t path[WIDE_PATH];
    if (!GetModuleFileNameW(NULL, path, WIDE_PATH))
        return "?";
    const wchar_t *last = wcsrchr(path, L'\\');
    return text_of(last ? last + 1 : path, name, sizeof name) ? name : "?";
}

void process_words(int *count, char ***words)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    char **all = wide ? calloc((size_t)*count + 1, sizeof *all) : NULL;
    for (int i = 0; all && i < *count; i++) {
        size_t size = wcslen(wide[i]) * 3 + 1;
        all[i] = malloc(size);
        if (!all[i] || !text_of(wide[i], all[i], size))
            all[i] = (char *)(uintptr_t)"?";
    }
    if (all)
        *words = all;
    LocalFree(wide);
}

// ---- its end -------------------------------------------------------------------------------------

static void pin_library(void)
{
    static const char here;
    HMODULE self;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN, (LPCWSTR)&here, &self);
}

void process_at_exit(void (*fn)(void))
{
    static const struct {
        const wchar_t *library;
        const char *name;
    } lists[] = {
        {L"ucrtbase.dll", "_crt_atexit"}, {L"msvcrt.dll", "_onexit"},   {L"msvcr120.dll", "_onexit"},
        {L"msvcr110.dll", "_onexit"},     {L"msvcr100.dll", "_onexit"},
    };
    pin_library();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        HMODULE library = GetModuleHandleW(lists[i].library);
        FARPROC add = library ? GetProcAddress(library, lists[i].name) : NULL;
        if (add)
            ((void *(*)(void (*)(void)))(void (*)(void))add)(fn);
    }
}

static void (*_Atomic detach_hooks[HOOKS_MAX])(void);

void process_at_detach(void (*fn)(void))
{
    pin_library();
    for (int i = 0; i < HOOKS_MAX; i++) {
        void (*none)(void) = NULL;
        if (atomic_compare_exchange_strong(&detach_hooks[i], &none, fn) || none == fn)
            return;
    }
}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID end);

// `end`: the process ends; otherwise the library is unloaded, which pin_library() prevents once it
// has been used.
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID end)
{
    (void)self;
    if (reason != DLL_PROCESS_DETACH || !end)
        return TRUE;
    atomic_store(&process_single_threaded, true);
    for (int i = 0; i < HOOKS_MAX; i++) {
        void (*fn)(void) = atomic_load(&detach_hooks[i]);
        if (fn)
            fn();
    }
    return TRUE;
}

bool process_drop_files(const char *prefix)
{
    (void)prefix;
    return true;
}

// ---- other processes -----------------------------------------------------------------------------

static bool join_words(const char *const *words, wchar_t *wide)
{
    char command[COMMAND_SIZE];
    int at = snprintf(command, sizeof command, "\"%s\"", process_name());
    for (; *words && at < COMMAND_SIZE; words++)
        at += snprintf(command + at, sizeof command - (size_t)at, " \"%s\"", *words);
    return at < COMMAND_SIZE && wide_of(command, wide, COMMAND_SIZE);
}

enum process_end process_run_self(const char *const *words, const char *log, unsigned seconds, int *status)
{
    wchar_t command[COMMAND_SIZE], path[WIDE_PATH], log_path[WIDE_PATH];
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    PROCESS_INFORMATION child;
    DWORD code = 0;
    *status = 127;
    if (!join_words(words, command) || !wide_of(log, log_path, WIDE_PATH) || !GetModuleFileNameW(NULL, path, WIDE_PATH))
        return PROCESS_EXITED;
    HANDLE file = CreateFileW(log_path, GENERIC_WRITE, FILE_SHARE_READ, &inherited, CREATE_ALWAYS, 0, NULL);
    STARTUPINFOW start = {
        .cb = sizeof start,
        .dwFlags = STARTF_USESTDHANDLES,
        .hStdInput = GetStdHandle(STD_INPUT_HANDLE),
        .hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE),
        .hStdError = file,
    };
    BOOL runs = CreateProcessW(path, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child);
    CloseHandle(file);
    if (!runs)
        return PROCESS_EXITED;
    bool ended = WaitForSingleObject(child.hProcess, seconds * 1000) == WAIT_OBJECT_0;
    if (!ended)
        TerminateProcess(child.hProcess, 1);
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hProcess);
    CloseHandle(child.hThread);
    *status = (int)code;
    return !ended ? PROCESS_ENDED : code >= 0xc0000000 ? PROCESS_CRASHED : PROCESS_EXITED;
}
