#ifndef CFAULTVFS_H
#define CFAULTVFS_H

#include <stdbool.h>
#include <stdint.h>

#include "CFaultMemory.h"

/// A file system for SQLite that lies on top of the system's, and fails when it is told to.
typedef struct fault_vfs fault_vfs;

/// What a file system does, as bits of a set. What ends something, such as closing and unlocking, never fails.
enum {
    FAULT_OPEN = 1,
    FAULT_READ = 2,
    FAULT_WRITE = 4,
    FAULT_TRUNCATE = 8,
    FAULT_SYNC = 16,
    FAULT_LOCK = 32,
    FAULT_SHARED_MEMORY = 64,
    FAULT_DELETE = 128,
    FAULT_ACCESS = 256,
    FAULT_SIZE = 512,
};

typedef enum {
    FAULT_NONE,
    /// SQLITE_IOERR_... or SQLITE_CANTOPEN.
    FAULT_IO_ERROR,
    /// SQLITE_FULL where something is written, an error as above elsewhere.
    FAULT_DISK_FULL,
    /// What SQLite says of a write beyond a quota, and errno EDQUOT; an error as above elsewhere.
    FAULT_QUOTA_FULL,
    /// A read finds nothing, as beyond the end of a file.
    FAULT_SHORT_READ,
    /// That operation and all later ones of every kind fail; a write may be half done.
    FAULT_POWER_CUT,
    /// A sync waits until something else is armed or nothing fails any more, and succeeds then.
    FAULT_WAIT,
} fault_kind;

/// Registers a file system under a name of its own; nothing fails yet.
fault_vfs *fault_vfs_create(const char *name);

/// Takes the file system back, whose files must all be closed.
void fault_vfs_destroy(fault_vfs *vfs);

/// From now on the operation at `moment` among those of the set, counted from 1, fails; if it `lasts`, all later ones too.
void fault_vfs_arm(fault_vfs *vfs, fault_kind kind, unsigned operations, long moment, bool lasts);

/// Nothing fails from now on.
void fault_vfs_disarm(fault_vfs *vfs);

/// From now on SQLite is not told whether a file is where it was opened.
void fault_vfs_forget_places(fault_vfs *vfs);

/// Whether an operation has failed since the file system was armed.
bool fault_vfs_was_reached(fault_vfs *vfs);

/// Leaves the files as a power cut may leave them; all of them must be closed. With a seed of 0, everything that was not
/// synced is lost; with another, what is lost is drawn by lot, for each sector of each write and each other change.
void fault_vfs_lose_unsynced(fault_vfs *vfs, uint64_t seed);

#endif
