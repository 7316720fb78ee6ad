package import ICalendar
package import Recurrence

/// The occurrences of everything in a file, in the order of time, each worked out when it is asked for.
package struct FileExpansion {
    /// What could not be expanded, by line; grows while the occurrences are visited.
    package private(set) var issues: [(line: Int, message: String)] = []
    /// Whether a series has no end of its own.
    package private(set) var isOpen = false
    private var sources: [OccurrenceSource] = []
    private let range: Range<Int64>

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
        func seconds(_ bound: CalendarMoment) throws(RecurrenceError) -> Int64 {
            guard let instant = resolver.instant(of: bound) else { throw .unknownZone }
            return instant.secondsSince1970
        }
        let start = try from.map(seconds) ?? .min / 2
        let end = try to.map(seconds) ?? .max / 2
        self.range = start..<max(start, end)
        self.issues = document.issues.filter(\.code.isError).map { ($0.line, $0.message) }
        let calendars = document.components.filter { $0.name == .vcalendar }
        for calendar in calendars {
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
        var queue = SourceQueue()
        for index in self.sources.indices { self.advance(index, &queue) }
        var count = 0
        while let (occurrence, index) = queue.pop() {
            if count == limit { return true }
            try body(self.sources[index].view(occurrence))
            count += 1
            self.advance(index, &queue)
        }
        return false
    }

    /// Puts the next occurrence of a source that is in range into the queue.
    private mutating func advance(_ index: Int, _ queue: inout SourceQueue) {
        do {
            if let next = try self.sources[index].next(in: self.range) { queue.push(next, index) }
        } catch {
            self.issues.append((self.sources[index].component.line, "\(error)"))
        }
    }

    /// Adds the series of these components: those of one name and UID belong together.
    private mutating func add(_ components: [Component], _ resolver: TimeZoneResolver) {
        var groups: [SeriesKey: [Component]] = [:]
        var order: [SeriesKey] = []
        for component in components where component.name == .vevent || component.name == .vtodo {
            let uid = component.first(.uid)?.text.trimmingSpaces ?? ""
            // Without a UID nothing belongs to anything.
            let key = SeriesKey(name: component.name, uid: uid, line: uid.isEmpty ? component.line : 0)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(component)
        }
        for key in order { self.addSeries(groups[key] ?? [], resolver) }
    }

    private mutating func addSeries(_ components: [Component], _ resolver: TimeZoneResolver) {
        var overrides: [SeriesPart] = []
        var masters: [SeriesPart] = []
        for component in components {
            do throws(ExpansionIssue) {
                guard let part = try SeriesPart(component, resolver) else { continue }
                if part.recurrence == nil { masters.append(part) } else { overrides.append(part) }
            } catch {
                self.issues.append((error.line, error.message))
            }
        }
        for (index, master) in masters.enumerated() {
            // A second one of the same UID is a series of its own, which nobody overrides.
            self.add(master, index == 0 ? overrides : [], resolver)
        }
        for override in overrides {
            self.sources.append(OccurrenceSource(override, resolver))
        }
    }

    private mutating func add(_ master: SeriesPart, _ overrides: [SeriesPart], _ resolver: TimeZoneResolver) {
        guard master.repeats else { return self.sources.append(OccurrenceSource(master, resolver)) }
        if master.rules.contains(where: { $0.count == nil && $0.until == nil }) { self.isOpen = true }
        let replaced = Set(overrides.compactMap(\.recurrenceSeconds))
        // From each override for all that follows on, what it says holds until the next such one.
        let turns = overrides.filter(\.isForFuture)
            .compactMap { part in part.recurrenceSeconds.map { (part, $0) } }
            .sorted { $0.1 < $1.1 }
        var parts: [(part: SeriesPart, from: Int64, to: Int64)] = []
        var begin = Int64.min / 2
        var current = master
        for (part, seconds) in turns {
            parts.append((current, begin, seconds))
            (current, begin) = (part, seconds)
        }
        parts.append((current, begin, .max / 2))
        for (part, from, to) in parts where from < to {
            do {
                self.sources.append(
                    try OccurrenceSource(
                        master,
                        saying: part,
                        from: from,
                        to: to,
                        replaced: replaced,
                        range: self.range,
                        resolver
                    )
                )
            } catch {
                self.issues.append((master.component.line, "\(error)"))
            }
        }
    }
}

