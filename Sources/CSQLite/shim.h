#pragma once

#include <sqlite3.h>

/// `SQLITE_TRANSIENT` and `SQLITE_STATIC` are casts, which Swift does not import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type csqlite_static(void) { return SQLITE_STATIC; }

/// Waits until the disk has what was written to the main file. Beside the log, SQLite does so only within a checkpoint.
static inline int csqlite_sync(sqlite3 *connection) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

/// Sets a switch of a connection, and says whether SQLite has it. `sqlite3_db_config` is variadic, which Swift does not import.
static inline int csqlite_configure(sqlite3 *connection, int option, int is_on) {
    return sqlite3_db_config(connection, option, is_on, (int *)0);
}
