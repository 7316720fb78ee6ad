/// Limits on the parsed part of one message.
enum MessageLimits {
    /// Values of one message: the longest known message has eight.
    static let maximumValues = 16
    /// Members of one list or dictionary: no service reports more than twenty capabilities.
    static let maximumMembers = 256
    /// Bytes of one text: more than the longest body that is sent.
    static let longestText = 64 << 10
}
