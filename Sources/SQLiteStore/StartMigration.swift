import Store

let startMigration = Migration(
    name: "index the starts of reminders",
    sql: """
        ALTER TABLE calendar_object ADD COLUMN start_kind INTEGER;      -- as due_kind; NULL: no start
        ALTER TABLE calendar_object ADD COLUMN start INTEGER;           -- as due
        """,
    fill: { (connection) throws(DatabaseError) in try IndexFilling.fillStarts(connection) }
)
