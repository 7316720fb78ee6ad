import RemindavBridge
import RemindavHTTP
import RemindavPostgresStore
import RemindavSealing
import RemindavStore
import Synchronization

/// Reads the key of a host when it is needed first, and keeps it in memory.
final class HostKeyReader: Sendable {
    private let source: SecretSource?
    private let known = Mutex<HostKey?>(nil)

    init(_ source: SecretSource?) { self.source = source }

    /// - Throws: `hostKeyMissing` if no setting names the key, or the errors of ``SecretSource/key(credentials:)``.
    func key(credentials: String?) throws(UseCaseError) -> HostKey {
        guard let source = self.source else { throw UseCaseError(.hostKeyMissing) }
        // A command runs once, although several threads wait for its output.
        return try self.known.withLock { known throws(UseCaseError) in
            if let known { return known }
            let key = try source.key(credentials: credentials)
            known = key
            return key
        }
    }
}

/// The vault of one tenant: its secrets are sealed under its key, and this key is wrapped under the key of the host.
struct TenantVault: SecretVault {
    let tenant: TenantID
    let tables: SecretTables
    let hostKey: HostKeyReader
    /// The folder with the credentials of the service; `nil` outside a service.
    let credentials: String?
    /// Returns this number of random bytes.
    let randomBytes: @Sendable (Int) -> [UInt8]

    private func about(_ name: String) -> [UInt8] {
        Array("remindav secret \(self.tenant.rawValue) \(name)".utf8)
    }

    func keep(_ secret: Secret, named name: String) throws(UseCaseError) {
        let key = try self.keyOrNew()
        let nonce = self.randomBytes(SealingKey.nonceByteCount)
        let box = try UseCaseError.sealing { () throws(SealingError) in
            try key.seal(Array(secret.reveal().utf8), nonce: nonce, about: self.about(name))
        }
        try Self.stored { () throws(DatabaseError) in
            try self.tables.keep(SealedSecret(nonce: nonce, box: box), named: name, of: self.tenant)
        }
    }

    func secret(named name: String) throws(UseCaseError) -> Secret? {
        let found = try Self.stored { () throws(DatabaseError) in
            (key: try self.tables.key(of: self.tenant), secret: try self.tables.secret(named: name, of: self.tenant))
        }
        guard let wrapped = found.key, let sealed = found.secret else { return nil }
        let key = try self.hostKey.key(credentials: self.credentials).unwrap(wrapped)
        let bytes = try UseCaseError.sealing { () throws(SealingError) in
            try key.open(sealed.box, nonce: sealed.nonce, about: self.about(name))
        }
        return Secret(String(decoding: bytes, as: UTF8.self))
    }

    func forget(_ name: String) { try? self.tables.forget(name, of: self.tenant) }

    private func keyOrNew() throws(UseCaseError) -> SealingKey {
        let hostKey = try self.hostKey.key(credentials: self.credentials)
        if let wrapped = try Self.stored({ () throws(DatabaseError) in try self.tables.key(of: self.tenant) }) {
            return try hostKey.unwrap(wrapped)
        }
        // After a rotation, a process can still have the old key, under which a new password must not be sealed.
        let isForeign = try Self.stored { () throws(DatabaseError) in
            guard try self.tables.anyKey(under: hostKey.fingerprint) == nil else { return false }
            let others = try self.tables.keys(notUnder: hostKey.fingerprint, after: TenantID(rawValue: 0), limit: 1)
            return !others.isEmpty
        }
        if isForeign { throw UseCaseError(.hostKeyWrong) }
        let new = try UseCaseError.sealing { () throws(SealingError) in
            try SealingKey(self.randomBytes(SealingKey.byteCount))
        }
        let wrapped = try hostKey.wrap(new, of: self.tenant, randomBytes: self.randomBytes)
        // Another process may have stored a key in the meantime, which is then used.
        let first = try Self.stored { () throws(DatabaseError) in try self.tables.keepFirst(wrapped) }
        return try hostKey.unwrap(first)
    }

    private static func stored<Value>(_ body: () throws(DatabaseError) -> Value) throws(UseCaseError) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw UseCaseError(.vaultUnavailable) }
    }
}
