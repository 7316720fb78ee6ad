import RemindavStore

// The migrations that add an index of the texts, and fill it from the texts of an existing store.

let markMigration = Migration(
    name: "index the marks of reminders",
    sql: """
        ALTER TABLE calendar_object ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;    -- ReminderMarks
        """,
    fill: { (connection) throws(DatabaseError) in try IndexFilling.fillMarks(connection) }
)

let parentMigration = Migration(
    name: "mark the parent of a subtask",
    sql: """
        -- 1: the UID of the holder's first parent (RelationRecord.swift).
        ALTER TABLE relation ADD COLUMN is_parent INTEGER NOT NULL DEFAULT 0;
        """,
    fill: { (connection) throws(DatabaseError) in try RelatedUIDs.markParents(connection) }
)

let startMigration = Migration(
    name: "index the starts of reminders",
    sql: """
        ALTER TABLE calendar_object ADD COLUMN start_kind INTEGER;      -- as due_kind; NULL: no start
        ALTER TABLE calendar_object ADD COLUMN start INTEGER;           -- as due
        """,
    fill: { (connection) throws(DatabaseError) in try IndexFilling.fillStarts(connection) }
)

let dependencyMigration = Migration(
    name: "mark the dependencies of a reminder",
    sql: """
        -- 1: the holder depends on the reminder with this UID (RelationRecord.swift).
        ALTER TABLE relation ADD COLUMN is_dependency INTEGER NOT NULL DEFAULT 0;
        """,
    fill: { (connection) throws(DatabaseError) in try RelatedUIDs.markDependencies(connection) }
)
