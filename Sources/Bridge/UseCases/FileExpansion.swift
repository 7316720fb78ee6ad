package import RemindavICalendar
package import RemindavJSON
package import RemindavRecurrence

/// The occurrences of all series of a file in the order of time, computed one at a time.
package struct FileExpansion {
    /// The errors, at most ``ImportReport/issueLimit``; the computation of occurrences may add further errors.
    package private(set) var issues: [(line: Int, message: String)] = []
    package private(set) var issueCount = 0
    package private(set) var isOpen = false
    private var sources: [Source] = []
    private let from: Instant?
    private let to: Instant?

    private struct Source {
        let main: Component
        let resolver: TimeZoneResolver
        let budget: StepBudget
        var occurrences: SeriesOccurrences
    }

    /// - Parameters:
    ///   - name: the name of the file in messages.
    ///   - from: skips occurrences that end before or at this time. `from` and `to` without a zone are local times.
    ///   - to: skips occurrences that begin at this time or later.
    ///   - localZone: the zoneinfo name of the zone for floating times.
    package init(
        _ bytes: [UInt8],
        named name: String,
        from: CalendarDateOrDateTime?,
        to: CalendarDateOrDateTime?,
        zones: ZoneDatabase,
        localZone: String
    ) throws {
        let document = try ICalendarDocument(calendar: bytes, named: name)
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
        // If several VCALENDARs contain a UID, the time zones of the first one apply.
        for group in Series.grouped(shown) {
            let calendar = group[0].parent.flatMap { resolvers[$0.line] }
            self.add(group, calendar ?? resolver)
        }
    }

    /// Calls `body` for each occurrence by time, then in file order; returns whether there are more than `limit`.
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

    private mutating func advance(_ index: Int, _ queue: inout OccurrenceQueue) {
        do {
            // The budget limits the steps of the search for each occurrence, so it is renewed.
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

    /// The date, the floating time without an offset, or any other time in RFC 3339 with its offset.
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

package struct OccurrenceView: Hashable, Sendable {
    /// The start: a date, a floating time without an offset, or RFC 3339 in the zone of the occurrence.
    package let start: String
    /// The end or the due time in the form of ``start``; `nil` without a duration.
    package let end: String?
    /// The name of the zone in the file; `nil` for a date, a floating time and UTC.
    package let zone: String?
    package let component: String
    package let uid: String?
    /// The RECURRENCE-ID in the form of ``start``; `nil` if the event or to-do does not repeat.
    package let recurrenceID: String?
    package let summary: String?
    /// The value of STATUS in capitals, such as `CANCELLED`.
    package let status: String?
    /// Whether an override applies to the occurrence; an override may also apply to all later occurrences.
    package let isOverridden: Bool
    /// Whether the start differs from the RECURRENCE-ID.
    package let isMoved: Bool
    package let line: Int
}

extension OccurrenceView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("start") { $0.start }, JSONMember("end") { $0.end }, JSONMember("zone") { $0.zone },
        JSONMember("component") { $0.component }, JSONMember("uid") { $0.uid },
        JSONMember("recurrenceId") { $0.recurrenceID }, JSONMember("summary") { $0.summary },
        JSONMember("status") { $0.status }, JSONMember("overridden") { $0.isOverridden },
        JSONMember("moved") { $0.isMoved }, JSONMember("line") { $0.line },
    ]
}
