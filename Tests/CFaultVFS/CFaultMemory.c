#include "CFaultMemory.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>

static sqlite3_mem_methods methods;
static atomic_long count, refused_at;
static atomic_bool refuses_all_later, was_reached;

static bool is_refused(void) {
    long current = atomic_fetch_add(&count, 1) + 1, moment = refused_at;
    bool is_now = moment && (current == moment || (refuses_all_later && current > moment));
    if (is_now) was_reached = true;
    return is_now;
}

static void *allocate(int size) { return is_refused() ? NULL : methods.xMalloc(size); }
static void *reallocate(void *memory, int size) { return is_refused() ? NULL : methods.xRealloc(memory, size); }

int fault_memory_install(void) {
    // A connection's small allocations would come from a store of its own.
    int code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &methods);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods refusing = methods;
    refusing.xMalloc = allocate;
    refusing.xRealloc = reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &refusing);
}

void fault_memory_arm(long moment, bool lasts) {
    refused_at = 0;
    count = 0;
    was_reached = false;
    refuses_all_later = lasts;
    refused_at = moment;
}

void fault_memory_lift(void) { refused_at = 0; }
bool fault_memory_was_reached(void) { return was_reached; }
