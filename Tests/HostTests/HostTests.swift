import Glibc
import RemindavBridge
import RemindavHTTP
import RemindavICalendar
import RemindavStore
import RemindavStoreSupport
import Testing

@testable import RemindavHost
@testable import RemindavPostgresStore
@testable import RemindavWeb

@Suite("a host", .enabled(if: TestStores.useServer, "Tests/postgres.py starts a server"))
struct HostTests {
    private let place: DatabasePlace
    private let host: Host

    init() throws {
        self.place = try #require(TestStores.place)
        _ = try TestStores.make()
        self.host = Host(DatabasePlace(self.place.text, role: "remindav_worker"))
    }

    private func role(_ name: String) -> DatabasePlace { DatabasePlace(self.place.text, role: name) }

    @discardableResult
    private func asOwner(_ script: String) throws -> [PostgresConnection.TextRows] {
        try PostgresConnection(to: self.place).runScript(script)
    }

    @Test("a second migration runs no step")
    func again() throws {
        #expect(try Host(self.place).migrate(createsRoles: true).isEmpty)
        #expect(try Host(self.place).migrate(createsRoles: false).isEmpty)
    }

    @Test("tenants are added, listed, suspended and removed with all their rows")
    func tenants() throws {
        let name = "tenants-\(getpid())"
        try self.host.add(name, zone: "Europe/Berlin")
        #expect(throws: UseCaseError(.tenantExists)) { try self.host.add(name, zone: "UTC") }
        let tenant = try #require(try self.host.tenants().first { $0.name == name })
        #expect(tenant.zone == "Europe/Berlin" && !tenant.isSuspended)
        try self.host.setSuspended(true, name)
        #expect(try self.host.tenants().first { $0.name == name }?.isSuspended == true)
        try self.host.setSuspended(false, name)
        try self.asOwner(
            "INSERT INTO deleted_label (tenant, key, name, deleted) VALUES (\(tenant.id.rawValue), 'a', 'A', 1)"
        )
        try self.host.remove(name)
        #expect(try self.host.tenants().allSatisfy { $0.name != name })
        #expect(try self.asOwner("SELECT 1 FROM deleted_label WHERE tenant = \(tenant.id.rawValue)") == [[]])
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.remove(name) }
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.setSuspended(true, name) }
    }

    @Test("a name without letters, with spaces or control characters, or of an option is refused")
    func names() {
        for name in ["", "a b", "-a", "a\u{7}", "a\u{A0}b", String(repeating: "a", count: 101)] {
            #expect(throws: UseCaseError(.tenantNameNotValid)) { try self.host.add(name, zone: "UTC") }
        }
    }

    @Test("a superuser, a role with BYPASSRLS, and the owner cannot be used")
    func roles() throws {
        let bypassing = "bypassing_\(getpid())"
        try self.asOwner("CREATE ROLE \(bypassing) LOGIN BYPASSRLS")
        for name in ["owner", bypassing, "remindav_owner"] {
            #expect(try HostReport(self.role(name)).obstacle == .powerfulRole(name))
            #expect(throws: DatabaseError(.unsuitable)) { try Host(self.role(name)).tenants() }
        }
        try self.asOwner("DROP ROLE \(bypassing)")
        let stranger = "stranger_\(getpid())"
        try self.asOwner("CREATE ROLE \(stranger) LOGIN")
        let report = try HostReport(self.role(stranger))
        #expect(report.obstacle == .missingRights(stranger) && report.steps == nil && report.tenants == nil)
        try self.asOwner("DROP ROLE \(stranger)")
        for name in ["remindav_worker", "remindav_web"] {
            #expect(try HostReport(self.role(name)).obstacle == nil)
        }
    }

    @Test("the role of web processes sees no other tenant, and finds a feed only by its token")
    func webRole() throws {
        let tenant = try TenantDirectory(TestStores.pool.get()).add("web-\(getpid())")
        let number = tenant.rawValue
        try self.asOwner(
            """
            INSERT INTO feed (tenant, id, token_hash, name, labels, created) VALUES (\(number), 1, '\\x0\(number)', 'f', '', 0)
            """.replacing("'\\x0\(number)'", with: "sha256('\(number)')")
        )
        let web = try PostgresConnection(to: self.role("remindav_web"))
        #expect(try web.runScript("SELECT count(*) FROM tenant; SELECT count(*) FROM feed") == [[["0"]], [["0"]]])
        let open = "SELECT tenant, feed FROM open_feed(sha256('\(number)'))"
        #expect(try web.runScript(open) == [[["\(number)", "1"]]])
        #expect(try web.runScript("SELECT tenant FROM open_feed(sha256('x\(number)'))") == [[]])
        try self.asOwner("UPDATE tenant SET state = 'suspended' WHERE id = \(number)")
        #expect(try web.runScript(open) == [[]])
    }

    @Test("the role of web processes cannot redirect a password, nor change limits and suspensions")
    func webRights() throws {
        let tenant = try TenantDirectory(TestStores.pool.get()).add("rights-\(getpid())").rawValue
        try self.asOwner(
            """
            INSERT INTO account (tenant, id, name, url, "user", home_sets, secret_kind, secret_reference, created)
                VALUES (\(tenant), 1, 'a', 'https://dav.example.org', 'ada', '', 'sealed', 'x', 0)
            """
        )
        let web = try PostgresConnection(to: self.role("remindav_web"))
        _ = try web.runScript("SELECT set_config('remindav.tenant', '\(tenant)', false)")
        for forbidden in [
            "UPDATE account SET url = 'https://evil.example.org'",
            "UPDATE account SET home_sets = 'https://evil.example.org'",
            "UPDATE account SET secret_reference = 'y'", "UPDATE account SET pinned_key = 'x'", "DELETE FROM account",
            "INSERT INTO account (id, name, url, \"user\", home_sets, secret_kind, secret_reference, created) VALUES (2, 'b', '', '', '', '', 'x', 0)",
            "UPDATE tenant SET state = 'active'", "UPDATE tenant SET max_objects = 1000000", "SELECT 1 FROM secret",
        ] {
            #expect(throws: DatabaseError(.unsuitable), "\(forbidden)") { try web.runScript(forbidden) }
        }
        _ = try web.runScript("UPDATE account SET sync_interval = '1h'; UPDATE tenant SET version = version + 1")
    }

    /// Adds a tenant with a feed and its visits; returns the number and the hash of the feed's token.
    private func tenantWithFeed(_ name: String) throws -> (number: Int64, hash: [UInt8]) {
        let number = try TenantDirectory(TestStores.pool.get()).add("\(name)-\(getpid())").rawValue
        let token = "\(name) \(getpid())"
        try self.asOwner(
            """
            INSERT INTO feed (tenant, id, token_hash, name, labels, created)
                VALUES (\(number), 1, sha256('\(token)'), 'f', '', 0)
            """
        )
        return (number, SHA256(token.utf8).bytes)
    }

    @Test("when the visits of one tenant cannot be written, those of the others are written once")
    func visits() throws {
        let (first, second) = (try self.tenantWithFeed("visited"), try self.tenantWithFeed("unvisited"))
        try self.asOwner(
            """
            CREATE FUNCTION refuse_visit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
            CREATE TRIGGER refuses BEFORE INSERT ON feed_visit FOR EACH ROW WHEN (NEW.tenant = \(second.number))
                EXECUTE FUNCTION refuse_visit()
            """
        )
        defer { _ = try? self.asOwner("DROP FUNCTION IF EXISTS refuse_visit CASCADE") }
        let zones = Configuration.systemZones(environment: [:])
        let configuration = Configuration(storeFolder: "/nonexistent", localZone: "UTC", zones: zones) {
            Instant(secondsSince1970: 0)
        }
        let feeds = HostFeeds(directory: self.host.directory) { tenant, zone in
            self.host.useCases(of: tenant, zone: zone, configuration)
        }
        let visits = [first.hash, second.hash].map { hash in
            FeedVisit(
                tokenHash: hash,
                record: FeedVisitRecord(program: "other", at: 1, status: 200, agent: "", visits: 1)
            )
        }
        let counts = """
            SELECT tenant, visits FROM feed_visit WHERE tenant IN (\(first.number), \(second.number)) ORDER BY tenant
            """
        let unwritten = feeds.record(visits)
        #expect(unwritten.map(\.tokenHash) == [second.hash])
        #expect(try self.asOwner(counts) == [[["\(first.number)", "1"]]])
        try self.asOwner("DROP FUNCTION refuse_visit CASCADE")
        #expect(feeds.record(unwritten).isEmpty)
        #expect(try self.asOwner(counts) == [[["\(first.number)", "1"], ["\(second.number)", "1"]]])
    }

    @Test("the role of web processes requests syncs of its own tenant, which begin after a short pause")
    func syncRequests() throws {
        let directory = TenantDirectory(try TestStores.pool.get())
        let tenants = try ["wishing", "unwishing"].map { try directory.add("\($0)-\(getpid())") }
        for tenant in tenants {
            for account in 1...3 {
                try self.asOwner(
                    """
                    INSERT INTO account (tenant, id, name, url, "user", home_sets, secret_kind, secret_reference, created)
                        VALUES (\(tenant.rawValue), \(account), 'a\(account)', 'https://wish.example.org', 'ada', '', 'sealed', 'x', 0)
                    """
                )
            }
        }
        let own = tenants[0]
        let both = "tenant IN (\(tenants.map { "\($0.rawValue)" }.joined(separator: ", "))) AND kind = 'sync'"
        func reset() throws {
            try self.asOwner(
                """
                UPDATE work SET next_at = never(), requested_at = never(), started = 0, stop_reason = NULL WHERE \(both);
                UPDATE work SET started = moment() + 1000 WHERE \(both) AND item = 2;
                UPDATE work SET stop_reason = 'off' WHERE \(both) AND item = 3;
                UPDATE server SET wanted_at = never() WHERE origin = 'https://wish.example.org'
                """
            )
        }
        func due() throws -> [[String?]] {
            try self.asOwner(
                """
                SELECT tenant, item, CASE WHEN requested_at <= moment() THEN 'now' ELSE (requested_at - started)::text END
                FROM work WHERE \(both) AND requested_at < never() ORDER BY tenant, item
                """
            )[0]
        }
        let web = Host(self.role("remindav_web")).directory
        #expect(try self.host.directory.readsPasswords() && !web.readsPasswords())
        let number = "\(own.rawValue)"
        try reset()
        #expect(try web.requestSync(of: own, account: nil) == 3)
        let pause = "\(TenantDirectory.requestPauseSeconds)"
        #expect(try due() == [[number, "1", "now"], [number, "2", pause], [number, "3", "now"]])
        let servers = "SELECT wanted_at <= moment() FROM server WHERE origin = 'https://wish.example.org'"
        #expect(try self.asOwner(servers) == [[["t"]]])
        try reset()
        #expect(try web.requestSync(of: own, account: 1) == 1)
        #expect(try due() == [[number, "1", "now"]])
        // An account that waits for a password, an unknown number, and a request without a tenant.
        try reset()
        try self.asOwner("UPDATE work SET stop_reason = 'authentication' WHERE \(both) AND item = 1")
        #expect(try web.requestSync(of: own, account: 1) == 0)
        #expect(try web.requestSync(of: own, account: 4) == 0)
        _ = try PostgresConnection(to: self.role("remindav_web")).runScript("SELECT request_sync(NULL, 0)")
        #expect(try due().isEmpty)
    }

    @Test("a zone can be changed, and then the alarms and feeds of the tenant are computed again")
    func zones() throws {
        let name = "zones-\(getpid())"
        try self.host.add(name, zone: "Europe/Berlin")
        let tenant = try #require(try self.host.tenants().first { $0.name == name })
        func state() throws -> [[String?]] {
            try self.asOwner(
                """
                SELECT zone, content, requested_at <= moment() FROM tenant JOIN work ON tenant.id = work.tenant
                WHERE tenant.id = \(tenant.id.rawValue) AND kind = 'alarm'
                """
            )[0]
        }
        try self.host.change(name, reminders: 5)
        #expect(try state() == [["Europe/Berlin", "0", "f"]])
        let store = ReminderStore.tenant(tenant.id, in: self.host.pool) { () throws(DatabaseError) in
            throw DatabaseError(.other)
        }
        func edit() throws {
            try store.write { transaction throws(DatabaseError) in
                _ = try transaction.insertList(named: "list \(try transaction.lists().count)", at: 0)
            }
        }
        try edit()
        let before = try store.read { try $0.contentVersion() }
        try self.host.change(name, zone: "Asia/Tokyo")
        let after = try store.read { try $0.contentVersion() }
        #expect(try state().map { [$0[0], $0[2]] } == [["Asia/Tokyo", "t"]])
        // The next edit has a version of its own, too.
        try edit()
        #expect(try Set([before, after, store.read { try $0.contentVersion() }]).count == 3)
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.change("missing-\(getpid())", zone: "UTC") }
    }

    @Test("a person has one tenant, and the role of web processes finds it only by the whole name")
    func people() throws {
        let (first, second) = ("people-\(getpid())", "others-\(getpid())")
        for name in [first, second] { try self.host.add(name, zone: "Europe/Oslo") }
        let person = Identity(issuer: "https://id", subject: "person \(getpid())")
        try self.host.allow(person, first)
        try self.host.allow(person, first)
        #expect(throws: UseCaseError(.identityTaken)) { try self.host.allow(person, second) }
        #expect(throws: UseCaseError(.identityNotFound)) { try self.host.deny(person, second) }
        #expect(throws: UseCaseError(.tenantNotFound)) { try self.host.allow(person, "missing-\(getpid())") }
        for subject in ["", "a\u{7}", String(repeating: "a", count: ProxyTrust.maximumNameBytes + 1)] {
            #expect(throws: UseCaseError(.identityNotValid)) {
                try self.host.allow(Identity(issuer: "", subject: subject), first)
            }
        }
        let web = Host(self.role("remindav_web"))
        let found = try #require(try web.directory.tenant(of: person))
        let tenant = try #require(try self.host.tenants().first { $0.name == first })
        #expect(found == IdentifiedTenant(tenant: tenant.id, zone: "Europe/Oslo"))
        #expect(try self.host.identities()[tenant.id] == [person])
        #expect(throws: DatabaseError.self) { try web.identities() }
        #expect(try web.directory.tenant(of: Identity(issuer: "", subject: person.subject)) == nil)
        #expect(try web.directory.tenant(of: Identity(issuer: person.issuer, subject: "PERSON")) == nil)
        try self.host.setSuspended(true, first)
        #expect(try web.directory.tenant(of: person) == found)
        try self.host.deny(person, first)
        #expect(try web.directory.tenant(of: person) == nil)
        try self.host.allow(person, second)
        try self.host.remove(second)
        #expect(try web.directory.tenant(of: person) == nil)
    }

    @Test("a role that is no administrator changes no schema, and the error has the remedy")
    func rights() throws {
        for action in ["migrate", "init", "restored"] {
            let error = #expect(throws: DatabaseError.self) {
                switch action {
                case "restored": try Host(self.role("remindav_worker")).declareRestored()
                default: _ = try Host(self.role("remindav_worker")).migrate(createsRoles: action == "init")
                }
            }
            #expect(error?.code == .unsuitable)
            #expect(error.map { "\($0)".contains("with an administrator's role, such as '--role postgres'") } == true)
        }
    }

    @Test("a schema that lacks a step, and one of a newer version, cannot be used; an unknown addition can")
    func schema() throws {
        let last = hostSteps.count
        try self.asOwner("UPDATE schema_step SET id = 900 WHERE id = \(last)")
        defer {
            _ = try? self.asOwner(
                "DELETE FROM schema_step WHERE id = 901; UPDATE schema_step SET id = \(last) WHERE id = 900"
            )
        }
        #expect(try HostReport(self.role("remindav_worker")).obstacle == .missingSteps(1))
        try self.asOwner("UPDATE schema_step SET id = \(last) WHERE id = 900")
        try self.asOwner("INSERT INTO schema_step (id, kind, at) VALUES (901, 'add', 0)")
        #expect(try HostReport(self.role("remindav_worker")).obstacle == nil)
        try self.asOwner("UPDATE schema_step SET kind = 'take' WHERE id = 901")
        #expect(try HostReport(self.role("remindav_worker")).obstacle == .newerSchema)
        #expect(throws: DatabaseError(.unsuitable)) { try Host(self.role("remindav_worker")).tenants() }
    }
}
