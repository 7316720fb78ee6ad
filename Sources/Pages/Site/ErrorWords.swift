import RemindavBridge
import RemindavDatePhrases
import RemindavReminders
import RemindavStore

/// An error in the words of a page: the problem, and the next step with the names of screens and buttons.
///
/// `CLI/ErrorMessages.swift` has the advice for the same codes in the words of the command line.
struct ErrorWords: Hashable, Sendable {
    /// One sentence.
    let problem: String
    /// The next step in one or two sentences; empty if there is none.
    let advice: String

    /// The problem and the advice.
    var text: String { self.advice.isEmpty ? self.problem : "\(self.problem) \(self.advice)" }

    private init(_ problem: String, _ advice: String) {
        self.problem = problem.sentence
        self.advice = advice
    }

    init(_ error: any Error) {
        if let error = error as? UseCaseError {
            // A time is added at the end of the sentence; a name is added in parentheses.
            let subject = error.subject.map { error.code == .serverWantsRest ? " \($0)" : " ('\($0.excerpt)')" } ?? ""
            self.init(error.code.rawValue + subject, Self.advice(error.code))
        } else if let category = ErrorCategory.of(error) {
            let subject = category.subject.flatMap { $0.isEmpty ? nil : "\($0.excerpt): " } ?? ""
            self.init(subject + category.detail, Self.advice(category.kind))
        } else if let error = error as? PhraseError {
            self.init(error.sentence, "")
        } else if error is LabelNameError || error is TitleError || error is LinkError || error is ReminderKeyError {
            self.init("\(error)", "")
        } else {
            self.init("an unexpected error occurred", "Run 'remindav doctor' in a terminal to find the cause.")
        }
    }

    /// The words for the error of a sync in the log, which contains only the name of a code.
    init(codeInLog name: String) {
        if name == RunRecord.deletionsHeld {
            self.init(
                "deletions wait for your confirmation",
                "Open Sync: confirm the deletions, or restore the reminders."
            )
        } else if let code = UseCaseError.Code.allCases.first(where: { "\($0)" == name }) {
            self.init(code.rawValue, Self.advice(code))
        } else if let kind = ErrorCategory.Kind.allCases.first(where: { "\($0)" == name }) {
            self.init(Self.problem(kind), Self.advice(kind))
        } else {
            self.init("the last sync was not complete", "Open Sync and sync again.")
        }
    }
}

extension String {
    /// The text with a capital letter at its beginning and a full stop at its end.
    var sentence: String {
        let text = self.capitalizedStart
        return text.hasSuffix(".") ? text : "\(text)."
    }
}

// MARK: Reminders, lists, labels and files

