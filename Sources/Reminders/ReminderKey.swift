/// A name that a script gives to a reminder, so that adding it again finds the existing one.
///
/// It is the UID (RFC 5545 §3.8.4.7). Programs that keep a file for each reminder name the file so: no key leads to
/// another folder, is hidden, or means something in an address.
public struct ReminderKey: Hashable, Sendable {
    /// The key, and the UID.
    public let text: String

    /// The maximum length in bytes: a file name may have 255, with `.ics` and other suffixes.
    public static let longest = 200

    /// Throws unless it has only ASCII letters, digits, `-`, `_`, `.`, `@` and `+`, the first a letter or a digit.
    public init(_ text: String) throws(ReminderKeyError) {
        guard let first = text.utf8.first, Self.letters.contains(first), text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ Self.letters.contains($0) || Self.marks.contains($0) })
        else { throw .notAKey }
        self.text = text
    }

    private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    private static let marks = Set("-_.@+".utf8)
}

/// Why a text is no key of a reminder.
public enum ReminderKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAKey

    /// How it would be right.
    public var description: String {
        """
        An id has 1 to \(ReminderKey.longest) letters from a to z, digits, '-', '_', '.', '@' and '+', and begins with a \
        letter or a digit.
        """
    }
}
