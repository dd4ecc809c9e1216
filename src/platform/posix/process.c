// SPDX-License-Identifier: Apache-2.0
// The process, its environment and its end on POSIX systems. See platform.h.
#define _GNU_SOURCE
#include "platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { POLL_US = 2000, WORDS_MAX = 16 };

// ---- the environment -----------------------------------------------------------------------------

static const char *variable(const char *name)
{
#ifdef __linux__
#ifdef __ANDROID__
    return getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;
#else
    return secure_getenv(name);
#endif
#else
    return issetugid() ? NULL : getenv(name);
#endif
}

char *process_variable(const char *name)
{
    const char *value = variable(name);
    return value ? strdup(value) : NULL;
}

void process_set_variable(const char *name, const char *value) { setenv(name, value, 1); }

void process_words(int *count, char ***words) { (void)count, (void)words; }

int process_id(void) { return (int)getpid(); }

const char *process_name(void)
{
#if defined(__linux__) && !defined(__ANDROID__)
    return program_invocation_short_name;
#else
    return getprogname();
#endif
}

// ---- its end -------------------------------------------------------------------------------------

void process_at_exit(void (*fn)(void)) { atexit(fn); }

void process_at_detach(void (*fn)(void)) { (void)fn; }

// ---- open files ----------------------------------------------------------------------------------

static bool links_to(int folder, const char *name, const char *prefix)
{
    char path[PATH_MAX];
    ssize_t length = readlinkat(folder, name, path, sizeof path);
    return length >= (ssize_t)strlen(prefix) && !memcmp(path, prefix, strlen(prefix));
}

static bool replace(int with, int which)
{
    bool done = dup2(with, which) >= 0;
    fcntl(which, F_SETFD, FD_CLOEXEC);
    return done;
}

bool process_drop_files(const char *prefix)
{
    DIR *folder = opendir("/proc/self/fd");
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool all = folder && nothing >= 0;
    for (struct dirent *entry; all && (entry = readdir(folder));)
        if (links_to(dirfd(folder), entry->d_name, prefix))
            all = replace(nothing, atoi(entry->d_name));
    if (nothing >= 0)
        close(nothing);
    if (folder)
        closedir(folder);
    return all;
}

// ---- other processes -----------------------------------------------------------------------------

static void run_child(const char *const *words, const char *log)
{
    const char *all[WORDS_MAX + 2] = {process_name()};
    for (int i = 0; i < WORDS_MAX && words[i]; i++)
        all[i + 1] = words[i];
    int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0)
        dup2(file, STDERR_FILENO);
    execv("/proc/self/exe", (char *const *)all);
    _exit(127);
}

enum process_end process_run_self(const char *const *words, const char *log, unsigned seconds, int *status)
{
    int how = 0;
    pid_t child = fork();
    if (!child)
        run_child(words, log);
    uint64_t end = thread_now_ns() + (uint64_t)seconds * 1000000000;
    for (; waitpid(child, &how, WNOHANG) != child; thread_sleep_us(POLL_US))
        if (thread_now_ns() > end) {
            kill(child, SIGKILL);
            waitpid(child, &how, 0);
            return PROCESS_ENDED;
        }
    *status = WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how);
    return WIFSIGNALED(how) ? PROCESS_CRASHED : PROCESS_EXITED;
}
