/// How much of one message is read.
enum MessageLimits {
    /// Values of one message: the longest that is known has eight.
    static let maximumValues = 16
    /// Members of one list or dictionary: no service names more than twenty things that it can do.
    static let maximumMembers = 256
    /// Bytes of one text: more than the longest body that is sent.
    static let longestText = 64 << 10
}
