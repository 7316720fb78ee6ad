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
        guard let values = try? property.values() else {
            sums.rest += property.value.utf8.count
            return
        }
        let isKnown = property.definition != nil && property.name != .mozLastAck
        let isTitle = property.name == .summary || property.name == .description || property.name == .location
        for value in values {
            switch value {
            case .date(let date) where isKnown: sums.add(.date(date))
            case .dateTime(let time) where isKnown: sums.add(.dateTime(time))
            case .period(let period) where isKnown: sums.add(period.start)
            case .integer(let number) where isKnown: sums.integers += number
            case .duration(let duration) where isKnown: sums.add(duration)
            case .recur(let rule) where isKnown: sums.rules += rule.frequency.rawValue * 10 + rule.interval
            case .text(let text) where isTitle: sums.text += text.utf8.count
            case .text(let text), .uri(let text), .calAddress(let text), .uid(let text), .unknown(let text):
                sums.rest += text.utf8.count
            default: sums.rest += 1
            }
        }
    }
}
