public import RemindavRecurrence
private import Synchronization

/// The calendar systems of RSCALE (RFC 7529), computed by ICU.
public final class CalendarSystems: Sendable {
    /// The calendar systems of the ICU of this computer; it is loaded when the first one is requested.
    public static let ofSystem = CalendarSystems { ICULibrary.system }

    private let library: @Sendable () -> ICULibrary?
    /// A calendar for each requested name in ``names``, so there are few.
    private let known = Mutex<[String: CalendarSystem]>([:])

    /// The values of RSCALE that have a calendar, besides those that mean the Gregorian one, sorted.
    public static var names: [String] { ICUCalendar.names.keys.sorted() }

    init(library: @escaping @Sendable () -> ICULibrary?) { self.library = library }

    /// The calendar system of an RSCALE in capitals.
    ///
    /// - Throws: `RecurrenceError/unsupportedCalendar(_:)`, or `RecurrenceError/missingCalendarLibrary(_:)` if ICU is
    ///   not installed.
    public func calendar(named name: String) throws(RecurrenceError) -> CalendarSystem {
        if let known = self.known.withLock({ $0[name] }) { return known }
        guard let icuName = ICUCalendar.names[name] else { throw .unsupportedCalendar(name) }
        guard let library = self.library() else { throw .missingCalendarLibrary(name) }
        guard let calendar = ICUCalendar(icuName, of: library) else { throw .unsupportedCalendar(name) }
        let system = CalendarSystem {
            calendar.year($0)
        } yearNumber: {
            calendar.yearNumber(of: $0)
        }
        self.known.withLock { $0[name] = system }
        return system
    }
}
