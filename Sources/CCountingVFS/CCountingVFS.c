#include "CCountingVFS.h"

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef _Atomic int64_t counter;

struct counted_files {
    counted_files *next;
    counter syncs, log_bytes, database_bytes;
    size_t length;
    /// The path of the folder without symbolic links, as SQLite hands paths over; a slash ends it.
    char folder[];
};

typedef struct {
    sqlite3_file base;
    counter *syncs;
    /// The counter of the bytes that are written to the file.
    counter *bytes;
} counting_file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static counted_files *all_files;
/// Counts for files in folders that are not counted, and for files of other kinds.
static counter ignored;
static sqlite3_vfs *base_vfs;

static void add(counter *counter, int64_t amount) {
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/// SQLite makes room for the system's file after ours.
static sqlite3_file *system_file(sqlite3_file *file) { return (sqlite3_file *)((counting_file *)file + 1); }

// MARK: Files

#define FORWARD(name, parameters, ...) \
    static int name parameters { return system_file(file)->pMethods->__VA_ARGS__; }

FORWARD(counting_close, (sqlite3_file *file), xClose(system_file(file)))
FORWARD(counting_read, (sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset),
        xRead(system_file(file), buffer, count, offset))
FORWARD(counting_truncate, (sqlite3_file *file, sqlite3_int64 size), xTruncate(system_file(file), size))
FORWARD(counting_size, (sqlite3_file *file, sqlite3_int64 *size), xFileSize(system_file(file), size))
FORWARD(counting_lock, (sqlite3_file *file, int level), xLock(system_file(file), level))
FORWARD(counting_unlock, (sqlite3_file *file, int level), xUnlock(system_file(file), level))
FORWARD(counting_check_lock, (sqlite3_file *file, int *is_reserved),
        xCheckReservedLock(system_file(file), is_reserved))
FORWARD(counting_control, (sqlite3_file *file, int operation, void *argument),
        xFileControl(system_file(file), operation, argument))
FORWARD(counting_sector_size, (sqlite3_file *file), xSectorSize(system_file(file)))
FORWARD(counting_characteristics, (sqlite3_file *file), xDeviceCharacteristics(system_file(file)))
FORWARD(counting_shm_map, (sqlite3_file *file, int region, int size, int extends, void volatile **memory),
        xShmMap(system_file(file), region, size, extends, memory))
FORWARD(counting_shm_lock, (sqlite3_file *file, int offset, int count, int flags),
        xShmLock(system_file(file), offset, count, flags))
FORWARD(counting_shm_unmap, (sqlite3_file *file, int deletes), xShmUnmap(system_file(file), deletes))
FORWARD(counting_fetch, (sqlite3_file *file, sqlite3_int64 offset, int count, void **memory),
        xFetch(system_file(file), offset, count, memory))
FORWARD(counting_unfetch, (sqlite3_file *file, sqlite3_int64 offset, void *memory),
        xUnfetch(system_file(file), offset, memory))

static void counting_shm_barrier(sqlite3_file *file) {
    system_file(file)->pMethods->xShmBarrier(system_file(file));
}

static int counting_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    add(((counting_file *)file)->bytes, count);
    return system_file(file)->pMethods->xWrite(system_file(file), bytes, count, offset);
}

static int counting_sync(sqlite3_file *file, int flags) {
    add(((counting_file *)file)->syncs, 1);
    return system_file(file)->pMethods->xSync(system_file(file), flags);
}

/// Version 3 has memory maps and shared memory, as the system's file of any SQLite since 3.7.17.
static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = counting_close,
    .xRead = counting_read,
    .xWrite = counting_write,
    .xTruncate = counting_truncate,
    .xSync = counting_sync,
    .xFileSize = counting_size,
    .xLock = counting_lock,
    .xUnlock = counting_unlock,
    .xCheckReservedLock = counting_check_lock,
    .xFileControl = counting_control,
    .xSectorSize = counting_sector_size,
    .xDeviceCharacteristics = counting_characteristics,
    .xShmMap = counting_shm_map,
    .xShmLock = counting_shm_lock,
    .xShmBarrier = counting_shm_barrier,
    .xShmUnmap = counting_shm_unmap,
    .xFetch = counting_fetch,
    .xUnfetch = counting_unfetch,
};

// MARK: The file system

/// Returns the counts of the folder in which a file lies; null if they are not counted.
static counted_files *files_with(const char *path) {
    if (!path) return NULL;
    pthread_mutex_lock(&mutex);
    counted_files *files = all_files;
    while (files && strncmp(path, files->folder, files->length) != 0) files = files->next;
    pthread_mutex_unlock(&mutex);
    return files;
}

static int counting_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    counting_file *counting = (counting_file *)file;
    counted_files *files = files_with(path);
    counting->syncs = files ? &files->syncs : &ignored;
    counting->bytes = &ignored;
    if (files && flags & SQLITE_OPEN_WAL) counting->bytes = &files->log_bytes;
    if (files && flags & SQLITE_OPEN_MAIN_DB) counting->bytes = &files->database_bytes;
    int result = base_vfs->xOpen(base_vfs, path, system_file(file), flags, out_flags);
    // Without methods, SQLite does not close a file.
    counting->base.pMethods = system_file(file)->pMethods ? &methods : NULL;
    return result;
}

static sqlite3_vfs counting_vfs;

static void register_vfs(void) {
    base_vfs = sqlite3_vfs_find(NULL);
    if (!base_vfs) return;
    // Everything but files is the system's; its functions take the file system from what they get.
    counting_vfs = *base_vfs;
    counting_vfs.pNext = NULL;
    counting_vfs.zName = "counting";
    counting_vfs.szOsFile = (int)sizeof(counting_file) + base_vfs->szOsFile;
    counting_vfs.xOpen = counting_open;
    if (sqlite3_vfs_register(&counting_vfs, 0) != SQLITE_OK) base_vfs = NULL;
}

const char *counting_vfs_name(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_vfs);
    return base_vfs ? counting_vfs.zName : NULL;
}

counted_files *counting_vfs_count(const char *folder) {
    char path[PATH_MAX];
    if (!realpath(folder, path)) return NULL;
    size_t length = strlen(path) + 1;
    pthread_mutex_lock(&mutex);
    counted_files *files = all_files;
    while (files && (files->length != length || strncmp(path, files->folder, length - 1) != 0)) files = files->next;
    if (!files && (files = calloc(1, sizeof(counted_files) + length + 1))) {
        memcpy(files->folder, path, length - 1);
        files->folder[length - 1] = '/';
        files->length = length;
        files->next = all_files;
        all_files = files;
    }
    pthread_mutex_unlock(&mutex);
    return files;
}

file_counts counted_files_now(const counted_files *files) {
    return (file_counts){
        .syncs = atomic_load_explicit(&files->syncs, memory_order_relaxed),
        .log_bytes = atomic_load_explicit(&files->log_bytes, memory_order_relaxed),
        .database_bytes = atomic_load_explicit(&files->database_bytes, memory_order_relaxed),
    };
}