extension ErrorWords {
    private static func advice(_ code: UseCaseError.Code) -> String {
        switch code {
        case .reminderNotFound: "It may be deleted; the trash shows deleted reminders."
        case .defaultListNotFound: "Create a list with this name on the page Lists, or change the setting 'list'."
        case .defaultListDeleted, .defaultListReadOnly, .defaultListLost:
            "Choose another default list on the page Lists, or choose a list in the form of the reminder."
        case .listNotFound: "The page Lists shows the lists."
        case .accountNotFound: "The page Sync shows the accounts."
        case .storeNotFound: "Check the folder, and start 'remindav web' again."
        case .feedNotFound: "The page Feeds shows the feeds."
        case .severalFeeds, .badFeedName: "Choose another name: 1 to 100 characters on one line that are not a number."
        case .pushAddressMissing: "Set one with 'remindav feed push' in a terminal."
        case .feedNameTaken: "Choose another name, or rename the other feed first."
        case .labelNotFound, .noLabelToMergeInto: "The page Labels shows the labels."
        case .labelExists, .labelNameTaken: "Choose another name, or merge both labels."
        case .labelMergedWithItself: "Change the name to correct its spelling."
        case .labelIsReadOnly: "A read-only list cannot be changed here."
        case .listExists: "Choose another name, or use the existing list."
        case .accountExists: "Open the account on the page Sync; there you can change its password."
        case .listOnServer: "Use that list, or choose another name."
        case .listOnServerNotInStep: "Sync first and try again, or choose another name."
        case .listNameUnclear: "Open the list from the page Lists."
        case .listChangeRefused: "Try another name or colour, or change it on the website of the server."
        case .listDeleteRefused: "You can remove it from this computer only."
        case .listNotInStep: "Sync first and check the list, then delete it."
        case .listNotLost: "Nothing has to be decided for this list."
        case .listHasNoServer: "A local list has no unsent changes."
        case .editsWait: "Open the list: discard the unsent changes, or move the reminders to another list."
        case .severalAccounts: "Choose one of them on the page Sync."
        case .noAccounts: "Connect a server on the page Sync."
        case .listIsReadOnly: "Choose another list."
        case .changedMeanwhile: "Load the page again for the present text."
        case .alreadyCompleted: "Reopen it first."
        case .mustBeInFuture: "Choose a later day or time, or none."
        case .shiftNeedsDue: "Enter a date."
        case .shiftNeedsTime: "Enter a time."
        case .alarmNeedsDue: "Enter a date, or an alarm at a fixed time."
        case .tooManyAlarms: "A reminder can have \(AlarmChoice.maximumCount) alarms. Remove one first."
        case .repeatNeedsDue: "Enter a date, or choose Never for the recurrence."
        case .startAfterDue: "Choose an earlier start, or none."
        case .fieldOfSeries: "Change it for all dates."
        case .dateNeedsDue: "Complete this date to go on to the next one."
        case .noNextDate: "Complete the reminder instead."
        case .datesCountFromCompletion: "Change the whole reminder."
        case .startOfSeries: "Leave the start empty; the dates are counted from the first date."
        case .parentIsItself, .dependsOnItself: "Choose another reminder."
        case .parentIsSubtask: "Give that reminder another parent first."
        case .parentInOtherList: "Move one of the two to the other list first."
        case .dependencyCircle: "Remove that dependency first."
        case .repeatEndsBeforeDue: "Choose a later end of the repetition, or an earlier date."
        case .unsentChanges: "Sync first, or confirm that they are discarded."
        case .serverWantsRest: "No request was sent. 'Sync now' after that time sends the changes."
        case .daemonIsRunning: "Nothing has to be done."
        case .storeReplaced: "Start 'remindav web' again."
        case .syncIsRunning: "Wait for its end, then try again."
        case .notCalendarData: "An iCalendar file begins with BEGIN:VCALENDAR."
        case .utf16: "Save the file as UTF-8 first."
        case .fileCutShort: "Get the complete file and try again."
        case .formatUnknown, .notInFormat: "Choose the program that the file comes from."
        case .archiveRefused: "Unpack it, and import the files in it."
        case .titleColumnMissing: "Name one column of the table 'title'."
        case .datesAmbiguous: "Choose whether the day or the month comes first."
        case .fileTooLarge, .inputTooLong: "Split the file."
        case .beyondLimits: "Remove that line from the file and import it again."
        case .accountNameTooLong: "Choose a shorter name."
        case .listAddressTooLong: "Give it a shorter address on the server."
        case .listVanished:
            "Its reminders stay on this computer. Open the list and choose 'Keep as a local list', 'Upload again' or 'Delete List'."
        case .storeOpenToOthers:
            "If the contents are correct, remove the write permission of other users ('chmod go-w') and try again."
        case .passwordMissing: "Open the account and enter the password again."
        case .keyringClosed: "Unlock the keyring, or open the account and enter the password again."
        case .credentialMissing: "Add the credential to the unit of the service."
        case .fileNotReadable: "Enter the path of a readable PEM file."
        case .badSetting: "Enter one of the values that the form describes."
        case .loginTimedOut: "Begin again, and grant the access on the page of the server."
        case .noTaskLists: "Create a list on the page Lists, or check the address."
        case .changeNotFound, .runNotFound: "The log shows the operations of the last 30 days."
        case .thereBefore: "They stay, because undo would delete them for all users."
        case .undoEmptiesList: "Delete the list, or single reminders, if that is intended."
        case .runOnlySent: "Undo the operations that made the changes; the log shows them."
        case .commandOfTenant, .credentialOfTenant: "Enter the password instead."
        case .fileOfTenant: "Clear this setting."
        case .insecureOfTenant: "Use an address that begins with https://."
        case .passwordNotSealed, .secretDamaged: "Enter the password of the account again."
        case .vaultUnavailable: "Try again later."
        case .hostKeyMissing, .hostKeyNotReadable, .hostKeyOpenToOthers, .hostKeyNotValid, .hostKeyWrong,
            .sealingUnavailable:
            "Ask the administrator of the host."
        case .tenantNotFound, .serverNotFound, .tenantExists, .tenantNameNotValid, .tenantNotEmpty,
            .exportTargetExists, .identityTaken, .identityNotFound, .identityNotValid:
            "Ask the administrator of the host."
        case .browserNotFound: "The page Settings shows the signed-in browsers."
        case .notInTrash: "The trash shows the deleted reminders."
        case .listOfChangeGone: "Restore it to another list."
        case .changedSince, .changedAgain, .textUnknown: "It stays unchanged; its form changes it."
        case .labelChangedSince: "It stays unchanged; the page Labels shows it."
        case .listChangedSince: "It stays unchanged; the page Lists shows it."
        case .changedReminderGone: "Restore it from the trash first."
        case .conflictNotFound: "It may be settled; the page Conflicts shows the open ones."
        case .occurrenceGone, .losingLinesUnknown: "Change the reminder in its form."
        case .duplicateUIDInTarget, .duplicateUIDInOrigin: "Delete one of the two reminders."
        case .passwordCommandFailed: "Run the command in a terminal: it must print the password and exit with 0."
        }
    }
}

