import RemindavICalendar

/// Parses every value of every line by its type.
///
/// The sums are those of `peers/libical_text.c`.
struct ValueTasks {
    private var moments = 0
    private var integers = 0
    private var durations = 0
    private var rules = 0
    /// Bytes of SUMMARY, DESCRIPTION and LOCATION.
    ///
    /// libical alters other texts, so these are not compared.
    private var text = 0
    private var values = 0
    private var errors = 0
    private var decoded: [PropertyValue] = []

    private let texts = [Name.summary.number, Name.description.number, Name.location.number]
    /// Properties that libical does not decode.
    private let extensions = [Name.mozLastAck.number, Name.mozSnoozeTime.number]

    static func run(_ bytes: [UInt8]) {
        measure {
            let document = ICalendarDocument(bytes)
            var sums = Self()
            for component in document.components { sums.add(component) }
            return (document, sums)
        } finding: { _, sums in
            [
                "moments": sums.moments, "integers": sums.integers, "durations": sums.durations, "rules": sums.rules,
                "text": sums.text, "values": sums.values, "errors": sums.errors,
            ]
        }
    }

    private mutating func add(_ component: Component) {
        for property in component.properties { self.add(property) }
        for inner in component.components { self.add(inner) }
    }

    private mutating func add(_ property: Property) {
        self.decoded.removeAll(keepingCapacity: true)
        do {
            try property.readValues(into: &self.decoded)
        } catch {
            self.errors += 1
        }
        self.values += self.decoded.count
        let number = property.nameNumber
        guard !self.extensions.contains(number) else { return }
        for value in self.decoded { self.add(value, isCountedText: self.texts.contains(number)) }
    }

    private mutating func add(_ value: PropertyValue, isCountedText: Bool) {
        switch value {
        case .date(let date):
            self.add(date)
            self.moments += 7
        case .dateTime(let dateTime):
            self.add(dateTime.date)
            self.moments += dateTime.time.hour + dateTime.time.minute + dateTime.time.second
        case .integer(let number): self.integers += number
        case .duration(let duration): self.durations += duration.days * ClockTime.secondsPerDay + duration.seconds
        case .recur(let rule): self.rules += rule.frequency.rawValue * 10 + rule.interval
        case .text(let text) where isCountedText: self.text += text.utf8.count
        default: break
        }
    }

    private mutating func add(_ date: CalendarDate) { self.moments += date.year + date.month * 100 + date.day }
}
