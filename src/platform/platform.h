// SPDX-License-Identifier: Apache-2.0
// What Pumice needs of the operating system. Headers of a system are included in this room only.
//
// One implementation a system: posix/ and windows/. Locks, condition variables, once and keys are those of POSIX threads by
// name (threads_windows.h defines that subset for Windows). Paths and names are UTF-8. Functions that hint at something do
// nothing where a system has no such thing.
#ifndef PUMICE_PLATFORM_PLATFORM_H
#define PUMICE_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef _WIN32
#include "platform/threads_windows.h"
#else
#include "platform/threads_posix.h"
#endif

// ---- time ----------------------------------------------------------------------------------------

// Nanoseconds of the clock that never jumps: CLOCK_MONOTONIC, QueryPerformanceCounter. All profiling values use it.
uint64_t thread_now_ns(void);
uint64_t system_seconds(void); // since 1970
void thread_sleep_us(uint64_t us);
void thread_yield(void);

// The value of Vulkan's VkTimeDomainKHR for thread_now_ns()'s clock, and one of its ticks in nanoseconds.
uint32_t system_time_domain(void);
uint64_t system_ticks_to_ns(uint64_t ticks);

// Processor time of a thread, readable from other threads while it lives; and of the process.
typedef uintptr_t thread_clock;
thread_clock thread_clock_self(void);
thread_clock thread_clock_process(void);
uint64_t thread_clock_ns(thread_clock clock);
uint64_t thread_own_ns(void); // of the calling thread

// ---- threads -------------------------------------------------------------------------------------

// Starts a joinable thread that nobody can cancel and that runs no signal handlers; 0 or an errno value.
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data);
// The same with the stack of `size` bytes at `stack`, which must stay until the thread has been joined.
int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data);

// Calls run(data) on the stack of `size` bytes at `stack`, whose end is a multiple of 64. False: there is no thread for it.
bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data);

// Waits for `ns` at most. False: nobody has signalled.
bool thread_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t ns);
// The same until thread_now_ns() returns `when`. The condition variable is one of thread_cond_init().
bool thread_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t when);
void thread_cond_init(pthread_cond_t *cond);

// pthread_cond_wait() for a caller whose cancellation is disabled: enables it while waiting. True: the thread has been
// cancelled. It goes on all the same, to leave everything as it should be, and ends itself by thread_end_cancelled().
// With NULL for both: only checks whether it has been.
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex);
void thread_end_cancelled(void) __attribute__((noreturn));

// Watching what another thread does, for as long as that lives.
struct thread_watch {
    long id;
    thread_clock clock;
};
void thread_watch_self(struct thread_watch *watch);
uint64_t thread_used_ns(const struct thread_watch *watch); // processor time
// It computes, or would if it got a processor or what it needs from the disk. False: it sleeps, or
// the system does not tell.
bool thread_wants_to_run(const struct thread_watch *watch);

// Has `fn` run on the calling thread when it ends or ends the process: in that case before all handlers of exit().
// Nothing where libc has no such list (glibc has).
void thread_at_end(void (*fn)(void *));

unsigned thread_count(void); // threads of the process; 0: unknown

// ---- processors ----------------------------------------------------------------------------------

unsigned thread_processors(void); // that are online, 1 at least
unsigned thread_idle_processors(void); // that nobody uses at this moment; half of them where the system does not tell
// The processor that the caller is on; -1: the system does not tell.
int thread_processor(void);
// The caller moves to another one, and may run on the same ones as before. False: it may run on this one only.
bool thread_leave_processor(int processor);
uint64_t processor_last_cache(void); // bytes of the last cache; 0: unknown

// Execution units of the Intel GPU that is that DRM render node; 0: not known.
uint32_t system_intel_units(uint32_t render_node);

// ---- pages ---------------------------------------------------------------------------------------

// Zeroed pages at a multiple of `alignment` (a power of two, or 0), which cost nothing until they are written. NULL: none left.
void *pages_map(size_t size, size_t alignment);
void pages_unmap(void *at, size_t size); // all of one mapping
// Maps the range itself, only if nothing is there. Not `usable`: any access faults.
bool pages_map_at(void *at, size_t size, bool usable);
bool pages_forbid(void *at, size_t size); // any access to these pages of a mapping faults from now on
void pages_forget(void *at, size_t size); // the pages may lose their contents
void pages_drop_shared(void *at, size_t size); // a hint: the same, for pages that others map as well
void pages_hint_large(void *at, size_t size, bool large); // a hint about the size of pages
void *memory_aligned(size_t alignment, size_t size); // for good: never freed
bool memory_of_machine(uint64_t *total, uint64_t *free); // where there is no /proc

// ---- files ---------------------------------------------------------------------------------------

struct file_facts {
    uint64_t size;
    uint64_t modified; // seconds, as system_seconds()
};

