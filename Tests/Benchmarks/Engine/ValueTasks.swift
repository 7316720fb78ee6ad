import ICalendar

/// Every value of every line, in its type.
///
/// The sums are those of `peers/libical_text.c`.
enum ValueTasks {
    private struct Sums {
        var moments = 0
        var integers = 0
        var durations = 0
        var rules = 0
        var text = 0
        /// Bytes of the values that only have to be made.
        var rest = 0

        mutating func add(_ moment: CalendarMoment) {
            let day = moment.day
            moments += day.year + day.month * 100 + day.day
            switch moment {
            case .date: moments += 7
            case .dateTime(let dateTime): moments += dateTime.time.hour + dateTime.time.minute + dateTime.time.second
            }
        }

        mutating func add(_ duration: CalendarDuration) {
            durations += duration.days * ClockTime.secondsPerDay + duration.seconds
        }
    }

    static func run(_ bytes: [UInt8]) {
        measure {
            let document = ICalendarDocument(bytes)
            var sums = Sums()
            for component in document.components { add(component, to: &sums) }
            return (document, sums)
        } finding: { _, sums in
            [
                "moments": sums.moments, "integers": sums.integers, "durations": sums.durations, "rules": sums.rules,
                "text": sums.text, "rest": sums.rest,
            ]
        }
    }

    private static func add(_ component: Component, to sums: inout Sums) {
        for property in component.properties { add(property, to: &sums) }
        for inner in component.components { add(inner, to: &sums) }
    }

    private static func add(_ property: Property, to sums: inout Sums) {
        guard let definition = property.definition, definition.name != .mozLastAck else {
            sums.rest += property.text.utf8.count
            return
        }
        switch definition.type {
        case .text:
            let count = property.text.utf8.count
            if definition.name == .summary || definition.name == .description || definition.name == .location {
                sums.text += count
            } else {
                sums.rest += count
            }
        case .textList: sums.rest += property.textList.count
        case .integer: sums.integers += property.integer ?? 0
        case .moment: property.moment.map { sums.add($0) }
        case .momentList:
            for value in property.value.split(separator: ",") {
                CalendarMoment(wire: String(value), tzid: nil).map { sums.add($0) }
            }
        case .duration: CalendarDuration(wire: property.value).map { sums.add($0) }
        case .recurrenceRule:
            if let rule = try? RecurrenceRule(wire: property.value) {
                sums.rules += rule.frequency.rawValue * 10 + rule.interval
            }
        case .trigger:
            switch Trigger(wire: property.value, related: property.parameter(.related)) {
            case .relative(let duration, _): sums.add(duration)
            case .absolute(let instant): sums.add(.dateTime(CalendarDateTime(utc: instant)))
            case nil: break
            }
        case .raw: sums.rest += property.value.utf8.count
        }
    }
}
