/// The step that lets one statement answer a request for an unchanged feed.
let feedStep = HostStep(
    name: "return the zone and the content version with a feed",
    kind: .take,
    sql: """
        DROP FUNCTION open_feed(bytea);
        CREATE FUNCTION open_feed(hash bytea) RETURNS TABLE (tenant bigint, feed bigint, zone text, content bigint)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
                SELECT feed.tenant, feed.id, tenant.zone, tenant.content
                FROM public.feed AS feed JOIN public.tenant ON tenant.id = feed.tenant
                WHERE feed.token_hash = hash AND feed.revoked IS NULL AND tenant.state = 'active'
                ORDER BY feed.tenant LIMIT 1
            $$;
        REVOKE EXECUTE ON FUNCTION open_feed(bytea) FROM PUBLIC;
        """
)
