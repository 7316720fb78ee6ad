import ICalendar
package import JSON
import Resources
import Store
package import Sync

/// Something in a file that could not be read as it should.
package struct IssueView: Hashable, Sendable {
    /// Counted from 1, in the file as it was received.
    package let line: Int
    /// The word for programs, such as `missingColon`.
    package let code: String
    /// `error` when something was lost to the reader, `warning` when it was read with a repair, `info` when it is
    /// allowed and some programs stumble over it.
    package let severity: String
    /// The name of the property or component that it is about, in capitals; `nil` when none is known.
    package let subject: String?
    /// One sentence without the line number, without text from the file.
    package let message: String
    /// One sentence about what to do.
    package let advice: String
    /// How many more of its kind there are that are not told.
    package var more: Int
    /// The title of the task, for the person who asked, and in no message; `nil` when none is known.
    package var title: String?
    /// The words that it is about, as ``title``.
    package var words: String?

    /// Everything at once.
    package init(
        line: Int,
        code: String,
        severity: String,
        subject: String? = nil,
        message: String,
        advice: String,
        more: Int = 0
    ) {
        self.line = line
        self.code = code
        self.severity = severity
        self.subject = subject
        self.message = message
        self.advice = advice
        self.more = more
    }
}

/// What an import did, or would do.
package struct ImportReport: Hashable, Sendable {
    /// To-dos that were not here before.
    package var added: Int
    /// To-dos that were here and are newer in the file.
    package var updated: Int
    /// To-dos that were here and are the same, or newer here.
    package var unchanged: Int
    /// Components that were left out.
    package var skipped: Int
    /// How many of these are no to-dos; the others have an issue each.
    package var foreign = 0
    /// How many of the components that are no to-dos are events.
    package var events = 0
    /// How many were left out on purpose: deleted in the other program, or occurrences that their series stands for.
    package var leftOut = 0
    /// How many events were left out because they are over.
    package var past = 0
    /// The word for the format: `ics`, or that of a ``TaskFormat``.
    package var format = "ics"
    /// How many to-dos of the file repeat.
    package var repeating = 0
    /// The lines of to-dos that repeat by rules that are kept and shown, and cannot be edited here; at most
    /// ``issueLimit``.
    package var keptRules: [Int] = []
    /// What was met on the way, in the order of the lines; at most ``issueLimit``.
    package var issues: [IssueView]
    /// How many there were, including those beyond the limit.
    package var issueCount: Int
    /// The lists to which something was added.
    package var lists: Set<String> = []
    /// The name of the list that the reminders are in, where the file names none.
    package var list: String
    /// Whether that list was named for the import and made by it.
    package var makesList = false
    /// How many of the to-dos were in another list already and have stayed there, by its name.
    package var elsewhere: [String: Int] = [:]
    /// Labels whose colour or spelling was taken over.
    package var labels = 0
    /// The run by which it can be undone; `nil` when nothing was changed.
    package var run: Int64?

    /// Whether all that could be a reminder is one, and nothing of it was lost to the reader.
    package var isWhole: Bool {
        self.skipped == self.foreign + self.leftOut + self.past
            && !self.issues.contains { $0.severity == ParseIssue.Severity.error.rawValue }
    }

    /// Whether the file had nothing to import.
    package var isEmpty: Bool { self.added + self.updated + self.unchanged + self.skipped == 0 }

    /// A file of nothing but bad lines must not fill the memory.
    package static let issueLimit = 10_000

    /// Everything at once.
    package init(
        list: String,
        added: Int = 0,
        updated: Int = 0,
        unchanged: Int = 0,
        skipped: Int = 0,
        issues: [IssueView] = [],
        issueCount: Int = 0
    ) {
        self.list = list
        self.added = added
        self.updated = updated
        self.unchanged = unchanged
        self.skipped = skipped
        self.issues = issues
        self.issueCount = issueCount
    }
}

