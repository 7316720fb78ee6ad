/// In which form a feed shows reminders.
package enum FeedStyle: String, CaseIterable, Sendable {
    /// Open reminders with a date as events: what every calendar shows. The default.
    case event
    /// Open reminders as to-dos, with or without a date: for the few programs that show to-dos of a subscription.
    case todo
    /// Both, told apart by their UIDs.
    case both

    /// Whether events are written.
    var hasEvents: Bool { self != .todo }
    /// Whether to-dos are written.
    var hasTodos: Bool { self != .event }
}
