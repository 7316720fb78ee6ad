/// The step that limits the function `request_work` to the tenant of the transaction.
///
/// The function has the rights of the owner, so it must not trust an argument with a tenant.
let requestStep = HostStep(
    name: "request work only for the tenant of the transaction",
    kind: .take,
    sql: """
        DROP FUNCTION request_work(bigint, boolean, bigint, bigint, bigint);
        -- Lets the accounts of the tenant be synced soon, and its alarms be computed again, after an edit. An account that
        -- has just run waits for `pause` seconds after the beginning of its last run, and longer after each failure.
        CREATE FUNCTION request_work(syncs boolean, delay bigint, pause bigint, alarm_delay bigint)
            RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            DECLARE
                own bigint := tenant();
                row record;
            BEGIN
                UPDATE work SET requested_at = moment() + alarm_delay
                    WHERE tenant = own AND kind = 'alarm' AND item = 0 AND trouble IS NULL
                        AND requested_at > moment() + alarm_delay;
                IF NOT syncs THEN RETURN; END IF;
                UPDATE work SET requested_at = greatest(moment() + delay, started + pause * (1 << least(failures, 6)::int))
                    WHERE tenant = own AND kind = 'sync' AND trouble IS NULL
                        AND requested_at > greatest(moment() + delay, started + pause * (1 << least(failures, 6)::int));
                -- The order prevents that two edits block each other.
                FOR row IN SELECT server, min(due_at) AS due_at FROM work
                    WHERE tenant = own AND kind = 'sync' AND requested_at < never() GROUP BY server ORDER BY server
                LOOP
                    -- A worker that returns the server waits for this edit, and then finds it.
                    PERFORM 1 FROM server WHERE id = row.server FOR KEY SHARE;
                    UPDATE server SET wanted_at = row.due_at WHERE id = row.server AND wanted_at > row.due_at;
                END LOOP;
            END $$;
        REVOKE EXECUTE ON FUNCTION request_work(boolean, bigint, bigint, bigint) FROM PUBLIC;
        """
)
