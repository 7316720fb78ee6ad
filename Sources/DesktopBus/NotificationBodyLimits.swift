/// Limits for the text of a notification.
enum NotificationBodyLimits {
    /// Bytes of a title: a line, in any script.
    static let longestTitle = 1 << 10
    /// Bytes of a body before escaping: a notification shows a few lines of them.
    static let longestBody = 8 << 10
    /// Directions of writing that are open within each other: real text does not nest three.
    static let maximumDirections = 16
    /// Buttons: three or four fit on a notification.
    static let maximumActions = 16
    /// Bytes of a button label or of a service name: a few words.
    static let longestLabel = 200
}
