package import ICalendar
package import Recurrence

/// The occurrences of everything in a file, in the order of time, each worked out when it is asked for.
package struct FileExpansion {
    /// What could not be expanded, by line; grows while the occurrences are visited, up to ``ImportReport/issueLimit``.
    package private(set) var issues: [(line: Int, message: String)] = []
    /// How many there were, including those beyond the limit.
    package private(set) var issueCount = 0
    /// Whether a series has no end of its own.
    package private(set) var isOpen = false
    private var sources: [Source] = []
    private let from: Instant?
    private let to: Instant?

    /// One series, and how far its occurrences have been asked for.
    private struct Source {
        let components: [Component]
        let resolver: TimeZoneResolver
        var occurrences: SeriesOccurrences
    }

    /// - Parameters:
    ///   - from: what ends before this, or at it, is left out; a time without a zone is one on the local clock.
    ///   - to: what begins at this or later is left out.
    ///   - zones: where zones are looked up.
    ///   - localZone: the zoneinfo name of the clock that floating times are on.
    package init(
        _ bytes: [UInt8],
        from: CalendarMoment?,
        to: CalendarMoment?,
        zones: ZoneDatabase,
        localZone: String
    ) throws {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else { throw UseCaseError(.notCalendarData) }
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: localZone)
        func instant(_ bound: CalendarMoment) throws(RecurrenceError) -> Instant {
            guard let instant = resolver.instant(of: bound) else { throw .unknownZone }
            return instant
        }
        self.from = try from.map(instant)
        self.to = try to.map(instant)
        for issue in document.issues where issue.code.isError { self.note(issue.line, issue.message) }
        for calendar in document.components where calendar.name == .vcalendar {
            let resolver = TimeZoneResolver(database: zones, calendar: calendar, local: localZone)
            self.add(calendar.components, resolver)
        }
        self.add(document.components.filter { $0.name != .vcalendar }, resolver)
    }

    /// Visits the occurrences in the order of time; those of one moment in the order of the file.
    ///
    /// - Parameter limit: at most so many.
    /// - Returns: whether there are more, which were left out for `limit`.
    package mutating func forEach(limit: Int, _ body: (OccurrenceView) throws -> Void) throws -> Bool {
        var queue = OccurrenceQueue()
        for index in self.sources.indices { self.advance(index, &queue) }
        var count = 0
        while let (occurrence, index) = queue.pop() {
            if count == limit { return true }
            try body(OccurrenceView(occurrence, self.sources[index].resolver))
            count += 1
            self.advance(index, &queue)
        }
        return false
    }

    /// Puts the next occurrence of a source into the queue.
    private mutating func advance(_ index: Int, _ queue: inout OccurrenceQueue) {
        do {
            if let next = try self.sources[index].occurrences.next() { queue.push(next, index) }
        } catch {
            self.report(error, self.sources[index].components)
        }
    }

    private mutating func add(_ components: [Component], _ resolver: TimeZoneResolver) {
        let shown = components.filter { $0.name == .vevent || $0.name == .vtodo }
        for group in Series.grouped(shown) {
            for component in group { self.checkDates(of: component) }
            do {
                let series = try Series(group, resolver: resolver)
                let occurrences = try series.occurrences(from: self.from, to: self.to)
                self.sources.append(Source(components: group, resolver: resolver, occurrences: occurrences))
                if series.main?.hasEndlessRule ?? false { self.isOpen = true }
            } catch {
                self.report(error, group)
            }
        }
    }

    private mutating func note(_ line: Int, _ message: String) {
        self.issueCount += 1
        guard self.issues.count < ImportReport.issueLimit else { return }
        self.issues.append((line, message))
    }

    /// Names what keeps a component from being anywhere in time.
    private mutating func checkDates(of component: Component) {
        let recurrence = component.first(.recurrenceID)
        if let recurrence, recurrence.moment == nil {
            self.note(recurrence.line, "RECURRENCE-ID: this is no date and no time")
        }
        if component.name == .vevent, recurrence == nil, component.first(.dtstart) == nil {
            self.note(component.line, "VEVENT: there is no DTSTART")
        }
    }

    /// Names the line that is to blame for an error.
    private mutating func report(_ error: RecurrenceError, _ components: [Component]) {
        let main = components.first { $0.first(.recurrenceID) == nil } ?? components[0]
        let start = main.first(.dtstart) ?? main.first(.due)
        switch error.code {
        case .unreadableRule:
            for property in main.all(.rrule) {
                do {
                    _ = try RecurrenceRule(wire: property.value)
                } catch {
                    return self.note(property.line, "RRULE: \(error)")
                }
            }
            if let start, start.moment == nil {
                self.note(start.line, "\(start.name.canonical): this is no date and no time")
            } else {
                self.note(main.line, "\(error)")
            }
        case .unknownZone:
            let name = start?.name.canonical ?? "TZID"
            self.note(start?.line ?? main.line, "\(name): the time zone is not known")
        default:
            self.note(main.first(.rrule)?.line ?? main.line, "\(error)")
        }
    }
}

