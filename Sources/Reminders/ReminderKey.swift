/// An id that a script gives to a reminder; adding a reminder with the same id again finds the existing one.
///
/// The id becomes the UID (RFC 5545 §3.8.4.7). Some programs name a file after the UID. Therefore an id cannot contain
/// a slash, begin with a dot, or contain a character that has to be escaped in a URL path.
public struct ReminderKey: Hashable, Sendable {
    /// The id, which is also the UID.
    public let text: String

    /// The largest length in bytes; a file name may have 255 bytes, including `.ics` and other suffixes.
    public static let longest = 200

    /// Throws if the text is empty or longer than ``longest``, or has a character that is not allowed.
    ///
    /// It must begin with an ASCII letter or digit. All other characters are ASCII letters, digits or `-_.@+`.
    public init(_ text: String) throws(ReminderKeyError) {
        guard let first = text.utf8.first, Self.letters.contains(first), text.utf8.count <= Self.longest,
            text.utf8.allSatisfy({ Self.letters.contains($0) || Self.marks.contains($0) })
        else { throw .notAKey }
        self.text = text
    }

    private static let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    private static let marks = Set("-_.@+".utf8)
}

/// The reason why a text cannot be the id of a reminder.
public enum ReminderKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not the number of a reminder.
    case notAKey

    /// A sentence for the user that states the permitted form.
    public var description: String {
        """
        An id has 1 to \(ReminderKey.longest) letters from a to z, digits, '-', '_', '.', '@' and '+', and begins with a \
        letter or a digit.
        """
    }
}
