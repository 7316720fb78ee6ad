package import JSON

/// One occurrence of an event or a to-do of a file.
package struct OccurrenceView: Hashable, Sendable {
    /// When it begins: a date; a time without an offset when it is floating; else RFC 3339 on the clock of its zone.
    package let start: String
    /// When it ends or is due, in the same form; `nil` when it lasts no time.
    package let end: String?
    /// The zone as the file names it; `nil` for a date, a floating time and UTC.
    package let zone: String?
    /// `VTODO` or `VEVENT`.
    package let component: String
    /// UID; `nil` when there is none.
    package let uid: String?
    /// RECURRENCE-ID of the occurrence, in the form of ``start``; `nil` for a single event or to-do.
    package let recurrenceID: String?
    /// SUMMARY; `nil` when there is none.
    package let summary: String?
    /// STATUS in capitals, such as `CANCELLED`; `nil` when there is none.
    package let status: String?
    /// Whether an override describes it: its own, or one for it and all later occurrences.
    package let isOverridden: Bool
    /// Whether it begins at another time than its RECURRENCE-ID says.
    package let isMoved: Bool
    /// The line of the component that describes it.
    package let line: Int
}

extension OccurrenceView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("start") { $0.start },
        JSONMember("end") { $0.end },
        JSONMember("zone") { $0.zone },
        JSONMember("component") { $0.component },
        JSONMember("uid") { $0.uid },
        JSONMember("recurrenceId") { $0.recurrenceID },
        JSONMember("summary") { $0.summary },
        JSONMember("status") { $0.status },
        JSONMember("overridden") { $0.isOverridden },
        JSONMember("moved") { $0.isMoved },
        JSONMember("line") { $0.line },
    ]
}
