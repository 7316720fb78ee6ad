import RemindavCurlTransport
import RemindavHTTP
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavBridge
@testable import RemindavPlatform

/// A vault in memory.
private final class MemoryVault: SecretVault {
    private let secrets = Mutex<[String: Secret]>([:])

    var names: [String] { self.secrets.withLock { $0.keys.sorted() } }

    func keep(_ secret: Secret, named name: String) { self.secrets.withLock { $0[name] = secret } }
    func secret(named name: String) -> Secret? { self.secrets.withLock { $0[name] } }
    func forget(_ name: String) { self.secrets.withLock { $0[name] = nil } }
}

@Suite("accounts of a tenant of a host")
struct TenancyTests {
    private let vault = MemoryVault()
    private let folder: TemporaryFolder
    private let useCases: UseCases

    init() throws {
        self.folder = try TemporaryFolder()
        let own = try Workplace.open()
        let configuration = Configuration(
            storeFolder: self.folder.path,
            localZone: "UTC",
            zones: own.configuration.zones,
            now: { Workplace.now },
            keyring: Keyring(keep: { _, _, _ in Issue.record("used") }, find: { _ in nil }, forget: { _ in }),
            credentials: self.folder.path
        )
        self.useCases = UseCases(
            configuration: configuration.forTenant(
                zone: "UTC",
                vault: self.vault,
                addresses: AddressPolicy(),
                userAgent: "Remindav"
            ),
            store: own.store
        )
    }

    private func importAccount(_ secret: SecretReference, _ change: (inout AccountSettings) -> Void = { _ in }) throws {
        var settings = AccountSettings()
        change(&settings)
        try self.useCases.store.write { transaction in
            _ = try transaction.insertAccount(
                named: "a",
                url: "https://127.0.0.1/",
                user: "u",
                homeSets: ["https://127.0.0.1/"],
                secret: secret,
                settings: settings,
                at: 0
            )
        }
    }

    @Test("a password is only in the vault, and a removal forgets it there")
    func vaultOnly() throws {
        let secrets = self.useCases.secrets
        let reference = try secrets.keep(.keeping("canary"), identifier: "id", label: "x")
        #expect(reference == SecretReference(kind: "sealed", reference: "id"))
        #expect(Secrets.origin(reference) == "sealed in the database of the host")
        #expect(try secrets.secret(reference) == Secret("canary"))
        #expect(self.folder.names.isEmpty)
        try self.importAccount(reference)
        _ = try self.useCases.removeAccount(named: "a", discardUnsent: true)
        #expect(self.vault.names.isEmpty)
        #expect(throws: UseCaseError(.passwordMissing)) { try secrets.secret(reference) }
    }

