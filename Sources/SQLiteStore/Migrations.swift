import RemindavStore

struct Migration: Sendable {
    let name: String
    let sql: String
    /// Code that fills new tables; it runs after the SQL in the same transaction.
    var fill: @Sendable (SQLiteConnection) throws(DatabaseError) -> Void = { (_) throws(DatabaseError) in }
}

/// The history of the schema, oldest step first; a database whose `user_version` is *n* has run the first *n* steps.
///
/// A released step is never edited; a new step corrects it. `Fixtures/db/` has a database of each version. Times are in
/// seconds since 1970, flags are 0 or 1.
let migrations: [Migration] = [
    Migration(
        name: "create lists, calendar objects and sync state",
        sql: """
            CREATE TABLE account (
                id               INTEGER PRIMARY KEY AUTOINCREMENT,
                name             TEXT NOT NULL UNIQUE,
                url              TEXT NOT NULL,             -- as found by discovery
                user             TEXT NOT NULL,
                principal        TEXT,
                home_sets        TEXT NOT NULL,             -- lines (TextLines.swift)
                secret_kind      TEXT NOT NULL,
                secret_reference TEXT NOT NULL,             -- where the secret is, never the secret
                created          INTEGER NOT NULL
            ) STRICT;

            CREATE TABLE list (
                id                       INTEGER PRIMARY KEY AUTOINCREMENT,
                name                     TEXT NOT NULL,
                color                    TEXT,
                account                  INTEGER REFERENCES account(id),
                url                      TEXT,
                identity                 TEXT,              -- DAV:resource-id of the collection (RFC 5842)
                state                    TEXT NOT NULL,     -- local, synced, detached
                read_only                INTEGER NOT NULL,
                supports_sync_collection INTEGER NOT NULL,
                sync_token               TEXT,
                ctag                     TEXT,
                position                 INTEGER NOT NULL,
                created                  INTEGER NOT NULL
            ) STRICT;
            CREATE UNIQUE INDEX list_by_url ON list (account, url) WHERE url IS NOT NULL;

            -- A short row, so that a listing of all reminders reads few pages; the texts are in calendar_text.
            -- AUTOINCREMENT: users type these ids, so the id of a deleted reminder is not used again.
            CREATE TABLE calendar_object (
                id            INTEGER PRIMARY KEY AUTOINCREMENT,
                list          INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
                uid           TEXT NOT NULL,
                title         TEXT NOT NULL,
                due_kind      INTEGER,                      -- 0 day, 1 floating, 2 instant
                due           INTEGER,                      -- day number, local seconds, seconds
                snoozed_until INTEGER,
                status        INTEGER NOT NULL,
                completed_at  INTEGER,
                priority      INTEGER NOT NULL,
                labels        TEXT NOT NULL,                -- lines (TextLines.swift)
                repeats       INTEGER NOT NULL,
                revision      INTEGER NOT NULL,             -- raised by every change of the text
                dirty         INTEGER NOT NULL,             -- the server does not have this text yet
                href          TEXT,
                etag          TEXT,
                UNIQUE (list, uid)
            ) STRICT;
            CREATE UNIQUE INDEX calendar_object_by_href ON calendar_object (list, href) WHERE href IS NOT NULL;

            CREATE TABLE calendar_text (
                object INTEGER PRIMARY KEY REFERENCES calendar_object(id) ON DELETE CASCADE,
                source BLOB NOT NULL,                       -- iCalendar text exactly as received or edited
                base   BLOB                                 -- the last text that both sides had in common
            ) STRICT;

            CREATE TABLE tombstone (
                list     INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
                uid      TEXT NOT NULL,
                object   INTEGER NOT NULL,                  -- the former id in calendar_object
                revision INTEGER NOT NULL,                  -- the former revision
                href     TEXT NOT NULL,
                etag     TEXT,
                source   BLOB NOT NULL,
                base     BLOB,
                deleted  INTEGER NOT NULL,
                PRIMARY KEY (list, uid)
            ) STRICT;

            CREATE TABLE unreadable (
                list   INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
                href   TEXT NOT NULL,
                etag   TEXT,
                reason TEXT NOT NULL,
                PRIMARY KEY (list, href)
            ) STRICT;

            CREATE TABLE conflict (
                id           INTEGER PRIMARY KEY AUTOINCREMENT,
                list         INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
                object       INTEGER,                       -- no reference: the conflict stays after the object
                uid          TEXT NOT NULL,
                property     TEXT NOT NULL,
                losing_text  TEXT NOT NULL,
                winning_text TEXT NOT NULL,
                losing_side  TEXT NOT NULL,                 -- local, remote
                at           INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX conflict_by_list ON conflict (list);

            -- The feed of a list is deleted with the list; otherwise it would publish all lists.
            CREATE TABLE feed (
                id         INTEGER PRIMARY KEY AUTOINCREMENT,
                token_hash BLOB NOT NULL UNIQUE,            -- SHA-256; the token itself is not stored
                name       TEXT NOT NULL,
                list       INTEGER REFERENCES list(id) ON DELETE CASCADE,
                labels     TEXT NOT NULL,                   -- lines (TextLines.swift)
                created    INTEGER NOT NULL,
                revoked    INTEGER
            ) STRICT;
            """
    ),
    Migration(
        name: "record syncs, authentication and server capabilities",
        sql: """
            ALTER TABLE account ADD COLUMN sign_in TEXT NOT NULL DEFAULT 'basic';           -- SignInScheme
            ALTER TABLE account ADD COLUMN ca_file TEXT;             -- PEM; trusted in addition to the system's
            ALTER TABLE account ADD COLUMN client_certificate TEXT;  -- paths of PEM files
            ALTER TABLE account ADD COLUMN client_key TEXT;
            ALTER TABLE account ADD COLUMN pinned_key TEXT;          -- of the certificate that the user trusted
            ALTER TABLE account ADD COLUMN allows_insecure INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE account ADD COLUMN conflict_policy TEXT NOT NULL DEFAULT 'newer';   -- ConflictPolicy
            ALTER TABLE account ADD COLUMN completes_as TEXT NOT NULL DEFAULT 'roll';       -- CompletionShape
            ALTER TABLE account ADD COLUMN not_before INTEGER;       -- the server asked for no request before this time

            -- Capabilities of a server that requests have shown; the newest answer is valid.
            CREATE TABLE capability (
                account  INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                name     TEXT NOT NULL,
                value    TEXT NOT NULL,
                measured INTEGER NOT NULL,
                PRIMARY KEY (account, name)
            ) STRICT;

            -- The last values from the server: a side whose value differs from them has changed it.
            ALTER TABLE list ADD COLUMN remote_name TEXT;
            ALTER TABLE list ADD COLUMN remote_color TEXT;
            ALTER TABLE list ADD COLUMN verified INTEGER;            -- when it was compared with a full listing
            ALTER TABLE list ADD COLUMN made_here INTEGER NOT NULL DEFAULT 0;   -- MadeHere
            ALTER TABLE list ADD COLUMN holds_deletions INTEGER NOT NULL DEFAULT 0;   -- until the user confirms them

            -- Overrides that another program stored in a resource of their own on the server. The local text of the
            -- series contains them. The next upload of the series contains them too; then this resource is deleted.
            CREATE TABLE override_resource (
                list   INTEGER NOT NULL REFERENCES list(id) ON DELETE CASCADE,
                uid    TEXT NOT NULL,
                href   TEXT NOT NULL,
                etag   TEXT,
                source BLOB NOT NULL,                                -- as received
                state  TEXT NOT NULL,                                -- found, sending, joined
                PRIMARY KEY (list, uid, href)
            ) STRICT;

            -- Collections on an account's server that the user removed from the local lists.
            CREATE TABLE ignored_list (
                account INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
                url     TEXT NOT NULL,
                name    TEXT NOT NULL,
                until   INTEGER,                                     -- NULL: until the user adds it again
                PRIMARY KEY (account, url)
            ) STRICT;

            -- Reminders that the server refused; a row is deleted when the server accepts the reminder.
            CREATE TABLE refusal (
                object INTEGER PRIMARY KEY REFERENCES calendar_object(id) ON DELETE CASCADE,
                reason TEXT NOT NULL,
                at     INTEGER NOT NULL
            ) STRICT;

            ALTER TABLE conflict ADD COLUMN component TEXT NOT NULL DEFAULT '';  -- ComponentPath
            ALTER TABLE conflict ADD COLUMN losing_lines BLOB;       -- the original lines, to restore them
            ALTER TABLE conflict ADD COLUMN settled INTEGER;         -- when it was restored or dismissed

            CREATE TABLE sync_run (
                id             INTEGER PRIMARY KEY AUTOINCREMENT,
                account        TEXT NOT NULL,                        -- the name: the journal stays after the account
                started        INTEGER NOT NULL,
                finished       INTEGER,
                requests       INTEGER NOT NULL DEFAULT 0,
                trouble        TEXT                                  -- an error code; NULL: no error
            ) STRICT;

            -- The changes by syncs on either side, with the values for undo. No references: a change stays after its
            -- object.
            CREATE TABLE change (
                id       INTEGER PRIMARY KEY AUTOINCREMENT,
                run      INTEGER NOT NULL REFERENCES sync_run(id) ON DELETE CASCADE,
                list     INTEGER NOT NULL,
                object   INTEGER NOT NULL,
                uid      TEXT NOT NULL,
                title    TEXT NOT NULL,
                side     TEXT NOT NULL,                              -- the side that was changed: local, remote
                kind     TEXT NOT NULL,                              -- added, changed, merged, deleted
                before   BLOB,                                       -- that side's text before the change; NULL: none
                after    BLOB,                                       -- the text after it; NULL: none, or as added
                at       INTEGER NOT NULL,
                undone   INTEGER,
                reverses INTEGER,                                    -- the change that it takes back, NULL for most
                origin   INTEGER                                     -- the list from which it was moved, else NULL
            ) STRICT;
            CREATE INDEX change_by_run ON change (run);
            CREATE INDEX change_by_object ON change (list, uid);
            """
    ),
    Migration(
        name: "store the colours of labels",
        sql: """
            -- The labels of a reminder are in its text (CATEGORIES). A label without a row has the default colour.
            CREATE TABLE label (
                id      TEXT PRIMARY KEY NOT NULL,           -- UUID
                name    TEXT NOT NULL,
                key     TEXT NOT NULL UNIQUE,                -- the name without case (LabelKey)
                color   TEXT NOT NULL,                       -- #RRGGBB
                created INTEGER NOT NULL,
                updated INTEGER NOT NULL
            ) STRICT;

            -- Deleted labels: an older update from another computer must not restore them.
            CREATE TABLE deleted_label (
                key     TEXT PRIMARY KEY NOT NULL,
                name    TEXT NOT NULL,
                deleted INTEGER NOT NULL
            ) STRICT;

            -- The changes of labels by operations of the user; NULL: the label did not exist.
            CREATE TABLE label_change (
                id          INTEGER PRIMARY KEY,
                run         INTEGER NOT NULL REFERENCES sync_run(id) ON DELETE CASCADE,
                label       TEXT NOT NULL,
                old_name    TEXT,
                old_color   TEXT,
                old_created INTEGER,
                old_updated INTEGER,
                new_name    TEXT,
                new_color   TEXT,
                new_created INTEGER,
                new_updated INTEGER
            ) STRICT;
            CREATE INDEX label_change_by_run ON label_change (run);
            """
    ),
    Migration(
        name: "record undone changes of labels",
        sql: """
            ALTER TABLE label_change ADD COLUMN undone INTEGER;
            ALTER TABLE label_change ADD COLUMN reverses INTEGER;    -- the change that it takes back, NULL for most

            -- Before this step, an undo of the run's reminders also undid the change of the label.
            UPDATE label_change SET undone = (SELECT max(undone) FROM change WHERE change.run = label_change.run),
                reverses = (SELECT 0 FROM change WHERE change.run = label_change.run AND reverses IS NOT NULL LIMIT 1);
            """
    ),
    Migration(
        name: "index the relations of reminders",
        sql: """
            -- The parents and dependencies of a reminder, an index of the texts (RelationRecord.swift).
            CREATE TABLE relation (
                named  TEXT NOT NULL,                        -- a UID; a reminder with it need not exist
                holder INTEGER NOT NULL REFERENCES calendar_object(id) ON DELETE CASCADE,
                PRIMARY KEY (named, holder)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX relation_by_holder ON relation (holder);
            """,
        fill: { (connection) throws(DatabaseError) in try RelatedUIDs.fill(connection) }
    ),
    Migration(
        name: "record the operations of the user",
        sql: """
            ALTER TABLE sync_run ADD COLUMN deed TEXT;               -- operation; NULL: a sync, or unknown

            -- Each operation is a run, so there are many runs. The first index finds the runs that are too old. The
            -- second one finds the changes of a reminder before its upload, and omits the reminders of a first sync.
            CREATE INDEX sync_run_by_start ON sync_run (started);
            CREATE INDEX change_by_number ON change (object) WHERE kind <> 'added' OR origin IS NULL;

            -- The changes of local lists by operations; NULL in a name: the list did not exist. No reference: a change
            -- stays after its list.
            CREATE TABLE list_change (
                id           INTEGER PRIMARY KEY,
                run          INTEGER NOT NULL REFERENCES sync_run(id) ON DELETE CASCADE,
                list         INTEGER NOT NULL,
                old_name     TEXT,
                old_color    TEXT,
                old_position INTEGER,
                new_name     TEXT,
                new_color    TEXT,
                new_position INTEGER,
                undone       INTEGER,
                reverses     INTEGER                         -- the change that it takes back, NULL for most
            ) STRICT;
            CREATE INDEX list_change_by_run ON list_change (run);
            """
    ),
    Migration(
        name: "store common texts once",
        sql: """
            -- From now on an empty base is the same text as the source (TextRecord.swift).
            UPDATE calendar_text SET base = X'' WHERE base = source;
            """
    ),
    Migration(
        name: "add a sync interval per account",
        sql: """
            ALTER TABLE account ADD COLUMN sync_interval TEXT;       -- SyncInterval; NULL: the setting applies
            """
    ),
    Migration(
        name: "add search signatures",
        sql: """
            -- A filter for searches, which step 11 removes.
            ALTER TABLE calendar_object ADD COLUMN signature BLOB;
            """
    ),
    Migration(
        name: "record choices for lists and feeds, and the texts that a server refused",
        sql: """
            -- The table was empty until now.
            ALTER TABLE refusal ADD COLUMN revision INTEGER NOT NULL DEFAULT -1;    -- of the text
            ALTER TABLE refusal ADD COLUMN abilities TEXT NOT NULL DEFAULT '';      -- RefusalRule
            ALTER TABLE feed ADD COLUMN style TEXT NOT NULL DEFAULT 'event';       -- event, todo, both
            ALTER TABLE feed ADD COLUMN shows_private INTEGER NOT NULL DEFAULT 0;  -- also PRIVATE and CONFIDENTIAL
            CREATE TABLE list_defaults (
                list  INTEGER PRIMARY KEY REFERENCES list(id) ON DELETE CASCADE,
                due   TEXT,                                 -- DefaultDue; NULL: the setting applies
                alarm TEXT                                  -- an alarm phrase; NULL: the setting applies
            ) STRICT;
            -- At most one row (DefaultListRecord.swift). No foreign key: the choice stays after the list is deleted.
            CREATE TABLE default_list (
                id   INTEGER PRIMARY KEY CHECK (id = 1),
                list INTEGER NOT NULL,
                name TEXT NOT NULL                -- the last known name, for messages
            ) STRICT;
            -- Before this step, the default was the oldest list that was not read-only.
            INSERT INTO default_list (id, list, name)
                SELECT 1, id, name FROM list WHERE read_only = 0 AND state <> 'detached' ORDER BY id LIMIT 1;
            """
    ),
    Migration(
        name: "keep one journal for reminders, labels and lists",
        sql: """
            ALTER TABLE calendar_object DROP COLUMN signature;
            ALTER TABLE sync_run RENAME COLUMN deed TO operation;
            ALTER TABLE sync_run RENAME COLUMN trouble TO error;

            CREATE TABLE journal (
                id       INTEGER PRIMARY KEY AUTOINCREMENT,
                run      INTEGER NOT NULL REFERENCES sync_run(id) ON DELETE CASCADE,
                entity   TEXT NOT NULL,                      -- JournalEntity
                list     INTEGER NOT NULL,                   -- of a reminder; else 0
                object   INTEGER NOT NULL,                   -- the reminder; else 0
                key      TEXT NOT NULL,                      -- UID of a reminder, id of a label, number of a list
                title    TEXT NOT NULL,
                side     TEXT NOT NULL,                      -- the changed side: local, remote
                kind     TEXT NOT NULL,                      -- ChangeKind
                before   BLOB,                               -- text or state (StateChange.swift); NULL: none
                after    BLOB,                               -- likewise; also NULL for a text as it was added
                at       INTEGER NOT NULL,
                undone   INTEGER,
                reverses INTEGER,                            -- the change that it undoes, NULL for most
                origin   INTEGER                             -- the list from which it was moved, else NULL
            ) STRICT;
            INSERT INTO journal (id, run, entity, list, object, key, title, side, kind, before, after, at, undone,
                    reverses, origin)
                SELECT id, run, 'reminder', list, object, uid, title, side, kind, before, after, at, undone, reverses,
                    origin
                FROM change;
            -- The changes of labels and lists get numbers above those of all changes of reminders.
            INSERT INTO journal (id, run, entity, list, object, key, title, side, kind, before, after, at, undone,
                    reverses)
                SELECT offset + label_change.id, run, 'label', 0, 0, label, coalesce(new_name, old_name, ''), 'local',
                    CASE WHEN old_name IS NULL THEN 'added' WHEN new_name IS NULL THEN 'deleted' ELSE 'changed' END,
                    CAST(\(labelState("old")) AS BLOB), CAST(\(labelState("new")) AS BLOB), started, undone,
                    -- 0: an undo of an unknown change.
                    CASE reverses WHEN 0 THEN 0 ELSE offset + reverses END
                FROM label_change JOIN sync_run ON sync_run.id = run,
                    (SELECT coalesce(max(seq), 0) AS offset FROM sqlite_sequence WHERE name = 'change');
            INSERT INTO journal (id, run, entity, list, object, key, title, side, kind, before, after, at, undone,
                    reverses)
                SELECT offset + list_change.id, run, 'list', 0, 0, CAST(list AS TEXT), coalesce(new_name, old_name, ''),
                    'local',
                    CASE WHEN old_name IS NULL THEN 'added' WHEN new_name IS NULL THEN 'deleted' ELSE 'changed' END,
                    CAST(\(listState("old")) AS BLOB), CAST(\(listState("new")) AS BLOB), started, undone,
                    offset + reverses
                FROM list_change JOIN sync_run ON sync_run.id = run,
                    (
                        SELECT coalesce(max(seq), 0) + (SELECT coalesce(max(id), 0) FROM label_change) AS offset
                        FROM sqlite_sequence WHERE name = 'change'
                    );
            -- The number of a deleted change is not used again.
            INSERT INTO sqlite_sequence (name, seq)
                SELECT 'journal', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'journal');
            UPDATE sqlite_sequence
                SET seq = max(seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0))
                WHERE name = 'journal';
            DROP TABLE label_change;
            DROP TABLE list_change;
            DROP TABLE change;
            ALTER TABLE journal RENAME TO change;
            CREATE INDEX change_by_run ON change (run, entity);
            CREATE INDEX change_by_object ON change (list, key);
            CREATE INDEX change_by_number ON change (object) WHERE kind <> 'added' OR origin IS NULL;
            """
    ),
    feedMigration, markMigration, parentMigration, startMigration, dependencyMigration,
]

