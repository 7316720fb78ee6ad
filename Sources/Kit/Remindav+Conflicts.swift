import RemindavBridge

/// A field that both sides had changed when a sync merged a reminder.
public struct Conflict: Hashable, Sendable, Identifiable {
    /// The side of a change.
    public enum Side: Hashable, Sendable {
        /// This store.
        case here
        /// The server, and with it another device.
        case server
    }

    /// The number for ``Remindav/restoreConflict(_:)`` and ``Remindav/dismissConflict(_:)``.
    public let id: Int64
    /// The number of the reminder; `nil` when it was deleted.
    public let reminder: Int64?
    /// The title that the reminder has, or had before its deletion.
    public let title: String
    /// The name of the list.
    public let list: String
    /// The name of the iCalendar property, such as `SUMMARY`.
    public let property: String
    /// The value that the reminder has, in wire form; empty when the property was removed.
    ///
    /// A value with parameters, or with several lines, is written as content lines (RFC 5545 §3.1).
    public let kept: String
    /// The other value, in the form of ``kept``; empty when the property was removed.
    public let lost: String
    /// The side of the other value.
    public let lostSide: Side

    init(_ view: ConflictView) {
        (self.id, self.reminder, self.title, self.list) = (view.number, view.reminder, view.title, view.list)
        (self.property, self.kept, self.lost) = (view.property, view.kept, view.lost)
        self.lostSide = view.lostSide == "here" ? .here : .server
    }
}

extension Remindav {
    /// Returns the conflicts that are neither restored nor dismissed.
    public func conflicts() throws(RemindavError) -> [Conflict] {
        try self.perform { try self.useCases.conflicts().map { Conflict($0) } }
    }

    /// Gives the reminder the other value and settles the conflict; the next sync sends the value.
    public func restoreConflict(_ id: Int64) throws(RemindavError) {
        try self.perform { _ = try self.useCases.restoreConflict(id) }
    }

    /// Accepts the value that the reminder has.
    public func dismissConflict(_ id: Int64) throws(RemindavError) {
        try self.perform { _ = try self.useCases.dismissConflict(id) }
    }
}
