#pragma once

#include "Valgrind.h"

/// What Glibc's Swift module leaves out, and entry points of the Swift runtime.

#if defined(__linux__)
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/types.h>

/// The cores that the thread `thread`, or the calling one if that is 0, may run on, as bits; GNU extensions that
/// Glibc's module hides.
int sched_getaffinity(pid_t thread, size_t size, void *cores);
int sched_setaffinity(pid_t thread, size_t size, const void *cores);

/// Sets how the system treats what the calling thread starts; returns the value before, or -1.
int personality(unsigned long persona);

/// Asks the kernel to send `signal` to this process when the thread that started it ends.
/// `prctl` is variadic, which Swift does not import.
static inline int csystem_die_with_parent(int signal) {
    return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0UL, 0UL, 0UL);
}

/// Sets how long the kernel may delay the end of a sleep of the calling thread, to join it with other wake-ups; 0 is the
/// slack that the thread began with, which is 50 microseconds unless its parent had another.
static inline int csystem_set_timer_slack(unsigned long nanoseconds) {
    return prctl(PR_SET_TIMERSLACK, nanoseconds, 0UL, 0UL, 0UL);
}
#endif

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__linux__)
/// Opens a counter of the kernel for the thread `thread` of this process, and for the threads and processes that it starts
/// later. `type` and `event` are those of perf_event_open(2). The counter stands still at first, and counts outside the
/// kernel only. Returns a file descriptor, or -1 with `errno`.
int csystem_open_counter(uint32_t type, uint64_t event, pid_t thread);
/// Starts or stops a counter.
int csystem_run_counter(int counter, int runs);
/// Reads a counter; returns 0 if it has counted all the time.
int csystem_read_counter(int counter, uint64_t *count);
#endif

static inline void csystem_do_nothing(int signal) { (void)signal; }

/// Has a write beyond the file-size limit fail rather than end the process, unless the program has something else in mind for it. By a
/// handler, which programs that the process starts do not inherit, as they would that the signal is ignored.
static inline void csystem_survive_file_size_limit(void) {
    struct sigaction action;
    if (sigaction(SIGXFSZ, NULL, &action) != 0 || action.sa_flags & SA_SIGINFO) return;
    if (action.sa_handler != SIG_DFL) return;
    action.sa_handler = csystem_do_nothing;
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, NULL);
}

/// Writes as write(2) does. To a pipe without a reader, the write fails with EPIPE, and no signal ends the process.
ssize_t csystem_write_to_pipe(int pipe, const void *bytes, size_t count);

/// Starts a program in a session of its own, where no terminal is, with nothing to read, and with the usual signals.
///
/// A copy of this process becomes the program: one that shared the memory of this process would take over its peak.
/// Returns the process, or -1 with `errno`.
pid_t csystem_start(
    const char *path, char *const arguments[], char *const environment[], int output, int errors);

/// Starts a process that does nothing, which has the least peak of memory that one of csystem_start() can have. Returns
/// the process, or -1 with `errno`.
pid_t csystem_start_nothing(void);

/// Multiplies `steps` times, each time with the next word of a walk over the `count` words at `memory`, a power of two.
/// Each step needs the result of the one before. In C, so that its time does not depend on the optimisation of Swift.
static inline uint64_t csystem_calibrate(const uint64_t *memory, size_t count, size_t steps) {
    uint64_t hash = 0x9E3779B97F4A7C15ULL;
    for (size_t step = 0; step < steps; step++) {
        hash = (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ULL;
        hash += memory[(hash >> 40) & (count - 1)];
    }
    return hash;
}

/// Finds `needle` in `haystack`; a GNU extension that Glibc's module hides, and that macOS has too.
void *memmem(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size);

/// Has the processor fetch the line at `address`, which need not be there, while it goes on.
static inline void csystem_prefetch(const void *address) { __builtin_prefetch(address); }

/// Retains `object` unless its deinitialisation has begun; returns NULL then.
/// Exported by the Swift runtime, and what its own weak references are made of.
void *swift_tryRetain(void *object);

/// Returns the number of stored properties of the class at `type`, a metatype, and of its superclasses.
/// Exported by the Swift runtime, and what its mirrors are made of.
__attribute__((swiftcall)) intptr_t swift_reflectionMirror_recursiveCount(const void *type);
static inline intptr_t csystem_stored_property_count(const void *type) {
    return swift_reflectionMirror_recursiveCount(type);
}

/// Returns the name of `symbol` in the source, in memory that the caller frees; NULL if it is not of Swift.
/// Exported by the Swift runtime.
char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *buffer_size, uint32_t flags);
