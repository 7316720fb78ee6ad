import RemindavCalDAV
import RemindavCurlTransport
import RemindavHTTP
import RemindavICalendar
import RemindavStore

extension UseCases {
    var secrets: Secrets {
        Secrets(
            folder: self.configuration.storeFolder,
            keyring: self.configuration.keyring,
            credentials: self.configuration.credentials,
            vault: self.configuration.tenancy?.vault
        )
    }

    /// A connection to an account's server with separate cookies; `gate` delays the requests, and `nil` delays none.
    func client(for account: AccountRecord, gate: RequestGate? = nil) throws -> CalDAVClient {
        try self.client(
            address: account.url,
            credentials: self.secrets.credentials(user: account.user, account.secret),
            settings: account.settings,
            keyPassword: self.keyPassword(of: account),
            scheme: SignInScheme(rawValue: account.settings.signIn),
            capabilities: self.capabilities(of: account),
            gate: gate
        )
    }

    func gate() -> RequestGate {
        let randomBytes = self.configuration.randomBytes
        let isTenant = self.configuration.tenancy != nil
        let connections = isTenant ? Tenancy.connections : TransportLimits.standard.connectionsPerHost
        return RequestGate(connections: connections, clock: self.configuration.pacingClock) {
            randomBytes(1).first ?? 0
        }
    }

    /// After a month the server may have been updated, so stored capabilities are no longer used.
    private static let capabilitySeconds: Int64 = 30 * Int64(ClockTime.secondsPerDay)

    private func capabilities(of account: AccountRecord) throws(DatabaseError) -> Capabilities {
        let records = try self.store.read { snapshot throws(DatabaseError) in
            try snapshot.capabilities(of: account.id)
        }
        let recent = records.filter { self.seconds - $0.measuredAt < Self.capabilitySeconds }
        return Capabilities(Dictionary(recent.map { ($0.name, $0.value) }) { first, _ in first })
    }

    /// A connection from explicit parameters; it reads no stored data of an account.
    func client(
        address: String,
        credentials: Credentials,
        settings: AccountSettings,
        keyPassword: Secret? = nil,
        scheme: SignInScheme? = nil,
        capabilities: Capabilities = Capabilities(),
        gate: RequestGate? = nil,
        observe: @escaping @Sendable (ExchangeNote) -> Void = { _ in }
    ) throws -> CalDAVClient {
        if self.configuration.tenancy != nil { try Tenancy.check(settings) }
        let now = self.configuration.now
        return try CalDAVClient(
            address: address,
            credentials: credentials,
            transport: self.configuration.transport(self.tls(settings, keyPassword: keyPassword)),
            capabilities: capabilities,
            allowsInsecure: settings.allowsInsecure,
            resolver: self.configuration.resolver,
            scheme: scheme,
            now: { now().secondsSince1970 },
            gate: gate,
            observe: observe
        )
    }

    func tls(_ settings: AccountSettings, keyPassword: Secret? = nil) -> TLSOptions {
        var tls = TLSOptions()
        tls.authorities = settings.caFile
        tls.pinnedKey = settings.pinnedKey
        tls.clientCertificate = settings.clientCertificate
        tls.clientKey = settings.clientKey
        tls.keyPassword = keyPassword
        return tls
    }

    /// The password of the client key; the keyring is asked only if the key is encrypted.
    func keyPassword(of account: AccountRecord) -> Secret? {
        // The files of an imported account are not read on a host.
        guard self.configuration.tenancy == nil, account.settings.encryptedKey != nil else { return nil }
        return self.secrets.keyPassword(of: account.id)
    }

    /// Stores the sign-in scheme that the server accepted, so that the next connection begins with it.
    func remember(_ client: CalDAVClient, for account: AccountRecord) async throws {
        guard let found = await client.signInScheme?.rawValue, found != account.settings.signIn else { return }
        try self.store.write { try $0.changeSettings(of: account.id) { $0.signIn = found } }
    }
}
