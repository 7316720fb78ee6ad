import Bridge
import ICalendar
import Reminders

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

    /// An alarm of `alarms`.
    init(_ view: AlarmView) {
        self = [
            "id": .string(view.alarm.id.description),
            "reminder": .integer(view.reminder),
            "uid": .string(view.uid),
            "occurrence": .optional(view.alarm.id.occurrence),
            "list": .string(view.list),
            "fires": .string(RFC3339.string(from: view.alarm.fires)),
            "cause": .string(view.alarm.cause.rawValue),
            "title": .string(view.alarm.title),
            "body": .string(view.alarm.body),
            "category": .string(ReminderAlarm.category),
            "sound": .string(ReminderAlarm.sound),
        ]
    }

    /// A label.
    init(_ label: LabelView) {
        self = [
            "id": .optional(label.id),
            "name": .string(label.name),
            "color": .string(label.color.hex),
            "colorName": .optional(label.color.paletteName),
            "open": .integer(label.open),
            "completed": .integer(label.completed),
            "createdAt": .optional(label.createdAt.map { RFC3339.string(from: $0) }),
            "updatedAt": .optional(label.updatedAt.map { RFC3339.string(from: $0) }),
        ]
    }

    /// What came of renaming, merging or deleting a label.
    init(_ operation: LabelChangeResult) {
        self = [
            "name": .string(operation.name),
            "label": operation.label.map { JSON($0) } ?? .null,
            "changed": .array(
                operation.changed.map { ["id": .integer($0.id), "title": .string($0.title)] }
            ),
            "kept": .array(operation.kept.map { ["list": .string($0.list), "count": .integer($0.count)] }),
            "run": .optional(number: operation.run),
            "feeds": .array(operation.feeds.map { .integer($0) }),
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

    /// A reminder with what came of completing it or opening it again.
    init(_ operation: CompletionResult) {
        self = JSON(operation.reminder).with([
            "changed": .bool(operation.isChanged), "copy": .optional(number: operation.copy),
        ])
    }

    /// A reminder with what came of asking for it by a key.
    init(_ addition: IdempotentAdd) {
        let outcome: JSON = ["added": .bool(addition.isNew), "differs": .strings(addition.differing)]
        self = JSON(addition.reminder).with(outcome)
    }

    init(_ report: ImportReport) {
        self = [
            "added": .integer(report.added),
            "updated": .integer(report.updated),
            "unchanged": .integer(report.unchanged),
            "skipped": .integer(report.skipped),
            "format": .string(report.format),
            "repeating": .integer(report.repeating),
            "keptRules": .array(report.keptRules.map { .integer($0) }),
            "issues": .array(report.issues.map { JSON($0) }),
            "elsewhere": .array(
                report.elsewhere.sorted { $0.key < $1.key }.map {
                    ["list": .string($0.key), "count": .integer($0.value)]
                }
            ),
            "run": .optional(number: report.run),
        ]
    }

    init(_ list: ListView) {
        self = [
            "name": .string(list.name),
            "account": .optional(list.account),
            "state": .string(list.state.rawValue),
            "color": .optional(list.color),
            "readOnly": .bool(list.isReadOnly),
            "default": .bool(list.isDefault),
            "open": .integer(list.open),
            "completed": .integer(list.completed),
            "unsent": .integer(list.unsent),
            "due": .optional(list.defaults.due?.rawValue),
            "alarm": .optional(list.defaults.alarms.map { AlarmFormatter.text($0) }),
        ]
    }

    init(_ account: AccountView) {
        self = [
            "name": .string(account.name),
            "address": .string(account.address),
            "user": .string(account.user),
            "password": .string(account.passwordOrigin),
            "settings": .object(
                AccountSetting.allCases.compactMap { setting in
                    account.settings[setting].map { JSON.Member(name: setting.rawValue, value: .string($0)) }
                }
            ),
            "lists": .strings(account.lists),
        ]
    }

    init(_ conflict: ConflictView) {
        self = [
            "id": .optional(number: conflict.reminder),
            "title": .string(conflict.title),
            "list": .string(conflict.list),
            "number": .integer(conflict.number),
            "field": .string(conflict.field),
            "property": .string(conflict.property),
            "occurrence": .optional(conflict.occurrence),
            "kept": .string(conflict.kept),
            "lost": .string(conflict.lost),
            "lostSide": .string(conflict.lostSide),
            "decidedAt": .string(conflict.decidedAt),
            "settledAt": .optional(conflict.settledAt),
        ]
    }

    /// - Parameter subscription: the addresses that a calendar program subscribes to; `nil` when they are no longer known.
    init(_ feed: FeedView, subscription: Subscription?) {
        self = [
            "id": .integer(feed.id),
            "url": .optional(subscription?.address),
            "webcal": .optional(subscription?.webcal),
            "style": .string(feed.style.rawValue),
            "private": .bool(feed.showsPrivate),
            "list": .optional(feed.list),
            "labels": .strings(feed.labels),
            "createdAt": .string(feed.createdAt),
        ]
    }

    /// One list's part of `sync --json`.
    init(_ report: ListSyncReport, error: String?) { self.init(report, of: report.list, error: error) }

    private init(_ report: ListSyncReport, of list: String?, error: String?) {
        self = [
            "list": .optional(list),
            "account": .string(report.account),
            "pulled": .integer(report.pulled),
            "pushed": .integer(report.pushed),
            "merged": .integer(report.merged),
            "moved": .integer(report.moved),
            "repaired": .integer(report.repaired),
            "returned": .integer(report.returned),
            "kept": .integer(report.kept),
            "newUIDs": .integer(report.newUIDs),
            "waits": .bool(report.waits),
            "conflicts": .integer(report.conflicts),
            "deletedLocally": .integer(report.deletedLocally),
            "deletedRemotely": .integer(report.deletedRemotely),
            "held": .integer(report.held),
            "heldHere": .integer(report.heldHere),
            "heldThere": .integer(report.heldThere),
            "requests": .integer(report.requests),
            "bytesSent": .integer(report.bytesSent),
            "bytesReceived": .integer(report.bytesReceived),
            "milliseconds": .integer(Int(report.seconds * 1000)),
            "failures": .integer(report.failures),
            "leftOut": .array(report.leftOut.map { JSON($0) }),
            "unreadable": .array(report.unreadable.map { ["href": .string($0.href), "reason": .string($0.reason)] }),
            "notKept": .array(report.notKept.map { .string($0) }),
            "changes": .array(report.changes.map { JSON($0) }),
            "error": .optional(error),
        ]
    }

    private init(_ entry: LeftOutReminder) {
        self = [
            "id": .optional(number: entry.id),
            "title": .optional(entry.title),
            "reason": .string(entry.reason),
            "sent": .bool(entry.error != nil),
        ]
    }

    /// The same of an account whose lists could not even be asked for: no list, and nothing done.
    init(account: String, error: String) {
        self.init(ListSyncReport(list: "", account: account), of: nil, error: error)
    }

    init(_ change: ChangeView) {
        self = [
            "id": .integer(change.id),
            "run": .integer(change.run),
            "reminder": .integer(change.reminder),
            "title": .string(change.title),
            "list": .optional(change.list),
            "side": .string(change.side),
            "kind": .string(change.kind),
            "at": .string(change.at),
            "undoneAt": .optional(change.undoneAt),
        ]
    }

    /// A change in the journal, with what of it takes texts to know.
    init(logged change: ChangeView) {
        self = JSON(change).with(["fields": .strings(change.fields), "reverses": .optional(number: change.reverses)])
    }

    /// A run in the journal.
    init(_ run: RunView) { self = .object(Self.members(run)) }

    private static func members(_ run: RunView) -> [Member] {
        [
            Member(name: "id", value: .integer(run.id)),
            Member(name: "account", value: .optional(run.account)),
            Member(name: "operation", value: .optional(run.operation)),
            Member(name: "startedAt", value: .string(RFC3339.string(from: run.startedAt))),
            Member(name: "finishedAt", value: .optional(run.finishedAt.map { RFC3339.string(from: $0) })),
            Member(name: "requests", value: .integer(run.requests)),
            Member(name: "trouble", value: .optional(run.trouble)),
            Member(name: "received", value: .integer(run.counts.received)),
            Member(name: "sent", value: .integer(run.counts.sent)),
            Member(name: "merged", value: .integer(run.counts.merged)),
            Member(name: "moved", value: .integer(run.counts.moved)),
            Member(name: "deletedHere", value: .integer(run.counts.deletedHere)),
            Member(name: "deletedOnServer", value: .integer(run.counts.deletedOnServer)),
            Member(name: "labels", value: .integer(run.counts.labels)),
            Member(name: "lists", value: .integer(run.counts.lists)),
            Member(name: "undone", value: .integer(run.counts.undone)),
        ]
    }

    /// A run with all that it changed.
    init(_ details: RunDetails) {
        let changes = Member(name: "changes", value: .array(details.changes.map { JSON(logged: $0) }))
        let labels = Member(name: "labelChanges", value: .array(details.labels.map { JSON($0) }))
        let lists = Member(name: "listChanges", value: .array(details.lists.map { JSON($0) }))
        self = .object(Self.members(details.run) + [changes, labels, lists])
    }

    private init(_ change: ListChangeView) {
        self = .object(Self.members(change) + [Member(name: "undone", value: .bool(change.isUndone))])
    }

    private static func members(_ change: ListChangeView) -> [Member] {
        [
            Member(name: "oldName", value: .optional(change.oldName)),
            Member(name: "oldColor", value: .optional(change.oldColor)),
            Member(name: "newName", value: .optional(change.newName)),
            Member(name: "newColor", value: .optional(change.newColor)),
        ]
    }

    private init(_ change: LabelChangeView) {
        self = .object(Self.members(change) + [Member(name: "undone", value: .bool(change.isUndone))])
    }

    private static func members(_ change: LabelChangeView) -> [Member] {
        [
            Member(name: "oldName", value: .optional(change.oldName)),
            Member(name: "oldColor", value: .optional(change.oldColor?.hex)),
            Member(name: "newName", value: .optional(change.newName)),
            Member(name: "newColor", value: .optional(change.newColor?.hex)),
        ]
    }

    /// A reminder in the trash.
    init(_ trash: TrashView) {
        self = [
            "id": .integer(trash.id),
            "title": .string(trash.title),
            "list": .optional(trash.list),
            "deletedOn": .string(trash.wasDeletedOnServer ? "server" : "here"),
            "deletedAt": .string(RFC3339.string(from: trash.deletedAt)),
            "expiresAt": .string(RFC3339.string(from: trash.expiresAt)),
        ]
    }

    /// What came of undoing.
    init(_ summary: UndoSummary) {
        self = [
            "run": .optional(number: summary.run),
            "changes": .array(summary.changes.map { JSON($0) }),
            "labelChanges": .array(
                summary.labels.map { view in
                    let outcome = Member(name: "outcome", value: .string(view.outcome.rawValue))
                    return .object(Self.members(view.change) + [outcome])
                }
            ),
            "listChanges": .array(
                summary.lists.map { view in
                    let outcome = Member(name: "outcome", value: .string(view.outcome.rawValue))
                    return .object(Self.members(view.change) + [outcome])
                }
            ),
            "passedOver": .array(summary.passedOver.map { .integer($0.run.id) }),
            "deletesOnServer": .integer(summary.deletesOnServer),
            "emptied": .strings(summary.emptied),
        ]
    }

    private init(_ view: UndoView) {
        let (outcome, kept, error): (String, [String], String?) =
            switch view.outcome {
            case .undone(let kept, _): ("undone", kept, nil)
            case .alreadyApplied: ("alreadyApplied", [], nil)
            case .undoneBefore: ("undoneBefore", [], nil)
            case .impossible(let error): ("impossible", [], ErrorMessages.explain(error).sentence)
            }
        let found: JSON = ["outcome": .string(outcome), "kept": .strings(kept), "error": .optional(error)]
        self = JSON(logged: view.change).with(found)
    }
}