// MARK: Servers and the store

extension ErrorWords {
    private static func advice(_ kind: ErrorCategory.Kind) -> String {
        switch kind {
        case .authRejected:
            "Check both, and enter the password again. Two-factor authentication requires an app password of the server."
        case .authNotOffered: "Check the address, and that the server allows this user to sign in with a password."
        case .appPasswordNeeded: "Create an app password in the settings of the server, and enter it for the account."
        case .authUnsupported: "Ask the administrator for Basic or Digest authentication."
        case .passwordInClear: "Use an address that begins with https://."
        case .tokenRefused, .tokenCommandFailed: "Run the token command in a terminal: it must print a valid token."
        case .notAllowed: "Ask the owner of the list, or use another list."
        case .notFoundOnServer:
            "Nothing was deleted here. Check the address, and whether the server still has this user."
        case .notDAV: "Check the address. The settings page of the server or its manual contains its CalDAV address."
        case .badAddress: "Use the form https://dav.example.org/."
        case .redirectElsewhere: "If that host is correct, use its address instead."
        case .notSecure: "Use an address that begins with https://, or allow plain HTTP in a network that you trust."
        case .unreachable, .nameNotFound: "Check the address and the connection, then sync again."
        case .addressRefused: "Ask the administrator of the host. Nothing was sent."
        case .timedOut: "Nothing is lost. Try again later."
        case .brokenOff: "Nothing is lost. Try again later, and check whether https:// or http:// is correct."
        case .cancelled: "Nothing is lost. The next sync completes it."
        case .tlsFailed: "Check the address; your own server may need a newer TLS (1.2 or 1.3)."
        case .certificateExpired: "Ask the administrator to renew it. Nothing was sent."
        case .certificateNotYetValid: "Set the clock of this computer if it is wrong. Nothing was sent."
        case .certificateWrongHost: "Use the address that the certificate names. Nothing was sent."
        case .certificateUnknown: "If it is your own server, check its certificate and trust it. Nothing was sent."
        case .certificateChanged:
            "Ask the administrator. If the change is intended, trust the new key on the page of the account."
        case .clientCertificate: "Enter its PEM file in the settings of the account."
        case .authorities: "Enter a readable PEM file in the settings of the account."
        case .notTLS: "Check the address and its port, and whether the server uses https://. Nothing was sent."
        case .requestRefused: "Check the address, and whether it begins with https://."
        case .busy, .serverError: "Nothing is lost. Try again later, or tell the administrator."
        case .badAnswer: "Nothing was changed here. Try again, or tell the administrator."
        case .tooLarge: "It was not changed."
        case .itemTooLarge: "It stays on this computer. Shorten it; the next sync then sends it."
        case .overQuota: "Nothing is lost. Free some space on the server; the next sync then sends the rest."
        case .sameUID: "It stays on this computer. Delete one of the two, here or on the server, and sync again."
        case .textRefused: "It stays on this computer. It is sent again after an edit, or after a week."
        case .itemRefused: "It stays on this computer, and each sync tries again. An edit may help."
        case .storeLocked: "Wait until the other remindav process ends, then try again."
        case .storeNewer: "Install a newer remindav."
        case .storeCorrupt, .storeCutOff: "Replace the store with a backup."
        case .storeFull: "Free some space and try again."
        case .fileFailed: "Check the path and its permissions."
        case .storeReadOnly, .storeFailed: "Check the folder of the store and its permissions."
        case .storeUnavailable: "Try again later."
        case .databaseRefused, .databaseMissing, .databaseLibrary, .hostUnsuitable: "Ask the administrator of the host."
        case .storeOutcomeUnknown: "Check whether the change is there before you repeat it."
        case .leaseLost: "Nothing is lost: another process completes the sync."
        case .tenantSuspended, .tenantQuota: "Ask the administrator of the host."
        case .portTaken: "Choose another port."
        case .noLibrary: "Install the library with the package manager."
        case .severalRules: "Change it in the program that created it."
        case .recurrence: "Change the recurrence in the form of the reminder."
        }
    }

