package import RemindavBridge
import RemindavHTTP
package import RemindavPostgresStore
package import RemindavSealing

/// The key of a host, which wraps the keys of its tenants.
package struct HostKey: Sendable {
    private let key: SealingKey
    /// Identifies the key and reveals nothing about it.
    package let fingerprint: String

    /// The maximum number of bytes of a file or credential with a key: 64 digits and some white space.
    static let maximumTextBytes = 200
    /// The number of digits of a fingerprint; a collision of 128 bits does not happen by chance.
    private static let fingerprintDigits = 32

    private init(_ key: SealingKey) {
        self.key = key
        self.fingerprint = String(
            SHA256(Array("remindav host key ".utf8) + key.bytes).hexadecimal.prefix(Self.fingerprintDigits)
        )
    }

    /// Parses 64 hexadecimal digits; `nil` for any other text.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * SealingKey.byteCount else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[place]), let low = Self.value(digits[place + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        guard let key = try? SealingKey(bytes) else { return nil }
        self.init(key)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The bytes of a new key.
    static func random(_ randomBytes: (Int) -> [UInt8]) -> [UInt8] { randomBytes(SealingKey.byteCount) }

    private static func about(_ tenant: TenantID) -> [UInt8] { Array("remindav tenant key \(tenant.rawValue)".utf8) }

    /// Wraps the key of a tenant.
    package func wrap(
        _ key: SealingKey,
        of tenant: TenantID,
        randomBytes: (Int) -> [UInt8]
    ) throws(UseCaseError) -> WrappedKey {
        let nonce = randomBytes(SealingKey.nonceByteCount)
        let wrapped = try UseCaseError.sealing { () throws(SealingError) in
            try self.key.seal(key.bytes, nonce: nonce, about: Self.about(tenant))
        }
        return WrappedKey(tenant: tenant, hostKey: self.fingerprint, nonce: nonce, wrapped: wrapped)
    }

    /// Opens the key of a tenant.
    ///
    /// - Throws: `hostKeyWrong` if the key is under another key of the host; `secretDamaged` if it was changed.
    package func unwrap(_ key: WrappedKey) throws(UseCaseError) -> SealingKey {
        guard key.hostKey == self.fingerprint else { throw UseCaseError(.hostKeyWrong) }
        return try UseCaseError.sealing { () throws(SealingError) in
            try SealingKey(self.key.open(key.wrapped, nonce: key.nonce, about: Self.about(key.tenant)))
        }
    }
}

extension UseCaseError {
    /// Converts the errors of a body that seals or opens bytes.
    static func sealing<Value>(_ body: () throws(SealingError) -> Value) throws(UseCaseError) -> Value {
        do throws(SealingError) {
            return try body()
        } catch {
            switch error.code {
            case .noLibrary: throw UseCaseError(.sealingUnavailable)
            case .length, .notAuthentic: throw UseCaseError(.secretDamaged)
            }
        }
    }
}
