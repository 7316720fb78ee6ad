/// The limits on the contents of one message.
enum MessageLimits {
    /// The maximum number of values in a message; the longest known message has eight.
    static let maximumValues = 16
    /// The maximum number of members in a list or dictionary; no service reports more than twenty capabilities.
    static let maximumMembers = 256
    /// The maximum length of a text in bytes; the longest body that this program sends is shorter.
    static let longestText = 64 << 10
}
