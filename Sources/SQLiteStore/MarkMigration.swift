import Store

let markMigration = Migration(
    name: "index the marks of reminders",
    sql: """
        ALTER TABLE calendar_object ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;    -- ReminderMarks
        """,
    fill: { (connection) throws(DatabaseError) in try IndexFilling.fillMarks(connection) }
)
