#include "CFaultVFS.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

struct fault_vfs {
    /// First, so that SQLite's pointer to it is one to all of this.
    sqlite3_vfs base;
    sqlite3_vfs *system;
    pthread_mutex_t mutex;
    pthread_cond_t disarmed;
    image *images;
    fault_kind kind;
    unsigned operations;
    long moment, count;
    bool lasts, was_reached, has_no_power, forgets_places;
};

typedef struct {
    sqlite3_file base;
    fault_vfs *vfs;
    /// Null for a file without a name, which cannot be found after a power cut.
    image *image;
} fault_file;

/// SQLite makes room for the system's file after ours.
static sqlite3_file *system_file(sqlite3_file *file) { return (sqlite3_file *)((fault_file *)file + 1); }
static fault_vfs *vfs_of(sqlite3_file *file) { return ((fault_file *)file)->vfs; }

// MARK: Deciding

/// Whether this operation fails; counts it.
static bool fails(fault_vfs *vfs, unsigned operation) {
    if (vfs->has_no_power) return true;
    if (vfs->kind == FAULT_NONE || !(vfs->operations & operation)) return false;
    vfs->count += 1;
    bool is_now = vfs->count == vfs->moment || (vfs->lasts && vfs->count > vfs->moment);
    if (!is_now) return false;
    vfs->was_reached = true;
    vfs->has_no_power = vfs->kind == FAULT_POWER_CUT;
    return true;
}

/// The operation's result if it fails, otherwise SQLITE_OK.
static int fault(fault_vfs *vfs, unsigned operation, int code) {
    pthread_mutex_lock(&vfs->mutex);
    int result = fails(vfs, operation) ? code : SQLITE_OK;
    pthread_mutex_unlock(&vfs->mutex);
    if (result != SQLITE_OK) errno = EIO;
    return result;
}

// MARK: Files

