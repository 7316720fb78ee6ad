import ICalendar
import Recurrence

/// What people call the properties of a reminder.
package enum PropertyDisplayName {
    // swift-format-ignore
    private static let words: [String: String] = [
        "SUMMARY": "title", "DESCRIPTION": "notes", "X-ALT-DESC": "notes",
        "DUE": "due", "DTSTART": "start", "DURATION": "length",
        "STATUS": "status", "COMPLETED": "completion", "PERCENT-COMPLETE": "progress",
        "PRIORITY": "priority", "CATEGORIES": "labels",
        "RRULE": "repeat", "EXDATE": "left-out dates", "RDATE": "added dates", "RECURRENCE-ID": "occurrence",
        "X-MOZ-SNOOZE-TIME": "snooze", "X-MOZ-LASTACK": "snooze", "ACKNOWLEDGED": "snooze",
        "TRIGGER": "alarm time", "X-REMINDAV-DUE-ALARM": "alarm time", "ACTION": "alarm kind", "REPEAT": "alarm repetition",
        "LOCATION": "location", "GEO": "location", "URL": "link", "ATTACH": "attachments",
        "RELATED-TO": "related reminders", "CLASS": "privacy", "COLOR": "color", "COMMENT": "comments",
        "CONTACT": "contact", "ORGANIZER": "organizer", "ATTENDEE": "people",
    ]

    /// Every edit writes these; nobody sees them.
    private static let stamps: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED"]

    /// The word for a property, by its name in capitals; for one that nobody has a word for, the name.
    package static func word(for property: String) -> String {
        if let word = self.words[property] { return word }
        // Thunderbird writes one for each occurrence.
        return property.hasPrefix("X-MOZ-SNOOZE-TIME-") ? "snooze" : property
    }

    /// What two texts of one reminder say differently, in people's words, each once and in the order of the text.
    static func differences(_ old: [UInt8], _ new: [UInt8]) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        for difference in ComponentDifference.between(ICalendarDocument(old), ICalendarDocument(new)) {
            for word in self.words(difference) where known.insert(word).inserted { found.append(word) }
        }
        return found
    }

    private static func words(_ difference: ComponentDifference) -> [String] {
        guard difference.component.name == .vtodo else { return [] }
        if difference.component.recurrenceID != nil { return ["single occurrences"] }
        let properties = difference.properties.map(\.name).filter { !self.stamps.contains($0) }.map(self.word)
        let inner = difference.components.map { $0.component.name == .valarm ? "alarms" : $0.component.name.canonical }
        return properties + inner
    }
}
