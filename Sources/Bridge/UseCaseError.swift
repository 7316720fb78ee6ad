import RemindavICalendar

/// The reason why a use case cannot be performed.
///
/// Two errors with the same code are equal. The subject is shown to the user and never logged.
package struct UseCaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem; the raw value describes it.
    package enum Code: String, Sendable, CaseIterable {
        case reminderNotFound = "there is no such reminder"
        case listNotFound = "there is no such list"
        case defaultListNotFound = "the list of the setting 'list' does not exist"
        case defaultListDeleted = "the default list for new reminders was deleted"
        case defaultListReadOnly = "the default list for new reminders is read-only"
        case defaultListLost = "the server no longer has the default list for new reminders"
        case accountNotFound = "there is no such account"
        case storeNotFound = "there is no store in this folder"
        case feedNotFound = "there is no such feed"
        case severalFeeds = "several feeds have this name"
        case pushAddressMissing = "this feed has no push address"
        case feedNameTaken = "there is already a feed with this name"
        case badFeedName = "this cannot be the name of a feed"
        case labelNotFound = "there is no such label"
        case noLabelToMergeInto = "there is no such label to merge into"
        case labelExists = "there is already a label with this name"
        case labelNameTaken = "there is another label with this name"
        case labelMergedWithItself = "both names belong to the same label"
        case labelIsReadOnly = "all reminders with this label are in read-only lists"
        case listExists = "there is already a list with this name"
        case accountNameTooLong = "the name of an account has at most 1024 bytes"
        case accountExists = "there is already an account for this user at this address"
        case listOnServer = "the server already has a list with this name"
        case listOnServerNotInStep =
            "the server already has a list with this name, and it has reminders that are not on this computer"
        case listNameUnclear = "several lists have this name with other upper or lower case"
        case listChangeRefused = "the server refuses this change of the list"
        case listDeleteRefused = "the server refuses to delete the list"
        case listNotInStep = "the list on the server has changes that are not synced yet"
        case listNotLost = "the list is still on its server"
        case listHasNoServer = "the list has no server"
        case editsWait = "this list is now read-only and has unsent changes"
        case severalAccounts = "there is more than one account"
        case noAccounts = "there is no account yet"
        case listIsReadOnly = "this list is read-only"
        case changedMeanwhile = "a sync or another command changed the same field"
        case alreadyCompleted = "the reminder is already completed"
        case mustBeInFuture = "must be in the future"
        case shiftNeedsDue = "a reminder without a due time cannot move by a length of time"
        case shiftNeedsTime = "an all-day reminder can only move by days, weeks, months or years"
        case alarmNeedsDue = "an alarm before the due time requires a due time"
        case tooManyAlarms = "more alarms of a reminder would never fire"
        case repeatNeedsDue = "a repeating reminder requires a due date"
        case startAfterDue = "the start is after the due time"
        case fieldOfSeries = "this field belongs to all dates of a repeating reminder"
        case dateNeedsDue = "one date of a repeating reminder cannot lose its due time"
        case noNextDate = "this reminder has no later date"
        case datesCountFromCompletion = "the later dates of this reminder count from its completion"
        case startOfSeries = "a repeating reminder cannot have a start of its own"
        case parentIsItself = "a reminder cannot be its own parent"
        case parentIsSubtask = "the new parent is a subtask of the reminder"
        case parentInOtherList = "the parent is in another list"
        case dependsOnItself = "a reminder cannot depend on itself"
        case dependencyCircle = "the other reminder depends on this one"
        case repeatEndsBeforeDue = "the repetition ends before the first date"
        case unsentChanges = "the lists of the account have unsent changes"
        case serverWantsRest = "the server requested a pause until"
        case daemonIsRunning = "a daemon already runs for this store"
        case storeReplaced = "the store in use was replaced by another one"
        case syncIsRunning = "another sync of this store is running"
        case notCalendarData = "this is not iCalendar data"
        case utf16 = "this file is in UTF-16, but must be in UTF-8"
        case fileCutShort = "the file is incomplete"
        case formatUnknown = "the format of the file is unknown"
        case notInFormat = "the file is not in this format"
        case archiveRefused = "the ZIP archive cannot be imported"
        case titleColumnMissing = "the table has no column for the title"
        case datesAmbiguous = "a date of the table can be day/month or month/day"
        case fileTooLarge = "the file is too large for this format"
        case inputTooLong = "the input is longer than 4 GiB"
        case beyondLimits = "the file exceeds a limit of remindav"
        case listVanished = "the server no longer has the list"
        case listAddressTooLong = "the address of the list on the server has more than 1024 bytes"
        case passwordMissing = "the password of the account is no longer stored"
        case noTaskLists = "the account has no task list"
        case storeOpenToOthers = "other users can write to the store, so its passwords are not used"
        case passwordCommandFailed = "the password command failed"
        case changeNotFound = "there is no such change in the log"
        case thereBefore = "the reminders were on the server before the first sync of their list"
        case undoEmptiesList = "undo would delete all reminders of a list on the server, for all its users"
        case runNotFound = "there is no such run in the log"
        case runOnlySent = "this sync only sent your own changes to the server"
        case tenantNotFound = "the host has no tenant with this name"
        case serverNotFound = "the host has no account on this server"
        case tenantExists = "the host already has a tenant with this name"
        case tenantNameNotValid = "this is not a valid name of a tenant"
        case identityTaken = "another tenant of the host has this person"
        case identityNotFound = "the tenant does not have this person"
        case identityNotValid = "this is not a valid name of a person or of a sign-in service"
        case commandOfTenant =
            "a tenant cannot use a command for a password or a token, because it would run on the host"
        case credentialOfTenant = "a tenant cannot use a credential of systemd, because it belongs to the host"
        case fileOfTenant = "a tenant cannot use this setting, because its file would be read on the host"
        case insecureOfTenant = "a tenant cannot send a password without encryption"
        case passwordNotSealed = "the password of the account is not sealed in the database of the host"
        case hostKeyMissing = "the host has no key that seals passwords"
        case hostKeyNotReadable = "the key of the host cannot be read"
        case hostKeyOpenToOthers = "other users can read the file with the key of the host"
        case hostKeyNotValid = "the key of the host does not have 64 hexadecimal digits"
        case hostKeyWrong = "the password is sealed under another key of the host"
        case secretDamaged = "the sealed password was changed in the database"
        case sealingUnavailable = "libsodium (libsodium.so.23), which seals passwords, is not installed"
        case vaultUnavailable = "the database with the sealed passwords cannot be read or written"
        case tenantNotEmpty = "the store of the tenant is not empty"
        case exportTargetExists = "there is already a file or folder with this path"
        case browserNotFound = "no browser with this number is signed in"
        case notInTrash = "there is no such reminder in the trash"
        case listOfChangeGone = "the list of the reminder no longer exists"
        case changedSince = "the reminder was changed after it was added"
        case changedAgain = "the same fields were changed again later"
        case labelChangedSince = "the label was changed again later"
        case listChangedSince = "the list was changed again later, or it is not empty"
        case changedReminderGone = "the changed reminder no longer exists"
        case conflictNotFound = "there is no such conflict"
        case occurrenceGone = "the occurrence or alarm of the conflict no longer exists"
        case losingLinesUnknown =
            "an older version recorded this conflict without the data to restore it"
        case duplicateUIDInTarget = "the target list already has a reminder with this UID"
        case duplicateUIDInOrigin = "the original list has another reminder with this UID"
        case textUnknown = "the log does not contain the earlier text"
        case keyringClosed = "the keyring is locked or does not contain the password of the account"
        case credentialMissing = "systemd did not pass this credential to the service"
        case fileNotReadable = "this file cannot be read"
        case badSetting = "this value cannot be set"
        case loginTimedOut = "access was not granted in the browser in time"
    }

    /// The code of the problem.
    package let code: Code
    /// The number or name in the request that the problem concerns; `nil` if there is none.
    package let subject: String?

    package init(_ code: Code, subject: String? = nil) {
        self.code = code
        self.subject = subject
    }

    /// The error for a file that contains no iCalendar component.
    package static func noCalendar(_ bytes: [UInt8], named name: String) -> Self {
        let issue = ParseIssue(notICalendar: bytes)
        guard issue.code != .utf16 else { return Self(.utf16, subject: name) }
        return Self(.notCalendarData, subject: "\(name): \(issue.message)")
    }

    /// The error for a file of unknown format if the user gave no `--format`.
    package static func unknown(_ bytes: [UInt8], named name: String) -> Self {
        let issue = ParseIssue(notICalendar: bytes)
        return issue == ParseIssue(.notICalendar, line: 1)
            ? Self(.formatUnknown, subject: name) : self.noCalendar(bytes, named: name)
    }

    /// The description of the problem, without the subject.
    package var description: String { self.code.rawValue }

    /// Returns whether both errors have the same code.
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    /// Hashes the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}
