/// The limits on the text of a notification.
enum NotificationBodyLimits {
    /// The maximum length of a title in bytes: one line in any script.
    static let longestTitle = 1 << 10
    /// The maximum length of a body in bytes before escaping; services show only a few lines.
    static let longestBody = 8 << 10
    /// The maximum depth of nested changes of the writing direction; normal text has a depth below three.
    static let maximumDirections = 16
    /// The maximum number of buttons; a notification has space for three or four.
    static let maximumActions = 16
    /// The maximum length of a button label or the name of a service, in bytes.
    static let longestLabel = 200
}
