import RemindavICalendar

/// Parses and formats alarms relative to the due time, for settings and options: `due`, `15m`, `1h`, `1d`, `none`.
package enum AlarmFormatter {
    // alarms = "none" / alarm *( "," alarm );  alarm = "due" / 1*4DIGIT ( "m" / "h" / "d" / "w" );  blanks are ignored
    //
    /// - Returns: `nil` for any other text.
    package static func choices(_ text: String) -> [AlarmChoice]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0).trimmingSpaces.lowercased()
        }
        if words == ["none"] { return [] }
        var choices: [AlarmChoice] = []
        for word in words {
            guard let choice = self.choice(word) else { return nil }
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// Parses `due`, or a number of minutes, hours, days or weeks before the due time; `nil` for any other text.
    package static func choice(_ word: String) -> AlarmChoice? {
        if word == "due" { return .atDue }
        guard let letter = word.last, let unit = Self.units[letter] else { return nil }
        let digits = word.dropLast()
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int(digits)
        else { return nil }
        if count == 0 { return .atDue }
        let duration = CalendarDuration(days: unit.days * count, seconds: unit.seconds * count)
        let seconds = duration.days * ClockTime.secondsPerDay + duration.seconds
        guard seconds <= AlarmChoice.longestLead.days * ClockTime.secondsPerDay else { return nil }
        return .beforeDue(duration)
    }

    /// The text that ``choices(_:)`` parses to these alarms; alarms at a fixed time have no such text and are left out.
    package static func text(_ choices: [AlarmChoice]) -> String {
        let words = choices.compactMap { choice -> String? in
            switch choice {
            case .atDue: "due"
            case .at, .existing: nil
            case .beforeDue(let lead): Self.text(lead)
            }
        }
        return words.isEmpty ? "none" : words.joined(separator: ",")
    }

    private static func text(_ lead: CalendarDuration) -> String {
        if lead.seconds == 0 { return lead.days % 7 == 0 ? "\(lead.days / 7)w" : "\(lead.days)d" }
        return lead.seconds % 3600 == 0 ? "\(lead.seconds / 3600)h" : "\(lead.seconds / 60)m"
    }

    private static let units: [Character: (days: Int, seconds: Int)] = [
        "m": (0, 60), "h": (0, 3600), "d": (1, 0), "w": (7, 0),
    ]
}