    /// The problem for an entry of the log; an error itself has a more precise text.
    private static func problem(_ kind: ErrorCategory.Kind) -> String {
        switch kind {
        case .authRejected: "the server refused the user name or the password"
        case .authNotOffered: "the server offers no way to sign in"
        case .appPasswordNeeded: "the server requires an app password"
        case .authUnsupported: "the authentication scheme of the server is not supported"
        case .passwordInClear: "the password would be sent unencrypted"
        case .tokenRefused: "the server refused the token"
        case .tokenCommandFailed: "the token command failed"
        case .notAllowed: "the server does not allow this"
        case .notFoundOnServer: "the server does not have the lists of the account"
        case .notDAV: "the server does not answer as CalDAV"
        case .badAddress: "the address is not valid"
        case .redirectElsewhere: "the server redirects to another host"
        case .notSecure: "the connection is not encrypted"
        case .unreachable: "the server cannot be reached"
        case .nameNotFound: "the name of the server is not found"
        case .addressRefused: "the host allows no connection to the server"
        case .timedOut: "the server did not answer in time"
        case .brokenOff: "the connection was interrupted"
        case .cancelled: "the sync was stopped before its end"
        case .tlsFailed: "no encrypted connection is possible"
        case .certificateExpired: "the certificate of the server has expired"
        case .certificateNotYetValid: "the certificate of the server is not valid yet"
        case .certificateWrongHost: "the certificate belongs to another host"
        case .certificateUnknown: "the certificate of the server cannot be verified"
        case .certificateChanged: "the server has another key than the trusted one"
        case .clientCertificate: "the client certificate cannot be used"
        case .authorities: "the file with the authorities cannot be used"
        case .notTLS: "the port of the server does not use TLS"
        case .requestRefused: "the server refuses the request"
        case .busy: "the server is busy"
        case .serverError: "the server has an internal error"
        case .badAnswer: "the answer of the server is not valid"
        case .tooLarge: "the answer of the server is too large"
        case .itemTooLarge: "a reminder is too large for the server"
        case .overQuota: "the server has no space left"
        case .sameUID: "the server has another item with the same UID"
        case .itemRefused: "the server refused a reminder"
        case .textRefused: "the server refused the text of a reminder"
        case .storeLocked: "another process uses the store"
        case .storeNewer: "a newer version of remindav made the store"
        case .storeCorrupt: "the store is damaged"
        case .storeCutOff: "the file of the store is incomplete"
        case .storeFull: "the disk is full"
        case .storeReadOnly: "the store cannot be written"
        case .storeFailed: "the store cannot be opened"
        case .fileFailed: "a file cannot be read or written"
        case .storeUnavailable: "the database server cannot be reached"
        case .databaseRefused: "the database server refused the sign-in"
        case .databaseMissing: "the database of the host does not exist"
        case .databaseLibrary: "the library of the database server is missing"
        case .hostUnsuitable: "the database of the host cannot be used"
        case .storeOutcomeUnknown: "the last change may be stored or not"
        case .leaseLost: "another worker syncs this account"
        case .tenantQuota: "the administrator allows no more"
        case .tenantSuspended: "the tenant is suspended"
        case .portTaken: "the port is in use"
        case .noLibrary: "a library is missing"
        case .severalRules: "a reminder has several repeat rules"
        case .recurrence: "a repeat rule cannot be computed"
        }
    }
}
