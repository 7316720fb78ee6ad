import Bridge

extension JSON {
    /// A reminder with exactly the members that scripts rely on, in their order.
    init(_ reminder: ReminderView) {
        self = [
            "id": .integer(reminder.id),
            "uid": .string(reminder.uid),
            "list": .string(reminder.list),
            "title": .string(reminder.title),
            "notes": .optional(reminder.notes),
            "due": .optional(reminder.due),
            "dueZone": .optional(reminder.dueZone),
            "allDay": .bool(reminder.allDay),
            "start": .optional(reminder.start),
            "repeat": .optional(reminder.repeatRule),
            "status": .string(reminder.status.rawValue),
            "completedAt": .optional(reminder.completedAt),
            "snoozedUntil": .optional(reminder.snoozedUntil),
            "priority": .string(reminder.priority.rawValue),
            "labels": .strings(reminder.labels),
            "alarms": .strings(reminder.alarms),
            "section": .string(reminder.section.rawValue),
            "overdue": .bool(reminder.overdue),
            "createdAt": .optional(reminder.createdAt),
            "updatedAt": .optional(reminder.updatedAt),
        ]
    }

    /// An issue of an import: `line`, `code`, `message`.
    init(_ issue: IssueView) {
        self = [
            "line": .integer(issue.line),
            "code": .string(issue.code),
            "message": .string(issue.message),
        ]
    }

    /// A finding of `ics check`: the same, with `severity`, `subject`, `advice` and `more`.
    init(finding issue: IssueView) {
        self = [
            "line": .integer(issue.line),
            "code": .string(issue.code),
            "severity": .string(issue.severity),
            "subject": .optional(issue.subject),
            "message": .string(issue.message),
            "advice": .string(issue.advice),
            "more": .integer(issue.more),
        ]
    }

    /// A difference of `ics diff`.
    init(_ difference: DifferenceView) {
        self = [
            "change": .string(difference.kind.rawValue),
            "component": .string(difference.component),
            "uid": .optional(difference.uid),
            "recurrenceId": .optional(difference.recurrenceID),
            "summary": .optional(difference.summary),
            "line": .integer(difference.line),
            "properties": .array(
                difference.properties.map { property in
                    [
                        "name": .string(property.name), "old": .strings(property.old), "new": .strings(property.new),
                    ]
                }
            ),
            "components": .array(difference.components.map { JSON($0) }),
        ]
    }

    /// An occurrence of `ics expand`.
    init(_ occurrence: OccurrenceView) {
        self = [
            "start": .string(occurrence.start),
            "end": .optional(occurrence.end),
            "zone": .optional(occurrence.zone),
            "component": .string(occurrence.component),
            "uid": .optional(occurrence.uid),
            "recurrenceId": .optional(occurrence.recurrenceID),
            "summary": .optional(occurrence.summary),
            "status": .optional(occurrence.status),
            "overridden": .bool(occurrence.isOverridden),
            "moved": .bool(occurrence.isMoved),
            "line": .integer(occurrence.line),
        ]
    }

    init(_ report: ImportReport) {
        self = [
            "added": .integer(report.added),
            "updated": .integer(report.updated),
            "unchanged": .integer(report.unchanged),
            "skipped": .integer(report.skipped),
            "issues": .array(report.issues.map { JSON($0) }),
        ]
    }

    init(_ list: ListView) {
        self = [
            "name": .string(list.name),
            "account": .optional(list.account),
            "color": .optional(list.color),
            "readOnly": .bool(list.isReadOnly),
            "default": .bool(list.isDefault),
            "open": .integer(list.open),
            "completed": .integer(list.completed),
            "unsent": .integer(list.unsent),
        ]
    }

    init(_ account: AccountView) {
        self = [
            "name": .string(account.name),
            "address": .string(account.address),
            "user": .string(account.user),
            "password": .string(account.passwordOrigin),
            "lists": .strings(account.lists),
        ]
    }

    init(_ conflict: ConflictView) {
        self = [
            "id": conflict.reminder.map { .integer($0) } ?? .null,
            "title": .string(conflict.title),
            "list": .string(conflict.list),
            "property": .string(conflict.property),
            "kept": .string(conflict.kept),
            "lost": .string(conflict.lost),
            "lostSide": .string(conflict.lostSide),
            "decidedAt": .string(conflict.decidedAt),
        ]
    }

    /// - Parameter url: the address that a calendar program subscribes to; `nil` when it is no longer known.
    init(_ feed: FeedView, url: String?) {
        self = [
            "id": .integer(feed.id),
            "url": .optional(url),
            "list": .optional(feed.list),
            "labels": .strings(feed.labels),
            "createdAt": .string(feed.createdAt),
        ]
    }

    /// One list's part of `sync --json`.
    init(_ report: ListSyncReport, error: String?) {
        self = [
            "list": .string(report.list),
            "account": .string(report.account),
            "pulled": .integer(report.pulled),
            "pushed": .integer(report.pushed),
            "merged": .integer(report.merged),
            "conflicts": .integer(report.conflicts),
            "deletedLocally": .integer(report.deletedLocally),
            "deletedRemotely": .integer(report.deletedRemotely),
            "held": .integer(report.held),
            "requests": .integer(report.requests),
            "error": .optional(error),
        ]
    }
}
