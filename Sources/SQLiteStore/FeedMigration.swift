let feedMigration = Migration(
    name: "record visits of feeds, their push addresses, and the choice to publish alarms",
    sql: """
        ALTER TABLE feed ADD COLUMN shows_alarms INTEGER NOT NULL DEFAULT 0;    -- the alarms of the reminders
        -- Feeds with to-dos contained these alarms before this step.
        UPDATE feed SET shows_alarms = 1 WHERE style <> 'event';
        CREATE TABLE feed_visit (
            feed    INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
            program TEXT NOT NULL,                      -- SubscriberProgram
            at      INTEGER NOT NULL,                   -- of the last visit
            status  INTEGER NOT NULL,                   -- of the answer
            agent   TEXT NOT NULL,                      -- the header User-Agent, cleaned
            visits  INTEGER NOT NULL,
            PRIMARY KEY (feed, program)
        ) STRICT;
        CREATE TABLE feed_push (
            feed             INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
            url              TEXT NOT NULL,
            "user"           TEXT NOT NULL,
            secret_kind      TEXT NOT NULL,
            secret_reference TEXT NOT NULL,             -- where the secret is, never the secret
            ca_file          TEXT,                      -- PEM; trusted in addition to the system's
            etag             TEXT,                      -- of the file on the server; NULL: unknown
            sent             BLOB,                      -- SHA-256 of the last body that may have reached the server
            stored           BLOB,                      -- SHA-256 of the last body that the server confirmed
            at               INTEGER,                   -- when the server confirmed it
            error            TEXT                       -- FeedPushError.Code of the last try; NULL: it succeeded
        ) STRICT;
        """
)