/// By what the components of one series are found.
private struct SeriesKey: Hashable {
    let name: Name
    let uid: String
    let line: Int
}

/// Why a component cannot be expanded.
private struct ExpansionIssue: Error {
    let line: Int
    let message: String
}

/// What one component says about when something takes place.
private struct SeriesPart {
    let component: Component
    let start: CalendarMoment
    /// How long it lasts, in seconds; of days whole days.
    let seconds: Int64
    let recurrence: CalendarMoment?
    /// The moment of RECURRENCE-ID.
    let recurrenceSeconds: Int64?
    let isForFuture: Bool
    let rules: [RecurrenceRule]
    let dates: [CalendarMoment]
    /// How long each RDATE lasts that is a period, by its moment.
    let lengths: [Int64: Int64]
    let exceptions: [CalendarMoment]

    var repeats: Bool { !self.rules.isEmpty || !self.dates.isEmpty }

    /// How far it is moved from where its RECURRENCE-ID is, on the clock on the wall.
    var shift: Int64 { self.recurrence.map { self.start.localSeconds - $0.localSeconds } ?? 0 }

    /// - Returns: `nil` for a to-do without a date, which is at no time.
    init?(_ component: Component, _ resolver: TimeZoneResolver) throws(ExpansionIssue) {
        func issue(_ property: Property, _ message: String) -> ExpansionIssue {
            ExpansionIssue(line: property.line, message: "\(property.name.canonical): \(message)")
        }
        func moment(_ name: Name) throws(ExpansionIssue) -> CalendarMoment? {
            guard let property = component.first(name), !property.value.trimmingSpaces.isEmpty else { return nil }
            guard let moment = property.moment else { throw issue(property, "this is no date and no time") }
            guard resolver.instant(of: moment) != nil else { throw issue(property, "the time zone is not known") }
            return moment
        }
        func moments(_ name: Name) throws(ExpansionIssue) -> [(start: CalendarMoment, seconds: Int64?)] {
            var all: [(start: CalendarMoment, seconds: Int64?)] = []
            for property in component.all(name) {
                for item in property.value.split(separator: ",") {
                    guard let moment = Self.moment(item, tzid: property.parameter(.tzid), resolver) else {
                        throw issue(property, "there is something that is no date and no time")
                    }
                    all.append(moment)
                }
            }
            return all
        }
        let end = try moment(component.name == .vtodo ? .due : .dtend)
        let begin = try moment(.dtstart)
        let recurrence = try moment(.recurrenceID)
        guard let start = begin ?? (component.name == .vtodo ? end ?? recurrence : recurrence) else {
            if component.name == .vtodo { return nil }
            throw ExpansionIssue(line: component.line, message: "VEVENT: there is no DTSTART")
        }
        var rules: [RecurrenceRule] = []
        for property in component.all(.rrule) {
            do {
                rules.append(try RecurrenceRule(wire: property.value))
            } catch {
                throw issue(property, "\(error)")
            }
        }
        self.component = component
        self.start = start
        self.seconds = Self.length(of: component, from: begin, to: end, resolver)
        self.recurrence = recurrence
        self.recurrenceSeconds = recurrence.flatMap { resolver.instant(of: $0) }?.secondsSince1970
        self.isForFuture =
            component.first(.recurrenceID)?.parameter(.range)?.uppercased() == "THISANDFUTURE"
        self.rules = recurrence == nil ? rules : []
        let dates = recurrence == nil ? try moments(.rdate) : []
        self.dates = dates.map(\.start)
        self.lengths = dates.reduce(into: [:]) { lengths, date in
            guard let instant = resolver.instant(of: date.start) else { return }
            lengths[instant.secondsSince1970] = date.seconds
        }
        self.exceptions = recurrence == nil ? try moments(.exdate).map(\.start) : []
    }

