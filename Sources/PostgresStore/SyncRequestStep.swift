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
            BEGIN
                PERFORM lock_work(own);
                UPDATE work SET requested_at = least(requested_at, greatest(moment(), started + pause))
                    WHERE tenant = own AND kind = 'sync' AND (account IS NULL OR item = account)
                        AND (stop_reason IS NULL OR stop_reason = 'off');
                GET DIAGNOSTICS wanted = ROW_COUNT;
                PERFORM want_servers_of(own);
                RETURN wanted;
            END $$;
        REVOKE EXECUTE ON FUNCTION request_sync(bigint, bigint) FROM PUBLIC;
        """
)

func syncRequestRights(worker: String, web: String) -> String {
    "GRANT EXECUTE ON FUNCTION request_sync(bigint, bigint) TO \(worker), \(web);\n"
}
