public import ICalendar
package import JSON
import SQLiteStore
import Store

/// Alarms that could not be shown, for who looks afterwards.
///
/// Nothing of what was to be shown is in it.
public struct DeliveryFailure: Hashable, Sendable, CustomStringConvertible {
    /// When the first of them could not.
    public let since: Instant
    /// When the last of them was shown after all, or was to be shown no more; `nil` while some still wait.
    public let over: Instant?
    /// How many reminders wait, or waited at the last.
    public let count: Int
    /// Why, in one clause.
    public let reason: String

    /// One of which each part is given.
    package init(since: Instant, over: Instant? = nil, count: Int, reason: String) {
        self.since = since
        self.over = over
        self.count = count
        self.reason = reason
    }

    /// What happened, in one sentence without a full stop: `Failed to schedule notification`, and why.
    public var description: String { "Failed to schedule notification: \(self.reason)" }

    /// Whether something still waits.
    var isOpen: Bool { self.over == nil }

    /// What of it can still be so, for who looks; `nil` when nothing can.
    ///
    /// Only a daemon writes down that it is over. Where none runs, and all that has rung was seen to,
    /// nothing waits to be shown.
    ///
    /// - Parameters:
    ///   - isRunning: whether a daemon rings for the store.
    ///   - unacknowledged: how many reminders have rung without anybody seeing to them; `nil` when nobody can tell.
    package func standing(isRunning: Bool, unacknowledged: Int?) -> Self? {
        self.isOpen && !isRunning && unacknowledged == 0 ? nil : self
    }

    /// What is known now: it begins with the first alarm that cannot be shown, and is over when nothing is left to show.
    ///
    /// - Parameters:
    ///   - known: what was known before.
    ///   - unshown: reminders that could not be shown.
    ///   - showing: reminders that are to be shown and are not yet, those among them.
    ///   - reason: why the last one could not; `nil` when nobody has said so since a service is there.
    static func now(after known: Self?, unshown: Int, showing: Int, reason: String?, at now: Instant) -> Self? {
        guard let known, known.isOpen else {
            guard unshown > 0, let reason else { return known }
            return Self(since: now, count: unshown, reason: reason)
        }
        let isOver = showing == 0
        return Self(
            since: known.since,
            over: isOver ? now : nil,
            count: isOver ? known.count : unshown > 0 ? unshown : showing,
            reason: reason ?? known.reason
        )
    }
}

extension UseCases {
    /// What the daemon of a store could not show, the last time that there was such a thing; `nil` when it never was, and
    /// when nobody can tell.
    package static func deliveryFailure(in folder: String) -> DeliveryFailure? {
        (try? DeliveryStateFile.look(folder: folder, kind: DeliveryStateCoding.troubleKind)).flatMap(
            DeliveryStateCoding.trouble
        )
    }
}

extension DeliveryFailure: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("count") { $0.count },
        JSONMember("since") { $0.since },
        JSONMember("error") { $0.description },
    ]
}
