/// The form of the reminders in a feed.
package enum FeedStyle: String, CaseIterable, Sendable {
    /// Open reminders with a date, as events, which every calendar shows. The default.
    case event
    /// Open reminders with or without a date, as to-dos: for the few programs that show to-dos of a subscription.
    case todo
    /// Both, with different UIDs.
    case both

    /// Whether events are written.
    var hasEvents: Bool { self != .todo }
    /// Whether to-dos are written.
    var hasTodos: Bool { self != .event }
}
