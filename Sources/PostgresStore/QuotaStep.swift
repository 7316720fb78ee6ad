/// Counts the reminders of each tenant and the size of their texts.
///
/// A trigger adds each change of a text to two variables of the transaction, and the engine adds these to the row of
/// the tenant at the end of a write. A program without this step would not do that, so it must stop.
let quotaStep = HostStep(
    name: "count the reminders of tenants",
    kind: .take,
    sql: """
        ALTER TABLE tenant DROP COLUMN plan;
        ALTER TABLE tenant
            ADD COLUMN objects bigint NOT NULL DEFAULT 0,
            ADD COLUMN bytes bigint NOT NULL DEFAULT 0,     -- of the columns source and base
            ADD COLUMN max_objects bigint CHECK (max_objects >= 0),     -- NULL is the standard of the program
            ADD COLUMN max_bytes bigint CHECK (max_bytes >= 0);

        -- A variable of the current transaction: the change of a number; the variable is empty in a new transaction.
        CREATE FUNCTION counted(name text) RETURNS bigint LANGUAGE sql STABLE
            AS $$ SELECT coalesce(nullif(current_setting('remindav.' || name, true), '')::bigint, 0) $$;

        CREATE FUNCTION text_bytes(source bytea, base bytea) RETURNS bigint LANGUAGE sql IMMUTABLE
            AS $$ SELECT octet_length(source)::bigint + coalesce(octet_length(base), 0) $$;

        -- An assignment of one expression is faster than PERFORM, which runs a query.
        CREATE FUNCTION count_text() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE
                objects bigint := 0;
                bytes bigint := 0;
                ignored text;
            BEGIN
                IF TG_OP <> 'DELETE' THEN
                    objects := 1;
                    bytes := text_bytes(NEW.source, NEW.base);
                END IF;
                IF TG_OP <> 'INSERT' THEN
                    objects := objects - 1;
                    bytes := bytes - text_bytes(OLD.source, OLD.base);
                END IF;
                ignored := set_config('remindav.bytes', (counted('bytes') + bytes)::text, true);
                IF objects <> 0 THEN
                    ignored := set_config('remindav.objects', (counted('objects') + objects)::text, true);
                END IF;
                RETURN NULL;
            END $$;
        CREATE TRIGGER counts AFTER INSERT OR DELETE OR UPDATE ON calendar_text
            FOR EACH ROW EXECUTE FUNCTION count_text();

        -- No policy lets the owner read the texts.
        ALTER TABLE calendar_text NO FORCE ROW LEVEL SECURITY;
        UPDATE tenant SET objects = text.objects, bytes = text.bytes
            FROM (SELECT tenant, count(*) AS objects, sum(text_bytes(source, base)) AS bytes
                FROM calendar_text GROUP BY tenant) AS text
            WHERE tenant.id = text.tenant;
        ALTER TABLE calendar_text FORCE ROW LEVEL SECURITY;
        """
)
