import RemindavCSodium

/// The reason why bytes cannot be sealed or opened.
package struct SealingError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        case noLibrary = "libsodium (libsodium.so.23) is not installed"
        case length = "a key, a nonce or a sealed text has a wrong length"
        /// The key, the nonce, the associated data or the box differs from that of the sealing.
        case notAuthentic = "the sealed text does not belong to this key"
    }

    package let code: Code

    package init(_ code: Code) { self.code = code }
}

/// A key that seals bytes with XChaCha20-Poly1305: only the same key opens them, and a change of them is detected.
package struct SealingKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of a key.
    package static let byteCount = Int(REMINDAV_SODIUM_KEY_BYTES)
    /// The length of a nonce; with random nonces of this length, a key can seal any number of texts.
    package static let nonceByteCount = Int(REMINDAV_SODIUM_NONCE_BYTES)
    private static let tagByteCount = Int(REMINDAV_SODIUM_TAG_BYTES)

    package let bytes: [UInt8]

    /// - Throws: ``SealingError/Code/length`` unless there are ``byteCount`` bytes.
    package init(_ bytes: [UInt8]) throws(SealingError) {
        guard bytes.count == Self.byteCount else { throw SealingError(.length) }
        self.bytes = bytes
    }

    /// The placeholder, so that no log contains a key.
    package var description: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// Encrypts a message and appends its authentication tag.
    ///
    /// - Parameters:
    ///   - nonce: ``nonceByteCount`` random bytes, never used before with this key; ``open(_:nonce:about:)`` needs them.
    ///   - about: the associated data, which describe the purpose; ``open(_:nonce:about:)`` needs the same.
    package func seal(_ message: [UInt8], nonce: [UInt8], about: [UInt8]) throws(SealingError) -> [UInt8] {
        guard nonce.count == Self.nonceByteCount else { throw SealingError(.length) }
        guard let sodium = SodiumLibrary.functions else { throw SealingError(.noLibrary) }
        var box = [UInt8](repeating: 0, count: message.count + Self.tagByteCount)
        let status = sodium.pointee.encrypt(
            &box,
            nil,
            message,
            UInt64(message.count),
            about,
            UInt64(about.count),
            nil,
            nonce,
            self.bytes
        )
        guard status == 0 else { throw SealingError(.length) }
        return box
    }

    /// Decrypts a sealed message.
    ///
    /// - Throws: ``SealingError/Code/notAuthentic`` when a byte of the key, the box, the nonce or `about` differs.
    package func open(_ box: [UInt8], nonce: [UInt8], about: [UInt8]) throws(SealingError) -> [UInt8] {
        guard nonce.count == Self.nonceByteCount, box.count >= Self.tagByteCount else { throw SealingError(.length) }
        guard let sodium = SodiumLibrary.functions else { throw SealingError(.noLibrary) }
        // One byte more than necessary, because an empty array has no address.
        var message = [UInt8](repeating: 0, count: box.count - Self.tagByteCount + 1)
        let status = sodium.pointee.decrypt(
            &message,
            nil,
            nil,
            box,
            UInt64(box.count),
            about,
            UInt64(about.count),
            nonce,
            self.bytes
        )
        guard status == 0 else { throw SealingError(.notAuthentic) }
        message.removeLast()
        return message
    }
}