/// An SQL expression for a label in `label_change`, in the format of `LabelState.fields`; `side` is `old` or `new`.
private func labelState(_ side: String) -> String {
    "\(escaped("\(side)_name")) || char(10) || \(side)_color || coalesce(char(10) || \(side)_created || char(10) || \(side)_updated, '')"
}

/// An SQL expression for a list in `list_change`, in the format of `ListAppearance.fields`; `side` is `old` or `new`.
private func listState(_ side: String) -> String {
    "\(side)_position || char(10) || \(escaped("\(side)_name")) || coalesce(char(10) || \(escaped("\(side)_color")), '')"
}

/// An SQL expression that applies the escapes of `TextLines` to a column.
private func escaped(_ column: String) -> String {
    "replace(replace(\(column), char(92), char(92) || char(92)), char(10), char(92) || 'n')"
}

enum Schema {
    /// "RMDV": SQLite writes this number to the file's header, to distinguish stores from other databases.
    static let applicationID: Int64 = 0x524D_4456

    /// - Parameters:
    ///   - history: the steps to run if they are missing; only tests pass other steps than ``migrations``.
    ///   - canWaitMilliseconds: how long to wait for another process that migrates the same database.
    static func bringUpToDate(
        _ connection: SQLiteConnection,
        history: [Migration] = migrations,
        canWaitMilliseconds: Int32
    ) throws(DatabaseError) {
        let version = try self.version(connection)
        guard version < history.count else {
            if version > history.count {
                throw DatabaseError(.newerVersion(found: version, known: history.count))
            }
            return
        }
        try self.useWriteAheadLog(connection, canWaitMilliseconds: canWaitMilliseconds)
        for step in version..<history.count {
            try connection.transaction(.write(.survivesPowerLoss)) { () throws(DatabaseError) in
                // Another process may have run this step while this process waited for the lock.
                guard try self.version(connection) == step else { return }
                try connection.execute(history[step].sql)
                try history[step].fill(connection)
                try connection.execute(
                    "PRAGMA application_id = \(self.applicationID); PRAGMA user_version = \(step + 1);"
                )
            }
        }
    }

