/* The loop of the driver `sqlite` in C, to see what Swift adds to it: the same schema, settings and statements, into
 * structs on the heap. Prints the CPU time of each phase. `make c-loop` runs it. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    int64_t key, version;
    char *name;
    double created_at;
    int done;
} Item;

typedef struct {
    Item *items;
    size_t count, capacity;
} Items;

static sqlite3 *database;

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    fprintf(stderr, "c-loop: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

/* A value between 0 and 1 that belongs to a record: SplitMix64, as in the generator of the scenarios. */
static double unit(uint64_t ordinal) {
    uint64_t z = (ordinal + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void c_seed(int records) {
    execute("BEGIN IMMEDIATE");
    sqlite3_stmt *insert = prepare(
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCREATEDAT, ZDONE) VALUES (?, 1, 1, ?, ?, ?)");
    char name[32] = "Item ";
    for (int ordinal = 0; ordinal < records; ordinal++) {
        int length = 5 + sprintf(name + 5, "%d", ordinal);
        check(sqlite3_bind_int64(insert, 1, ordinal + 1));
        check(sqlite3_bind_text(insert, 2, name, length, SQLITE_STATIC));
        check(sqlite3_bind_double(insert, 3, 662688000 + unit(ordinal) * 126230400));
        check(sqlite3_bind_int(insert, 4, 0));
        check(sqlite3_step(insert));
        check(sqlite3_reset(insert));
    }
    sqlite3_finalize(insert);
    execute("COMMIT");
}

static void append(Items *found, sqlite3_stmt *row) {
    if (found->count == found->capacity) {
        found->capacity = found->capacity ? found->capacity * 2 : 8;
        found->items = realloc(found->items, found->capacity * sizeof(Item));
    }
    Item *item = &found->items[found->count++];
    item->key = sqlite3_column_int64(row, 0);
    item->version = sqlite3_column_int64(row, 1);
    const unsigned char *name = sqlite3_column_text(row, 2);
    size_t length = (size_t)sqlite3_column_bytes(row, 2);
    item->name = malloc(length + 1);
    memcpy(item->name, name, length);
    item->name[length] = 0;
    item->created_at = sqlite3_column_double(row, 3);
    item->done = sqlite3_column_int(row, 4);
}

Items c_fetch(const char *order) {
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT Z_PK, Z_OPT, ZNAME, ZCREATEDAT, ZDONE FROM ZITEM ORDER BY %s", order);
    Items found = {0};
    sqlite3_stmt *select = prepare(sql);
    int result;
    while ((result = sqlite3_step(select)) == SQLITE_ROW) append(&found, select);
    check(result);
    sqlite3_finalize(select);
    return found;
}

void c_update(Items *found) {
    execute("BEGIN IMMEDIATE");
    sqlite3_stmt *update = prepare("UPDATE ZITEM SET ZDONE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?");
    for (size_t index = 0; index < found->count; index++) {
        Item *item = &found->items[index];
        item->done = 1;
        check(sqlite3_bind_int(update, 1, item->done));
        check(sqlite3_bind_int64(update, 2, item->version + 1));
        check(sqlite3_bind_int64(update, 3, item->key));
        check(sqlite3_bind_int64(update, 4, item->version));
        check(sqlite3_step(update));
        check(sqlite3_reset(update));
        if (sqlite3_changes64(database) != 1) exit(1);
        item->version += 1;
    }
    sqlite3_finalize(update);
    execute("COMMIT");
}

static void release(Items *found) {
    for (size_t index = 0; index < found->count; index++) free(found->items[index].name);
    free(found->items);
}

static double cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: c-loop RECORDS FILE\n");
        return 2;
    }
    int records = atoi(arguments[1]);
    remove(arguments[2]);
    check(sqlite3_open_v2(
        arguments[2], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
    execute(
        "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000;"
        "PRAGMA mmap_size = 0; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = FILE; PRAGMA threads = 2;"
        "CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDONE INTEGER,"
        " ZCREATEDAT TIMESTAMP, ZNAME VARCHAR)");
    double start = cpu();
    c_seed(records);
    double seeded = cpu();
    execute("PRAGMA wal_checkpoint(TRUNCATE)");
    double fetching = cpu();
    Items sorted = c_fetch("ZCREATEDAT");
    double fetched = cpu();
    release(&sorted);
    Items found = c_fetch("Z_PK");
    double updating = cpu();
    c_update(&found);
    double updated = cpu();
    release(&found);
    check(sqlite3_close(database));
    printf(
        "CPU time: seed %.0f ms, fetch-sync %.0f ms, update-per-object %.0f ms\n", seeded - start, fetched - fetching,
        updated - updating);
    return 0;
}
