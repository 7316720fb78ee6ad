/// The step that makes a request for an unchanged feed cheaper.
let feedPlanStep = HostStep(
    name: "keep the plan of the request for a feed",
    sql: """
        -- PostgreSQL parses and plans a function in SQL at each call, and keeps the plan of one in PL/pgSQL.
        CREATE OR REPLACE FUNCTION open_feed(hash bytea)
            RETURNS TABLE (tenant bigint, feed bigint, zone text, content bigint)
            LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
            #variable_conflict use_column
            BEGIN
                -- A tenant that was imported twice has the same addresses twice; they belong to the older tenant, also
                -- while it is suspended.
                RETURN QUERY SELECT first.tenant, first.id, owner.zone, owner.content
                    FROM (SELECT feed.tenant, feed.id FROM public.feed AS feed
                        WHERE feed.token_hash = hash AND feed.revoked IS NULL ORDER BY feed.tenant LIMIT 1) AS first
                    JOIN public.tenant AS owner ON owner.id = first.tenant WHERE owner.state = 'active';
            END
            $$;
        REVOKE EXECUTE ON FUNCTION open_feed(bytea) FROM PUBLIC;
        """
)