    private static func version(_ connection: SQLiteConnection) throws(DatabaseError) -> Int {
        let version = try connection.first("PRAGMA user_version") { Int($0.integerIfPresent(at: 0) ?? 0) } ?? 0
        let application = try connection.first("PRAGMA application_id") { $0.integerIfPresent(at: 0) ?? 0 } ?? 0
        if version == 0, application == 0 {
            // A new file is empty. A file with tables but without the application id belongs to another program.
            let tables =
                try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integerIfPresent(at: 0) ?? 0 } ?? 0
            guard tables == 0 else { throw DatabaseError(.corrupt) }
            return 0
        }
        guard application == self.applicationID, version > 0 else { throw DatabaseError(.corrupt) }
        return version
    }

    /// Switches the file to SQLite's WAL mode, in which readers and writers do not wait for each other.
    private static func useWriteAheadLog(_ connection: SQLiteConnection, canWaitMilliseconds: Int32)
        throws(DatabaseError)
    {
        let pause: Int32 = 10
        var waited: Int32 = 0
        while true {
            do throws(DatabaseError) {
                return try connection.execute("PRAGMA journal_mode = WAL")
            } catch {
                // SQLite returns this error without waiting when two processes open a new store at the same time.
                guard error.code == .busy, waited < canWaitMilliseconds else { throw error }
                connection.sleep(milliseconds: pause)
                waited += pause
            }
        }
    }
}
