/// The step that removes the reason of a failed run when the password changes.
let passwordReasonStep = HostStep(
    name: "forget the reason of a failed sync with the old password",
    sql: """
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
                        failures = 0, reason = NULL, server = server_of(NEW.url, NEW.tenant, NEW.id)
                        WHERE tenant = NEW.tenant AND kind = 'sync' AND item = NEW.id;
                ELSIF (NEW.sync_interval, NEW.url) IS DISTINCT FROM (OLD.sync_interval, OLD.url) THEN
                    UPDATE work SET next_at = least(next_at, moment()), stop_reason = nullif(stop_reason, 'off'),
                        server = server_of(NEW.url, NEW.tenant, NEW.id)
                        WHERE tenant = NEW.tenant AND kind = 'sync' AND item = NEW.id
                            AND (stop_reason IS NULL OR stop_reason = 'off');
                END IF;
                RETURN NULL;
            END $$;
        """
)
