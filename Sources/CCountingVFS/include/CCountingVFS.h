#ifndef CCOUNTINGVFS_H
#define CCOUNTINGVFS_H

#include <stdint.h>

/// The counts of the files in a folder since the process began to count them.
typedef struct counted_files counted_files;

typedef struct {
    /// Calls that make a file durable.
    int64_t syncs;
    /// Bytes written to write-ahead logs.
    int64_t log_bytes;
    /// Bytes written to databases.
    int64_t database_bytes;
} file_counts;

/// Returns the name of a file system for SQLite that does what the system's does and counts. The first call registers
/// it; null if that fails.
const char *counting_vfs_name(void);

/// Returns the counts of the files in a folder that are opened from now on. They live as long as the process.
counted_files *counting_vfs_count(const char *folder);

/// Returns the counts so far. Any thread may call it.
file_counts counted_files_now(const counted_files *files);

#endif
