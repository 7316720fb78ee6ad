import RemindavICalendar
package import RemindavJSON
import RemindavRecurrence
import RemindavResources
import RemindavStore
package import RemindavSync
import RemindavTaskFormats

/// A finding of the iCalendar parser or of an importer.
package struct IssueView: Hashable, Sendable {
    /// The line in the original file, counted from 1.
    package let line: Int
    /// The identifier of the finding for programs, such as `missingColon`.
    package let code: String
    /// `error`: data is lost; `warning`: the reader repaired the data; `info`: valid, but a problem for some programs.
    package let severity: String
    /// The name of the affected property or component in capitals; `nil` if unknown.
    package let subject: String?
    /// One sentence, without the line number and without text of the file.
    package let message: String
    package let advice: String
    package var more = 0
    /// The title of the task; like ``words``, it may go to the user's output, but never into a log; `nil` if unknown.
    package var title: String?
    package var words: String?
}

extension IssueView {
    init(_ issue: ParseIssue, line: Int? = nil) {
        self.init(
            line: line ?? issue.line,
            code: issue.code.rawValue,
            severity: issue.code.severity.rawValue,
            subject: issue.subject,
            message: issue.message,
            advice: issue.advice,
            more: issue.more
        )
    }

    init(_ finding: ImportIssue) {
        self.init(
            line: finding.line,
            code: finding.code.rawValue,
            severity: finding.severity.rawValue,
            subject: finding.subject,
            message: finding.message,
            advice: finding.advice,
            title: finding.title,
            words: finding.words
        )
    }

    init(_ code: TimeZoneIssue.Code, line: Int, subject: Name? = nil, message: String? = nil) {
        self.init(
            line: line,
            code: code.rawValue,
            severity: (code.isError ? ParseIssue.Severity.error : .warning).rawValue,
            subject: subject?.canonical,
            message: message ?? code.sentence,
            advice: code.advice
        )
    }
}

/// The result of an import, or the expected result in a dry run.
package struct ImportReport: Hashable, Sendable {
    /// The name of the file in messages.
    package var file = ""
    package let list: String
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    /// The number of reminders that the import moved to the trash, because their program deleted the tasks.
    package var deleted = 0
    /// The number of components not imported: those of ``foreign``, ``leftOut`` and ``past``, and those with an issue.
    package var skipped = 0
    package var foreign = 0
    package var events = 0
    /// The number of deleted tasks without a reminder, and of occurrences that are imported with their series.
    package var leftOut = 0
    package var past = 0
    /// The format of the file: `ics`, or the name of a ``TaskFormat``.
    package var format = "ics"
    package var repeating = 0
    /// The line numbers of to-dos with rules that are stored, but cannot be edited; at most ``issueLimit``.
    package var keptRules: [Int] = []
    package var issues: [IssueView] = []
    package var issueCount = 0
    package var lists: Set<String> = []
    /// Whether the import created the list that the user named.
    package var makesList = false
    /// The number of to-dos that another list already contains and keeps, by the name of that list.
    package var elsewhere: [String: Int] = [:]
    package var labels = 0
    package var run: Int64?

    /// Limits the memory for a file with errors in each line.
    package static let issueLimit = 10_000

    package var isWhole: Bool {
        self.skipped == self.foreign + self.leftOut + self.past
            && !self.issues.contains { $0.severity == ParseIssue.Severity.error.rawValue }
    }

    package var isEmpty: Bool { self.added + self.updated + self.unchanged + self.deleted + self.skipped == 0 }
}

/// The result of a sync of one list, or the expected result in a dry run.
package struct ListSyncReport: Sendable {
    package struct Unreadable: Hashable, Sendable {
        package let href: String
        package let reason: String
    }

    package var list: String
    package var account: String
    package var sync = SyncReport()
    /// Whether the list has unsent changes, because this run merged changes into the list after the list's own sync.
    package var waits = false
    /// The number of HTTP requests for this list; the first list also counts the requests for the whole account.
    package var requests = 0
    package var bytesSent = 0
    /// The size of the response bodies after decoding.
    package var bytesReceived = 0
    /// The time for this list in seconds; lists are synced in parallel, so their times overlap.
    package var seconds = 0.0
    package var leftOut: [LeftOutReminder] = []
    /// The reminders whose deletion waits for the user's confirmation.
    package var held: [HeldReminder] = []
    package var changes: [ChangeView] = []
    /// The error that stopped the sync of the list; `nil` when it was completed, even if reminders were left out.
    package var stop: (any Error)?
    /// The error of the list or of its first failed reminder; `nil` when there was none.
    package var error: (any Error)?

    package init(list: String, account: String) {
        self.list = list
        self.account = account
    }

    package var failures: Int { self.leftOut.count }

    /// Objects on the server that cannot be read as reminders and are reported for the first time; they stay unchanged.
    package var unreadable: [Unreadable] {
        self.sync.unreadable.map { Unreadable(href: $0.href.wire, reason: $0.reason) }
    }
}

