/// The tables of sealed secrets (docs/decisions/0081).
let secretsStep = HostStep(
    name: "create the tables of sealed secrets",
    sql: """
        -- The key of a tenant, wrapped under the key of the host.
        CREATE TABLE tenant_key (
            tenant bigint PRIMARY KEY REFERENCES tenant ON DELETE CASCADE,
            host_key text COLLATE "C" NOT NULL,     -- the fingerprint of the host's key
            nonce bytea NOT NULL,
            wrapped bytea NOT NULL
        );

        CREATE TABLE secret (
            tenant bigint NOT NULL DEFAULT tenant() REFERENCES tenant_key ON DELETE CASCADE,
            name text COLLATE "C" NOT NULL,
            nonce bytea NOT NULL,
            box bytea NOT NULL,                     -- sealed under the key of the tenant
            PRIMARY KEY (tenant, name)
        );
        """
)

/// The role of web processes has no right to these tables.
func secretsRights(worker: String) -> String {
    """
    ALTER TABLE tenant_key ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS every ON tenant_key;
    DROP POLICY IF EXISTS own ON secret;
    -- A rotation of the host's key changes the keys of all tenants.
    CREATE POLICY every ON tenant_key TO \(worker) USING (true);
    CREATE POLICY own ON secret TO \(worker) USING (tenant = (SELECT tenant()));
    GRANT SELECT, INSERT, UPDATE, DELETE ON tenant_key, secret TO \(worker);

    """
}
