import RemindavICalendar
import RemindavReminders

extension Component {
    /// Returns the lines of the properties listed below; other properties are omitted, since they can contain any data.
    ///
    /// Participants, files, and alarms that send mail or run a program are never published.
    func publishedLines(isHidden: Bool, showsAlarms: Bool) -> [ContentLine] {
        var lines = [ContentLine(.begin, value: self.name.wire)]
        for property in self.properties where Self.times.contains(property.name) {
            lines.append(property.publishedLine)
        }
        if isHidden {
            lines.append(ContentLine(.summary, text: FeedContent.hiddenTitle))
        } else {
            for property in self.properties where Self.details.contains(property.name) || property.isWebLink {
                lines.append(property.publishedLine)
            }
        }
        if showsAlarms {
            for alarm in self.components(.valarm) where alarm.isOwnAlarm {
                lines += alarm.publishedAlarm(isHidden: isHidden)
            }
        }
        return lines + [ContentLine(.end, value: self.name.wire)]
    }

    /// Returns the lines of an alarm, always as an alarm that shows a text (RFC 5545 §3.6.6).
    private func publishedAlarm(isHidden: Bool) -> [ContentLine] {
        var lines = [ContentLine(.begin, value: self.name.wire), ContentLine(.action, value: "DISPLAY")]
        for property in self.properties where Self.alarmTimes.contains(property.name) {
            lines.append(property.publishedLine)
        }
        // An alarm with the action DISPLAY must have a description; one of the action AUDIO has none.
        let title = self.parent?.first(.summary)?.text ?? ""
        lines.append(
            isHidden
                ? ContentLine(.description, text: FeedContent.hiddenTitle)
                : self.first(.description)?.publishedLine ?? ContentLine(.description, text: title)
        )
        return lines + [ContentLine(.end, value: self.name.wire)]
    }

    private static let times: Set<Name> = [
        .uid, .dtstamp, .created, .lastModified, .sequence, .recurrenceID, .dtstart, .due, .duration, .completed,
        .status, .percentComplete, .priority, .rrule, .exrule, .rdate, .exdate, .classification, .relatedTo,
    ]
    private static let details: Set<Name> = [.summary, .description, .categories, .location, .url, .color]
    private static let alarmTimes: Set<Name> = [.trigger, .duration, .repeatCount, .acknowledged]
}

extension Property {
    fileprivate var isWebLink: Bool {
        let value = self.value.lowercased()
        return self.name == .attach && (value.hasPrefix("https://") || value.hasPrefix("http://"))
    }

    /// The line without the parameters that can contain names of people, files or programs.
    fileprivate var publishedLine: ContentLine {
        let parameters = self.parameters.filter { Self.publishedParameters.contains($0.name) }
        return ContentLine(self.name, parameters, value: self.value.withoutControls)
    }

    private static let publishedParameters: Set<Name> = Set(
        ["VALUE", "TZID", "RANGE", "RELATED", "RELTYPE", "LANGUAGE", "FMTTYPE"].compactMap { Name($0) }
    )
}

/// The access class of a reminder (RFC 5545 §3.8.1.3); the strictest class is the greatest value.
enum Classification: Int, Comparable {
    case isPublic
    case isPrivate
    case isConfidential

    /// Interprets the value of CLASS; an unknown value counts as PRIVATE, as the RFC requires.
    init(wire: String) {
        switch wire.uppercased() {
        case "PUBLIC": self = .isPublic
        case "CONFIDENTIAL": self = .isConfidential
        default: self = .isPrivate
        }
    }

    init(_ object: CalendarObject) {
        self = object.todos.flatMap { $0.all(.classification) }.map { Self(wire: $0.text) }.max() ?? .isPublic
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
