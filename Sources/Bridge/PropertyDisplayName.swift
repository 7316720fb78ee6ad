import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats

/// The display names of properties, from the table ``ReminderField``.
package enum PropertyDisplayName {
    private static let names = Dictionary(
        ReminderField.all.flatMap { field in field.properties.map { ($0, field.name) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// Every edit writes these properties, so they are not shown as changed fields.
    private static let stamps: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED"]
    /// The state of an imported task in its own program, which no user edits.
    private static let record = TaskRecord.propertyName

    /// The display name of a property with this name in capitals; for an unknown property, the name itself.
    package static func word(for property: String) -> String {
        if let name = self.names[property] { return name }
        // Thunderbird writes a property with this prefix for each snoozed occurrence of a series.
        return property.hasPrefix("X-MOZ-SNOOZE-TIME-") ? "snooze" : property
    }

    /// The display names of the properties that differ between two texts of a reminder; none occurs twice.
    static func differences(_ old: [UInt8], _ new: [UInt8]) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        let (before, after) = (ICalendarDocument(old), ICalendarDocument(new))
        lazy var relations = self.relations(before, after)
        for difference in ComponentDifference.between(before, after) {
            let words = self.words(difference).flatMap { $0 == ReminderField.parent.name ? relations : [$0] }
            for word in words where known.insert(word).inserted { found.append(word) }
        }
        return found
    }

    /// The display names of the changed relations; parent and dependencies are one property (RELATED-TO).
    private static func relations(_ old: ICalendarDocument, _ new: ICalendarDocument) -> [String] {
        let kinds = [old, new].map { document in Set(Reminder(document)?.relations ?? []) }
        let changed = Set(kinds[0].symmetricDifference(kinds[1]).map(\.kind))
        let names = changed.map { $0 == .dependsOn ? ReminderField.dependencies.name : ReminderField.parent.name }
        return names.isEmpty ? [ReminderField.parent.name] : Set(names).sorted()
    }

    private static func words(_ difference: ComponentDifference) -> [String] {
        guard difference.component.name == .vtodo else { return [] }
        if difference.component.recurrenceID != nil { return ["single occurrences"] }
        let properties = difference.properties.map(\.name).filter { !self.stamps.contains($0) && $0 != self.record }
            .map(self.word)
        let inner = difference.components.map { $0.component.name == .valarm ? "alarms" : $0.component.name.canonical }
        return properties + inner
    }
}