    /// A date, a time or a period.
    private static func moment(
        _ text: Substring,
        tzid: String?,
        _ resolver: TimeZoneResolver
    ) -> (start: CalendarMoment, seconds: Int64?)? {
        let halves = text.split(separator: "/").map { String($0).trimmingSpaces }
        guard let first = halves.first, let start = CalendarMoment(wire: first, tzid: tzid) else { return nil }
        guard halves.count == 2 else { return halves.count == 1 ? (start, nil) : nil }
        if let duration = CalendarDuration(wire: halves[1]) { return (start, Self.seconds(of: duration)) }
        guard let end = CalendarMoment(wire: halves[1], tzid: tzid) else { return nil }
        guard let from = resolver.instant(of: start), let to = resolver.instant(of: end) else { return (start, nil) }
        return (start, max(to.secondsSince1970 - from.secondsSince1970, 0))
    }

    private static func seconds(of duration: CalendarDuration) -> Int64 {
        max(Int64(duration.days * ClockTime.secondsPerDay + duration.seconds), 0)
    }

    private static func length(
        of component: Component,
        from begin: CalendarMoment?,
        to end: CalendarMoment?,
        _ resolver: TimeZoneResolver
    ) -> Int64 {
        guard let begin else { return 0 }
        if let end {
            if begin.isDate, end.isDate { return max(end.localSeconds - begin.localSeconds, 0) }
            guard let first = resolver.instant(of: begin), let last = resolver.instant(of: end) else { return 0 }
            return max(last.secondsSince1970 - first.secondsSince1970, 0)
        }
        if let duration = component.first(.duration).flatMap({ CalendarDuration(wire: $0.value.trimmingSpaces) }) {
            return self.seconds(of: duration)
        }
        // A day without an end lasts that day (RFC 5545 §3.6.1).
        return begin.isDate && component.name == .vevent ? Int64(ClockTime.secondsPerDay) : 0
    }
}

/// One occurrence on its way out.
private struct FoundOccurrence {
    let start: CalendarMoment
    let recurrence: CalendarMoment?
    /// The moment of ``start``, seconds since 1970.
    let seconds: Int64
    /// How many seconds it lasts.
    let length: Int64
}

/// Occurrences that one component says, in the order of time.
private struct OccurrenceSource {
    let component: Component
    private let part: SeriesPart
    private let resolver: TimeZoneResolver
    /// `nil` for a single one.
    private var occurrences: Occurrences?
    private var single: FoundOccurrence?
    private var from = Int64.min
    private var to = Int64.max
    private var replaced: Set<Int64> = []
    private var lengths: [Int64: Int64] = [:]

    /// A component that stands for itself.
    init(_ part: SeriesPart, _ resolver: TimeZoneResolver) {
        self.component = part.component
        self.part = part
        self.resolver = resolver
        self.single = resolver.instant(of: part.start).map {
            FoundOccurrence(
                start: part.start,
                recurrence: part.recurrence,
                seconds: $0.secondsSince1970,
                length: part.seconds
            )
        }
    }

    /// The occurrences of `master` from `from` to `to`, as `part` says they are.
    init(
        _ master: SeriesPart,
        saying part: SeriesPart,
        from: Int64,
        to: Int64,
        replaced: Set<Int64>,
        range: Range<Int64>,
        _ resolver: TimeZoneResolver
    ) throws(RecurrenceError) {
        self.component = part.component
        self.part = part
        self.resolver = resolver
        self.from = from
        self.to = to
        self.replaced = replaced
        let set = RecurrenceSet(
            start: master.start,
            rules: master.rules,
            dates: master.dates,
            exceptions: master.exceptions,
            resolver: resolver
        )
        // A day earlier than anything that could reach into the range.
        self.lengths = master.lengths
        let reach =
            max(part.seconds, master.lengths.values.max() ?? 0) + abs(part.shift) + 2 * Int64(ClockTime.secondsPerDay)
        let floor = max(range.lowerBound, from) - reach
        if floor > Self.firstSecond {
            self.occurrences = try set.occurrences(after: .dateTime(CalendarDateTime(localSeconds: floor, zone: .utc)))
        } else {
            self.occurrences = try set.occurrences()
        }
    }

