/// A text that is never shown: printing it, inside whatever, shows that something is hidden there.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Hides a value.
    public init(_ value: String) { self.value = value }

    /// Always the same words.
    public var description: String { "(hidden)" }
    /// Always the same words.
    public var debugDescription: String { "(hidden)" }
    /// Shows nothing inside.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// The value itself, for the one place that sends it.
    func reveal() -> String { self.value }
}

/// Who signs in, and with what.
public struct Credentials: Sendable {
    /// The user's name as the server knows it.
    public let user: String
    /// The password, or better an app password.
    public let password: Secret

    /// A name and its password.
    public init(user: String, password: Secret) {
        self.user = user
        self.password = password
    }

    /// The value of `Authorization`, in UTF-8 (RFC 7617 §2.1).
    var basic: String { "Basic " + Self.base64(Array("\(self.user):\(self.password.reveal())".utf8)) }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * position) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
