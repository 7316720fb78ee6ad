/// The step that stores the reason of a failed run, and keeps the address of a feed with its first tenant.
let reasonStep = HostStep(
    name: "store the reason of a failed sync",
    sql: """
        ALTER TABLE work ADD COLUMN reason text COLLATE "C"; -- the code of the error of the last run
        -- A tenant that was imported twice has the same addresses twice; they belong to the older tenant, also while it is
        -- suspended.
        CREATE OR REPLACE FUNCTION open_feed(hash bytea)
            RETURNS TABLE (tenant bigint, feed bigint, zone text, content bigint)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
                SELECT first.tenant, first.id, owner.zone, owner.content
                FROM (SELECT feed.tenant, feed.id FROM public.feed AS feed
                    WHERE feed.token_hash = hash AND feed.revoked IS NULL ORDER BY feed.tenant LIMIT 1) AS first
                JOIN public.tenant AS owner ON owner.id = first.tenant WHERE owner.state = 'active'
            $$;
        REVOKE EXECUTE ON FUNCTION open_feed(bytea) FROM PUBLIC;
        """
)