/// The result of a sync of one list, or the expected result in a dry run.
package struct ListSyncReport: Sendable {
    /// An object on the server that is not readable as a reminder.
    package struct Unreadable: Hashable, Sendable {
        package let href: String
        package let reason: String
    }

    /// The list's name.
    package var list: String
    /// The account's name.
    package var account: String
    /// The counts of the sync.
    package var sync = SyncReport()
    /// Whether the next sync has something to send that this run merged into a list after it was synced.
    package var waits = false
    /// HTTP requests for this list; the account's listing counts with its first list.
    package var requests = 0
    /// Bytes of the request bodies.
    package var bytesSent = 0
    /// Bytes of the response bodies, after decoding.
    package var bytesReceived = 0
    /// Seconds from the first request to the last record; lists are synced in parallel.
    package var seconds = 0.0
    /// The reminders that were not synced, each with the reason; ordered by ID.
    package var leftOut: [LeftOutReminder] = []
    /// The changes on both sides, in the order in which they were made.
    package var changes: [ChangeView] = []
    /// The error that stopped the sync of the list; `nil` when it was completed, although reminders may have been left out.
    package var stop: (any Error)?
    /// The error of the list or of its first failed reminder; `nil` when there was none.
    package var error: (any Error)?

    /// Creates an empty report.
    package init(list: String, account: String) {
        self.list = list
        self.account = account
    }

    /// Number of reminders that were not synced.
    package var failures: Int { self.leftOut.count }

    /// Objects on the server that are not readable as reminders and were not reported before; they stay unchanged.
    package var unreadable: [Unreadable] {
        self.sync.unreadable.map { Unreadable(href: $0.href.wire, reason: $0.reason) }
    }
}

/// A reminder that a sync left out.
package struct LeftOutReminder: Sendable {
    /// Its number; `nil` for one that is not here: on the server only, or deleted here and still on the server.
    package let id: Int64?
    /// Its title; `nil` for one that is on the server only.
    package let title: String?
    /// Why, in one sentence without a full stop.
    package let reason: String
    /// The error of this run; `nil` when it was not sent, since the server has refused the same text before.
    package let error: (any Error)?

    /// A reminder that was left out.
    package init(id: Int64?, title: String?, reason: String, error: (any Error)?) {
        self.id = id
        self.title = title
        self.reason = reason
        self.error = error
    }
}

/// What a sync did.
package struct SyncSummary: Sendable {
    /// One per list, in the order of accounts and lists.
    package var lists: [ListSyncReport]
    /// An account whose lists could not even be asked for, with the reason.
    package var failedAccounts: [(account: String, error: any Error)]
    /// Conflicts of this sync and of earlier ones that nobody has seen to.
    package var unsettledConflicts = 0

    /// Everything at once.
    package init(lists: [ListSyncReport] = [], failedAccounts: [(account: String, error: any Error)] = []) {
        self.lists = lists
        self.failedAccounts = failedAccounts
    }
}

/// What is asked of a sync.
package struct SyncRequest: Hashable, Sendable {
    /// The name of the only account to sync; `nil` for all.
    package var account: String?
    /// Whether nothing is to be written, neither here nor on a server.
    package var isDryRun = false
    /// Whether deletions are done however many they are.
    package var allowsMassDelete = false
    /// Whether everything is compared, whatever the servers say has changed.
    package var verifies = false
    /// Whether the sync ignores `Retry-After` delays and sends refused items again unchanged.
    package var isNow = false

    /// All accounts, for real, with care.
    package init() {}
}

/// One change that a sync made, as `log` shows it.
package struct ChangeView: Hashable, Sendable {
    /// The number by which `undo` names it.
    package let id: Int64
    /// The number of the run that made it.
    package let run: Int64
    /// The reminder's number; it may be gone.
    package let reminder: Int64
    /// The reminder's title.
    package let title: String
    /// Its list's name; `nil` when the list is gone.
    package let list: String?
    /// The side that was changed: `here` or `server`.
    package let side: String
    /// What was done: `added`, `changed`, `merged`, `moved` or `deleted`.
    package let kind: String
    /// When, RFC 3339.
    package let at: String
    /// When it was undone, RFC 3339; `nil` when it was not.
    package let undoneAt: String?
    /// What people call the fields that were changed; empty where the texts were not read.
    package let fields: [String]
    /// Whether a person did it, and no sync.
    package let isOperation: Bool
    /// The number of the change that it takes back; `nil` for most.
    package let reverses: Int64?

    /// Everything at once.
    package init(
        id: Int64,
        run: Int64,
        reminder: Int64,
        title: String,
        list: String?,
        side: String,
        kind: String,
        at: String,
        undoneAt: String?,
        fields: [String] = [],
        isOperation: Bool = false,
        reverses: Int64? = nil
    ) {
        self.id = id
        self.run = run
        self.reminder = reminder
        self.title = title
        self.list = list
        self.side = side
        self.kind = kind
        self.at = at
        self.undoneAt = undoneAt
        self.fields = fields
        self.isOperation = isOperation
        self.reverses = reverses
    }
}

/// Where a sync stands; for a line on the terminal.
package struct SyncProgress: Hashable, Sendable {
    /// The list that is being synced.
    package let list: String
    /// Actions done so far.
    package let done: Int
    /// Reminders sent so far.
    package let sent: Int
    /// Reminders that are to be sent, those that were sent included; 0 until the sending begins.
    package let toSend: Int

    /// Everything at once.
    package init(list: String, done: Int, sent: Int = 0, toSend: Int = 0) {
        self.list = list
        self.done = done
        self.sent = sent
        self.toSend = toSend
    }
}

