/// The value of TRIGGER: the time of an alarm (RFC 5545 §3.8.6.3).
public enum Trigger: Hashable, Sendable {
    /// The time from which a relative trigger counts; for a to-do, `start` is DTSTART and `end` is DUE.
    public enum Anchor: String, Hashable, Sendable {
        /// DTSTART.
        case start = "START"
        /// DUE of a to-do, or DTEND of an event.
        case end = "END"
    }

    /// A time relative to an anchor; a negative duration means a time before the anchor.
    case relative(CalendarDuration, to: Anchor)
    /// A fixed moment.
    case absolute(Instant)

    /// Parses TRIGGER by its form, because Nextcloud sometimes omits `VALUE=DATE-TIME`; a time without `Z` is in UTC.
    ///
    /// - Parameters:
    ///   - wire: the value in wire form.
    ///   - related: the value of RELATED; any value except `END` counts as `START`.
    public init?(wire: String, related: String?) {
        if let instant = Instant(wire: wire) {
            self = .absolute(instant)
        } else if let duration = CalendarDuration(wire: wire) {
            self = .relative(duration, to: related.flatMap { Anchor(rawValue: $0.uppercased()) } ?? .start)
        } else {
            return nil
        }
    }

    /// The value in wire form; an absolute time also needs `VALUE=DATE-TIME`, and the anchor `end` needs `RELATED=END`.
    public var wire: String {
        switch self {
        case .relative(let duration, _): duration.wire
        case .absolute(let instant): instant.wire
        }
    }
}