    @Test("commands and credentials are refused, and no command runs")
    func sources() async throws {
        let mark = "\(self.folder.path)/ran"
        let cases: [(PasswordSource, UseCaseError.Code)] = [
            (.command("touch \(mark); echo x"), .commandOfTenant),
            (.tokenCommand("touch \(mark); echo x"), .commandOfTenant), (.credential("dav"), .credentialOfTenant),
        ]
        try self.importAccount(self.useCases.secrets.keep(.keeping("old"), identifier: "id", label: "x"))
        for (source, code) in cases {
            #expect(throws: UseCaseError(code)) {
                try self.useCases.secrets.keep(source, identifier: "other", label: "x")
            }
            await #expect(throws: UseCaseError(code)) {
                try await self.useCases.findAccount(
                    NewAccount(address: "https://127.0.0.1/", user: "u", password: source)
                )
            }
            await #expect(throws: UseCaseError(code)) { try await self.useCases.changePassword(of: "a", to: source) }
        }
        #expect(!SystemFiles.exists(mark) && self.vault.names == ["id"])
    }

    @Test(
        "an imported account with a file, a command or a keyring of the host needs a new password, and none is removed"
    )
    func imported() async throws {
        try SystemFiles.makePrivateFolder("\(self.folder.path)/secrets")
        for name in ["id", "client-key-1"] {
            try SystemFiles.writePrivate(Array("canary".utf8), to: "\(self.folder.path)/secrets/\(name)")
        }
        let mark = "\(self.folder.path)/ran"
        for (kind, reference) in [
            ("file", "id"), ("command", "touch \(mark); echo x"), ("token-command", "touch \(mark); echo x"),
            ("keyring", "id"), ("credential", "secrets/id"), ("unknown", "id"),
        ] {
            try self.importAccount(SecretReference(kind: kind, reference: reference)) { $0.clientCertificate = "/x" }
            let account = try self.useCases.account(named: "a")
            #expect(throws: UseCaseError(.passwordNotSealed)) { try self.useCases.client(for: account) }
            _ = try self.useCases.removeAccount(named: "a", discardUnsent: true)
        }
        for name in ["id", "client-key-1"] { #expect(SystemFiles.exists("\(self.folder.path)/secrets/\(name)")) }
        #expect(!SystemFiles.exists(mark))
    }

    @Test(
        "settings with files of the host, and passwords without encryption, are refused before a file is read",
        arguments: [
            (.caFile, "/nonexistent", .fileOfTenant), (.clientCertificate, "/etc/hostname", .fileOfTenant),
            (.clientKey, "/etc/hostname", .fileOfTenant), (.allowInsecure, "yes", .insecureOfTenant),
        ] as [(AccountSetting, String, UseCaseError.Code)]
    )
    func settings(setting: AccountSetting, value: String, code: UseCaseError.Code) async throws {
        let reference = try self.useCases.secrets.keep(.keeping("old"), identifier: "id", label: "x")
        try self.importAccount(reference)
        let error = UseCaseError(code)
        #expect(throws: error) { try self.useCases.set([setting: value], for: "a") }
        #expect(throws: error) { try self.useCases.encryptedKey([setting: value]) }
        await #expect(throws: error) {
            let request = NewAccount(
                address: "https://127.0.0.1/",
                user: "u",
                password: .keeping("x"),
                settings: [setting: value]
            )
            return try await self.useCases.findAccount(request)
        }
        await #expect(throws: error) {
            try await self.useCases.browserLogin(at: "https://127.0.0.1/", settings: [setting: value])
        }
        _ = try self.useCases.set([setting: setting == .allowInsecure ? "no" : "none"], for: "a")
        _ = try self.useCases.removeAccount(named: "a", discardUnsent: true)
        try self.importAccount(self.useCases.secrets.keep(.keeping("old"), identifier: "id", label: "x")) { settings in
            switch setting {
            case .caFile: settings.caFile = value
            case .clientCertificate: settings.clientCertificate = value
            case .clientKey: settings.clientKey = value
            default: settings.allowsInsecure = true
            }
        }
        #expect(throws: error) { try self.useCases.client(for: self.useCases.account(named: "a")) }
    }

    @Test("a client key has no password")
    func keyPassword() async throws {
        try self.importAccount(self.useCases.secrets.keep(.keeping("old"), identifier: "id", label: "x"))
        await #expect(throws: UseCaseError(.fileOfTenant)) {
            try await self.useCases.changeKeyPassword(of: "a", to: .keeping("canary"))
        }
        let account = try self.useCases.account(named: "a").id
        #expect(throws: UseCaseError(.fileOfTenant)) {
            try self.useCases.secrets.keepKeyPassword(Secret("canary"), of: account, label: "x")
        }
    }

    @Test("requests, browser sign-ins and certificates are limited to allowed addresses")
    func addresses() async throws {
        let address = "https://127.0.0.1/"
        try self.importAccount(self.useCases.secrets.keep(.keeping("old"), identifier: "id", label: "x"))
        func kind(_ body: () async throws -> Void) async -> ErrorCategory.Kind? {
            do { try await body() } catch { return ErrorCategory.of(error)?.kind }
            return nil
        }
        let request = NewAccount(address: address, user: "u", password: .keeping("x"), name: "b")
        #expect(await kind { _ = try await self.useCases.findAccount(request) } == .addressRefused)
        #expect(await kind { _ = try await self.useCases.browserLogin(at: address) } == .addressRefused)
        let offer = { _ = try await self.useCases.offeredBrowserLogin(at: address, settings: [:]) }
        #expect(await kind(offer) == .addressRefused)
        #expect(await kind { _ = try await self.useCases.certificate(of: address) } == .addressRefused)
        #expect(
            await kind { _ = try await self.useCases.changePassword(of: "a", to: .keeping("x")) } == .addressRefused
        )
    }
}