package struct LeftOutReminder: Sendable {
    /// The number of the reminder; `nil` if only the server has the reminder, or if it was deleted here.
    package let id: Int64?
    /// The title; `nil` if only the server has the reminder.
    package let title: String?
    /// The reason as one sentence without a full stop.
    package let reason: String
    /// The error of this run; `nil` when the text was not sent, because the server refused the same text earlier.
    package let error: (any Error)?
}

/// A reminder whose deletion a sync held back.
package struct HeldReminder: Hashable, Sendable {
    /// The number of the reminder; for a locally deleted reminder, the number before the deletion.
    package let id: Int64
    package let title: String
    /// Whether the server no longer has the reminder; otherwise, it was deleted locally.
    package let wasDeletedOnServer: Bool
}

package struct SyncSummary: Sendable {
    package var lists: [ListSyncReport]
    /// Accounts with an error before the sync of their lists began.
    package var failedAccounts: [(account: String, error: any Error)]
    package var unsettledConflicts = 0

    package init(lists: [ListSyncReport] = [], failedAccounts: [(account: String, error: any Error)] = []) {
        self.lists = lists
        self.failedAccounts = failedAccounts
    }

    /// The errors; those of whole accounts come first.
    package var errors: [any Error] { self.failedAccounts.map(\.error) + self.lists.compactMap(\.error) }

    /// The longest pause that a server asked for, in seconds; `nil` for none.
    package var requestedPause: Int? { ServerRest.seconds(self.errors) }
}

package struct SyncRequest: Hashable, Sendable {
    package var account: String?
    package var isDryRun = false
    package var allowsMassDelete = false
    /// The numbers of the reminders whose deletion the user has confirmed (``HeldReminder/id``).
    package var confirmedDeletions: Set<Int64> = []
    /// Whether the sync compares all objects, even if the server reports no change.
    package var verifies = false
    /// Whether the sync ignores pauses from `Retry-After` and sends refused texts again.
    package var isNow = false

    package init() {}
}

package struct ChangeView: Hashable, Sendable {
    package let id: Int64
    package let run: Int64
    /// The number of the reminder, which may be deleted by now.
    package let reminder: Int64
    package let title: String
    package let list: String?
    /// `here` or `server`: the place of the change.
    package let side: String
    /// `added`, `changed`, `merged`, `moved` or `deleted`.
    package let kind: String
    /// The time of the change, in RFC 3339.
    package let at: String
    /// The time of the undo, in RFC 3339; `nil` when the change was not undone.
    package let undoneAt: String?
    /// The display names of the changed fields; empty when the texts were not compared.
    package let fields: [String]
    package let isOperation: Bool
    package let reverses: Int64?
    /// The reminder before and after the change; `nil` for an addition or deletion, and if a text is unknown.
    package var values: ChangedValues?
}

package struct ChangedValues: Hashable, Sendable {
    package let old: ReminderView
    package let new: ReminderView
}

package struct SyncProgress: Hashable, Sendable {
    package let list: String
    package let done: Int
    package var sent = 0
    /// The number of reminders to send, including those already sent; 0 until the sending begins.
    package var toSend = 0
}

/// An account as `account list` shows it; it contains no password.
package struct AccountView: Hashable, Sendable {
    package let name: String
    /// The address of the account's calendar home, without a user and a password.
    package let address: String
    package let user: String
    /// A description of the source of the password: `kept in the store`, `command: pass show dav`.
    package let passwordOrigin: String
    /// The settings with other values than those of a new account.
    package let settings: [AccountSetting: String]
    package let lists: [String]
}