    private static let firstSecond = Int64(CalendarDate.firstDayNumber) * Int64(ClockTime.secondsPerDay)

    /// The next one that reaches into the range; `nil` after the last.
    mutating func next(in range: Range<Int64>) throws(RecurrenceError) -> FoundOccurrence? {
        if let single = self.single {
            self.single = nil
            return self.reaches(single, range) ? single : nil
        }
        while let original = try self.occurrences?.next() {
            guard let instant = self.resolver.instant(of: original) else { throw .unknownZone }
            let place = instant.secondsSince1970
            if place < self.from || self.replaced.contains(place) { continue }
            if place >= self.to { break }
            let start = original.shifted(by: self.part.shift, like: self.part.start)
            guard let moved = self.resolver.instant(of: start)?.secondsSince1970 else { throw .unknownZone }
            if moved >= range.upperBound { break }
            let length = self.lengths[place] ?? self.part.seconds
            let found = FoundOccurrence(start: start, recurrence: original, seconds: moved, length: length)
            if self.reaches(found, range) { return found }
        }
        self.occurrences = nil
        return nil
    }

    private func reaches(_ found: FoundOccurrence, _ range: Range<Int64>) -> Bool {
        guard found.seconds < range.upperBound else { return false }
        return found.length == 0
            ? found.seconds >= range.lowerBound : found.seconds + found.length > range.lowerBound
    }

    func view(_ found: FoundOccurrence) -> OccurrenceView {
        let zone: String? =
            if case .dateTime(let time) = found.start, case .named(let name) = time.zone { name } else { nil }
        return OccurrenceView(
            start: self.text(found.start),
            end: self.end(found).map(self.text),
            zone: zone,
            component: self.component.name.canonical,
            uid: self.component.first(.uid)?.text.trimmingSpaces,
            recurrenceID: found.recurrence.map(self.text),
            summary: self.component.first(.summary)?.text,
            isOverridden: self.part.recurrence != nil,
            isMoved: found.recurrence.flatMap { self.resolver.instant(of: $0) }
                .map { $0.secondsSince1970 != found.seconds } ?? false,
            line: self.component.line
        )
    }

    private func end(_ found: FoundOccurrence) -> CalendarMoment? {
        guard found.length > 0 else { return nil }
        switch found.start {
        case .date(let date):
            return .date(date.adding(days: Int(found.length) / ClockTime.secondsPerDay))
        case .dateTime(let time):
            let instant = Instant(secondsSince1970: found.seconds).adding(seconds: Int(found.length))
            return self.resolver.dateTime(of: instant, in: time.zone).map { .dateTime($0) }
        }
    }

    /// A date as it is, a floating time without an offset, any other with it.
    private func text(_ moment: CalendarMoment) -> String {
        guard case .dateTime(let time) = moment, time.zone != .floating, let instant = self.resolver.instant(of: time)
        else { return moment.description }
        return RFC3339.string(from: instant, offset: self.resolver.offset(of: time.zone, at: instant) ?? .zero)
    }
}

extension CalendarMoment {
    /// So many seconds later on the clock on the wall, in the form and the zone of `model`.
    fileprivate func shifted(by seconds: Int64, like model: CalendarMoment) -> CalendarMoment {
        guard seconds != 0 || self.isDate != model.isDate else { return self }
        let local = self.localSeconds + seconds
        switch model {
        case .date: return .date(CalendarDateTime(localSeconds: local, zone: .floating).date)
        case .dateTime(let time): return .dateTime(CalendarDateTime(localSeconds: local, zone: time.zone))
        }
    }
}

/// The next occurrence of each source, the earliest first: a binary heap.
private struct SourceQueue {
    private var heap: [(occurrence: FoundOccurrence, source: Int)] = []

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (self.heap[left].occurrence.seconds, self.heap[left].source)
            < (self.heap[right].occurrence.seconds, self.heap[right].source)
    }

    mutating func push(_ occurrence: FoundOccurrence, _ source: Int) {
        self.heap.append((occurrence, source))
        var place = self.heap.count - 1
        while place > 0, self.precedes(place, (place - 1) / 2) {
            self.heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func pop() -> (FoundOccurrence, Int)? {
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