extension Component {
    /// Whether a rule goes on for ever.
    fileprivate var hasEndlessRule: Bool {
        self.all(.rrule).contains { property in
            guard let rule = try? RecurrenceRule(wire: property.value) else { return false }
            return rule.count == nil && rule.until == nil
        }
    }
}

extension OccurrenceView {
    fileprivate init(_ occurrence: Occurrence, _ resolver: TimeZoneResolver) {
        let text = { (moment: CalendarMoment) in Self.text(moment, resolver) }
        let start = occurrence.start ?? occurrence.end
        let recurrence = occurrence.recurrenceID.flatMap { resolver.instant(of: $0) }
        self.init(
            start: start.map(text) ?? RFC3339.string(from: occurrence.begins),
            end: occurrence.start == nil ? nil : occurrence.end.map(text),
            zone: start?.zoneName,
            component: occurrence.component.name.canonical,
            uid: occurrence.component.first(.uid)?.text.trimmingSpaces,
            recurrenceID: occurrence.recurrenceID.map(text),
            summary: occurrence.component.first(.summary)?.text,
            status: occurrence.component.first(.status)?.value.trimmingSpaces.uppercased(),
            isOverridden: occurrence.isOverride,
            isMoved: recurrence.map { $0 != occurrence.begins } ?? false,
            line: occurrence.component.line
        )
    }

    /// A date as it is, a floating time without an offset, any other with it.
    private static func text(_ moment: CalendarMoment, _ resolver: TimeZoneResolver) -> String {
        guard case .dateTime(let time) = moment, time.zone != .floating, let instant = resolver.instant(of: time)
        else { return moment.description }
        return RFC3339.string(from: instant, offset: resolver.offset(of: time.zone, at: instant) ?? .zero)
    }
}

extension CalendarMoment {
    fileprivate var zoneName: String? {
        guard case .dateTime(let time) = self, case .named(let name) = time.zone else { return nil }
        return name
    }
}

/// The next occurrence of each source, the earliest first: a binary heap.
private struct OccurrenceQueue {
    private var heap: [(occurrence: Occurrence, source: Int)] = []

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (self.heap[left].occurrence.begins, self.heap[left].source)
            < (self.heap[right].occurrence.begins, self.heap[right].source)
    }

    mutating func push(_ occurrence: Occurrence, _ source: Int) {
        self.heap.append((occurrence, source))
        var place = self.heap.count - 1
        while place > 0, self.precedes(place, (place - 1) / 2) {
            self.heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func pop() -> (Occurrence, Int)? {
        guard let first = self.heap.first else { return nil }
        let last = self.heap.removeLast()
        if !self.heap.isEmpty {
            self.heap[0] = last
            self.sink()
        }
        return (first.occurrence, first.source)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < self.heap.count && self.precedes(child, least) {
                least = child
            }
            guard least != place else { return }
            self.heap.swapAt(place, least)
            place = least
        }
    }
}