package struct ConflictView: Hashable, Sendable {
    package let number: Int64
    package let reminder: Int64?
    package let title: String
    package let list: String
    package let field: String
    package let property: String
    package let occurrence: String?
    package let isOfAlarm: Bool
    /// The content lines of the winning value; empty, like ``lost``, when the property was removed.
    package let kept: String
    package let lost: String
    /// The winning content lines as a reminder without other properties; like ``lostReading``, `nil` if unreadable.
    package var keptReading: ReminderView?
    package var lostReading: ReminderView?
    /// The place of the losing change: `here` or `server`.
    package let lostSide: String
    /// The time of the decision, in RFC 3339.
    package let decidedAt: String
    /// The time of restoring the losing value or accepting the decision, in RFC 3339; `nil` while the conflict is open.
    package let settledAt: String?
}

package struct ListAddition: Hashable, Sendable {
    package let list: ListView
    package let isJoined: Bool
}

package struct ListChange: Hashable, Sendable {
    package let list: ListView
    /// The server's name or colour if it differs from the requested one (empty: no colour); otherwise `nil`.
    package var serverValue: String?
}

/// The consequences of the deletion of a list.
package struct ListDeletion: Hashable, Sendable {
    package let name: String
    package let account: String?
    package let state: ListView.State
    package let goesFromServer: Bool
    /// Whether the list is outside the account's calendar homes, so that it may belong to another user.
    package let isForeign: Bool
    package let reminders: Int
    package let unsent: [String]
    package let unsentDeletions: Int
    /// The number of reminders that no server has; the deletion puts them into the trash.
    package let nowhereElse: Int
}

extension IssueView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("line") { $0.line }, JSONMember("code") { $0.code }, JSONMember("severity") { $0.severity },
        JSONMember("subject") { $0.subject }, JSONMember("message") { $0.message },
        JSONMember("advice") { $0.advice }, JSONMember("more") { $0.more },
    ]
}

private struct ImportIssueSummary: JSONRecord {
    let issue: IssueView

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("line") { $0.issue.line }, JSONMember("code") { $0.issue.code },
        JSONMember("message") { $0.issue.message },
    ]
}

extension ImportReport: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("file") { $0.file }, JSONMember("added") { $0.added }, JSONMember("updated") { $0.updated },
        JSONMember("unchanged") { $0.unchanged }, JSONMember("deleted") { $0.deleted },
        JSONMember("skipped") { $0.skipped }, JSONMember("format") { $0.format },
        JSONMember("repeating") { $0.repeating },
        JSONMember("keptRules") { $0.keptRules },
        JSONMember("issues") { $0.issues.map { ImportIssueSummary(issue: $0) } },
        JSONMember("elsewhere") {
            $0.elsewhere.sorted { $0.key < $1.key }.map { LabelChangeResult.Kept(list: $0.key, count: $0.value) }
        },
        JSONMember("run") { $0.run },
    ]
}

extension AccountView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("address") { $0.address }, JSONMember("user") { $0.user },
        JSONMember("password") { $0.passwordOrigin },
        JSONMember("settings") { account in
            JSONObject(
                members: AccountSetting.allCases.compactMap { setting in
                    account.settings[setting].map { JSONObject.Member(setting.rawValue, .string($0)) }
                }
            )
        },
        JSONMember("lists") { $0.lists },
    ]
}

extension ConflictView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.reminder }, JSONMember("title") { $0.title }, JSONMember("list") { $0.list },
        JSONMember("number") { $0.number }, JSONMember("field") { $0.field },
        JSONMember("property") { $0.property }, JSONMember("occurrence") { $0.occurrence },
        JSONMember("kept") { $0.kept }, JSONMember("lost") { $0.lost }, JSONMember("lostSide") { $0.lostSide },
        JSONMember("decidedAt") { $0.decidedAt }, JSONMember("settledAt") { $0.settledAt },
    ]
}

extension ListSyncReport.Unreadable: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("href") { $0.href }, JSONMember("reason") { $0.reason },
    ]
}

extension HeldReminder: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("title") { $0.title },
        JSONMember("deletedOn") { $0.wasDeletedOnServer ? "server" : "here" },
    ]
}

extension LeftOutReminder: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("title") { $0.title }, JSONMember("reason") { $0.reason },
        JSONMember("sent") { $0.error != nil },
    ]
}

extension ChangeView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id }, JSONMember("run") { $0.run }, JSONMember("reminder") { $0.reminder },
        JSONMember("title") { $0.title }, JSONMember("list") { $0.list }, JSONMember("side") { $0.side },
        JSONMember("kind") { $0.kind }, JSONMember("at") { $0.at }, JSONMember("undoneAt") { $0.undoneAt },
    ]
}
