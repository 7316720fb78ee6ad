import RemindavBridge
import RemindavCalDAV
import RemindavHTTP
import RemindavReminders
import RemindavSync

/// The reason why an operation of ``Remindav`` failed.
public struct RemindavError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable identifier of the reason.
    ///
    /// A later version may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier, such as `listNotFound`.
        public let rawValue: String

        /// Creates a code, for a comparison with a code that has no name here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { self.rawValue }
    }

    /// The reason, for decisions of the program.
    public let code: Code
    /// The name, number, address or file that the error is about; `nil` for none.
    ///
    /// It can contain the user's text.
    public let subject: String?
    /// The problem in English, as words that follow the subject.
    public let message: String

    /// The subject and the message, for the user.
    public var description: String { self.subject.map { "\($0): \(self.message)" } ?? self.message }

    init(_ code: Code, _ message: String = "the operation was cancelled", subject: String? = nil) {
        (self.code, self.subject, self.message) = (code, subject, message)
    }

    init(_ error: any Error) {
        switch error {
        case let error as RemindavError: self = error
        case let error as DraftError: self.init(error.underlying)
        case let error as RemoteError: self.init(error.underlying)
        case is CancellationError: self.init(.cancelled)
        case let error as TransportError where error.code == .cancelled: self.init(.cancelled)
        case let error as CalDAVError where error.transport?.code == .cancelled: self.init(.cancelled)
        case is TitleError: self.init(.titleRequired, "\(error)")
        case LabelNameError.nameRequired: self.init(.labelNameRequired, "\(error)")
        case is LabelNameError: self.init(.labelNameTooLong, "\(error)")
        case let error as UseCaseError:
            self.init(Code(rawValue: "\(error.code)"), error.code.rawValue, subject: error.subject)
        default:
            let category = ErrorCategory.of(error)
            self.init(
                category.map { Code(rawValue: "\($0.kind)") } ?? .other,
                category?.detail ?? "\(error)",
                subject: category?.subject
            )
        }
    }
}

extension RemindavError.Code {
    /// The task that called the operation was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// An error without a code of its own; ``RemindavError/message`` describes it.
    public static let other = Self(rawValue: "other")

    // Accounts and servers
    /// The server refuses the user or the password.
    public static let authRejected = Self(rawValue: "authRejected")
    /// The server wants a password for this program, from its settings.
    public static let appPasswordNeeded = Self(rawValue: "appPasswordNeeded")
    /// The address has no name of a server.
    public static let badAddress = Self(rawValue: "badAddress")
    /// The server redirects to another host, which does not get the password.
    public static let redirectElsewhere = Self(rawValue: "redirectElsewhere")
    /// No server answers at this address.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The server did not answer in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The certificate of the server is signed by an unknown authority.
    public static let certificateUnknown = Self(rawValue: "certificateUnknown")
    /// The server has no CalDAV.
    public static let notDAV = Self(rawValue: "notDAV")
    /// The account has no list for reminders.
    public static let noTaskLists = Self(rawValue: "noTaskLists")
    /// There is no account yet.
    public static let noAccounts = Self(rawValue: "noAccounts")
    /// There is no account with this name.
    public static let accountNotFound = Self(rawValue: "accountNotFound")
    /// The store already has this account.
    public static let accountExists = Self(rawValue: "accountExists")
    /// The removal of the account would lose changes that were not sent.
    public static let unsentChanges = Self(rawValue: "unsentChanges")
    /// A daemon or another program delivers the alarms of this store.
    public static let daemonIsRunning = Self(rawValue: "daemonIsRunning")
    /// Another sync of this store is running.
    public static let syncIsRunning = Self(rawValue: "syncIsRunning")

