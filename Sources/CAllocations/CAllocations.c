#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CAllocations.h"

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
// A sanitizer has an allocator of its own in this place.
#define IS_SANITIZED 1
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(IS_SANITIZED)
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

// MARK: - Threads

/// The counts of a thread, on cache lines of their own. That thread alone writes them.
struct slot {
    _Alignas(128) atomic_uint_fast64_t calls;
    atomic_uint_fast64_t bytes;
    atomic_flag is_taken;
};

/// A thread takes a slot at its first allocation and returns it at its end; the next thread to take it counts on from
/// there. A page of slots that no thread has taken uses no memory.
static struct slot slots[2048];
/// How many slots have ever been taken.
static atomic_uint used;
/// Whether a thread found no slot, so that the sum is incomplete.
static atomic_bool is_full;

/// The slot of the thread; NULL before its first allocation. Initial-exec: the other models may allocate at the first use
/// in a thread.
static _Thread_local struct slot *own __attribute__((tls_model("initial-exec")));
/// Takes the place of the slot while the thread is left out. It is in no sum.
static _Thread_local struct slot left_out __attribute__((tls_model("initial-exec")));

static pthread_key_t thread_end;

static void return_slot(void *slot) {
    own = NULL;
    atomic_flag_clear_explicit(&((struct slot *)slot)->is_taken, memory_order_release);
}

static struct slot *free_slot(void) {
    for (unsigned index = 0; index < sizeof slots / sizeof *slots; index++) {
        if (atomic_flag_test_and_set_explicit(&slots[index].is_taken, memory_order_acquire)) continue;
        unsigned known = atomic_load(&used);
        while (known <= index && !atomic_compare_exchange_weak(&used, &known, index + 1)) {}
        return &slots[index];
    }
    return NULL;
}

// MARK: - The allocator behind

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int libc_posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    int error = errno;
    void *found = __libc_memalign(alignment, size);
    errno = error;
    if (found == NULL) return ENOMEM;
    *memory = found;
    return 0;
}

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
} behind = {
    __libc_malloc, __libc_calloc, __libc_realloc, __libc_memalign, __libc_memalign, libc_posix_memalign,
};

static void *find(const char *name, void *otherwise) {
    void *found = dlsym(RTLD_NEXT, name);
    return found != NULL ? found : otherwise;
}

/// Finds the allocator that the process would have without this file. It is not always that of glibc: `LD_PRELOAD` and
/// libraries bring others, and `free` is theirs.
static void find_allocator(void) {
    // All at once in the end: what dlsym itself allocates is glibc's.
    void *malloc = find("malloc", __libc_malloc);
    void *calloc = find("calloc", __libc_calloc);
    void *realloc = find("realloc", __libc_realloc);
    void *memalign = find("memalign", __libc_memalign);
    void *aligned_alloc = find("aligned_alloc", __libc_memalign);
    void *posix_memalign = find("posix_memalign", libc_posix_memalign);
    behind.malloc = (void *(*)(size_t))malloc;
    behind.calloc = (void *(*)(size_t, size_t))calloc;
    behind.realloc = (void *(*)(void *, size_t))realloc;
    behind.memalign = (void *(*)(size_t, size_t))memalign;
    behind.aligned_alloc = (void *(*)(size_t, size_t))aligned_alloc;
    behind.posix_memalign = (int (*)(void **, size_t, size_t))posix_memalign;
}

// MARK: - Counting

/// Whether the definitions below are those of the process. They are weak: in a program without dynamic libraries, glibc's
/// take their place.
static int is_interposed(void);

/// Prepares the calling thread at its first allocation, and the process with its first thread.
static void begin_thread(void) {
    static atomic_flag has_begun = ATOMIC_FLAG_INIT;
    struct slot *slot = free_slot();
    if (slot == NULL) {
        atomic_store(&is_full, 1);
        slot = &left_out;
    }
    // Before calls that may allocate.
    own = slot;
    // The first allocation of a process comes before its second thread.
    if (!atomic_flag_test_and_set(&has_begun)) {
        if (is_interposed()) find_allocator();
        pthread_key_create(&thread_end, return_slot);
    }
    if (slot != &left_out) pthread_setspecific(thread_end, slot);
}

