/// The step that gives the locks of `work` and `server` one order.
///
/// A transaction locks rows of `work` before rows of `server`, and the rows of each table in the order of their keys.
/// `FOR KEY SHARE` of a server, which the reference of a row of `work` also takes, can come at any time: only the release
/// and the removal of a server conflict with it, and these do not wait for a second row.
let lockOrderStep = HostStep(
    name: "name the reason of stopped work, and lock work before servers",
    kind: .take,
    sql: """
        ALTER TABLE work RENAME COLUMN trouble TO stop_reason;
        ALTER INDEX work_in_trouble RENAME TO work_stopped;

        -- Scheme, host, and the port unless it is that of the scheme.
        CREATE FUNCTION origin_of(address text) RETURNS text LANGUAGE sql IMMUTABLE
            SET search_path = pg_catalog, public
            AS $$
                SELECT regexp_replace(place, CASE WHEN place LIKE 'https:%' THEN ':(0*443)?$'
                    WHEN place LIKE 'http:%' THEN ':(0*80)?$' ELSE ':$' END, '')
                -- A store that was imported may have an account without a valid address.
                FROM (SELECT coalesce(substring(lower(address) from '^[a-z]+://[^/?#]+'), lower(address)) AS place) AS found
            $$;

        -- The server of an account; a large origin has several parts. Its row is not changed: `want_servers` does that at
        -- the end of the transaction.
        CREATE OR REPLACE FUNCTION server_of(address text, tenant bigint, account bigint) RETURNS bigint
            LANGUAGE plpgsql SET search_path = pg_catalog, public
            AS $$
            DECLARE
                found bigint;
                place text := origin_of(address);
            BEGIN
                -- A server without accounts may be removed between the two statements.
                WHILE found IS NULL LOOP
                    INSERT INTO server (origin, wanted_at) VALUES (place, moment()) ON CONFLICT DO NOTHING;
                    SELECT id INTO found FROM server WHERE origin = place
                        ORDER BY md5(tenant || ' ' || account || ' ' || part) LIMIT 1 FOR KEY SHARE;
                END LOOP;
                RETURN found;
            END $$;

        -- Locks the work of the accounts of a tenant.
        CREATE FUNCTION lock_work(owner bigint) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public
            AS $$
            BEGIN
                PERFORM 1 FROM work WHERE tenant = owner AND kind = 'sync' ORDER BY item FOR UPDATE;
            END $$;

        -- Lets workers look for the work of a tenant when its accounts are due.
        CREATE FUNCTION want_servers_of(owner bigint) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public
            AS $$
            DECLARE
                row record;
            BEGIN
                FOR row IN SELECT server, min(due_at) AS due_at FROM work
                    WHERE tenant = owner AND kind = 'sync' AND due_at < never() GROUP BY server ORDER BY server
                LOOP
                    -- A worker does not return the server before the end of this transaction.
                    PERFORM 1 FROM server WHERE id = row.server FOR KEY SHARE;
                    UPDATE server SET wanted_at = row.due_at WHERE id = row.server AND wanted_at > row.due_at;
                END LOOP;
            END $$;

        -- The same for the tenant of the transaction, after a change of its accounts.
        CREATE FUNCTION want_servers() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$ SELECT want_servers_of(tenant()) $$;

        CREATE OR REPLACE FUNCTION follow_account() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            BEGIN
                IF TG_OP = 'DELETE' THEN
                    DELETE FROM work WHERE tenant = OLD.tenant AND kind = 'sync' AND item = OLD.id;
                    RETURN NULL;
                END IF;
                -- Before the server, because the end of the transaction may change the work of all accounts.
                PERFORM lock_work(NEW.tenant);
                IF TG_OP = 'INSERT' THEN
                    INSERT INTO work (tenant, kind, item, server, next_at)
                        VALUES (NEW.tenant, 'sync', NEW.id, server_of(NEW.url, NEW.tenant, NEW.id), moment());
                ELSIF (NEW.secret_reference, NEW.secret_kind) IS DISTINCT FROM (OLD.secret_reference, OLD.secret_kind) THEN
                    -- A run with the old password must not stop the account again.
                    UPDATE work SET fence = fence + 1, leased_until = 0, next_at = moment(), stop_reason = NULL, tries = 0,
                        failures = 0, server = server_of(NEW.url, NEW.tenant, NEW.id)
                        WHERE tenant = NEW.tenant AND kind = 'sync' AND item = NEW.id;
                ELSIF (NEW.sync_interval, NEW.url) IS DISTINCT FROM (OLD.sync_interval, OLD.url) THEN
                    UPDATE work SET next_at = least(next_at, moment()), stop_reason = nullif(stop_reason, 'off'),
                        server = server_of(NEW.url, NEW.tenant, NEW.id)
                        WHERE tenant = NEW.tenant AND kind = 'sync' AND item = NEW.id
                            AND (stop_reason IS NULL OR stop_reason = 'off');
                END IF;
                RETURN NULL;
            END $$;

        CREATE OR REPLACE FUNCTION follow_tenant() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            BEGIN
                IF TG_OP = 'INSERT' THEN
                    INSERT INTO work (tenant, kind, item, next_at) VALUES (NEW.id, 'alarm', 0, never());
                ELSIF NEW.state <> OLD.state THEN
                    PERFORM 1 FROM work WHERE tenant = NEW.id ORDER BY kind, item FOR UPDATE;
                    IF NEW.state = 'suspended' THEN
                        UPDATE work SET fence = fence + 1, leased_until = 0, next_at = never(), requested_at = never(),
                            stop_reason = 'suspended' WHERE tenant = NEW.id;
                    ELSE
                        UPDATE work SET next_at = moment(), stop_reason = NULL, tries = 0 WHERE tenant = NEW.id;
                        PERFORM want_servers_of(NEW.id);
                    END IF;
                END IF;
                RETURN NULL;
            END $$;

        -- Lets the accounts of the tenant be synced soon, and its alarms be computed again, after an edit. An account that
        -- has just run waits for `pause` seconds after the beginning of its last run, and longer after each failure.
        CREATE OR REPLACE FUNCTION request_work(syncs boolean, delay bigint, pause bigint, alarm_delay bigint)
            RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            DECLARE
                own bigint := tenant();
            BEGIN
                UPDATE work SET requested_at = moment() + alarm_delay
                    WHERE tenant = own AND kind = 'alarm' AND item = 0 AND stop_reason IS NULL
                        AND requested_at > moment() + alarm_delay;
                IF NOT syncs THEN RETURN; END IF;
                PERFORM lock_work(own);
                UPDATE work SET requested_at = greatest(moment() + delay, started + pause * (1 << least(failures, 6)::int))
                    WHERE tenant = own AND kind = 'sync' AND stop_reason IS NULL
                        AND requested_at > greatest(moment() + delay, started + pause * (1 << least(failures, 6)::int));
                PERFORM want_servers_of(own);
            END $$;
        REVOKE EXECUTE ON FUNCTION lock_work(bigint) FROM PUBLIC;
        REVOKE EXECUTE ON FUNCTION want_servers_of(bigint) FROM PUBLIC;
        REVOKE EXECUTE ON FUNCTION want_servers() FROM PUBLIC;

        -- One row for an origin with and without the port of its scheme.
        INSERT INTO server (origin, part, connections, wanted_at)
            SELECT origin_of(origin), part, max(connections), moment() FROM server WHERE origin <> origin_of(origin)
            GROUP BY 1, 2 ON CONFLICT DO NOTHING;
        UPDATE work SET server = (SELECT id FROM server AS other WHERE other.origin = origin_of(old.origin)
                ORDER BY md5(work.tenant || ' ' || work.item || ' ' || other.part) LIMIT 1)
            FROM server AS old WHERE old.id = work.server AND old.origin <> origin_of(old.origin);
        UPDATE server SET wanted_at = moment() WHERE wanted_at > moment()
            AND origin IN (SELECT origin_of(origin) FROM server WHERE origin <> origin_of(origin));
        DELETE FROM server WHERE origin <> origin_of(origin);
        """
)
