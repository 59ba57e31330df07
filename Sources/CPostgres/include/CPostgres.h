#pragma once

/// The functions of PostgreSQL's client library, libpq, bound when they are first needed: a program that uses no server
/// runs, and is built, where libpq is not installed.

#include <stddef.h>
#include <stdio.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pg_cancel PGcancel;
typedef unsigned int Oid;
/// A message that another connection sent. Free it with `PQfreemem`.
typedef struct pgNotify PGnotify;
typedef void (*cpostgres_notice_processor)(void *context, const char *message);

/// The parts of a message, in the order in which libpq declares them.
struct cpostgres_notification {
    char *channel;
    int sender;
    char *text;
};

/// Values of libpq's enumerations.
enum cpostgres_connection_status { CPOSTGRES_CONNECTION_OK = 0 };
enum cpostgres_transaction_status { CPOSTGRES_TRANSACTION_IDLE = 0 };
enum cpostgres_result_status {
    CPOSTGRES_COMMAND_OK = 1,
    CPOSTGRES_TUPLES_OK = 2,
    CPOSTGRES_COPY_OUT = 3,
    CPOSTGRES_COPY_IN = 4,
    CPOSTGRES_SINGLE_TUPLE = 9,
    CPOSTGRES_PIPELINE_SYNC = 10,
    CPOSTGRES_TUPLES_CHUNK = 12,
};
/// Fields of an error.
enum cpostgres_error_field {
    CPOSTGRES_ERROR_STATE = 'C',
    CPOSTGRES_ERROR_MESSAGE = 'M',
    CPOSTGRES_ERROR_DETAIL = 'D',
};

