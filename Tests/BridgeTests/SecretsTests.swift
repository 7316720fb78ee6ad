import Glibc
import RemindavCalDAV
import RemindavHTTP
import RemindavStore
import RemindavTestSupport
import Synchronization
import Testing

@testable import RemindavBridge
@testable import RemindavPlatform

/// A keyring in memory.
private final class MemoryKeyring: Sendable {
    private let secrets = Mutex<[String: Secret]>([:])
    private let isLocked: Bool

    init(isLocked: Bool = false) { self.isLocked = isLocked }

    var count: Int { self.secrets.withLock { $0.count } }

    var door: Keyring {
        Keyring(
            keep: { identifier, _, secret in
                if !self.isLocked { self.secrets.withLock { $0[identifier] = secret } }
            },
            find: { identifier in self.secrets.withLock { $0[identifier] } },
            forget: { identifier in self.secrets.withLock { $0[identifier] = nil } }
        )
    }
}

@Suite("storage of passwords")
struct SecretsTests {
    @Test("an unlocked keyring takes precedence over a file, and deletes the password of a removed account")
    func keyring() throws {
        let folder = try TemporaryFolder()
        let keyring = MemoryKeyring()
        let secrets = Secrets(folder: folder.path, keyring: keyring.door, credentials: nil)
        let reference = try secrets.keep(.keeping("canary"), identifier: "id", label: "x")
        #expect(reference == SecretReference(kind: "keyring", reference: "id"))
        #expect(try secrets.secret(reference) == Secret("canary"))
        #expect(SystemFiles.exists("\(folder.path)/secrets") == false)
        secrets.forget(reference)
        #expect(keyring.count == 0)
        #expect(throws: UseCaseError(.keyringClosed)) { try secrets.secret(reference) }
    }

    @Test("without an unlocked keyring the password is in a file", arguments: [true, false])
    func file(hasKeyring: Bool) throws {
        let folder = try TemporaryFolder()
        let door = hasKeyring ? MemoryKeyring(isLocked: true).door : nil
        let secrets = Secrets(folder: folder.path, keyring: door, credentials: nil)
        let reference = try secrets.keep(.keeping("canary"), identifier: "id", label: "x")
        #expect(reference == SecretReference(kind: "file", reference: "id"))
        #expect(TemporaryFolder.mode(of: "\(folder.path)/secrets/id") == 0o600)
        #expect(try secrets.secret(reference) == Secret("canary"))
        secrets.forget(reference)
        #expect(throws: UseCaseError(.passwordMissing)) { try secrets.secret(reference) }
    }

    @Test("a credential is the first line of its file, and available only inside the service")
    func credential() throws {
        let folder = try TemporaryFolder()
        try SystemFiles.writePrivate(Array("canary\n".utf8), to: "\(folder.path)/dav")
        let inside = Secrets(folder: "/nonexistent", keyring: nil, credentials: folder.path)
        let reference = try inside.keep(.credential("dav"), identifier: "id", label: "x")
        #expect(try inside.secret(reference) == Secret("canary"))
        let outside = Secrets(folder: "/nonexistent", keyring: nil, credentials: nil)
        #expect(throws: UseCaseError(.credentialMissing)) { try outside.secret(reference) }
    }

    @Test("the source of a password is described without the password")
    func origins() throws {
        let folder = try TemporaryFolder()
        let secrets = Secrets(folder: folder.path, keyring: nil, credentials: nil)
        let sources: [(PasswordSource, String)] = [
            (.command("pass dav"), "command: pass dav"), (.tokenCommand("oauth dav"), "token command: oauth dav"),
            (.credential("dav"), "systemd credential: dav"), (.keeping("canary"), "in the folder of the store"),
        ]
        for (source, words) in sources {
            #expect(Secrets.origin(try secrets.keep(source, identifier: "id", label: "x")) == words)
            #expect(!"\(source)".contains("canary"))
        }
        #expect(Secrets.origin(SecretReference(kind: "keyring", reference: "id")) == "in the keyring")
    }

    @Test(
        "no password is read from a store that other users may write to",
        arguments: [0o700, 0o755, 0o770, 0o707, 0o777] as [mode_t]
    )
    func othersMayWrite(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let secrets = Secrets(folder: folder.path, keyring: nil, credentials: nil)
        let kept = try secrets.keep(.keeping("canary"), identifier: "id", label: "x")
        try TemporaryFolder.write([], to: "\(folder.path)/reminders.db")
        let references = [kept, SecretReference(kind: "command", reference: "echo canary; touch \(folder.path)/ran")]
        for place in ["", "/reminders.db", "/secrets"] {
            chmod(folder.path + place, mode)
            for reference in references {
                if mode & 0o022 == 0 {
                    #expect(try secrets.secret(reference) == Secret("canary"))
                } else {
                    #expect(throws: UseCaseError(.storeOpenToOthers)) { try secrets.secret(reference) }
                    let tokens = SecretReference(kind: "token-command", reference: "echo canary")
                    #expect(throws: UseCaseError(.storeOpenToOthers)) { try secrets.credentials(user: "u", tokens) }
                }
            }
            #expect(SystemFiles.exists("\(folder.path)/ran") == (mode & 0o022 == 0))
            chmod(folder.path + place, 0o700)
        }
    }

    @Test("a token command runs when a token is needed, a password command before")
    func commands() async throws {
        let secrets = Secrets(folder: "/nonexistent", keyring: nil, credentials: nil)
        #expect(try secrets.credentials(user: "u", .command("echo canary")).password == Secret("canary"))
        #expect(throws: UseCaseError(.passwordCommandFailed)) { try secrets.credentials(user: "u", .command("false")) }
        #expect(try secrets.credentials(user: "u", .tokenCommand("false")).password == Secret(""))
    }
}

@Suite("settings of an account")
struct AccountSettingTests {
    private static let key = "sha256//5BlKGysloR8fPtuYGeMjK/4e3S/pRYjkkpwmmSkrv8g="

    @Test("each setting is stored, shown as it was written, and cleared by 'none'")
    func rows() throws {
        let values: [AccountSetting: String] = [
            .caFile: "/etc/hostname", .clientCertificate: "/etc/hostname", .clientKey: "/etc/hostname",
            .trustKey: Self.key, .allowInsecure: "yes", .syncInterval: "never",
        ]
        var settings = try AccountSettings(values)
        for setting in AccountSetting.allCases {
            guard let value = values[setting] else { continue }
            #expect(setting.value(in: settings) == value)
            try setting.set("none", in: &settings)
            #expect(setting.value(in: settings) == AccountSetting.defaultValue(setting))
        }
    }

    @Test(
        "an invalid setting changes nothing",
        arguments: [
            (AccountSetting.caFile, "/nonexistent", UseCaseError.Code.fileNotReadable),
            (.clientKey, "/tmp", .fileNotReadable),
            (.trustKey, "/etc/hostname", .badSetting), (.trustKey, "sha256//AAAA", .badSetting),
            (.allowInsecure, "maybe", .badSetting),
            (.syncInterval, "0m", .badSetting), (.syncInterval, "25h", .badSetting),
        ]
    )
    func refused(setting: AccountSetting, value: String, code: UseCaseError.Code) throws {
        var settings = AccountSettings()
        #expect(throws: UseCaseError(code)) { try setting.set(value, in: &settings) }
        #expect(settings == AccountSettings())
    }
}

extension AccountSetting {
    fileprivate static func defaultValue(_ setting: AccountSetting) -> String? { setting.value(in: AccountSettings()) }
}
