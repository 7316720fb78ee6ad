/// The identities of people at sign-in services, with their tenants (docs/decisions/0083).
let identityStep = HostStep(
    name: "create the table of identities",
    sql: """
        -- A person as a sign-in service names them. A tenant can have several.
        CREATE TABLE identity (
            issuer text COLLATE "C" NOT NULL,       -- empty if the reverse proxy names no service
            subject text COLLATE "C" NOT NULL,
            tenant bigint NOT NULL REFERENCES tenant ON DELETE CASCADE,
            PRIMARY KEY (issuer, subject)
        );
        CREATE INDEX identity_by_tenant ON identity (tenant);

        -- The tenant of a person; a program that serves pages cannot list the people of all tenants. The pages of a
        -- suspended tenant can be read.
        CREATE FUNCTION open_identity(service text, person text) RETURNS TABLE (tenant bigint, zone text)
            LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
            AS $$
                SELECT tenant.id, tenant.zone
                FROM public.identity AS identity JOIN public.tenant ON tenant.id = identity.tenant
                WHERE identity.issuer = service AND identity.subject = person
            $$;
        REVOKE EXECUTE ON FUNCTION open_identity(text, text) FROM PUBLIC;
        """
)

/// The role of web processes finds the tenant of one person, and cannot list the people.
func identityRights(worker: String, web: String) -> String {
    """
    ALTER TABLE identity ENABLE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS every ON identity;
    CREATE POLICY every ON identity TO \(worker) USING (true);
    GRANT SELECT, INSERT, DELETE ON identity TO \(worker);
    GRANT EXECUTE ON FUNCTION open_identity(text, text) TO \(worker), \(web);

    """
}
