/// A name that a script gives to a reminder, so that making it again finds the one that is there.
///
/// It is the reminder's UID as it is (RFC 5545 §3.8.4.7), so that the same script on another computer makes the same one.
/// Programs that keep a file for each reminder call the file so: nothing in it leads to another folder, is hidden, or
/// means something in an address.
public struct ReminderKey: Hashable, Sendable {
    /// The key, and the UID.
    public let text: String

    /// How many letters a key may have: with `.ics` and what a program puts beside it, a file's name may have 255.
    public static let longest = 200

    /// - Throws: when it is none: letters of ASCII, digits, `-`, `_`, `.`, `@` and `+`, the first a letter or a digit.
    public init(_ text: String) throws(ReminderKeyError) {
        guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ $0.isLetterOrDigit || Self.marks.contains($0) })
        else { throw .notAKey }
        self.text = text
    }

    private static let marks = Set("-_.@+".utf8)
}

/// Why a text is no key of a reminder.
public enum ReminderKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is empty or too long, or has something in it that no key has.
    case notAKey

    /// How it would be right.
    public var description: String {
        """
        An id has 1 to \(ReminderKey.longest) letters from a to z, digits, '-', '_', '.', '@' and '+', and begins with a \
        letter or a digit.
        """
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
