/// The step that lets a process without the passwords ask the workers for a sync.
let syncRequestStep = HostStep(
    name: "let the pages request a sync",
    sql: """
        -- Lets an account of the tenant of the transaction be synced soon, or all accounts, also those without a schedule.
        -- An account that has just run waits for `pause` seconds after the beginning of its last run. Returns the number of
        -- accounts; one without a valid password and one that is held do not run.
        CREATE FUNCTION request_sync(account bigint, pause bigint)
            RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            DECLARE
                own bigint := tenant();
                wanted bigint;
                row record;
            BEGIN
                UPDATE work SET requested_at = least(requested_at, greatest(moment(), started + pause))
                    WHERE tenant = own AND kind = 'sync' AND (account IS NULL OR item = account)
                        AND (trouble IS NULL OR trouble = 'off');
                GET DIAGNOSTICS wanted = ROW_COUNT;
                -- As in request_work: the order prevents that two requests block each other, and a worker that returns the
                -- server waits for this request, and then finds it.
                FOR row IN SELECT server, min(due_at) AS due_at FROM work
                    WHERE tenant = own AND kind = 'sync' AND requested_at < never() GROUP BY server ORDER BY server
                LOOP
                    PERFORM 1 FROM server WHERE id = row.server FOR KEY SHARE;
                    UPDATE server SET wanted_at = row.due_at WHERE id = row.server AND wanted_at > row.due_at;
                END LOOP;
                RETURN wanted;
            END $$;
        REVOKE EXECUTE ON FUNCTION request_sync(bigint, bigint) FROM PUBLIC;
        """
)

func syncRequestRights(worker: String, web: String) -> String {
    "GRANT EXECUTE ON FUNCTION request_sync(bigint, bigint) TO \(worker), \(web);\n"
}
