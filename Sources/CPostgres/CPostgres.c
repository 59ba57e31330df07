#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// Where the header of libpq is installed, the compiler checks that each function is the one declared here.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define HAS_HEADER 1
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define HAS_HEADER 1
#endif

#if HAS_HEADER
#define CHECK(type, name, parameters, arguments) \
    _Static_assert(__builtin_types_compatible_p(type(*) parameters, __typeof__(&name)), #name);
CPOSTGRES_FUNCTIONS(CHECK)
#if defined(LIBPQ_HAS_PIPELINING)
CPOSTGRES_PIPELINE_FUNCTIONS(CHECK)
_Static_assert((int)CPOSTGRES_PIPELINE_SYNC == PGRES_PIPELINE_SYNC, "end of a pipeline");
#endif
#if defined(LIBPQ_HAS_CHUNK_MODE)
CPOSTGRES_CHUNK_FUNCTIONS(CHECK)
_Static_assert((int)CPOSTGRES_TUPLES_CHUNK == PGRES_TUPLES_CHUNK, "chunk of tuples");
#endif
_Static_assert(offsetof(PGnotify, extra) == offsetof(struct cpostgres_notification, text), "text of a message");
_Static_assert((int)CPOSTGRES_SINGLE_TUPLE == PGRES_SINGLE_TUPLE, "single tuple");
_Static_assert((int)CPOSTGRES_CONNECTION_OK == CONNECTION_OK, "connection status");
_Static_assert((int)CPOSTGRES_TRANSACTION_IDLE == PQTRANS_IDLE, "transaction status");
_Static_assert((int)CPOSTGRES_COMMAND_OK == PGRES_COMMAND_OK, "command");
_Static_assert((int)CPOSTGRES_TUPLES_OK == PGRES_TUPLES_OK, "tuples");
_Static_assert((int)CPOSTGRES_COPY_OUT == PGRES_COPY_OUT, "copy out");
_Static_assert((int)CPOSTGRES_COPY_IN == PGRES_COPY_IN, "copy in");
#endif

static struct cpostgres_functions functions;
static const char *reason;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void bind(void) {
#if defined(__APPLE__)
    const char *names[] = {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
                           "/usr/local/opt/libpq/lib/libpq.5.dylib"};
#else
    const char *names[] = {"libpq.so.5"};
#endif
    void *library = NULL;
    for (size_t index = 0; index < sizeof names / sizeof *names && !library; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        reason = "PostgreSQL's client library, libpq, is not installed";
        return;
    }
#define BIND(type, name, parameters, arguments) \
    *(void **)&functions.name = dlsym(library, #name); \
    if (!functions.name) { \
        reason = "PostgreSQL's client library lacks " #name; \
        return; \
    }
    CPOSTGRES_FUNCTIONS(BIND)
#define BIND_IF_THERE(type, name, parameters, arguments) *(void **)&functions.name = dlsym(library, #name);
    CPOSTGRES_PIPELINE_FUNCTIONS(BIND_IF_THERE)
    CPOSTGRES_CHUNK_FUNCTIONS(BIND_IF_THERE)
    // Found among the libraries that libpq is linked with.
    *(void **)&functions.SSL_pending = dlsym(library, "SSL_pending");
}

const char *cpostgres_bind(void) {
    pthread_once(&once, bind);
    return reason;
}

const struct cpostgres_functions *cpostgres_bound(void) { return &functions; }
