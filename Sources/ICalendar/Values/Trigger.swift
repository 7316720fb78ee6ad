/// The trigger of an alarm (RFC 5545 §3.8.6.3).
public enum Trigger: Hashable, Sendable {
    /// The reference time of a relative trigger: RELATED=START or RELATED=END, which for a to-do are DTSTART and DUE.
    public enum Anchor: String, Hashable, Sendable {
        case start = "START"
        /// DUE of a to-do, DTEND of an event.
        case end = "END"
    }

    /// Before its anchor when negative.
    case relative(CalendarDuration, to: Anchor)
    case absolute(Instant)

    /// Parses the value of TRIGGER.
    ///
    /// The form decides: `VALUE=DATE-TIME` is sometimes missing (Nextcloud). A time without `Z` is read as UTC.
    ///
    /// - Parameter related: the value of RELATED; any value except `END` counts as `START`.
    public init?(wire: String, related: String?) {
        if let instant = Instant(wire: wire) {
            self = .absolute(instant)
        } else if let duration = CalendarDuration(wire: wire) {
            self = .relative(duration, to: related.flatMap { Anchor(rawValue: $0.uppercased()) } ?? .start)
        } else {
            return nil
        }
    }

    /// The value in wire form; an absolute one also needs `VALUE=DATE-TIME`, one to the end `RELATED=END`.
    public var wire: String {
        switch self {
        case .relative(let duration, _): duration.wire
        case .absolute(let instant): instant.wire
        }
    }
}
