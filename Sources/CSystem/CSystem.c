#if defined(__linux__)
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif
#include "CSystem.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/// The numbers of requests: those of callgrind begin with its letters, CT.
enum {
    running_on_valgrind = 0x1001,
    callgrind_dump_stats_at = 0x43540003,
    callgrind_start_instrumentation = 0x43540004,
    callgrind_stop_instrumentation = 0x43540005,
};

/// Returns valgrind's answer; 0 without valgrind.
static uintptr_t valgrind_request(uintptr_t request, const void *argument) {
#if defined(__linux__) && defined(__x86_64__)
    volatile uintptr_t arguments[6] = {request, (uintptr_t)argument};
    uintptr_t answer;
    // Four rotations of a register by 64 bits in all, then the exchange of a register with itself.
    __asm__ volatile("rolq $3, %%rdi\n\t"
                     "rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi\n\t"
                     "rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "=d"(answer)
                     : "a"(arguments), "0"((uintptr_t)0)
                     : "cc", "memory");
    return answer;
#elif defined(__linux__) && defined(__aarch64__)
    volatile uintptr_t arguments[6] = {request, (uintptr_t)argument};
    uintptr_t answer;
    __asm__ volatile("mov x3, xzr\n\t"
                     "mov x4, %1\n\t"
                     "ror x12, x12, #3\n\t"
                     "ror x12, x12, #13\n\t"
                     "ror x12, x12, #51\n\t"
                     "ror x12, x12, #61\n\t"
                     "orr x10, x10, x10\n\t"
                     "mov %0, x3"
                     : "=r"(answer)
                     : "r"(arguments)
                     : "cc", "memory", "x3", "x4");
    return answer;
#else
    (void)request;
    (void)argument;
    return 0;
#endif
}

int csystem_is_under_valgrind(void) { return valgrind_request(running_on_valgrind, NULL) != 0; }

void csystem_callgrind_start(void) { valgrind_request(callgrind_start_instrumentation, NULL); }

void csystem_callgrind_stop(const char *name) {
    valgrind_request(callgrind_stop_instrumentation, NULL);
    valgrind_request(callgrind_dump_stats_at, name);
}

#if defined(__linux__)
/// What valgrind calls in place of the C library's `sigsuspend`: the name tells it so, and nothing else calls this.
///
/// Valgrind 3.19 writes to the set that it is given. The main thread of a program with dispatch waits with a set in
/// constant memory, so that valgrind crashes.
__attribute__((used, retain)) int _vgr00000ZU_libcZdsoZa_sigsuspend(const sigset_t *signals) {
    sigset_t copy = *signals;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
#endif

#if defined(__linux__)
int csystem_open_counter(uint32_t type, uint64_t event, pid_t thread) {
    struct perf_event_attr attributes = {
        .type = type,
        .size = sizeof attributes,
        .config = event,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

int csystem_run_counter(int counter, int runs) {
    return ioctl(counter, runs ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

int csystem_read_counter(int counter, uint64_t *count) {
    struct {
        uint64_t value, enabled, running;
    } reading;
    if (read(counter, &reading, sizeof reading) != sizeof reading) return -1;
    // More counters than the processor has take turns, and what they missed would have to be guessed.
    if (reading.running != reading.enabled) return -1;
    *count = reading.value;
    return 0;
}
#endif

ssize_t csystem_write_to_pipe(int pipe, const void *bytes, size_t count) {
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    ssize_t written = write(pipe, bytes, count);
    int failure = errno;
    // The signal goes to the thread that wrote. One that was pending before is not of this write.
    if (written < 0 && failure == EPIPE && !was_pending) {
        int number;
        sigpending(&pending);
        if (sigismember(&pending, SIGPIPE)) sigwait(&broken, &number);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}

/// Has every descriptor from `first` on closed when the process becomes another program.
static void close_later(int first) {
#if defined(SYS_close_range)
    enum { close_on_exec = 4 };
    if (syscall(SYS_close_range, first, ~0U, close_on_exec) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < most && descriptor < 1024; descriptor++)
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Becomes a program. Only calls that are safe after fork(2) in a process with threads.
static int become(
    const char *path, char *const arguments[], char *const environment[], int output, int errors) {
    setsid();
#if defined(__linux__)
    // Not to outlive this process, which may be killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) return errno;
    close_later(3);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    return errno;
}

pid_t csystem_start(
    const char *path, char *const arguments[], char *const environment[], int output, int errors) {
    // Tells why the program could not be started; the kernel closes it when it was.
    int report[2];
    if (pipe(report) != 0) return -1;
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0) {
        int reason = become(path, arguments, environment, output, errors);
        ssize_t written = write(report[1], &reason, sizeof reason);
        _exit(written == sizeof reason ? 127 : 126);
    }
    int failure = errno;
    close(report[1]);
    if (process > 0) {
        ssize_t count;
        while ((count = read(report[0], &failure, sizeof failure)) < 0 && errno == EINTR) {}
        if (count == sizeof failure) {
            while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
            process = -1;
        }
    }
    close(report[0]);
    errno = failure;
    return process;
}

pid_t csystem_start_nothing(void) {
    pid_t process = fork();
    if (process == 0) {
        char *nothing[] = {NULL};
        // What a program's process does before it becomes that touches memory as well.
        become("", nothing, nothing, 1, 2);
        _exit(0);
    }
    return process;
}
