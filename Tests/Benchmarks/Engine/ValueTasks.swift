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
            var values: [PropertyValue] = []
            for component in document.components { add(component, to: &sums, &values) }
            return (document, sums)
        } finding: { _, sums in
            [
                "moments": sums.moments, "integers": sums.integers, "durations": sums.durations, "rules": sums.rules,
                "text": sums.text, "rest": sums.rest,
            ]
        }
    }

    private static func add(_ component: Component, to sums: inout Sums, _ values: inout [PropertyValue]) {
        for property in component.properties { add(property, to: &sums, &values) }
        for inner in component.components { add(inner, to: &sums, &values) }
    }

    private static func add(_ property: Property, to sums: inout Sums, _ values: inout [PropertyValue]) {
        values.removeAll(keepingCapacity: true)
        try? property.readValues(into: &values)
        let number = property.nameNumber
        let isShown =
            number == Name.summary.number || number == Name.description.number || number == Name.location.number
        for value in values {
            switch value {
            case .text(let text) where isShown: sums.text += text.utf8.count
            case .text(let text), .uri(let text), .calAddress(let text), .uid(let text), .unknown(let text):
                sums.rest += text.utf8.count
            case .period(let period): sums.add(period.start)
            case .integer(let integer): sums.integers += integer
            case .date(let date): sums.add(.date(date))
            // libical does not know the type of an X- property.
            case .dateTime(let time) where number != Name.mozLastAck.number: sums.add(.dateTime(time))
            case .duration(let duration): sums.add(duration)
            case .recur(let rule): sums.rules += rule.frequency.rawValue * 10 + rule.interval
            default: sums.rest += 1
            }
        }
    }
}
