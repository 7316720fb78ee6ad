#include <dlfcn.h>
#include <stddef.h>

// libpq, loaded for the first connection: docs/decisions/0080. The functions are declared here instead of in libpq-fe.h,
// so that a build for one user does not need PostgreSQL's headers. The declarations are part of the ABI of libpq.so.5.

struct pg_conn;
struct pg_result;

// ConnStatusType, ExecStatusType and PGTransactionStatusType
enum { REMINDAV_PG_CONNECTION_OK = 0 };
enum {
    REMINDAV_PG_EMPTY_QUERY = 0,
    REMINDAV_PG_COMMAND_OK = 1,
    REMINDAV_PG_TUPLES_OK = 2,
    REMINDAV_PG_PIPELINE_SYNC = 10,
    REMINDAV_PG_PIPELINE_ABORTED = 11
};
enum { REMINDAV_PG_IN_ERROR = 3 };
// PG_DIAG_SQLSTATE
enum { REMINDAV_PG_SQLSTATE = 'C' };

// The functions of the pipeline mode exist since libpq 14.
#define REMINDAV_POSTGRES_FUNCTIONS(each)                                                                              \
    each(struct pg_conn *_Nullable, connectdbParams,                                                                   \
         (const char *_Nullable const *_Nonnull keys, const char *_Nullable const *_Nonnull values, int expands))      \
    each(void, finish, (struct pg_conn *_Nonnull connection))                                                          \
    each(int, status, (const struct pg_conn *_Nonnull connection))                                                     \
    each(int, transactionStatus, (const struct pg_conn *_Nonnull connection))                                          \
    each(int, socket, (const struct pg_conn *_Nonnull connection))                                                     \
    each(int, consumeInput, (struct pg_conn *_Nonnull connection))                                                     \
    each(int, isBusy, (struct pg_conn *_Nonnull connection))                                                           \
    each(int, serverVersion, (const struct pg_conn *_Nonnull connection))                                              \
    each(const char *_Nullable, errorMessage, (const struct pg_conn *_Nonnull connection))                             \
    each(void *_Nullable, setNoticeReceiver,                                                                           \
         (struct pg_conn *_Nonnull connection, void (*_Nonnull receiver)(void *_Nullable, const struct pg_result *_Nullable), \
          void *_Nullable argument))                                                                                   \
    each(int, enterPipelineMode, (struct pg_conn *_Nonnull connection))                                                \
    each(int, exitPipelineMode, (struct pg_conn *_Nonnull connection))                                                 \
    each(int, pipelineSync, (struct pg_conn *_Nonnull connection))                                                     \
    each(int, sendQuery, (struct pg_conn *_Nonnull connection, const char *_Nonnull script))                           \
    each(int, sendPrepare,                                                                                             \
         (struct pg_conn *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull sql, int count,         \
          const unsigned int *_Nullable types))                                                                        \
    each(int, sendDescribePrepared, (struct pg_conn *_Nonnull connection, const char *_Nonnull name))                  \
    each(int, sendQueryPrepared,                                                                                       \
         (struct pg_conn *_Nonnull connection, const char *_Nonnull name, int count,                                   \
          const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats,   \
          int resultFormat))                                                                                           \
    each(struct pg_result *_Nullable, getResult, (struct pg_conn *_Nonnull connection))                                \
    each(void, clear, (struct pg_result *_Nullable result))                                                            \
    each(int, resultStatus, (const struct pg_result *_Nullable result))                                                \
    each(const char *_Nullable, resultErrorField, (const struct pg_result *_Nonnull result, int field))                \
    each(int, ntuples, (const struct pg_result *_Nonnull result))                                                      \
    each(int, nfields, (const struct pg_result *_Nonnull result))                                                      \
    each(int, nparams, (const struct pg_result *_Nonnull result))                                                      \
    each(unsigned int, paramtype, (const struct pg_result *_Nonnull result, int index))                                \
    each(unsigned int, ftype, (const struct pg_result *_Nonnull result, int column))                                   \
    each(const char *_Nullable, fname, (const struct pg_result *_Nonnull result, int column))                          \
    each(int, getisnull, (const struct pg_result *_Nonnull result, int row, int column))                               \
    each(int, getlength, (const struct pg_result *_Nonnull result, int row, int column))                               \
    each(char *_Nonnull, getvalue, (const struct pg_result *_Nonnull result, int row, int column))                     \
    each(char *_Nonnull, cmdTuples, (struct pg_result *_Nonnull result))

struct RemindavPostgres {
#define REMINDAV_FIELD(type, name, parameters) type(*_Nonnull name) parameters;
    REMINDAV_POSTGRES_FUNCTIONS(REMINDAV_FIELD)
#undef REMINDAV_FIELD
};
typedef const struct RemindavPostgres *_Nonnull RemindavPostgresLibrary;

// A short text in Swift would be no string of the program's file, in which Tests/libraries.py searches it.
static inline const char *_Nonnull remindav_postgres_name(void) { return "libpq.so.5"; }

// Fills in all functions and returns 1; 0 if there is no such library, or if it lacks one of them.
static inline int remindav_load_postgres(const char *_Nonnull name, struct RemindavPostgres *_Nonnull postgres) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
#define REMINDAV_LOAD(type, name, parameters)                                                                          \
    void *found_##name = dlsym(handle, "PQ" #name);                                                                    \
    if (!found_##name) {                                                                                               \
        dlclose(handle);                                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    postgres->name = (type(*) parameters)found_##name;
    REMINDAV_POSTGRES_FUNCTIONS(REMINDAV_LOAD)
#undef REMINDAV_LOAD
    return 1;
}
