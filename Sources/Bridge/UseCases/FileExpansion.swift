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
        let main: Component
        let resolver: TimeZoneResolver
        let budget: StepBudget
        var occurrences: SeriesOccurrences
    }

    /// - Parameters:
    ///   - name: what messages call the file.
    ///   - from: what ends before this, or at it, is left out; a time without a zone is one on the local clock.
    ///   - to: what begins at this or later is left out.
    ///   - zones: where zones are looked up.
    ///   - localZone: the zoneinfo name of the clock that floating times are on.
    package init(
        _ bytes: [UInt8],
        named name: String,
        from: CalendarDateOrDateTime?,
        to: CalendarDateOrDateTime?,
        zones: ZoneDatabase,
        localZone: String
    ) throws {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else { throw UseCaseError.noCalendar(bytes, named: name) }
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: localZone)
        func instant(_ bound: CalendarDateOrDateTime) throws(RecurrenceError) -> Instant {
            guard let instant = resolver.instant(of: bound) else { throw .unknownZone }
            return instant
        }
        self.from = try from.map(instant)
        self.to = try to.map(instant)
        for issue in document.issues where issue.code.isError { self.note(issue.line, issue.message) }
        var shown: [Component] = []
        var resolvers: [Int: TimeZoneResolver] = [:]
        for component in document.components {
            if component.name == .vcalendar {
                resolvers[component.line] = TimeZoneResolver(database: zones, calendar: component, local: localZone)
                shown += component.components.filter(\.isShown)
            } else if component.isShown {
                shown.append(component)
            }
        }
        // A UID may come again in another VCALENDAR of the file; the zones are those of the first.
        for group in Series.grouped(shown) {
            let calendar = group[0].parent.flatMap { resolvers[$0.line] }
            self.add(group, calendar ?? resolver)
        }
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
            // Occurrences are counted elsewhere: the budget limits the search between two of them.
            self.sources[index].budget.renew()
            if let next = try self.sources[index].occurrences.next() { queue.push(next, index) }
        } catch {
            self.note(SeriesIssue(error, in: self.sources[index].main))
        }
    }

    private mutating func add(_ components: [Component], _ resolver: TimeZoneResolver) {
        do {
            let series = try Series(components, resolver: resolver)
            for issue in series.issues { self.note(issue) }
            guard !series.isEmpty else { return }
            let main = series.main ?? components[0]
            do {
                let occurrences = try series.occurrences(from: self.from, to: self.to)
                self.sources.append(
                    Source(main: main, resolver: resolver, budget: series.budget, occurrences: occurrences)
                )
                if series.isEndless { self.isOpen = true }
            } catch {
                self.note(SeriesIssue(error, in: main))
            }
        } catch {
            self.note(error)
        }
    }

    private mutating func note(_ issue: SeriesIssue) { self.note(issue.line, issue.description) }

    private mutating func note(_ line: Int, _ message: String) {
        self.issueCount += 1
        guard self.issues.count < ImportReport.issueLimit else { return }
        self.issues.append((line, message))
    }
}

extension Component {
    /// Whether it is of a kind that takes place.
    fileprivate var isShown: Bool { self.name == .vevent || self.name == .vtodo }
}

extension OccurrenceView {
    fileprivate init(_ occurrence: Occurrence, _ resolver: TimeZoneResolver) {
        let text = { (moment: CalendarDateOrDateTime) in Self.text(moment, resolver) }
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
    private static func text(_ moment: CalendarDateOrDateTime, _ resolver: TimeZoneResolver) -> String {
        guard case .dateTime(let time) = moment, time.zone != .floating, let instant = resolver.instant(of: time)
        else { return moment.description }
        return RFC3339.string(from: instant, offset: resolver.offset(of: time.zone, at: instant) ?? .zero)
    }
}

extension CalendarDateOrDateTime {
    fileprivate var zoneName: String? {
        guard case .dateTime(let time) = self, case .named(let name) = time.zone else { return nil }
        return name
    }
}
