import Glibc
import RemindavBridge
import RemindavHTTP
import RemindavPlatform
import RemindavStore
import RemindavStoreSupport
import RemindavTestSupport
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore

@Suite("sealed secrets", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"), .serialized)
struct SealedSecretsTests {
    private static let canary = "canary-7f3a9"
    private let place: DatabasePlace
    private let folder: TemporaryFolder
    private let tenants: [TenantID]

    init() throws {
        self.place = try #require(TestStores.place)
        self.folder = try TemporaryFolder()
        let directory = TenantDirectory(try TestStores.pool.get())
        self.tenants = try (1...5).map {
            try directory.add("sealed-\(getpid())-\($0)-\(UInt32.random(in: 0...UInt32.max))")
        }
        for name in ["old", "new", "third"] {
            try SecretSource.createHostKey("\(self.folder.path)/\(name)", randomBytes: Configuration.systemRandomBytes)
        }
        try self.asOwner("DELETE FROM tenant_key")
    }

    @discardableResult
    private func asOwner(_ script: String) throws -> [PostgresConnection.TextRows] {
        try PostgresConnection(to: self.place).runScript(script)
    }

    private func source(_ name: String) -> SecretSource { .file("\(self.folder.path)/\(name)") }

    private func host(_ key: String?) -> Host {
        Host(DatabasePlace(self.place.text, role: "remindav_worker"), key: key.map { self.source($0) })
    }

    private func vault(_ tenant: TenantID, _ key: String? = "old") -> TenantVault {
        TenantVault(
            tenant: tenant,
            tables: self.host(key).secretTables,
            hostKey: HostKeyReader(key.map { self.source($0) }),
            credentials: nil,
            randomBytes: Configuration.systemRandomBytes
        )
    }

    @Test("a secret is replaced, read and forgotten, and a removed tenant leaves nothing")
    func life() throws {
        let vault = self.vault(self.tenants[0])
        #expect(try vault.secret(named: "a") == nil)
        vault.forget("a")
        try vault.keep(Secret("first"), named: "a")
        try vault.keep(Secret("second"), named: "a")
        try vault.keep(Secret("é\u{0}"), named: "b c'\"")
        #expect(try vault.secret(named: "a") == Secret("second"))
        #expect(try vault.secret(named: "b c'\"") == Secret("é\u{0}"))
        #expect(try self.vault(self.tenants[1]).secret(named: "a") == nil)
        vault.forget("a")
        #expect(try vault.secret(named: "a") == nil)
        let directory = TenantDirectory(try TestStores.pool.get())
        let name = try #require(try directory.tenants().first { $0.id == self.tenants[0] }?.name)
        #expect(try directory.remove(name))
        let counts = try self.asOwner("SELECT count(*) FROM secret; SELECT count(*) FROM tenant_key")
        #expect(counts == [[["0"]], [["0"]]])
    }

    @Test("the tables contain a secret in no form, and the role of web processes cannot read them")
    func tables() throws {
        try self.vault(self.tenants[0]).keep(Secret(Self.canary), named: "a")
        let rows = try self.asOwner(
            """
            SELECT name, encode(nonce, 'hex'), encode(box, 'hex') FROM secret;
            SELECT host_key, encode(nonce, 'hex'), encode(wrapped, 'hex') FROM tenant_key
            """
        )
        #expect(rows[0].count == 1 && rows[1].count == 1)
        let dump = "\(rows)"
        let key = try String(
            decoding: #require(SystemFiles.read("\(self.folder.path)/old", limit: 200)).prefix(64),
            as: UTF8.self
        )
        for text in [Self.canary, Self.hexadecimal(Self.canary), key] { #expect(!dump.contains(text)) }
        let web = try PostgresConnection(to: DatabasePlace(self.place.text, role: "remindav_web"))
        for table in ["secret", "tenant_key"] {
            #expect(throws: DatabaseError(.unsuitable)) { try web.runScript("SELECT * FROM \(table)") }
            #expect(throws: DatabaseError(.unsuitable)) { try web.runScript("DELETE FROM \(table)") }
        }
        // Without a tenant, or with another one, a worker sees no secret.
        let worker = try PostgresConnection(to: DatabasePlace(self.place.text, role: "remindav_worker"))
        #expect(try worker.runScript("SELECT count(*) FROM secret") == [[["0"]]])
        let other = "SELECT set_config('remindav.tenant', '\(self.tenants[1].rawValue)', true)"
        #expect(try worker.runScript("BEGIN; \(other); SELECT count(*) FROM secret; COMMIT")[2] == [["0"]])
    }

    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { String($0, radix: 16) }.joined()
    }

    @Test("a box that is moved to another name or tenant, or changed, does not open")
    func tampering() throws {
        let (one, two) = (self.vault(self.tenants[0]), self.vault(self.tenants[1]))
        try one.keep(Secret(Self.canary), named: "a")
        try one.keep(Secret("x"), named: "b")
        try two.keep(Secret("x"), named: "a")
        let (first, second) = (self.tenants[0].rawValue, self.tenants[1].rawValue)
        try self.asOwner(
            """
            UPDATE secret SET (nonce, box) = (SELECT nonce, box FROM secret WHERE tenant = \(first) AND name = 'a')
                WHERE tenant = \(second) OR name = 'b'
            """
        )
        #expect(throws: UseCaseError(.secretDamaged)) { try one.secret(named: "b") }
        #expect(throws: UseCaseError(.secretDamaged)) { try two.secret(named: "a") }
        // Also with the key of the first tenant.
        try self.asOwner(
            """
            UPDATE tenant_key SET (nonce, wrapped) = (SELECT nonce, wrapped FROM tenant_key WHERE tenant = \(first))
                WHERE tenant = \(second)
            """
        )
        #expect(throws: UseCaseError(.secretDamaged)) { try two.secret(named: "a") }
        #expect(try one.secret(named: "a") == Secret(Self.canary))
        try self.asOwner("UPDATE secret SET box = set_byte(box, 0, 255 - get_byte(box, 0))")
        #expect(throws: UseCaseError(.secretDamaged)) { try one.secret(named: "a") }
    }

    @Test("without the key of the host or with another one, no secret is read or written")
    func wrongKey() throws {
        let tenant = self.tenants[0]
        try self.vault(tenant).keep(Secret(Self.canary), named: "a")
        for (key, code) in [(nil, UseCaseError.Code.hostKeyMissing), ("new", .hostKeyWrong)]
            as [(String?, UseCaseError.Code)]
        {
            #expect(throws: UseCaseError(code)) { try self.vault(tenant, key).secret(named: "a") }
            #expect(throws: UseCaseError(code)) { try self.vault(tenant, key).keep(Secret("x"), named: "a") }
        }
        #expect(try self.vault(tenant).secret(named: "a") == Secret(Self.canary))
        // The first secret of a tenant is not sealed under a key that opens the key of no other tenant.
        let first = self.tenants[1]
        #expect(throws: UseCaseError(.hostKeyWrong)) { try self.vault(first, "new").keep(Secret("x"), named: "a") }
        let right = try self.host("old").checkKey(credentials: nil)
        #expect(right == HostKeyReport(tenants: 1, others: 0, problem: nil))
        let wrong = try self.host("new").checkKey(credentials: nil)
        #expect(wrong == HostKeyReport(tenants: 1, others: 1, problem: UseCaseError(.hostKeyWrong)))
        let missing = try self.host(nil).checkKey(credentials: nil)
        #expect(missing == HostKeyReport(tenants: 1, others: nil, problem: UseCaseError(.hostKeyMissing)))
        try self.asOwner("UPDATE tenant_key SET wrapped = set_byte(wrapped, 0, 255 - get_byte(wrapped, 0))")
        #expect(try self.host("old").checkKey(credentials: nil)?.problem == UseCaseError(.secretDamaged))
        let web = DatabasePlace(TestStores.place?.text ?? "", role: "remindav_web")
        #expect(try Host(web).checkKey(credentials: nil) == nil)
        try self.asOwner("DELETE FROM tenant_key")
        #expect(try self.host(nil).checkKey(credentials: nil) == HostKeyReport(tenants: 0, others: nil, problem: nil))
    }

    @Test("a rotation that ends in the middle loses no secret, and its repetition completes it")
    func rotation() throws {
        for tenant in self.tenants {
            try self.vault(tenant).keep(Secret("\(Self.canary) \(tenant.rawValue)"), named: "a")
        }
        func readable(_ key: String) -> Int {
            self.tenants.count { tenant in
                (try? self.vault(tenant, key).secret(named: "a")) == Secret("\(Self.canary) \(tenant.rawValue)")
            }
        }
        #expect(readable("old") == 5 && readable("new") == 0)
        // The transaction with the third and the fourth tenant fails.
        try self.asOwner(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
            CREATE TRIGGER refuse BEFORE UPDATE ON tenant_key FOR EACH ROW
                WHEN (OLD.tenant = \(self.tenants[3].rawValue)) EXECUTE FUNCTION refuse()
            """
        )
        defer { _ = try? self.asOwner("DROP FUNCTION IF EXISTS refuse() CASCADE") }
        #expect(throws: DatabaseError.self) {
            try self.host("old").rotateKey(to: self.source("new"), credentials: nil, keysAtOnce: 2)
        }
        #expect(readable("new") == 2 && readable("old") == 3)
        #expect(try self.host("old").checkKey(credentials: nil)?.others == 2)
        try self.asOwner("DROP FUNCTION refuse() CASCADE")
        let rest = try self.host("old").rotateKey(to: self.source("new"), credentials: nil, keysAtOnce: 2)
        #expect(rest == KeyRotation(rewrapped: 3, unreadable: 0))
        #expect(readable("new") == 5 && readable("old") == 0)
        #expect(try self.host("new").checkKey(credentials: nil)?.problem == nil)
        // The old key of a later rotation is none of the keys.
        let wrong = try self.host("old").rotateKey(to: self.source("third"), credentials: nil, keysAtOnce: 2)
        #expect(wrong == KeyRotation(rewrapped: 0, unreadable: 5))
        #expect(readable("new") == 5)
    }

    @Test("two processes that store the first secret of a tenant use one key")
    func firstSecrets() async throws {
        let tenant = self.tenants[0]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let vault = self.vault(tenant)
                group.addTask { try vault.keep(Secret("\(number)"), named: "\(number)") }
            }
            try await group.waitForAll()
        }
        for number in 0..<8 { #expect(try self.vault(tenant).secret(named: "\(number)") == Secret("\(number)")) }
    }
}
