extension DocumentChecker {
    mutating func checkEnd(_ component: Component, _ rule: ComponentRule, _ start: CalendarDateOrDateTime) {
        if start.isDate, self.has(.duration, component), let property = component.first(.duration),
            let duration = CalendarDuration(wire: property.value.trimmingSpaces), duration.seconds != 0
        {
            // RFC 5545 §3.8.2.5: if DTSTART is a date, DURATION must be in days or weeks.
            self.report(.durationOfHours, property)
        }
        guard let name = rule.end, self.has(name, component), let property = component.first(name),
            let end = property.moment
        else { return }
        // RFC 5545 §3.8.2.2, §3.8.2.3: the end must have the type of DTSTART, and a time zone only if DTSTART has one.
        self.checkLikeness(end, property.line, name, start, "it is read as local time of the viewer")
        let isBefore =
            start.isDate == end.isDate ? end.isAfter(start, orEqual: !rule.mustLast) == false : end.day < start.day
        guard isBefore else { return }
        let words = rule.kind == .todo ? "it is before DTSTART; the start is ignored" : nil
        self.report(.endBeforeStart, property, words)
    }

    mutating func checkDates(_ component: Component, _ start: CalendarDateOrDateTime) {
        for name in [Name.exdate, .rdate] where self.has(name, component) {
            for property in component.all(name) {
                guard let value = property.valueReader.firstValue else { continue }
                let moment: CalendarDateOrDateTime? =
                    if case .period(let period) = value { period.start } else { value.moment }
                if let moment { self.checkLikeness(moment, property.line, name, start, Self.onClockOfStart) }
            }
        }
    }

    /// Checks whether each RECURRENCE-ID has the same type as DTSTART of its series (RFC 5545 §3.8.4.4).
    mutating func checkOverrides() {
        for override in self.overrides {
            guard let start = self.masters[override.uid.exact] else { continue }
            self.checkLikeness(override.moment, override.line, .recurrenceID, start, Self.onClockOfStart)
        }
    }

    private static let onClockOfStart = "it is read in the zone of DTSTART"

    /// - Parameter reading: the interpretation of a time without a time zone, as words for the message.
    private mutating func checkLikeness(
        _ moment: CalendarDateOrDateTime,
        _ line: Int,
        _ name: Name,
        _ start: CalendarDateOrDateTime,
        _ reading: String
    ) {
        guard case .dateTime(let time) = moment, case .dateTime(let first) = start else {
            guard moment.isDate != start.isDate else { return }
            let words = moment.isDate ? "it is a day, but DTSTART is a time" : "it is a time, but DTSTART is a day"
            return self.report(.typesDiffer, line, name.wire, words)
        }
        guard (time.zone == .floating) != (first.zone == .floating) else { return }
        let words =
            time.zone == .floating
            ? "it has no zone, but DTSTART has one; \(reading)"
            : "it has a zone, but DTSTART has none; the difference depends on the zone of the viewer"
        self.report(.zoneDiffers, line, name.wire, words)
    }
}

extension CalendarDateOrDateTime {
    /// Whether this time is after `other`, or equal to it if `orEqual`; `nil` if this depends on the time zones' rules.
    func isAfter(_ other: Self, orEqual: Bool) -> Bool? {
        let distance = self.localSeconds - other.localSeconds
        if case .dateTime(let own) = self, case .dateTime(let its) = other, own.zone != its.zone {
            // At one moment, the local times of two zones differ by at most 26 hours; more than that proves the order.
            return abs(distance) > 26 * 3600 ? distance > 0 : nil
        }
        return orEqual ? distance >= 0 : distance > 0
    }
}

extension DocumentChecker {
    /// Adds the parser's issues; a truncated file is reported only once, and so is an END in the wrong place.
    mutating func checkReading() {
        let storage = self.document.storage
        self.checkEnds()
        for issue in self.document.issues {
            switch issue.code {
            case .missingEnd: continue
            case .unexpectedEnd where self.lateEnds.contains(issue.line): continue
            case .missingColon, .badName, .unclosedQuote:
                if issue.line != self.cutLine { self.issues.add(issue) }
            default: self.issues.add(issue)
            }
        }
        // The parser reports only a limited number of issues. The line records give the number of all bad lines.
        let reported = self.document.issues.filter { $0.code != .missingEnd }
        guard reported.count >= storage.limits.issues, let last = reported.last else { return }
        let bad = storage.lines.count { $0.kind == .bad }
        self.issues.count(max(bad - reported.count, 0), like: last)
    }

    private mutating func checkEnds() {
        let storage = self.document.storage
        guard storage.components.contains(where: { !$0.isEnded }) else { return }
        let last = storage.lines.count - 1
        var ends = LateEnds(self.document.issues)
        var innermost: Component?
        var isCut = false
        for index in storage.components.indices where !storage.components[index].isEnded {
            let component = Component(storage: storage, index: index)
            let end = Int(storage.components[index].end)
            if end == last {
                // An import checks single components. So a file is surely truncated only if a VCALENDAR has no END.
                isCut = isCut || component.parent == nil && component.name == .vcalendar
                innermost = component
                guard isCut else { self.report(.missingEnd, component.line, component.name.canonical); continue }
            } else if let line = ends.next(component.name.canonical, after: Int(storage.lines[end].number)) {
                self.lateEnds.insert(line)
                self.report(.crossedEnds, line, component.name.canonical, component.endedAncestor?.name.canonical)
            } else {
                self.report(.missingEnd, component.line, component.name.canonical)
            }
        }
        guard isCut, let innermost else { return }
        let line = storage.lines.dropLast().last { $0.kind != .blank }.map { Int($0.number) } ?? innermost.line
        if storage.source.last != 0x0A, storage.source.last != 0x0D { self.cutLine = line }
        self.report(.fileCutShort, line, innermost.name.canonical)
    }
}

extension Component {
    fileprivate var endedAncestor: Component? {
        var ancestor = self.parent
        while let candidate = ancestor, !candidate.isEnded { ancestor = candidate.parent }
        return ancestor
    }
}

/// The line numbers of the ENDs without a BEGIN, by component name.
///
/// ``next(_:after:)`` returns the first such END after a component of that name that has no END.
private struct LateEnds {
    private var lines: [String: ArraySlice<Int>] = [:]

    init(_ issues: [ParseIssue]) {
        for issue in issues where issue.code == .unexpectedEnd {
            if let subject = issue.subject { self.lines[subject, default: []].append(issue.line) }
        }
    }

    mutating func next(_ name: String, after line: Int) -> Int? {
        guard var lines = self.lines.removeValue(forKey: name) else { return nil }
        lines = lines.drop { $0 <= line }
        let found = lines.popFirst()
        self.lines[name] = lines
        return found
    }
}
