/// The first step of the schema in PostgreSQL: the tables of the store.
///
/// They are the tables of the SQLite migrations; each key, index and reference begins with the tenant. The policy of
/// each table is the tenant predicate: no statement of the records contains it, so none can omit it. Without a tenant,
/// no row is visible and none can be written. Texts are ordered by bytes, as in SQLite.
let storeTablesStep = HostStep(
    name: "create the tables of a store",
    sql: """
        -- It is inlined into the conditions of an index.
        CREATE FUNCTION tenant() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
            AS $$ SELECT nullif(current_setting('remindav.tenant', true), '')::bigint $$;

        CREATE TABLE account (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            url text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            principal text COLLATE "C",
            home_sets text COLLATE "C" NOT NULL,
            secret_kind text COLLATE "C" NOT NULL,
            secret_reference text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            sign_in text COLLATE "C" DEFAULT 'basic' NOT NULL,
            ca_file text COLLATE "C",
            client_certificate text COLLATE "C",
            client_key text COLLATE "C",
            pinned_key text COLLATE "C",
            allows_insecure bigint DEFAULT 0 NOT NULL,
            conflict_policy text COLLATE "C" DEFAULT 'newer' NOT NULL,
            completes_as text COLLATE "C" DEFAULT 'roll' NOT NULL,
            not_before bigint,
            sync_interval text COLLATE "C",
            PRIMARY KEY (tenant, id),
            UNIQUE (tenant, name)
        );
        CREATE TABLE list (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            color text COLLATE "C",
            account bigint,
            url text COLLATE "C",
            identity text COLLATE "C",
            state text COLLATE "C" NOT NULL,
            read_only bigint NOT NULL,
            supports_sync_collection bigint NOT NULL,
            sync_token text COLLATE "C",
            ctag text COLLATE "C",
            position bigint NOT NULL,
            created bigint NOT NULL,
            remote_name text COLLATE "C",
            remote_color text COLLATE "C",
            verified bigint,
            made_here bigint DEFAULT 0 NOT NULL,
            holds_deletions bigint DEFAULT 0 NOT NULL,
            PRIMARY KEY (tenant, id),
            FOREIGN KEY (tenant, account) REFERENCES account (tenant, id)
        );
        CREATE TABLE calendar_object (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            list bigint NOT NULL,
            uid text COLLATE "C" NOT NULL,
            title text COLLATE "C" NOT NULL,
            due_kind bigint,
            due bigint,
            snoozed_until bigint,
            status bigint NOT NULL,
            completed_at bigint,
            priority bigint NOT NULL,
            labels text COLLATE "C" NOT NULL,
            repeats bigint NOT NULL,
            revision bigint NOT NULL,
            dirty bigint NOT NULL,
            href text COLLATE "C",
            etag text COLLATE "C",
            marks bigint DEFAULT 0 NOT NULL,
            start_kind bigint,
            start bigint,
            PRIMARY KEY (tenant, id),
            UNIQUE (tenant, list, uid),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE calendar_text (
            tenant bigint NOT NULL DEFAULT tenant(),
            object bigint NOT NULL,
            source bytea NOT NULL,
            base bytea,
            PRIMARY KEY (tenant, object),
            FOREIGN KEY (tenant, object) REFERENCES calendar_object (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE tombstone (
            tenant bigint NOT NULL DEFAULT tenant(),
            list bigint NOT NULL,
            uid text COLLATE "C" NOT NULL,
            object bigint NOT NULL,
            revision bigint NOT NULL,
            href text COLLATE "C" NOT NULL,
            etag text COLLATE "C",
            source bytea NOT NULL,
            base bytea,
            deleted bigint NOT NULL,
            rowid bigint GENERATED ALWAYS AS IDENTITY,
            PRIMARY KEY (tenant, list, uid),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE unreadable (
            tenant bigint NOT NULL DEFAULT tenant(),
            list bigint NOT NULL,
            href text COLLATE "C" NOT NULL,
            etag text COLLATE "C",
            reason text COLLATE "C" NOT NULL,
            PRIMARY KEY (tenant, list, href),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE conflict (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            list bigint NOT NULL,
            object bigint,
            uid text COLLATE "C" NOT NULL,
            property text COLLATE "C" NOT NULL,
            losing_text text COLLATE "C" NOT NULL,
            winning_text text COLLATE "C" NOT NULL,
            losing_side text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            component text COLLATE "C" DEFAULT '' NOT NULL,
            losing_lines bytea,
            settled bigint,
            PRIMARY KEY (tenant, id),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE feed (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            token_hash bytea NOT NULL,
            name text COLLATE "C" NOT NULL,
            list bigint,
            labels text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            revoked bigint,
            style text COLLATE "C" DEFAULT 'event' NOT NULL,
            shows_private bigint DEFAULT 0 NOT NULL,
            shows_alarms bigint DEFAULT 0 NOT NULL,
            PRIMARY KEY (tenant, id),
            UNIQUE (tenant, token_hash),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE capability (
            tenant bigint NOT NULL DEFAULT tenant(),
            account bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            value text COLLATE "C" NOT NULL,
            measured bigint NOT NULL,
            PRIMARY KEY (tenant, account, name),
            FOREIGN KEY (tenant, account) REFERENCES account (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE override_resource (
            tenant bigint NOT NULL DEFAULT tenant(),
            list bigint NOT NULL,
            uid text COLLATE "C" NOT NULL,
            href text COLLATE "C" NOT NULL,
            etag text COLLATE "C",
            source bytea NOT NULL,
            state text COLLATE "C" NOT NULL,
            PRIMARY KEY (tenant, list, uid, href),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE ignored_list (
            tenant bigint NOT NULL DEFAULT tenant(),
            account bigint NOT NULL,
            url text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            until bigint,
            PRIMARY KEY (tenant, account, url),
            FOREIGN KEY (tenant, account) REFERENCES account (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE refusal (
            tenant bigint NOT NULL DEFAULT tenant(),
            object bigint NOT NULL,
            reason text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            revision bigint DEFAULT -1 NOT NULL,
            abilities text COLLATE "C" DEFAULT '' NOT NULL,
            PRIMARY KEY (tenant, object),
            FOREIGN KEY (tenant, object) REFERENCES calendar_object (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE sync_run (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            account text COLLATE "C" NOT NULL,
            started bigint NOT NULL,
            finished bigint,
            requests bigint DEFAULT 0 NOT NULL,
            error text COLLATE "C",
            operation text COLLATE "C",
            PRIMARY KEY (tenant, id)
        );
        CREATE TABLE label (
            tenant bigint NOT NULL DEFAULT tenant(),
            id text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            color text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            updated bigint NOT NULL,
            PRIMARY KEY (tenant, id),
            UNIQUE (tenant, key)
        );
        CREATE TABLE deleted_label (
            tenant bigint NOT NULL DEFAULT tenant(),
            key text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            deleted bigint NOT NULL,
            PRIMARY KEY (tenant, key)
        );
        CREATE TABLE relation (
            tenant bigint NOT NULL DEFAULT tenant(),
            named text COLLATE "C" NOT NULL,
            holder bigint NOT NULL,
            is_parent bigint DEFAULT 0 NOT NULL,
            is_dependency bigint DEFAULT 0 NOT NULL,
            PRIMARY KEY (tenant, named, holder),
            FOREIGN KEY (tenant, holder) REFERENCES calendar_object (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE list_defaults (
            tenant bigint NOT NULL DEFAULT tenant(),
            list bigint NOT NULL,
            due text COLLATE "C",
            alarm text COLLATE "C",
            PRIMARY KEY (tenant, list),
            FOREIGN KEY (tenant, list) REFERENCES list (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE default_list (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            list bigint NOT NULL,
            name text COLLATE "C" NOT NULL,
            PRIMARY KEY (tenant, id)
        );
        CREATE TABLE change (
            tenant bigint NOT NULL DEFAULT tenant(),
            id bigint NOT NULL,
            run bigint NOT NULL,
            entity text COLLATE "C" NOT NULL,
            list bigint NOT NULL,
            object bigint NOT NULL,
            key text COLLATE "C" NOT NULL,
            title text COLLATE "C" NOT NULL,
            side text COLLATE "C" NOT NULL,
            kind text COLLATE "C" NOT NULL,
            before bytea,
            after bytea,
            at bigint NOT NULL,
            undone bigint,
            reverses bigint,
            origin bigint,
            PRIMARY KEY (tenant, id),
            FOREIGN KEY (tenant, run) REFERENCES sync_run (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE feed_visit (
            tenant bigint NOT NULL DEFAULT tenant(),
            feed bigint NOT NULL,
            program text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            status bigint NOT NULL,
            agent text COLLATE "C" NOT NULL,
            visits bigint NOT NULL,
            PRIMARY KEY (tenant, feed, program),
            FOREIGN KEY (tenant, feed) REFERENCES feed (tenant, id) ON DELETE CASCADE
        );
        CREATE TABLE feed_push (
            tenant bigint NOT NULL DEFAULT tenant(),
            feed bigint NOT NULL,
            url text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            secret_kind text COLLATE "C" NOT NULL,
            secret_reference text COLLATE "C" NOT NULL,
            ca_file text COLLATE "C",
            etag text COLLATE "C",
            sent bytea,
            stored bytea,
            at bigint,
            error text COLLATE "C",
            PRIMARY KEY (tenant, feed),
            FOREIGN KEY (tenant, feed) REFERENCES feed (tenant, id) ON DELETE CASCADE
        );
        CREATE UNIQUE INDEX list_by_url ON list (tenant, account, url) WHERE url IS NOT NULL;
        CREATE UNIQUE INDEX calendar_object_by_href ON calendar_object (tenant, list, href)
            WHERE href IS NOT NULL;
        CREATE INDEX conflict_by_list ON conflict (tenant, list);
        CREATE INDEX sync_run_by_start ON sync_run (tenant, started);
        CREATE INDEX relation_by_holder ON relation (tenant, holder);
        CREATE INDEX change_by_number ON change (tenant, object) WHERE kind <> 'added' OR origin IS NULL;
        CREATE INDEX change_by_object ON change (tenant, list, key);
        CREATE INDEX change_by_run ON change (tenant, run, entity);
        """
)
