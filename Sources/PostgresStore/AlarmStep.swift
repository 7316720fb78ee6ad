/// The step with the delivery of alarms by messages (docs/decisions/0084).
let alarmStep = HostStep(
    name: "create the tables of alarms by messages",
    sql: """
        -- The destinations of a tenant's alarms; a tenant without a row gets no messages.
        CREATE TABLE alarm_destination (
            tenant bigint PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
            mail text COLLATE "C",                  -- an address of email
            push boolean NOT NULL DEFAULT false,    -- whether a sealed secret has the address for push messages
            quiet_hours text COLLATE "C"            -- such as 22:00-07:00
        );

        -- Runs for alarms in a row whose messages all servers have refused.
        ALTER TABLE work ADD COLUMN refusals bigint NOT NULL DEFAULT 0;

        -- The same columns as in the file delivery.db of a single user. The column rowid keeps the order of the rows.
        CREATE TABLE delivery (
            tenant bigint NOT NULL DEFAULT tenant() REFERENCES tenant ON DELETE CASCADE,
            rowid bigint GENERATED ALWAYS AS IDENTITY,
            kind text COLLATE "C" NOT NULL,
            reminder bigint,
            occurrence text COLLATE "C",
            moment bigint,
            until bigint,
            number bigint,
            text text COLLATE "C",
            PRIMARY KEY (tenant, rowid)
        );
        CREATE INDEX delivery_reminder ON delivery (tenant, kind, reminder);
        """
)

/// The role of web processes sends no messages.
func alarmRights(worker: String) -> String {
    """
    ALTER TABLE alarm_destination ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    ALTER TABLE delivery ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS every ON alarm_destination;
    DROP POLICY IF EXISTS own ON delivery;
    CREATE POLICY every ON alarm_destination TO \(worker) USING (true);
    CREATE POLICY own ON delivery TO \(worker) USING (tenant = (SELECT tenant()));
    GRANT SELECT, INSERT, UPDATE, DELETE ON alarm_destination, delivery TO \(worker);

    """
}