FILE *file_open(const char *path, const char *mode); // fopen(), not inherited by programs that the process starts
// Opens a regular file for reading in bytes; never waits, as opening a pipe would.
FILE *file_open_plain(const char *path, struct file_facts *facts);
void file_mark_used(FILE *file); // sets its time to now
// Creates a new file, whose name is `path` with a dot and six characters appended by this function into `name`.
FILE *file_create_beside(const char *path, char *name, size_t size);
bool file_replace(const char *from, const char *to); // renames, over a file that is there
bool file_remove(const char *path);
bool folder_create(const char *path, bool only_ours); // true if it exists afterwards
bool folder_remove(const char *path);                 // if it is empty
bool folder_writable(const char *path);
// Calls `visit` for each regular file in the folder, by its name. False: there is no such folder.
bool folder_visit(const char *path, void (*visit)(void *data, const char *name, const struct file_facts *facts), void *data);
// One process at a time. Waits for two seconds at most, then goes on without. folder_unlock() takes any result.
intptr_t folder_lock(const char *path);
void folder_unlock(intptr_t lock);
// Where this user's caches belong; false: nowhere, or `size` is too small.
bool folder_of_caches(char *path, size_t size);

// A file that is written in pieces. `seekable`: file_write() takes an offset, else what is written is appended.
intptr_t file_create(const char *path, bool *seekable); // negative: cannot be created
bool file_write(intptr_t file, const void *bytes, size_t size, bool seekable, uint64_t at);

bool path_separates(char c);
bool path_is_absolute(const char *path);
const char *path_last_separator(const char *path); // NULL: none

void stream_lock(FILE *stream); // other threads' output waits
void stream_unlock(FILE *stream);
void stream_in_bytes(FILE *stream); // no translation of line ends
bool stream_is_terminal(FILE *stream);
// Starts a program that reads what is written to the stream, its complaints discarded. The words are quoted as needed.
FILE *stream_to_program(const char *const *words);
bool stream_end_program(FILE *stream); // waits. True: it has ended well

// ---- file descriptors, as other APIs give and take them -------------------------------------------

int descriptor_copy(int descriptor); // negative: not one, or no more can be open
void descriptor_close(int descriptor);
bool descriptor_is_open(int descriptor);
bool descriptor_is_ready(int descriptor); // to read
int64_t descriptor_size(int descriptor);  // negative: unknown
enum descriptor_kind { DESCRIPTOR_BAD, DESCRIPTOR_FILE, DESCRIPTOR_STREAM, DESCRIPTOR_OTHER };
struct descriptor_identity {
    uint64_t device, file;
};
enum descriptor_kind descriptor_kind(int descriptor, struct descriptor_identity *identity);

// ---- dynamic libraries ---------------------------------------------------------------------------

#ifdef _WIN32
#define LIBRARY_VULKAN "vulkan-1.dll"
#define LIBRARY_CUDA "nvcuda.dll"
#define LIBRARY_NVML "nvml.dll"
#elif defined(__APPLE__)
#define LIBRARY_VULKAN "libvulkan.1.dylib"
#define LIBRARY_CUDA "libcuda.dylib"
#define LIBRARY_NVML "libnvidia-ml.dylib"
#elif defined(__ANDROID__)
#define LIBRARY_VULKAN "libvulkan.so"
#define LIBRARY_CUDA "libcuda.so"
#define LIBRARY_NVML "libnvidia-ml.so"
#else
#define LIBRARY_VULKAN "libvulkan.so.1"
#define LIBRARY_CUDA "libcuda.so.1"
#define LIBRARY_NVML "libnvidia-ml.so.1"
#endif

void *library_open(const char *name); // its names stay its own
void *library_loaded(const char *name); // the same, only if the process has it already
void library_close(void *library);
const char *library_error(void); // why the thread's last library_open() failed
void *library_find(void *library, const char *name);
void *library_find_program(const char *name); // the one that the program's own references find
void library_lend(const char *name); // what is loaded later finds its names
unsigned long long library_loads(void); // counts libraries loaded so far; 0: unknown

// The bytes that the linker made of the contents of this library or program. NULL: it was linked without.
const void *library_build_id(size_t *size);

// ---- the process ---------------------------------------------------------------------------------

// A variable of the environment, malloc'ed; NULL: unset, or the process runs with more rights than its user.
char *process_variable(const char *name);
void process_set_variable(const char *name, const char *value);
// The words of the command line in UTF-8, in place of main()'s where those have lost characters.
void process_words(int *count, char ***words);
int process_id(void);
const char *process_name(void); // of the program, without folders

// Runs `fn` when the process ends by exit(), while other threads go on; before handlers that were registered earlier.
void process_at_exit(void (*fn)(void));
// Runs `fn` at the very end, when all other threads are gone and may have left locks held (Windows; elsewhere never).
void process_at_detach(void (*fn)(void));

// Makes each open file whose path begins with `prefix` one of /dev/null: in a child of fork(), what is done to it from now
// on does not reach the parent's, which is the same open file. False: not all could be found or replaced.
bool process_drop_files(const char *prefix);

// Runs this program with these words, standard error into the file `log`.
enum process_end { PROCESS_EXITED, PROCESS_CRASHED, PROCESS_ENDED }; // ended: by us, after `seconds`
enum process_end process_run_self(const char *const *words, const char *log, unsigned seconds, int *status);

#endif