// Calls `F` with the result type, the name, the parameters and the arguments of each function. What libpq declares as
// an enumeration is an unsigned number here.
// clang-format off
#define CPOSTGRES_FUNCTIONS(F) \
    F(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expands_name), (keywords, values, expands_name)) \
    F(void, PQfinish, (PGconn *connection), (connection)) \
    F(unsigned int, PQstatus, (const PGconn *connection), (connection)) \
    F(unsigned int, PQtransactionStatus, (const PGconn *connection), (connection)) \
    F(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    F(int, PQserverVersion, (const PGconn *connection), (connection)) \
    F(const char *, PQparameterStatus, (const PGconn *connection, const char *name), (connection, name)) \
    F(int, PQsocket, (const PGconn *connection), (connection)) \
    F(int, PQconsumeInput, (PGconn *connection), (connection)) \
    F(int, PQsetnonblocking, (PGconn *connection, int is_nonblocking), (connection, is_nonblocking)) \
    F(int, PQflush, (PGconn *connection), (connection)) \
    F(int, PQisBusy, (PGconn *connection), (connection)) \
    F(void *, PQsslStruct, (PGconn *connection, const char *name), (connection, name)) \
    F(PGnotify *, PQnotifies, (PGconn *connection), (connection)) \
    F(char *, PQhost, (const PGconn *connection), (connection)) \
    F(char *, PQport, (const PGconn *connection), (connection)) \
    F(char *, PQdb, (const PGconn *connection), (connection)) \
    F(cpostgres_notice_processor, PQsetNoticeProcessor, (PGconn *connection, cpostgres_notice_processor processor, void *context), (connection, processor, context)) \
    F(PGresult *, PQexec, (PGconn *connection, const char *query), (connection, query)) \
    F(PGresult *, PQprepare, (PGconn *connection, const char *name, const char *query, int count, const Oid *types), (connection, name, query, count, types)) \
    F(PGresult *, PQexecPrepared, (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int result_format), (connection, name, count, values, lengths, formats, result_format)) \
    F(int, PQsendQuery, (PGconn *connection, const char *query), (connection, query)) \
    F(int, PQsendPrepare, (PGconn *connection, const char *name, const char *query, int count, const Oid *types), (connection, name, query, count, types)) \
    F(int, PQsendQueryPrepared, (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, int result_format), (connection, name, count, values, lengths, formats, result_format)) \
    F(int, PQsetSingleRowMode, (PGconn *connection), (connection)) \
    F(PGresult *, PQgetResult, (PGconn *connection), (connection)) \
    F(void, PQclear, (PGresult *result), (result)) \
    F(unsigned int, PQresultStatus, (const PGresult *result), (result)) \
    F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    F(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
    F(int, PQntuples, (const PGresult *result), (result)) \
    F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    F(char *, PQcmdTuples, (PGresult *result), (result)) \
    F(int, PQputCopyData, (PGconn *connection, const char *bytes, int count), (connection, bytes, count)) \
    F(int, PQputCopyEnd, (PGconn *connection, const char *error), (connection, error)) \
    F(int, PQgetCopyData, (PGconn *connection, char **bytes, int is_asynchronous), (connection, bytes, is_asynchronous)) \
    F(void, PQfreemem, (void *memory), (memory)) \
    F(PGcancel *, PQgetCancel, (PGconn *connection), (connection)) \
    F(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
    F(int, PQcancel, (PGcancel *cancel, char *error, int size), (cancel, error, size))

// Since version 14; they may be missing.
#define CPOSTGRES_PIPELINE_FUNCTIONS(F) \
    F(int, PQenterPipelineMode, (PGconn *connection), (connection)) \
    F(int, PQexitPipelineMode, (PGconn *connection), (connection)) \
    F(int, PQpipelineSync, (PGconn *connection), (connection))

// Since version 17; it may be missing.
#define CPOSTGRES_CHUNK_FUNCTIONS(F) \
    F(int, PQsetChunkedRowsMode, (PGconn *connection, int size), (connection, size))
// clang-format on

/// The addresses of the functions.
struct cpostgres_functions {
#define CPOSTGRES_MEMBER(type, name, parameters, arguments) type(*name) parameters;
    CPOSTGRES_FUNCTIONS(CPOSTGRES_MEMBER)
    CPOSTGRES_PIPELINE_FUNCTIONS(CPOSTGRES_MEMBER)
    CPOSTGRES_CHUNK_FUNCTIONS(CPOSTGRES_MEMBER)
#undef CPOSTGRES_MEMBER
    /// OpenSSL's, if libpq uses that; it may be missing.
    int (*SSL_pending)(const void *encryption);
};

/// Binds the functions, once. Returns NULL, or why the library or one of its functions cannot be had. The functions
/// below must not be called before.
const char *cpostgres_bind(void);

/// Their addresses, all NULL before.
const struct cpostgres_functions *cpostgres_bound(void);

#define CPOSTGRES_CALL(type, name, parameters, arguments) \
    static inline type cpostgres_##name parameters { return cpostgres_bound()->name arguments; }
CPOSTGRES_FUNCTIONS(CPOSTGRES_CALL)
CPOSTGRES_PIPELINE_FUNCTIONS(CPOSTGRES_CALL)
CPOSTGRES_CHUNK_FUNCTIONS(CPOSTGRES_CALL)
#undef CPOSTGRES_CALL

/// Whether the library can send statements before the answers to earlier ones. If it cannot, the functions of pipelines
/// must not be called.
static inline int cpostgres_has_pipelines(void) { return cpostgres_bound()->PQpipelineSync != NULL; }

/// Whether bytes were received and decrypted that libpq has not taken yet. The socket does not announce them again.
static inline int cpostgres_has_decrypted(PGconn *connection) {
    void *encryption = cpostgres_PQsslStruct(connection, "OpenSSL");
    return encryption && cpostgres_bound()->SSL_pending && cpostgres_bound()->SSL_pending(encryption) > 0;
}

/// Returns the text of a message.
static inline const char *cpostgres_text(const PGnotify *message) {
    return ((const struct cpostgres_notification *)message)->text;
}

/// Has the rows of the statement that was sent arrive before all are there: `size` at a time, or one by one where the
/// library knows no other way. Returns 1 on success.
static inline int cpostgres_set_streaming(PGconn *connection, int size) {
    if (cpostgres_bound()->PQsetChunkedRowsMode) { return cpostgres_PQsetChunkedRowsMode(connection, size); }
    return cpostgres_PQsetSingleRowMode(connection);
}

/// Keeps what a server says besides its answers from the standard error output, where libpq writes it otherwise.
static inline void cpostgres_ignore_notice(void *context, const char *message) {
    (void)context;
    (void)message;
}