/// A list as `lists` shows it.
package struct ListView: Hashable, Sendable {
    /// Whether it has another side.
    package enum State: String, Sendable {
        /// Only here.
        case local
        /// Kept in step with a list on a server.
        case synced
        /// The server has lost it: what is here is kept until somebody decides.
        case detached
    }

    /// Its name, unique in the store.
    package let name: String
    /// The account's name; `nil` for a local list.
    package let account: String?
    /// Whether it has another side.
    package let state: State
    /// `#RRGGBB`; `nil` when it has none.
    package let color: String?
    /// Whether the server lets nobody write.
    package let isReadOnly: Bool
    /// Whether `add` and `import` use it when no list is named.
    package let isDefault: Bool
    /// Open reminders.
    package let open: Int
    /// Done and dropped ones.
    package let completed: Int
    /// Changes that the server has not got yet; 0 for a local list.
    package let unsent: Int
    /// The defaults of this list from `lists set`.
    package let defaults: ListDefaults

    /// Everything at once.
    package init(
        name: String,
        account: String?,
        state: State,
        color: String?,
        isReadOnly: Bool,
        isDefault: Bool,
        open: Int,
        completed: Int,
        unsent: Int,
        defaults: ListDefaults
    ) {
        self.name = name
        self.account = account
        self.state = state
        self.color = color
        self.isReadOnly = isReadOnly
        self.isDefault = isDefault
        self.open = open
        self.completed = completed
        self.unsent = unsent
        self.defaults = defaults
    }
}

/// An account as `account list` shows it; never its password.
package struct AccountView: Hashable, Sendable {
    /// Its name, unique in the store.
    package let name: String
    /// The address that was found: the home of its lists, without a user or a password in it.
    package let address: String
    /// The user's name at the server.
    package let user: String
    /// Where its password comes from, in words without the password: `kept in the store`, `command: pass show dav`.
    package let passwordOrigin: String
    /// What was set for it, but for what every account has.
    package let settings: [AccountSetting: String]
    /// The names of its lists.
    package let lists: [String]

    /// Everything at once.
    package init(
        name: String,
        address: String,
        user: String,
        passwordOrigin: String,
        settings: [AccountSetting: String] = [:],
        lists: [String]
    ) {
        self.name = name
        self.address = address
        self.user = user
        self.passwordOrigin = passwordOrigin
        self.settings = settings
        self.lists = lists
    }
}

/// A value that lost when both sides changed the same property.
package struct ConflictView: Hashable, Sendable {
    /// The number by which `conflicts restore` names it.
    package let number: Int64
    /// The reminder's number; `nil` when it is gone.
    package let reminder: Int64?
    /// The reminder's title.
    package let title: String
    /// Its list's name.
    package let list: String
    /// What people call the property, such as `title`.
    package let field: String
    /// The property's name on the wire, such as `SUMMARY`.
    package let property: String
    /// The RECURRENCE-ID of the occurrence that it is about; `nil` for the reminder itself.
    package let occurrence: String?
    /// Whether it is about an alarm, or another part of the reminder.
    package let isOfAlarm: Bool
    /// The value that was kept; empty when the property was removed.
    package let kept: String
    /// The value that lost; empty when the property was removed.
    package let lost: String
    /// What the lines of each side say, read as a reminder that has nothing else; `nil` for a field that is not of lines,
    /// and for a side without any.
    package var keptReading: ReminderView?
    package var lostReading: ReminderView?
    /// The side that lost: `here` or `server`.
    package let lostSide: String
    /// When it was decided, RFC 3339.
    package let decidedAt: String
    /// When somebody put the value back or was content without, RFC 3339; `nil` when nobody has looked.
    package let settledAt: String?
}

/// A feed as `feed list` shows it.
package struct FeedView: Hashable, Sendable {
    /// The number by which `feed revoke` names it.
    package let id: Int64
    /// `/feed/‹token›.ics`; known only when the feed has just been created, since the store keeps a hash.
    package let path: String?
    /// Only this list; `nil` for every list.
    package let list: String?
    /// Only reminders with one of these labels; empty for all.
    package let labels: [String]
    /// In which form it publishes reminders.
    package let style: FeedForm
    /// Whether it publishes reminders whole that are marked PRIVATE or CONFIDENTIAL.
    package let showsPrivate: Bool
    /// When it was created, RFC 3339.
    package let createdAt: String

    /// Everything at once.
    package init(
        id: Int64,
        path: String?,
        list: String?,
        labels: [String],
        style: FeedForm,
        showsPrivate: Bool,
        createdAt: String
    ) {
        self.id = id
        self.path = path
        self.list = list
        self.labels = labels
        self.style = style
        self.showsPrivate = showsPrivate
        self.createdAt = createdAt
    }
}

