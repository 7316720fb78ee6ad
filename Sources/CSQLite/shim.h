#include <sqlite3.h>

/* What Swift cannot call: variadic functions, and macros that hold a cast. */

/* Sets one boolean option of a connection (SQLITE_DBCONFIG_*). */
static inline int csqlite_set_option(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

/* Binds text that SQLite copies before it returns. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 size) {
    return sqlite3_bind_text64(statement, index, size ? text : "", size, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Binds bytes that SQLite copies before it returns; no bytes are an empty blob, not NULL. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 size) {
    return sqlite3_bind_blob64(statement, index, size ? bytes : "", size, SQLITE_TRANSIENT);
}