static int fault_close(sqlite3_file *file) { return system_file(file)->pMethods->xClose(system_file(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
    bool is_short = vfs_of(file)->kind == FAULT_SHORT_READ;
    int code = fault(vfs_of(file), FAULT_READ, is_short ? SQLITE_IOERR_SHORT_READ : SQLITE_IOERR_READ);
    if (code == SQLITE_OK) return system_file(file)->pMethods->xRead(system_file(file), bytes, size, offset);
    if (is_short) memset(bytes, 0, (size_t)size);
    return code;
}

static int fault_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    fault_vfs *vfs = vfs_of(file);
    image *image = ((fault_file *)file)->image;
    pthread_mutex_lock(&vfs->mutex);
    bool had_power = !vfs->has_no_power;
    bool has_failed = fails(vfs, FAULT_WRITE);
    // The write during which the power goes may have reached the disk, or some of its sectors.
    if (image && had_power && (!has_failed || vfs->has_no_power)) image_write(image, offset, bytes, (size_t)size);
    int code = vfs->kind == FAULT_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    int error = vfs->kind == FAULT_DISK_FULL ? ENOSPC : vfs->kind == FAULT_QUOTA_FULL ? EDQUOT : EIO;
    pthread_mutex_unlock(&vfs->mutex);
    if (has_failed) errno = error;
    return has_failed ? code : system_file(file)->pMethods->xWrite(system_file(file), bytes, size, offset);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    fault_vfs *vfs = vfs_of(file);
    image *image = ((fault_file *)file)->image;
    pthread_mutex_lock(&vfs->mutex);
    bool has_failed = fails(vfs, FAULT_TRUNCATE);
    if (image && !has_failed) image_truncate(image, size);
    pthread_mutex_unlock(&vfs->mutex);
    return has_failed ? SQLITE_IOERR_TRUNCATE : system_file(file)->pMethods->xTruncate(system_file(file), size);
}

/// Nothing has to reach the disk here: what would be lost is known.
static int fault_sync(sqlite3_file *file, int flags) {
    (void)flags;
    fault_vfs *vfs = vfs_of(file);
    image *image = ((fault_file *)file)->image;
    pthread_mutex_lock(&vfs->mutex);
    bool has_failed = fails(vfs, FAULT_SYNC);
    if (has_failed && vfs->kind == FAULT_WAIT) {
        while (vfs->kind == FAULT_WAIT) pthread_cond_wait(&vfs->disarmed, &vfs->mutex);
        has_failed = false;
    }
    if (image && !has_failed) image_sync(vfs->images, image);
    pthread_mutex_unlock(&vfs->mutex);
    return has_failed ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = fault(vfs_of(file), FAULT_SIZE, SQLITE_IOERR_FSTAT);
    return code ? code : system_file(file)->pMethods->xFileSize(system_file(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
    int code = fault(vfs_of(file), FAULT_LOCK, SQLITE_IOERR_LOCK);
    return code ? code : system_file(file)->pMethods->xLock(system_file(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) {
    return system_file(file)->pMethods->xUnlock(system_file(file), level);
}

static int fault_check_reserved_lock(sqlite3_file *file, int *is_locked) {
    int code = fault(vfs_of(file), FAULT_LOCK, SQLITE_IOERR_CHECKRESERVEDLOCK);
    return code ? code : system_file(file)->pMethods->xCheckReservedLock(system_file(file), is_locked);
}

static int fault_file_control(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_HAS_MOVED && vfs_of(file)->forgets_places) return SQLITE_NOTFOUND;
    return system_file(file)->pMethods->xFileControl(system_file(file), operation, argument);
}

static int fault_sector_size(sqlite3_file *file) {
    return system_file(file)->pMethods->xSectorSize(system_file(file));
}

/// A power cut spares the bytes beside those that are written, and nothing more.
static int fault_device_characteristics(sqlite3_file *file) {
    return system_file(file)->pMethods->xDeviceCharacteristics(system_file(file)) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int fault_shm_map(sqlite3_file *file, int region, int size, int extends, void volatile **address) {
    int code = fault(vfs_of(file), FAULT_SHARED_MEMORY, SQLITE_IOERR_SHMMAP);
    if (code) *address = NULL;
    return code ? code : system_file(file)->pMethods->xShmMap(system_file(file), region, size, extends, address);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    int code = flags & SQLITE_SHM_UNLOCK ? 0 : fault(vfs_of(file), FAULT_SHARED_MEMORY, SQLITE_IOERR_SHMLOCK);
    return code ? code : system_file(file)->pMethods->xShmLock(system_file(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) { system_file(file)->pMethods->xShmBarrier(system_file(file)); }

static int fault_shm_unmap(sqlite3_file *file, int deletes) {
    return system_file(file)->pMethods->xShmUnmap(system_file(file), deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = fault_close,
    .xRead = fault_read,
    .xWrite = fault_write,
    .xTruncate = fault_truncate,
    .xSync = fault_sync,
    .xFileSize = fault_size,
    .xLock = fault_lock,
    .xUnlock = fault_unlock,
    .xCheckReservedLock = fault_check_reserved_lock,
    .xFileControl = fault_file_control,
    .xSectorSize = fault_sector_size,
    .xDeviceCharacteristics = fault_device_characteristics,
    .xShmMap = fault_shm_map,
    .xShmLock = fault_shm_lock,
    .xShmBarrier = fault_shm_barrier,
    .xShmUnmap = fault_shm_unmap,
};

// MARK: The file system

static int fault_open(sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    fault_vfs *vfs = (fault_vfs *)base;
    file->pMethods = NULL;
    int code = fault(vfs, FAULT_OPEN, SQLITE_CANTOPEN);
    if (code) return code;
    // Before the file comes to be, so that what was there before is told from what comes now.
    pthread_mutex_lock(&vfs->mutex);
    image *image = name ? images_open(&vfs->images, name) : NULL;
    pthread_mutex_unlock(&vfs->mutex);
    code = vfs->system->xOpen(vfs->system, name, system_file(file), flags, out_flags);
    if (code) return code;
    ((fault_file *)file)->vfs = vfs;
    ((fault_file *)file)->image = image;
    file->pMethods = &methods;
    return SQLITE_OK;
}

static int fault_delete(sqlite3_vfs *base, const char *name, int syncs_folder) {
    fault_vfs *vfs = (fault_vfs *)base;
    int code = fault(vfs, FAULT_DELETE, SQLITE_IOERR_DELETE);
    if (code) return code;
    code = vfs->system->xDelete(vfs->system, name, 0);
    pthread_mutex_lock(&vfs->mutex);
    if (code == SQLITE_OK) images_delete(vfs->images, name, syncs_folder);
    pthread_mutex_unlock(&vfs->mutex);
    return code;
}

static int fault_access(sqlite3_vfs *base, const char *name, int flags, int *result) {
    fault_vfs *vfs = (fault_vfs *)base;
    int code = fault(vfs, FAULT_ACCESS, SQLITE_IOERR_ACCESS);
    return code ? code : vfs->system->xAccess(vfs->system, name, flags, result);
}

fault_vfs *fault_vfs_create(const char *name) {
    fault_vfs *vfs = calloc(1, sizeof(fault_vfs));
    vfs->system = sqlite3_vfs_find("unix");
    vfs->base = *vfs->system;
    vfs->base.pNext = NULL;
    vfs->base.zName = strdup(name);
    vfs->base.szOsFile = (int)sizeof(fault_file) + vfs->system->szOsFile;
    vfs->base.xOpen = fault_open;
    vfs->base.xDelete = fault_delete;
    vfs->base.xAccess = fault_access;
    pthread_mutex_init(&vfs->mutex, NULL);
    pthread_cond_init(&vfs->disarmed, NULL);
    sqlite3_vfs_register(&vfs->base, 0);
    return vfs;
}

void fault_vfs_destroy(fault_vfs *vfs) {
    sqlite3_vfs_unregister(&vfs->base);
    images_free(vfs->images);
    pthread_cond_destroy(&vfs->disarmed);
    pthread_mutex_destroy(&vfs->mutex);
    free((char *)vfs->base.zName);
    free(vfs);
}

void fault_vfs_arm(fault_vfs *vfs, fault_kind kind, unsigned operations, long moment, bool lasts) {
    pthread_mutex_lock(&vfs->mutex);
    vfs->kind = kind;
    vfs->operations = operations;
    vfs->moment = moment;
    vfs->lasts = lasts;
    vfs->count = 0;
    vfs->was_reached = vfs->has_no_power = false;
    pthread_cond_broadcast(&vfs->disarmed);
    pthread_mutex_unlock(&vfs->mutex);
}

void fault_vfs_disarm(fault_vfs *vfs) {
    pthread_mutex_lock(&vfs->mutex);
    vfs->kind = FAULT_NONE;
    vfs->has_no_power = false;
    pthread_cond_broadcast(&vfs->disarmed);
    pthread_mutex_unlock(&vfs->mutex);
}

void fault_vfs_forget_places(fault_vfs *vfs) { vfs->forgets_places = true; }

bool fault_vfs_was_reached(fault_vfs *vfs) {
    pthread_mutex_lock(&vfs->mutex);
    bool was_reached = vfs->was_reached;
    pthread_mutex_unlock(&vfs->mutex);
    return was_reached;
}

void fault_vfs_lose_unsynced(fault_vfs *vfs, uint64_t seed) {
    pthread_mutex_lock(&vfs->mutex);
    images_lose_unsynced(vfs->images, seed);
    images_free(vfs->images);
    vfs->images = NULL;
    pthread_mutex_unlock(&vfs->mutex);
}
