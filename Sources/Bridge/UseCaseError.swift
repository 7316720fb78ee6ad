import ICalendar

/// Why something that a person asked for cannot be done with what the store holds.
///
/// Two errors are equal when their codes are. The subject is for the person who asked; it is never logged.
public struct UseCaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Sendable, CaseIterable {
        case reminderNotFound = "there is no such reminder"
        case listNotFound = "there is no such list"
        case defaultListNotFound = "the list that the settings name for new reminders is not there"
        case defaultListDeleted = "the default list for new reminders was deleted"
        case defaultListReadOnly = "you may only read the default list for new reminders"
        case defaultListLost = "the server no longer has the default list for new reminders"
        case accountNotFound = "there is no such account"
        case storeNotFound = "there is no store in this folder"
        case feedNotFound = "there is no such feed"
        case labelNotFound = "there is no such label"
        case noLabelToMergeInto = "there is no such label to merge into"
        case labelExists = "there is already a label with this name"
        case labelNameTaken = "there is another label with this name"
        case labelMergedWithItself = "both are the same label"
        case labelIsReadOnly = "all reminders with this label are in lists that you may only read"
        case listExists = "there is already a list with this name"
        case accountExists = "there is already an account for this user at this address"
        case listOnServer = "the server has a list of this name already"
        case listOnServerNotInStep = "the server has a list of this name already, and not all that is in it here"
        case listNameUnclear = "several lists differ only in capitals"
        case listChangeRefused = "the server does not take this change of the list"
        case listDeleteRefused = "the server does not let the list be deleted"
        case listNotInStep = "the server's list holds changes that are not here yet"
        case listNotLost = "the list is still on its server"
        case listHasNoServer = "the list has no server"
        case editsWait = "you may only read this list now, and edits from here wait"
        case severalAccounts = "there is more than one account"
        case noAccounts = "there is no account yet"
        case listIsReadOnly = "you may only read this list"
        case changedMeanwhile = "it was changed meanwhile, also in what you have changed"
        case alreadyCompleted = "the reminder is already completed"
        case mustBeInFuture = "must be in the future"
        case alarmNeedsDue = "an alarm that counts from the due time needs one"
        case repeatNeedsDue = "a reminder that repeats needs a due date"
        case repeatEndsBeforeDue = "the repetition ends before the first date"
        case unsentChanges = "the account's lists hold changes that the server has not got"
        case serverWantsRest = "the server wants to be left alone until"
        case daemonIsRunning = "a daemon rings for this store already"
        case storeReplaced = "the store was put in the place of the one that was in use"
        case syncIsRunning = "another sync of this store is running"
        case notCalendarData = "this is not iCalendar data"
        case utf16 = "this is in UTF-16, and UTF-8 is needed"
        case fileCutShort = "the file ends in the middle"
        case formatUnknown = "the file is of no program that is known here"
        case notInFormat = "the file is not in this format"
        case fileTooLarge = "the file is larger than a file of this format can be"
        case inputTooLong = "the input is longer than 4 GiB"
        case beyondLimits = "the file is damaged or hostile"
        case listVanished = "the list is not on the server any more"
        case passwordMissing = "the account's password is not kept here any more"
        case noTaskLists = "the account has no list for tasks"
        case storeOpenToOthers = "other users may write to the store, so that no password is taken from it"
        case passwordCommandFailed = "the password command failed"
        case changeNotFound = "the journal has no such change"
        case thereBefore = "what the first sync of a list brought was on the server before"
        case undoEmptiesList = "nothing would be left in a list on a server, for everybody who uses it"
        case runNotFound = "the journal has no such run"
        case notInTrash = "there is no such deletion in the trash"
        case listOfChangeGone = "the list is gone that it was in"
        case changedSince = "it was changed after it was added"
        case changedAgain = "all that was changed in it was changed again since"
        case labelChangedSince = "the label was changed again since"
        case listChangedSince = "the list was changed again since, or is not empty"
        case changedReminderGone = "the reminder is gone that was changed"
        case conflictNotFound = "there is no such conflict"
        case occurrenceGone = "the occurrence or the alarm is gone that it was about"
        case losingLinesUnknown =
            "an older version noted this conflict, and did not keep all that it takes to put it back"
        case duplicateUIDInTarget = "that list has this reminder already, with the same UID"
        case duplicateUIDInOrigin = "the list from which it was moved has another reminder with its UID"
        case textUnknown = "the journal does not hold the text that it had"
        case keyringClosed = "the keyring does not open, or the account's password is not in it any more"
        case credentialMissing = "systemd has given this service no such credential"
        case fileNotReadable = "this file cannot be read"
        case badSetting = "this value cannot be set"
        case loginTimedOut = "nobody has granted the access in the browser in time"
    }

    /// What is wrong.
    public let code: Code
    /// The number or the name that was asked for; `nil` when there is none.
    public let subject: String?

    /// An error about something that has a number or a name.
    package init(_ code: Code, subject: String? = nil) {
        self.code = code
        self.subject = subject
    }

    /// Why a file is refused in which no component of iCalendar was found.
    package static func noCalendar(_ bytes: [UInt8], named name: String) -> Self {
        let issue = ParseIssue(notICalendar: bytes)
        guard issue.code != .utf16 else { return Self(.utf16, subject: name) }
        return Self(.notCalendarData, subject: "\(name): \(issue.message)")
    }

    /// Why a file is refused in which an import found nothing that it knows, when nobody has said what it is.
    package static func unknown(_ bytes: [UInt8], named name: String) -> Self {
        let issue = ParseIssue(notICalendar: bytes)
        // Where more is known than that it is no iCalendar, that is said.
        return issue == ParseIssue(.notICalendar, line: 1)
            ? Self(.formatUnknown, subject: name) : self.noCalendar(bytes, named: name)
    }

    /// What is wrong, without the subject.
    public var description: String { self.code.rawValue }

    /// Whether both have the same code.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
