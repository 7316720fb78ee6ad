/* The least that a program does which keeps one row safely: it opens a database of SQLite, writes into its log, waits for the
   disk, and closes it.

     row_floor DATABASE [keep]     keep: what was written stays in the log, and is not copied into the database at the end */
#include <sqlite3.h>

int main(int count, char **arguments)
{
    sqlite3 *database;
    const char *sql = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE IF NOT EXISTS bench (title TEXT); INSERT INTO bench VALUES ('Bench')";
    if (count < 2 || sqlite3_open(arguments[1], &database) || sqlite3_exec(database, sql, 0, 0, 0))
        return 1;
    if (count > 2)
        sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
    return sqlite3_close(database);
}