    // Reminders, lists and labels
    /// There is no reminder with this number.
    public static let reminderNotFound = Self(rawValue: "reminderNotFound")
    /// There is no list with this name.
    public static let listNotFound = Self(rawValue: "listNotFound")
    /// There is already a list with this name.
    public static let listExists = Self(rawValue: "listExists")
    /// The user may not change the list.
    public static let listIsReadOnly = Self(rawValue: "listIsReadOnly")
    /// There is no label with this name.
    public static let labelNotFound = Self(rawValue: "labelNotFound")
    /// There is already a label with this name.
    public static let labelExists = Self(rawValue: "labelExists")
    /// Another program or a sync changed the same field since it was read.
    public static let changedMeanwhile = Self(rawValue: "changedMeanwhile")

    // The store
    /// Another process locked the store for too long.
    public static let storeLocked = Self(rawValue: "storeLocked")
    /// A newer version of the library wrote the store; it is not changed.
    public static let storeNewer = Self(rawValue: "storeNewer")
    /// The file of the store is damaged.
    public static let storeCorrupt = Self(rawValue: "storeCorrupt")
    /// The disk is full.
    public static let storeFull = Self(rawValue: "storeFull")
}

// The other codes, by name.
extension RemindavError.Code {
    /// The title has no letter.
    public static let titleRequired = Self(rawValue: "titleRequired")
    /// The name of a label has no letter.
    public static let labelNameRequired = Self(rawValue: "labelNameRequired")
    /// The name of a label is too long.
    public static let labelNameTooLong = Self(rawValue: "labelNameTooLong")
    /// An alarm before the due time requires a due time.
    public static let alarmNeedsDue = Self(rawValue: "alarmNeedsDue")
    /// The reminder is already completed.
    public static let alreadyCompleted = Self(rawValue: "alreadyCompleted")
    /// The ZIP archive cannot be imported.
    public static let archiveRefused = Self(rawValue: "archiveRefused")
    /// The server does not ask for a password.
    public static let authNotOffered = Self(rawValue: "authNotOffered")
    /// The server requires a way of sign-in that is not supported.
    public static let authUnsupported = Self(rawValue: "authUnsupported")
    /// The file with the trusted certificates cannot be used.
    public static let authorities = Self(rawValue: "authorities")
    /// The answer of the server cannot be read.
    public static let badAnswer = Self(rawValue: "badAnswer")
    /// This cannot be the name of a feed.
    public static let badFeedName = Self(rawValue: "badFeedName")
    /// This value cannot be set.
    public static let badSetting = Self(rawValue: "badSetting")
    /// The file exceeds a limit of remindav.
    public static let beyondLimits = Self(rawValue: "beyondLimits")
    /// The connection ended before the answer was complete.
    public static let brokenOff = Self(rawValue: "brokenOff")
    /// No browser with this number is signed in.
    public static let browserNotFound = Self(rawValue: "browserNotFound")
    /// The server asks for a pause.
    public static let busy = Self(rawValue: "busy")
    /// The key of the server differs from the trusted key.
    public static let certificateChanged = Self(rawValue: "certificateChanged")
    /// The certificate of the server has expired.
    public static let certificateExpired = Self(rawValue: "certificateExpired")
    /// The certificate of the server is not valid yet.
    public static let certificateNotYetValid = Self(rawValue: "certificateNotYetValid")
    /// The certificate of the server is for another host.
    public static let certificateWrongHost = Self(rawValue: "certificateWrongHost")
    /// The host allows no connection to this server; only stores of a host report this.
    public static let addressRefused = Self(rawValue: "addressRefused")
    /// There is no such change in the log.
    public static let changeNotFound = Self(rawValue: "changeNotFound")
    /// The same fields were changed again later.
    public static let changedAgain = Self(rawValue: "changedAgain")
    /// The changed reminder no longer exists.
    public static let changedReminderGone = Self(rawValue: "changedReminderGone")
    /// The reminder was changed after it was added.
    public static let changedSince = Self(rawValue: "changedSince")
    /// The server refuses the certificate of the client.
    public static let clientCertificate = Self(rawValue: "clientCertificate")
    /// There is no such conflict.
    public static let conflictNotFound = Self(rawValue: "conflictNotFound")
    /// Systemd did not pass this credential to the service.
    public static let credentialMissing = Self(rawValue: "credentialMissing")
    /// One date of a repeating reminder cannot lose its due time.
    public static let dateNeedsDue = Self(rawValue: "dateNeedsDue")
    /// A date of the table can be day/month or month/day.
    public static let datesAmbiguous = Self(rawValue: "datesAmbiguous")
    /// The later dates of this reminder count from its completion.
    public static let datesCountFromCompletion = Self(rawValue: "datesCountFromCompletion")
    /// The default list for new reminders was deleted.
    public static let defaultListDeleted = Self(rawValue: "defaultListDeleted")
    /// The server no longer has the default list for new reminders.
    public static let defaultListLost = Self(rawValue: "defaultListLost")
    /// The list of the setting 'list' does not exist.
    public static let defaultListNotFound = Self(rawValue: "defaultListNotFound")
    /// The default list for new reminders is read-only.
    public static let defaultListReadOnly = Self(rawValue: "defaultListReadOnly")
    /// The other reminder depends on this one.
    public static let dependencyCircle = Self(rawValue: "dependencyCircle")
    /// A reminder cannot depend on itself.
    public static let dependsOnItself = Self(rawValue: "dependsOnItself")
    /// The original list has another reminder with this UID.
    public static let duplicateUIDInOrigin = Self(rawValue: "duplicateUIDInOrigin")
    /// The target list already has a reminder with this UID.
    public static let duplicateUIDInTarget = Self(rawValue: "duplicateUIDInTarget")
    /// This list is now read-only and has unsent changes.
    public static let editsWait = Self(rawValue: "editsWait")
    /// There is already a feed with this name.
    public static let feedNameTaken = Self(rawValue: "feedNameTaken")
    /// There is no such feed.
    public static let feedNotFound = Self(rawValue: "feedNotFound")
    /// This field belongs to all dates of a repeating reminder.
    public static let fieldOfSeries = Self(rawValue: "fieldOfSeries")
    /// The file is incomplete.
    public static let fileCutShort = Self(rawValue: "fileCutShort")
    /// This file cannot be read.
    public static let fileNotReadable = Self(rawValue: "fileNotReadable")
    /// The file is too large for this format.
    public static let fileTooLarge = Self(rawValue: "fileTooLarge")
    /// The format of the file is unknown.
    public static let formatUnknown = Self(rawValue: "formatUnknown")
    /// The input is longer than 4 GiB.
    public static let inputTooLong = Self(rawValue: "inputTooLong")
    /// A reminder of the server cannot be stored.
    public static let itemRefused = Self(rawValue: "itemRefused")
    /// The server refuses a reminder of this size.
    public static let itemTooLarge = Self(rawValue: "itemTooLarge")
    /// The keyring is locked or does not contain the password of the account.
    public static let keyringClosed = Self(rawValue: "keyringClosed")
    /// The label was changed again later.
    public static let labelChangedSince = Self(rawValue: "labelChangedSince")
    /// All reminders with this label are in read-only lists.
    public static let labelIsReadOnly = Self(rawValue: "labelIsReadOnly")
    /// Both names belong to the same label.
    public static let labelMergedWithItself = Self(rawValue: "labelMergedWithItself")
    /// There is another label with this name.
    public static let labelNameTaken = Self(rawValue: "labelNameTaken")
    /// The server refuses this change of the list.
    public static let listChangeRefused = Self(rawValue: "listChangeRefused")
    /// The list was changed again later, or it is not empty.
    public static let listChangedSince = Self(rawValue: "listChangedSince")
    /// The server refuses to delete the list.
    public static let listDeleteRefused = Self(rawValue: "listDeleteRefused")
    /// The list has no server.
    public static let listHasNoServer = Self(rawValue: "listHasNoServer")
    /// Several lists have this name with other upper or lower case.
    public static let listNameUnclear = Self(rawValue: "listNameUnclear")
    /// The list on the server has changes that are not synced yet.
    public static let listNotInStep = Self(rawValue: "listNotInStep")
    /// The list is still on its server.
    public static let listNotLost = Self(rawValue: "listNotLost")
    /// The list of the reminder no longer exists.
    public static let listOfChangeGone = Self(rawValue: "listOfChangeGone")
    /// The server already has a list with this name.
    public static let listOnServer = Self(rawValue: "listOnServer")
    /// The server already has a list with this name, and it has reminders that are not on this computer.
    public static let listOnServerNotInStep = Self(rawValue: "listOnServerNotInStep")
    /// The server no longer has the list.
    public static let listVanished = Self(rawValue: "listVanished")
    /// Access was not granted in the browser in time.
    public static let loginTimedOut = Self(rawValue: "loginTimedOut")
    /// An older version recorded this conflict without the data to restore it.
    public static let losingLinesUnknown = Self(rawValue: "losingLinesUnknown")
    /// Must be in the future.
    public static let mustBeInFuture = Self(rawValue: "mustBeInFuture")
    /// The name of the server cannot be found.
    public static let nameNotFound = Self(rawValue: "nameNotFound")
    /// There is no such label to merge into.
    public static let noLabelToMergeInto = Self(rawValue: "noLabelToMergeInto")
    /// A library of the system is missing.
    public static let noLibrary = Self(rawValue: "noLibrary")
    /// This reminder has no later date.
    public static let noNextDate = Self(rawValue: "noNextDate")
    /// The server does not allow this.
    public static let notAllowed = Self(rawValue: "notAllowed")
    /// This is not iCalendar data.
    public static let notCalendarData = Self(rawValue: "notCalendarData")
    /// There is nothing at this address on the server.
    public static let notFoundOnServer = Self(rawValue: "notFoundOnServer")
    /// The file is not in this format.
    public static let notInFormat = Self(rawValue: "notInFormat")
    /// There is no such reminder in the trash.
    public static let notInTrash = Self(rawValue: "notInTrash")
    /// The password would be sent without TLS.
    public static let notSecure = Self(rawValue: "notSecure")
    /// The service at this port has no TLS.
    public static let notTLS = Self(rawValue: "notTLS")
    /// The occurrence or alarm of the conflict no longer exists.
    public static let occurrenceGone = Self(rawValue: "occurrenceGone")
    /// The server has no space left.
    public static let overQuota = Self(rawValue: "overQuota")
    /// The parent is in another list.
    public static let parentInOtherList = Self(rawValue: "parentInOtherList")
    /// A reminder cannot be its own parent.
    public static let parentIsItself = Self(rawValue: "parentIsItself")
    /// The new parent is a subtask of the reminder.
    public static let parentIsSubtask = Self(rawValue: "parentIsSubtask")
    /// The password command failed.
    public static let passwordCommandFailed = Self(rawValue: "passwordCommandFailed")
    /// The server requests the password over a connection without TLS.
    public static let passwordInClear = Self(rawValue: "passwordInClear")
    /// The password of the account is no longer stored.
    public static let passwordMissing = Self(rawValue: "passwordMissing")
    /// Another program uses the port.
    public static let portTaken = Self(rawValue: "portTaken")
    /// This feed has no push address.
    public static let pushAddressMissing = Self(rawValue: "pushAddressMissing")
    /// The dates of the repeat rule cannot be computed.
    public static let recurrence = Self(rawValue: "recurrence")
    /// The repetition ends before the first date.
    public static let repeatEndsBeforeDue = Self(rawValue: "repeatEndsBeforeDue")
    /// A repeating reminder requires a due date.
    public static let repeatNeedsDue = Self(rawValue: "repeatNeedsDue")
    /// The server refuses the request.
    public static let requestRefused = Self(rawValue: "requestRefused")
    /// There is no such run in the log.
    public static let runNotFound = Self(rawValue: "runNotFound")
    /// This sync only sent your own changes to the server.
    public static let runOnlySent = Self(rawValue: "runOnlySent")
    /// The server has another reminder with this UID.
    public static let sameUID = Self(rawValue: "sameUID")
    /// The server reports an internal error.
    public static let serverError = Self(rawValue: "serverError")
    /// The server requested a pause until.
    public static let serverWantsRest = Self(rawValue: "serverWantsRest")
    /// There is more than one account.
    public static let severalAccounts = Self(rawValue: "severalAccounts")
    /// Several feeds have this name.
    public static let severalFeeds = Self(rawValue: "severalFeeds")
    /// The reminder has more than one repeat rule.
    public static let severalRules = Self(rawValue: "severalRules")
    /// A reminder without a due time cannot move by a length of time.
    public static let shiftNeedsDue = Self(rawValue: "shiftNeedsDue")
    /// An all-day reminder can only move by days, weeks, months or years.
    public static let shiftNeedsTime = Self(rawValue: "shiftNeedsTime")
    /// The start is after the due time.
    public static let startAfterDue = Self(rawValue: "startAfterDue")
    /// A repeating reminder cannot have a start of its own.
    public static let startOfSeries = Self(rawValue: "startOfSeries")
    /// The file of the store is incomplete.
    public static let storeCutOff = Self(rawValue: "storeCutOff")
    /// The store cannot be read or written.
    public static let storeFailed = Self(rawValue: "storeFailed")
    /// There is no store in this folder.
    public static let storeNotFound = Self(rawValue: "storeNotFound")
    /// Other users can write to the store, so its passwords are not used.
    public static let storeOpenToOthers = Self(rawValue: "storeOpenToOthers")
    /// The store cannot be written.
    public static let storeReadOnly = Self(rawValue: "storeReadOnly")
    /// The database server cannot be reached; only stores of a host report this.
    public static let storeUnavailable = Self(rawValue: "storeUnavailable")
    /// The database server refused the sign-in; only stores of a host report this.
    public static let databaseRefused = Self(rawValue: "databaseRefused")
    /// The database of the host does not exist; only stores of a host report this.
    public static let databaseMissing = Self(rawValue: "databaseMissing")
    /// The library of the database server is missing; only stores of a host report this.
    public static let databaseLibrary = Self(rawValue: "databaseLibrary")
    /// A file or a folder cannot be read or written.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// The connection to the database server ended during a commit; only stores of a host report this.
    public static let storeOutcomeUnknown = Self(rawValue: "storeOutcomeUnknown")
    /// The database of a host has another schema or a role with too many rights.
    public static let hostUnsuitable = Self(rawValue: "hostUnsuitable")
    /// A command for a password or a token would run on the host; only stores of a host report this.
    public static let commandOfTenant = Self(rawValue: "commandOfTenant")
    /// A credential of systemd belongs to the host; only stores of a host report this.
    public static let credentialOfTenant = Self(rawValue: "credentialOfTenant")
    /// The file of a setting would be read on the host; only stores of a host report this.
    public static let fileOfTenant = Self(rawValue: "fileOfTenant")
    /// A tenant cannot send a password without encryption; only stores of a host report this.
    public static let insecureOfTenant = Self(rawValue: "insecureOfTenant")
    /// The password is not sealed in the database of the host; only stores of a host report this.
    public static let passwordNotSealed = Self(rawValue: "passwordNotSealed")
    /// The host has no key that seals passwords.
    public static let hostKeyMissing = Self(rawValue: "hostKeyMissing")
    /// The key of the host cannot be read.
    public static let hostKeyNotReadable = Self(rawValue: "hostKeyNotReadable")
    /// Other users can read the file with the key of the host.
    public static let hostKeyOpenToOthers = Self(rawValue: "hostKeyOpenToOthers")
    /// The key of the host does not have 64 hexadecimal digits.
    public static let hostKeyNotValid = Self(rawValue: "hostKeyNotValid")
    /// The password is sealed under another key of the host.
    public static let hostKeyWrong = Self(rawValue: "hostKeyWrong")
    /// The sealed password was changed in the database of the host.
    public static let secretDamaged = Self(rawValue: "secretDamaged")
    /// The library that seals passwords is not installed.
    public static let sealingUnavailable = Self(rawValue: "sealingUnavailable")
    /// The database with the sealed passwords cannot be read or written.
    public static let vaultUnavailable = Self(rawValue: "vaultUnavailable")
    /// The host has no tenant with this name.
    public static let tenantNotFound = Self(rawValue: "tenantNotFound")
    /// The host has no account on this server.
    public static let serverNotFound = Self(rawValue: "serverNotFound")
    /// The host already has a tenant with this name.
    public static let tenantExists = Self(rawValue: "tenantExists")
    /// This is not a valid name of a tenant.
    public static let tenantNameNotValid = Self(rawValue: "tenantNameNotValid")
    /// The name of an account is longer than the limit of the store.
    public static let accountNameTooLong = Self(rawValue: "accountNameTooLong")
    /// The address of a list on the server is longer than the limit of the store.
    public static let listAddressTooLong = Self(rawValue: "listAddressTooLong")
    /// The store of the tenant is not empty.
    public static let tenantNotEmpty = Self(rawValue: "tenantNotEmpty")
    /// There is already a file or folder with the path of an export.
    public static let exportTargetExists = Self(rawValue: "exportTargetExists")
    /// Another tenant of the host has this person.
    public static let identityTaken = Self(rawValue: "identityTaken")
    /// The tenant does not have this person.
    public static let identityNotFound = Self(rawValue: "identityNotFound")
    /// This is not a valid name of a person or of a sign-in service.
    public static let identityNotValid = Self(rawValue: "identityNotValid")
    /// Another worker has taken over the sync of an account; only stores of a host report this.
    public static let leaseLost = Self(rawValue: "leaseLost")
    /// The write would exceed a limit of the tenant; only stores of a host report this.
    public static let tenantQuota = Self(rawValue: "tenantQuota")
    /// The administrator has suspended the tenant; only stores of a host report this.
    public static let tenantSuspended = Self(rawValue: "tenantSuspended")
    /// The store in use was replaced by another one.
    public static let storeReplaced = Self(rawValue: "storeReplaced")
    /// The server refuses the text of the reminder.
    public static let textRefused = Self(rawValue: "textRefused")
    /// The log does not contain the earlier text.
    public static let textUnknown = Self(rawValue: "textUnknown")
    /// The reminders were on the server before the first sync of their list.
    public static let thereBefore = Self(rawValue: "thereBefore")
    /// The table has no column for the title.
    public static let titleColumnMissing = Self(rawValue: "titleColumnMissing")
    /// There is no secure connection to the server.
    public static let tlsFailed = Self(rawValue: "tlsFailed")
    /// The command that prints the token failed.
    public static let tokenCommandFailed = Self(rawValue: "tokenCommandFailed")
    /// The token is wrong or has expired.
    public static let tokenRefused = Self(rawValue: "tokenRefused")
    /// The answer of the server is too large.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// More alarms of a reminder would never fire.
    public static let tooManyAlarms = Self(rawValue: "tooManyAlarms")
    /// Undo would delete all reminders of a list on the server, for all its users.
    public static let undoEmptiesList = Self(rawValue: "undoEmptiesList")
    /// This file is in UTF-16, but must be in UTF-8.
    public static let utf16 = Self(rawValue: "utf16")
}
