import Glibc
import RemindavBridge
import RemindavPlatform
import RemindavPostgresStore
import RemindavSealing
import RemindavTestSupport
import Testing

@testable import RemindavHost

@Suite("the key of a host")
struct HostKeyTests {
    private static let digits = String(repeating: "0123456789abcdeF", count: 4)

    @Test("the places of a key have three forms")
    func sources() {
        for text in ["/etc/host.key", "credential:host.key", "command:pass show host"] {
            #expect(SecretSource(text)?.text == text)
        }
        for text in [
            "", "host.key", "credential:", "credential:a/b", "credential:..", "command:", "command:  ", "key:x",
        ] {
            #expect(SecretSource(text) == nil, "\(text)")
        }
    }

    @Test("a new key is in a file that only its owner can read, and no file is replaced")
    func create() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/host.key"
        try SecretSource.createHostKey(path, randomBytes: Configuration.systemRandomBytes)
        #expect(TemporaryFolder.mode(of: path) == 0o600)
        let first = try SecretSource.file(path).key(credentials: nil)
        let error = #expect(throws: SystemError.self) {
            try SecretSource.createHostKey(path, randomBytes: Configuration.systemRandomBytes)
        }
        #expect(error?.number == EEXIST)
        #expect(try SecretSource.file(path).key(credentials: nil).fingerprint == first.fingerprint)
        let other = "\(folder.path)/other.key"
        try SecretSource.createHostKey(other, randomBytes: Configuration.systemRandomBytes)
        #expect(try SecretSource.file(other).key(credentials: nil).fingerprint != first.fingerprint)
    }

    @Test(
        "a file that others can read or write is refused",
        arguments: [0o640, 0o620, 0o604, 0o602, 0o610, 0o644, 0o666] as [mode_t]
    )
    func modes(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/host.key"
        try SystemFiles.writePrivate(Array(Self.digits.utf8), to: path)
        for allowed in [0o600, 0o400] as [mode_t] {
            chmod(path, allowed)
            #expect(throws: Never.self) { try SecretSource.file(path).key(credentials: nil) }
        }
        chmod(path, mode)
        #expect(throws: UseCaseError(.hostKeyOpenToOthers)) { try SecretSource.file(path).key(credentials: nil) }
    }

    @Test("a text of another length or with other characters is no key, and errors do not show it")
    func texts() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/host.key"
        for (text, isKey) in [
            (Self.digits, true), (Self.digits + "\n", true), (Self.digits + "\r\n", true), ("", false),
            (String(Self.digits.dropLast()), false), (Self.digits + "0", false), (Self.digits.dropLast() + "g", false),
            ("\n" + Self.digits, false), (String(Self.digits.dropLast(2)) + "é", false),
        ] {
            try SystemFiles.writePrivate(Array(text.utf8), to: path)
            if isKey {
                #expect(throws: Never.self) { try SecretSource.file(path).key(credentials: nil) }
            } else {
                let error = #expect(throws: UseCaseError(.hostKeyNotValid)) {
                    try SecretSource.file(path).key(credentials: nil)
                }
                #expect(error?.subject == path)
            }
        }
        try SystemFiles.writePrivate([UInt8](repeating: 0x30, count: 4096), to: path)
        for place in [path, folder.path, "\(folder.path)/missing"] {
            #expect(throws: UseCaseError(.hostKeyNotReadable)) { try SecretSource.file(place).key(credentials: nil) }
        }
    }

    @Test("a key is read from a credential of the service, and from the first line of a command")
    func otherPlaces() throws {
        let folder = try TemporaryFolder()
        try SystemFiles.writePrivate(Array(Self.digits.utf8), to: "\(folder.path)/key")
        let key = try SecretSource.credential("key").key(credentials: folder.path)
        #expect(throws: UseCaseError(.hostKeyNotReadable)) { try SecretSource.credential("key").key(credentials: nil) }
        let command = SecretSource.command("echo \(Self.digits); echo more")
        #expect(try command.key(credentials: nil).fingerprint == key.fingerprint)
        let failing = #expect(throws: UseCaseError(.hostKeyNotReadable)) {
            try SecretSource.command("false canary").key(credentials: nil)
        }
        #expect(failing?.subject == "the command failed, printed nothing, or took too long")
    }

    @Test("a key of a tenant opens only under its key of the host, and only for its tenant")
    func wrapping() throws {
        let host = try #require(HostKey(hexadecimal: Self.digits))
        let other = try #require(HostKey(hexadecimal: String(Self.digits.reversed())))
        #expect(!host.fingerprint.contains(Self.digits.prefix(8)) && !"\(host)".contains("[1, 35"))
        let key = try SealingKey([UInt8](repeating: 5, count: 32))
        let tenant = TenantID(rawValue: 42)
        let wrapped = try host.wrap(key, of: tenant, randomBytes: Configuration.systemRandomBytes)
        #expect(try host.unwrap(wrapped) == key)
        #expect(throws: UseCaseError(.hostKeyWrong)) { try other.unwrap(wrapped) }
        func changed(_ tenant: Int64, _ fingerprint: String, _ nonce: [UInt8]) -> WrappedKey {
            WrappedKey(
                tenant: TenantID(rawValue: tenant),
                hostKey: fingerprint,
                nonce: nonce,
                wrapped: wrapped.wrapped
            )
        }
        for key in [
            changed(43, host.fingerprint, wrapped.nonce), changed(42, host.fingerprint, wrapped.nonce.reversed()),
            changed(42, host.fingerprint, []),
        ] { #expect(throws: UseCaseError(.secretDamaged)) { try host.unwrap(key) } }
        #expect(throws: UseCaseError(.secretDamaged)) {
            try other.unwrap(changed(42, other.fingerprint, wrapped.nonce))
        }
    }
}