/// What came of making a list.
package struct ListAddition: Hashable, Sendable {
    /// The list as it is now.
    package let list: ListView
    /// Whether the server had a list of this name before, which it now is.
    package let isJoined: Bool
}

/// What came of renaming or recolouring a list.
package struct ListChange: Hashable, Sendable {
    /// The list as it is now.
    package let list: ListView
    /// The server's word when it is another than the one that was asked for, empty for none; `nil` when it is not.
    package var serverSays: String?
}

/// What would go with a list.
package struct ListDeletion: Hashable, Sendable {
    /// The list's name.
    package let name: String
    /// Its account's name; `nil` for a local list.
    package let account: String?
    /// Whether it has another side.
    package let state: ListView.State
    /// Whether it would go from its server too.
    package let goesFromServer: Bool
    /// Whether it lies in nobody's folder of ours, and may be somebody else's.
    package let isForeign: Bool
    /// How many reminders are in it.
    package let reminders: Int
    /// The titles of those that the server has not got as they are here.
    package let unsent: [String]
    /// How many were deleted here and are on the server still.
    package let unsentDeletions: Int
    /// How many of its reminders no server has; they would lie in the trash.
    package let nowhereElse: Int
}

extension IssueView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("line") { $0.line },
        JSONMember("code") { $0.code },
        JSONMember("severity") { $0.severity },
        JSONMember("subject") { $0.subject },
        JSONMember("message") { $0.message },
        JSONMember("advice") { $0.advice },
        JSONMember("more") { $0.more },
    ]
}

/// An issue of an import: only its place, its code and its sentence.
private struct ImportIssueSummary: JSONRecord {
    let issue: IssueView

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("line") { $0.issue.line },
        JSONMember("code") { $0.issue.code },
        JSONMember("message") { $0.issue.message },
    ]
}

extension ImportReport: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("added") { $0.added },
        JSONMember("updated") { $0.updated },
        JSONMember("unchanged") { $0.unchanged },
        JSONMember("skipped") { $0.skipped },
        JSONMember("format") { $0.format },
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
        JSONMember("name") { $0.name },
        JSONMember("address") { $0.address },
        JSONMember("user") { $0.user },
        JSONMember("password") { $0.passwordOrigin },
        JSONMember("settings") { $0.settingsInOrder },
        JSONMember("lists") { $0.lists },
    ]
}

extension AccountView {
    private var settingsInOrder: JSONObject {
        JSONObject(
            members: AccountSetting.allCases.compactMap { setting in
                self.settings[setting].map { JSONObject.Member(setting.rawValue, .string($0)) }
            }
        )
    }
}

extension ConflictView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.reminder },
        JSONMember("title") { $0.title },
        JSONMember("list") { $0.list },
        JSONMember("number") { $0.number },
        JSONMember("field") { $0.field },
        JSONMember("property") { $0.property },
        JSONMember("occurrence") { $0.occurrence },
        JSONMember("kept") { $0.kept },
        JSONMember("lost") { $0.lost },
        JSONMember("lostSide") { $0.lostSide },
        JSONMember("decidedAt") { $0.decidedAt },
        JSONMember("settledAt") { $0.settledAt },
    ]
}

extension ListSyncReport.Unreadable: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("href") { $0.href },
        JSONMember("reason") { $0.reason },
    ]
}

extension LeftOutReminder: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("title") { $0.title },
        JSONMember("reason") { $0.reason },
        JSONMember("sent") { $0.error != nil },
    ]
}

extension ChangeView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("id") { $0.id },
        JSONMember("run") { $0.run },
        JSONMember("reminder") { $0.reminder },
        JSONMember("title") { $0.title },
        JSONMember("list") { $0.list },
        JSONMember("side") { $0.side },
        JSONMember("kind") { $0.kind },
        JSONMember("at") { $0.at },
        JSONMember("undoneAt") { $0.undoneAt },
    ]
}

extension ListView: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("account") { $0.account },
        JSONMember("state") { $0.state.rawValue },
        JSONMember("color") { $0.color },
        JSONMember("readOnly") { $0.isReadOnly },
        JSONMember("default") { $0.isDefault },
        JSONMember("open") { $0.open },
        JSONMember("completed") { $0.completed },
        JSONMember("unsent") { $0.unsent },
        JSONMember("due") { $0.defaults.due?.rawValue },
        JSONMember("alarm") { $0.defaults.alarms.map { AlarmFormatter.text($0) } },
    ]
}
