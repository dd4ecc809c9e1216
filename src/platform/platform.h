// SPDX-License-Identifier: Apache-2.0
// What Pumice needs from the operating system. System headers are included only in src/platform.
//
// One implementation for each system: posix/ and windows/. Locks, condition variables, once and
// keys have the names of POSIX threads (threads_windows.h defines that subset for Windows). Paths
// and names are UTF-8. Hints have no effect on systems without the feature.
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

// Nanoseconds of a monotonic clock: CLOCK_MONOTONIC, QueryPerformanceCounter. All profiling values
// use it.
uint64_t thread_now_ns(void);
uint64_t system_seconds(void); // since 1970
void thread_sleep_us(uint64_t us);
void thread_yield(void);

// The VkTimeDomainKHR of thread_now_ns()'s clock, and conversion of its ticks to nanoseconds.
uint32_t system_time_domain(void);
uint64_t system_ticks_to_ns(uint64_t ticks);

// CPU time of a thread, readable from other threads while it lives; and of the process.
typedef uintptr_t thread_clock;
thread_clock thread_clock_self(void);
thread_clock thread_clock_process(void);
uint64_t thread_clock_ns(thread_clock clock);
uint64_t thread_own_ns(void); // of the calling thread

// ---- threads -------------------------------------------------------------------------------------

// Starts a joinable thread with cancellation disabled and all signals blocked; 0 or an errno value.
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *data);
// The same on the stack of `size` bytes at `stack`, which must exist until the thread has been
// joined.
int thread_start_on(pthread_t *thread, void *stack, size_t size, const char *name, void *(*run)(void *), void *data);

// Calls run(data) on the stack of `size` bytes at `stack`, whose end is a multiple of 64. False: no
// thread could be started for it.
bool stack_call(void *stack, size_t size, void (*run)(void *data), void *data);

// Waits at most `ns`. False: timeout.
bool thread_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t ns);
// The same until thread_now_ns() returns `when`. The condition variable must be from
// thread_cond_init().
bool thread_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t when);
void thread_cond_init(pthread_cond_t *cond);

// Like pthread_cond_wait() for a caller with cancellation disabled: enables it while waiting. True:
// the thread has been cancelled. It continues, to clean up, and ends by calling
// thread_end_cancelled(). With NULL for both: only checks for cancellation.
bool thread_wait_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex);
void thread_end_cancelled(void) __attribute__((noreturn));

// For a thread that may stay in a call of a library: thread_abandon() ends it there, if the system
// can, between its calls of thread_abandonable(true) and (false). It is not joined then.
void thread_abandonable(bool may_end);
void thread_abandon(pthread_t thread);

// Observing another thread while it lives.
struct thread_watch {
    long id;
    thread_clock clock;
};
void thread_watch_self(struct thread_watch *watch);
uint64_t thread_used_ns(const struct thread_watch *watch); // CPU time
// Whether it uses a CPU, or waits for a CPU or for the disk. False: it sleeps, or unknown.
bool thread_wants_to_run(const struct thread_watch *watch);

// Calls `fn` on the calling thread when the thread or the process ends; in the latter case before
// all exit() handlers. No effect if libc does not support that (glibc does).
void thread_at_end(void (*fn)(void *));

unsigned thread_count(void); // threads of the process; 0: unknown

// ---- processors ----------------------------------------------------------------------------------

unsigned thread_processors(void); // online processors, at least 1
unsigned thread_idle_processors(void); // unused at the moment; half of them if unknown
// The processor that the caller runs on; -1: unknown.
int thread_processor(void);
// Moves the caller to another processor, without changing its affinity mask afterwards. False: it
// may run on this one only.
bool thread_leave_processor(int processor);
uint64_t processor_last_cache(void); // bytes of the last-level cache; 0: unknown

// Number of execution units of the Intel GPU behind that DRM render node; 0: unknown.
uint32_t system_intel_units(uint32_t render_node);

// ---- pages ---------------------------------------------------------------------------------------

// Zeroed pages aligned to `alignment` (a power of two, or 0), allocated when first written. NULL:
// out of memory.
void *pages_map(size_t size, size_t alignment);
void pages_unmap(void *at, size_t size); // the whole mapping
// Maps exactly this range, only if it is unused. Not `usable`: any access faults.
bool pages_map_at(void *at, size_t size, bool usable);
bool pages_forbid(void *at, size_t size); // from now on any access to these pages of a mapping
                                          // faults
void pages_forget(void *at, size_t size); // the contents of the pages may be discarded
void pages_drop_shared(void *at, size_t size); // a hint: the same for pages that are mapped by
                                               // others, too
void pages_hint_large(void *at, size_t size, bool large); // a hint about the size of pages
void *memory_aligned(size_t alignment, size_t size); // never freed
bool memory_of_machine(uint64_t *total, uint64_t *free); // for systems without /proc

// ---- files ---------------------------------------------------------------------------------------

struct file_facts {
    uint64_t size;
    uint64_t modified; // seconds, as system_seconds()
};