static inline void add(atomic_uint_fast64_t *sum, uint64_t more) {
    // No atomic addition, which takes several times as long: no other thread writes here.
    uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);
    atomic_store_explicit(sum, before + more, memory_order_relaxed);
}

static inline void count(size_t size) {
    add(&own->calls, 1);
    add(&own->bytes, size);
}

// The first call of a thread is apart, so that the others need no stack: seven instructions more than without counting.
#define IS_RARE(condition) __builtin_expect(condition, 0)
#define RARE __attribute__((noinline, cold))

static void *first_malloc(size_t size);

static void *counted_malloc(size_t size) {
    if (IS_RARE(own == NULL)) return first_malloc(size);
    count(size);
    return behind.malloc(size);
}

static RARE void *first_malloc(size_t size) {
    begin_thread();
    return counted_malloc(size);
}

static void *first_calloc(size_t number, size_t size);

static void *counted_calloc(size_t number, size_t size) {
    if (IS_RARE(own == NULL)) return first_calloc(number, size);
    count(number * size);
    return behind.calloc(number, size);
}

static RARE void *first_calloc(size_t number, size_t size) {
    begin_thread();
    return counted_calloc(number, size);
}

static void *first_realloc(void *memory, size_t size);

static void *counted_realloc(void *memory, size_t size) {
    if (IS_RARE(own == NULL)) return first_realloc(memory, size);
    count(size);
    return behind.realloc(memory, size);
}

static RARE void *first_realloc(void *memory, size_t size) {
    begin_thread();
    return counted_realloc(memory, size);
}

static void *first_memalign(size_t alignment, size_t size);

static void *counted_memalign(size_t alignment, size_t size) {
    if (IS_RARE(own == NULL)) return first_memalign(alignment, size);
    count(size);
    return behind.memalign(alignment, size);
}

static RARE void *first_memalign(size_t alignment, size_t size) {
    begin_thread();
    return counted_memalign(alignment, size);
}

static void *first_aligned_alloc(size_t alignment, size_t size);

static void *counted_aligned_alloc(size_t alignment, size_t size) {
    if (IS_RARE(own == NULL)) return first_aligned_alloc(alignment, size);
    count(size);
    return behind.aligned_alloc(alignment, size);
}

static RARE void *first_aligned_alloc(size_t alignment, size_t size) {
    begin_thread();
    return counted_aligned_alloc(alignment, size);
}

static int first_posix_memalign(void **memory, size_t alignment, size_t size);

static int counted_posix_memalign(void **memory, size_t alignment, size_t size) {
    if (IS_RARE(own == NULL)) return first_posix_memalign(memory, alignment, size);
    count(size);
    return behind.posix_memalign(memory, alignment, size);
}

static RARE int first_posix_memalign(void **memory, size_t alignment, size_t size) {
    begin_thread();
    return counted_posix_memalign(memory, alignment, size);
}

#define IS(function) __attribute__((weak, alias(#function), visibility("default")))

void *malloc(size_t size) IS(counted_malloc);
void *calloc(size_t number, size_t size) IS(counted_calloc);
void *realloc(void *memory, size_t size) IS(counted_realloc);
void *memalign(size_t alignment, size_t size) IS(counted_memalign);
void *aligned_alloc(size_t alignment, size_t size) IS(counted_aligned_alloc);
int posix_memalign(void **memory, size_t alignment, size_t size) IS(counted_posix_memalign);

static int is_interposed(void) { return &malloc == &counted_malloc; }

int allocations_read(struct allocations *sum) {
    if (!is_interposed() || atomic_load(&is_full)) return 0;
    struct allocations all = {0, 0};
    unsigned known = atomic_load(&used);
    for (unsigned index = 0; index < known; index++) {
        all.calls += atomic_load_explicit(&slots[index].calls, memory_order_relaxed);
        all.bytes += atomic_load_explicit(&slots[index].bytes, memory_order_relaxed);
    }
    *sum = all;
    return 1;
}

void *allocations_pause(void) {
    void *slot = own;
    own = &left_out;
    return slot;
}

void allocations_resume(void *slot) { own = slot; }
#else
int allocations_read(struct allocations *sum) {
    (void)sum;
    return 0;
}

void *allocations_pause(void) { return NULL; }

void allocations_resume(void *slot) { (void)slot; }
#endif
