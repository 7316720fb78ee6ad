import ICalendar

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
    /// What was met on the way, in the order of the lines; at most ``issueLimit``.
    package var issues: [IssueView]
    /// How many there were, including those beyond the limit.
    package var issueCount: Int
    /// The name of the list that the reminders are in.
    package var list: String

    /// Whether all that could be a reminder is one, and nothing of it was lost to the reader.
    package var isWhole: Bool {
        self.skipped == self.foreign && !self.issues.contains { $0.severity == ParseIssue.Severity.error.rawValue }
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

/// What a sync did to one list, or would do.
package struct ListSyncReport: Sendable {
    /// The list's name.
    package var list: String
    /// The account's name.
    package var account: String
    /// Reminders brought here, new or changed.
    package var pulled = 0
    /// Reminders sent there, new or changed.
    package var pushed = 0
    /// Reminders changed on both sides and put together.
    package var merged = 0
    /// Properties changed differently on both sides; the loser's value is in `conflicts`.
    package var conflicts = 0
    /// Reminders deleted here.
    package var deletedLocally = 0
    /// Reminders deleted there.
    package var deletedRemotely = 0
    /// Deletions held back by the safety limit.
    package var held = 0
    /// HTTP requests for this list.
    package var requests = 0
    /// Reminders that the server did not take or give this time.
    package var failures = 0
    /// Why the list was not finished; `nil` when it was.
    package var error: (any Error)?

    /// A list with nothing done yet.
    package init(list: String, account: String) {
        self.list = list
        self.account = account
    }
}

/// What a sync did.
package struct SyncSummary: Sendable {
    /// One per list, in the order of accounts and lists.
    package var lists: [ListSyncReport]
    /// An account whose lists could not even be asked for, with the reason.
    package var failedAccounts: [(account: String, error: any Error)]

    /// Everything at once.
    package init(lists: [ListSyncReport], failedAccounts: [(account: String, error: any Error)] = []) {
        self.lists = lists
        self.failedAccounts = failedAccounts
    }
}

/// Where a sync stands; for a line on the terminal.
package struct SyncProgress: Hashable, Sendable {
    /// The list that is being synced.
    package let list: String
    /// Actions done so far.
    package let done: Int

    /// Everything at once.
    package init(list: String, done: Int) {
        self.list = list
        self.done = done
    }
}

/// A list as `lists` shows it.
package struct ListView: Hashable, Sendable {
    /// Its name, unique in the store.
    package let name: String
    /// The account's name; `nil` for a local list.
    package let account: String?
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

    /// Everything at once.
    package init(
        name: String,
        account: String?,
        color: String?,
        isReadOnly: Bool,
        isDefault: Bool,
        open: Int,
        completed: Int,
        unsent: Int
    ) {
        self.name = name
        self.account = account
        self.color = color
        self.isReadOnly = isReadOnly
        self.isDefault = isDefault
        self.open = open
        self.completed = completed
        self.unsent = unsent
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
    /// The names of its lists.
    package let lists: [String]

    /// Everything at once.
    package init(name: String, address: String, user: String, passwordOrigin: String, lists: [String]) {
        self.name = name
        self.address = address
        self.user = user
        self.passwordOrigin = passwordOrigin
        self.lists = lists
    }
}

/// A value that lost when both sides changed the same property.
package struct ConflictView: Hashable, Sendable {
    /// The reminder's number; `nil` when it is gone.
    package let reminder: Int64?
    /// The reminder's title.
    package let title: String
    /// Its list's name.
    package let list: String
    /// The property's name on the wire, such as `SUMMARY`.
    package let property: String
    /// The content line that was kept; empty when the property was removed.
    package let kept: String
    /// The content line that lost; empty when the property was removed.
    package let lost: String
    /// The side that lost: `here` or `server`.
    package let lostSide: String
    /// When it was decided, RFC 3339.
    package let decidedAt: String

    /// Everything at once.
    package init(
        reminder: Int64?,
        title: String,
        list: String,
        property: String,
        kept: String,
        lost: String,
        lostSide: String,
        decidedAt: String
    ) {
        self.reminder = reminder
        self.title = title
        self.list = list
        self.property = property
        self.kept = kept
        self.lost = lost
        self.lostSide = lostSide
        self.decidedAt = decidedAt
    }
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
    /// When it was created, RFC 3339.
    package let createdAt: String

    /// Everything at once.
    package init(id: Int64, path: String?, list: String?, labels: [String], createdAt: String) {
        self.id = id
        self.path = path
        self.list = list
        self.labels = labels
        self.createdAt = createdAt
    }
}