FILE *file_open(const char *path, const char *mode); // fopen(), not inherited by child programs
// Opens a regular file for reading in binary mode; never blocks, as opening a pipe could.
FILE *file_open_plain(const char *path, struct file_facts *facts);
void file_mark_used(FILE *file); // sets its time to now
// Creates a new file; writes its name, `path` plus a dot and six characters, to `name`.
FILE *file_create_beside(const char *path, char *name, size_t size);
bool file_replace(const char *from, const char *to); // renames, replacing an existing file
bool file_remove(const char *path);
bool folder_create(const char *path, bool only_ours); // true if it exists afterwards
bool folder_remove(const char *path);                 // if it is empty
bool folder_writable(const char *path);
bool folder_exists(const char *path);
// Calls `visit` for each regular file in the folder, with its name. False: the folder does not
// exist.
bool folder_visit(const char *path, void (*visit)(void *data, const char *name, const struct file_facts *facts), void *data);
// Locks out other processes. Waits at most two seconds, then continues without the lock.
// folder_unlock() accepts any result.
intptr_t folder_lock(const char *path);
void folder_unlock(intptr_t lock);
// The folder of this user's caches; false: unknown, or `size` is too small.
bool folder_of_caches(char *path, size_t size);

// A file that is written in pieces, by one process at a time. `seekable`: file_write() uses the
// offset, else it appends. Negative: cannot be created; FILE_IN_USE: another process is writing it.
enum { FILE_IN_USE = -2 };
intptr_t file_create(const char *path, bool *seekable);
bool file_write(intptr_t file, const void *bytes, size_t size, bool seekable, uint64_t at);

bool path_separates(char c);
bool path_is_absolute(const char *path);
const char *path_last_separator(const char *path); // NULL: none

void stream_lock(FILE *stream); // blocks output of other threads
void stream_unlock(FILE *stream);
void stream_in_bytes(FILE *stream); // no conversion of line ends
bool stream_is_terminal(FILE *stream);
// Starts a program that reads what is written to the stream; its stderr is discarded. Words are
// quoted as needed.
FILE *stream_to_program(const char *const *words);
bool stream_end_program(FILE *stream); // waits. True: it has succeeded

// ---- file descriptors exchanged with other APIs
// --------------------------------------------------

int descriptor_copy(int descriptor); // negative: invalid, or too many open files
void descriptor_close(int descriptor);
bool descriptor_is_open(int descriptor);
bool descriptor_is_ready(int descriptor); // for reading
int64_t descriptor_size(int descriptor);  // negative: unknown
enum descriptor_kind { DESCRIPTOR_BAD, DESCRIPTOR_FILE, DESCRIPTOR_STREAM, DESCRIPTOR_OTHER };
struct descriptor_identity {
    uint64_t device, file;
};
enum descriptor_kind descriptor_kind(int descriptor, struct descriptor_identity *identity);

// ---- dynamic libraries ---------------------------------------------------------------------------

// LIBRARY_VULKAN: the names of the Vulkan loader, the first one that exists is used. On macOS also where Homebrew installs it,
// and, if there is no loader, the drivers MoltenVK and KosmicKrisp.
#ifdef _WIN32
#define LIBRARY_VULKAN "vulkan-1.dll"
#define LIBRARY_CUDA "nvcuda.dll"
#define LIBRARY_NVML "nvml.dll"
#elif defined(__APPLE__)
#define LIBRARY_VULKAN                                                                             \
    "libvulkan.1.dylib", "libvulkan.dylib", "/opt/homebrew/lib/libvulkan.1.dylib",                 \
        "/usr/local/lib/libvulkan.1.dylib", "libMoltenVK.dylib",                                   \
        "/opt/homebrew/lib/libMoltenVK.dylib", "libvulkan_kosmickrisp.dylib"
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

// Where OpenCL loaders look for drivers (NULL: not in a folder), and what to do without
// LIBRARY_VULKAN.
#ifdef _WIN32
#define OPENCL_VENDORS NULL
#define LIBRARY_VULKAN_INSTALL "install a driver of the GPU that supports Vulkan"
#else
#define OPENCL_VENDORS "/etc/OpenCL/vendors"
#define LIBRARY_VULKAN_INSTALL "install the Vulkan loader (Debian, Ubuntu: libvulkan1; others: vulkan-loader)"
#endif

void *library_open(const char *name); // its symbols stay local
void *library_loaded(const char *name); // the same, only if the process has already loaded it
void library_close(void *library);
const char *library_error(void); // the reason of the thread's last failed library_open()
void *library_find(void *library, const char *name);
void *library_find_program(const char *name); // the symbol that references of the program resolve
                                              // to
void library_make_global(const char *name);   // makes its symbols visible to libraries loaded later
unsigned long long library_loads(void); // number of libraries loaded so far; 0: unknown

// The build ID that the linker computed for this library or program. NULL: linked without one.
const void *library_build_id(size_t *size);

// ---- the process ---------------------------------------------------------------------------------

// An environment variable, malloc'ed; NULL: unset, or the process has more privileges than its
// user.
char *process_variable(const char *name);
void process_set_variable(const char *name, const char *value);
// Replaces the words of the command line by UTF-8 versions, if those of main() have lost
// characters.
void process_words(int *count, char ***words);
int process_id(void);
const char *process_name(void); // of the program file, without folders

// Calls `fn` when the process ends by exit(), while other threads still run; before handlers
// registered earlier.
void process_at_exit(void (*fn)(void));
// Calls `fn` at the very end, when all other threads have been terminated, possibly holding locks
// (Windows; never called elsewhere).
void process_at_detach(void (*fn)(void));

// Replaces each open file whose path begins with `prefix` by /dev/null: in a forked child, so that
// operations no longer affect the parent, which shares the open file. False: not all could be found
// or replaced.
bool process_drop_files(const char *prefix);

// Runs this program with these words, with stderr redirected to the file `log`.
// ended: by us, after `seconds`
enum process_end { PROCESS_EXITED, PROCESS_CRASHED, PROCESS_ENDED };
enum process_end process_run_self(const char *const *words, const char *log, unsigned seconds, int *status);

#endif
