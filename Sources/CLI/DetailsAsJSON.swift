import Bridge
import ICalendar
import Reminders

extension JSON {
    /// All that is known of a reminder: what `list --json` has, and behind it what only `show` has.
    init(_ details: ReminderDetails) {
        let more: JSON = [
            "location": .optional(details.location),
            "places": .strings(details.places),
            "coordinates": details.coordinates.map {
                ["latitude": .string($0.latitude), "longitude": .string($0.longitude)]
            } ?? .null,
            "link": .optional(details.link),
            "parents": .array(details.parents.map { JSON($0) }),
            "subtasks": .array(details.subtasks.map { JSON($0) }),
            "dependsOn": .array(details.dependsOn.map { JSON($0) }),
            "neededBy": .array(details.neededBy.map { JSON($0) }),
            "related": .array(details.related.map { JSON($0) }),
            "alarmDetails": .array(details.alarms.map { JSON($0) }),
            "attachments": .array(details.attachments.map { JSON($0) }),
            "organizer": details.organizer.map { JSON($0) } ?? .null,
            "attendees": .array(details.attendees.map { JSON($0) }),
            "kept": .array(details.foreign.map { ["name": .string($0.name), "value": .string(Self.short($0.value))] }),
            "keptCount": .integer(details.foreignCount),
            "refusal": details.refusal.map {
                ["reason": .string($0.reason), "at": .string(RFC3339.string(from: $0.at))]
            } ?? .null,
        ]
        self = JSON(details.reminder).with(more)
    }

    private init(_ other: RelatedReminder) {
        self = [
            "relation": .string(other.relation),
            "id": .optional(number: other.id),
            "uid": .string(other.uid),
            "title": .optional(other.title),
            "status": .optional(other.status?.rawValue),
        ]
    }

    private init(_ alarm: Alarm) {
        let trigger: (text: String?, anchor: String?) =
            switch alarm.trigger {
            case .absolute(let instant)?: (RFC3339.string(from: instant), nil)
            case .relative(let duration, .start)?: (duration.wire, "start")
            case .relative(let duration, .end)?: (duration.wire, "due")
            case nil: (nil, nil)
            }
        self = [
            "trigger": .optional(trigger.text),
            "from": .optional(trigger.anchor),
            "action": .string(alarm.action),
            "description": .optional(alarm.description),
            "repeat": .integer(alarm.repeats),
            "interval": .optional(alarm.interval?.wire),
            "acknowledgedAt": .optional(alarm.acknowledged.map { RFC3339.string(from: $0) }),
            "atPlace": .bool(alarm.isLocation),
        ]
    }

    private init(_ attachment: Attachment) {
        self = [
            "address": .optional(attachment.address),
            "type": .optional(attachment.type),
            "fileName": .optional(attachment.fileName),
        ]
    }

    private init(_ participant: Participant) {
        self = [
            "name": .optional(participant.name),
            "address": .string(participant.address),
            "status": .optional(participant.status),
        ]
    }

    /// The beginning of a value that may be a file.
    private static func short(_ text: String) -> String {
        text.unicodeScalars.count > Self.shortLetters
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shortLetters))) + "…" : text
    }

    /// Letters that say what a value is about; `export` has all of it.
    private static let shortLetters = 200
}
