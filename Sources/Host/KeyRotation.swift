package import RemindavBridge
import RemindavPostgresStore
package import RemindavStore

/// The result of a rotation of the key of a host.
package struct KeyRotation: Hashable, Sendable {
    /// The number of keys of tenants that this rotation has wrapped under the new key.
    package var rewrapped = 0
    /// The number of keys that neither the old nor the new key of the host opens.
    package var unreadable = 0
}

/// Whether the key of a host opens the keys of its tenants.
package struct HostKeyReport: Hashable, Sendable {
    /// The number of tenants with a key.
    package let tenants: Int
    /// The number of tenants whose keys are under another key of the host; `nil` if the key cannot be read.
    package let others: Int?
    /// The reason why the key cannot be used; `nil` if it can be used, or if no tenant has a key and no key is set.
    package let problem: UseCaseError?
}

extension Host {
    /// The number of keys that a rotation wraps in one transaction.
    package static let keysAtOnce = 500

    /// Wraps the keys of all tenants under a new key of the host.
    ///
    /// A key that is under the new key already is left alone, so an interrupted rotation can be repeated.
    ///
    /// - Parameters:
    ///   - source: the place of the new key.
    ///   - credentials: the folder with the credentials of the service; `nil` outside a service.
    ///   - keysAtOnce: the number of keys in one transaction.
    ///   - randomBytes: returns this number of random bytes.
    package func rotateKey(
        to source: SecretSource,
        credentials: String?,
        keysAtOnce: Int = Host.keysAtOnce,
        randomBytes: (Int) -> [UInt8] = Configuration.systemRandomBytes
    ) throws -> KeyRotation {
        let old = try self.hostKey.key(credentials: credentials)
        let new = try source.key(credentials: credentials)
        var rotation = KeyRotation()
        var last = TenantID(rawValue: 0)
        while true {
            let keys = try self.secretTables.keys(notUnder: new.fingerprint, after: last, limit: keysAtOnce)
            guard let end = keys.last else { return rotation }
            var replacements: [(old: WrappedKey, new: WrappedKey)] = []
            for key in keys {
                do throws(UseCaseError) {
                    let open = try old.unwrap(key)
                    replacements.append((key, try new.wrap(open, of: key.tenant, randomBytes: randomBytes)))
                } catch {
                    if error.code == .sealingUnavailable { throw error }
                    rotation.unreadable += 1
                }
            }
            try self.secretTables.replace(replacements)
            rotation.rewrapped += replacements.count
            last = end.tenant
        }
    }

    /// Examines whether the key of the host opens the keys of the tenants, by their fingerprints and by one of them.
    ///
    /// - Returns: `nil` if the role of this process may not read the passwords.
    package func checkKey(credentials: String?) throws(DatabaseError) -> HostKeyReport? {
        guard try self.directory.readsPasswords() else { return nil }
        let key: HostKey
        do throws(UseCaseError) {
            key = try self.hostKey.key(credentials: credentials)
        } catch {
            let all = try self.secretTables.count(under: "").all
            let isUnneeded = error.code == .hostKeyMissing && all == 0
            return HostKeyReport(tenants: all, others: nil, problem: isUnneeded ? nil : error)
        }
        let count = try self.secretTables.count(under: key.fingerprint)
        var problem: UseCaseError?
        if let sample = try self.secretTables.anyKey(under: key.fingerprint) {
            do throws(UseCaseError) { _ = try key.unwrap(sample) } catch { problem = error }
        }
        if count.under < count.all { problem = problem ?? UseCaseError(.hostKeyWrong) }
        return HostKeyReport(tenants: count.all, others: count.all - count.under, problem: problem)
    }
}
