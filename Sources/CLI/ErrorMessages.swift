import RemindavBridge
import RemindavICalendar
import RemindavJSON
import RemindavPlatform
import RemindavRecurrence
import RemindavReminders
import RemindavTaskFormats

struct Explanation: Hashable, Sendable {
    /// The name of the problem in JSON, which must not change, because scripts depend on it.
    let code: String
    /// The problem in a sentence; empty if no message is printed.
    var message: String
    /// The next step of the user; empty if there is none.
    let advice: String
    let status: ExitStatus

    init(_ code: String, _ message: String, advice: String = "", status: ExitStatus) {
        self.code = code
        self.message = message
        self.advice = advice
        self.status = status
    }

    /// The problem and the advice; empty if no message is printed.
    var sentence: String {
        // A reference to a help page has a line of its own.
        let isPage = self.advice.hasPrefix(Self.helpPage)
        return self.advice.isEmpty ? self.message : "\(self.message)\(isPage ? "\n" : " ")\(self.advice)"
    }

    static let helpPage = "See 'remindav help"

    /// The same explanation with the subject that it concerns.
    func about(_ subject: String) -> Self {
        var explanation = self
        explanation.message = "\(subject): \(self.message)"
        return explanation
    }

    /// The same explanation with other texts.
    func changed(_ change: (String) -> String) -> Self {
        Self(self.code, change(self.message), advice: change(self.advice), status: self.status)
    }
}

/// One line of JSON on standard error, with `--json`.
struct JSONComplaint: JSONRecord {
    let explanation: Explanation

    static let jsonMembers: [JSONMember<Self>] = [JSONMember("error") { $0.explanation }]
}

extension Explanation: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("code") { $0.code },
        JSONMember("message") { $0.message },
        JSONMember("advice") { $0.advice.isEmpty ? nil : $0.advice },
        JSONMember("status") { Int($0.status.rawValue) },
    ]
}

/// The advice for all errors; the error types themselves describe the problems.
enum ErrorMessages {
    static func explain(_ error: any Error) -> Explanation {
        switch error {
        case let error as UsageError: self.explain(error)
        case let error as UseCaseError: self.explain(error, nearest: nil)
        case let error as UnknownName: self.explain(error.error, nearest: error.nearest, label: error.label)
        case let error as NoCompletedReminder: self.explain(error)
        case let error as InputLineError: self.explain(error)
        case let error as OutputError where error.code == .brokenPipe:
            Explanation("brokenPipe", "", status: .brokenPipe)
        case let error as OutputError:
            Explanation("output\(self.name(error.code))", self.asSentence(error.code.rawValue), status: .failure)
        case let error as NewAccountError: self.explain(error)
        case let error as FileError: self.explain(error)
        case let error as PasswordError:
            Explanation("password\(self.name(error.code))", error.code.rawValue, status: .usage)
        case let error as EditorError: self.explain(error)
        case let error as SettingsError: self.explain(error)
        case let error as ServiceError: self.explain(error)
        case let error as FeedPushError: error.explanation
        case let error as UnknownZone: Explanation("unknownZone", error.description, status: .failure)
        case let error as ExpansionError: self.explain(error)
        case is LabelNameError, is TitleError, is ReminderKeyError, is LinkError:
            Explanation("badValue", "\(error)", status: .usage)
        case let error as ValueError: Explanation("badValue", self.asSentence(error.description), status: .usage)
        case is CancellationError: Explanation("interrupted", "", status: .interrupted)
        default:
            ErrorCategory.of(error).map(self.explain)
                ?? Explanation("failed", self.asSentence("\(error)"), status: .failure)
        }
    }

    /// The name of a case, with a capital letter.
    private static func name(_ code: some Any) -> String {
        let name = "\(code)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func explain(_ error: NoCompletedReminder) -> Explanation {
        let name = Sanitizer.excerpt(error.text)
        let advice = "'remindav list --section completed' shows the numbers."
        return Explanation(
            "reminderNotFound",
            "No completed reminder matches '\(name)'.",
            advice: advice,
            status: .notFound
        )
    }

    private static func explain(_ error: InputLineError) -> Explanation {
        let cause = self.explain(error.underlying)
        let message = "Line \(error.line) of standard input: \(cause.sentence) Nothing was added."
        return Explanation(cause.code, message, status: cause.status)
    }

    private static func explain(_ error: NewAccountError) -> Explanation {
        let cause = self.explain(error.underlying)
        let kind = ErrorCategory.of(error.underlying)?.kind
        let advice: String
        switch kind {
        case .authRejected: advice = "No account was added. Check both and repeat the command. \(self.appPassword)"
        case .appPasswordNeeded:
            advice = """
                No account was added. Create one in the settings of the server, or, on Nextcloud, with 'remindav account \
                add --nextcloud URL'.
                """
        default: return cause
        }
        return Explanation(cause.code, cause.message, advice: advice, status: cause.status)
    }

    private static func explain(_ error: UsageError) -> Explanation {
        // The messages for these errors do not refer to the help page.
        let plain: Set<UsageError.Code> = [.mustBeInFuture, .titleRequired, .needsYes]
        let page = "\(Explanation.helpPage)\(error.command.map { " \($0)" } ?? "")'."
        let advice = plain.contains(error.code) ? "" : page
        return Explanation("\(error.code)", error.sentence, advice: advice, status: .usage)
    }

    private static func explain(_ error: EditorError) -> Explanation {
        if error.code == .interrupted { return Explanation("interrupted", "", status: .interrupted) }
        let subject = error.subject.map { " ('\(Sanitizer.excerpt($0))')" } ?? ""
        let advice =
            switch error.code {
            case .noEditor, .notStarted: "Set EDITOR, or use options: 'remindav help edit'."
            case .noFile: "Nothing was changed. Set TMPDIR to a writable folder."
            case .tooLarge: "Nothing was changed. Pass long notes on standard input: '--notes -'."
            case .failed, .interrupted: "Nothing was changed."
            }
        let problem = self.asSentence(error.code.rawValue + subject)
        return Explanation("editor\(self.name(error.code))", problem, advice: advice, status: .failure)
    }

    private static func explain(_ error: SettingsError) -> Explanation {
        let others = error.others > 0 ? "'remindav config' shows \(error.others) more." : ""
        return Explanation("badSettingsFile", error.description, advice: others, status: .usage)
    }

    private static func explain(_ error: ServiceError) -> Explanation {
        let subject = error.subject.isEmpty ? "" : " ('\(Sanitizer.excerpt(error.subject))')"
        let advice =
            switch error.code {
            case .noProgram: "Run the program again from its new path."
            case .oddPath: "Use a path without this character."
            case .foreign: "Move it away and try again. It was not changed."
            case .notWritten: "Check the permissions of its folder."
            case .notEnabled: "'systemctl --user status' shows its state."
            case .noCommand: "'remindav config' shows where it is set."
            case .notStarted: "'journalctl --user -u \(ServicePlan.unit)' shows the reason."
            case .webNotStarted:
                "Another program may use the port; the setting 'port' selects another one. 'journalctl --user -u "
                    + "\(ServicePlan.webSocket)' shows the reason."
            }
        let problem = self.asSentence(error.code.rawValue + subject)
        return Explanation("service\(self.name(error.code))", problem, advice: advice, status: .failure)
    }

    private static func explain(_ error: FileError) -> Explanation {
        if error.code == .interrupted { return Explanation("interrupted", "", status: .interrupted) }
        let advice =
            switch error.code {
            case .diskFull: "Free some space and try again. Nothing was changed."
            case .notFound: "Check the path."
            case .notPermitted, .readOnly: "Check its permissions."
            case .folderNotFound: "Check the path, or create the folder first."
            case .folderNotPermitted: "Choose another place, or check the folder's permissions."
            case .leadsNowhere: "Remove the link, or choose another name."
            case .isFolder, .notPlain: "Use the path of a file."
            case .exists, .tooLarge, .failed, .interrupted: ""
            }
        let problem = "\(Sanitizer.line(error.path)): \(error.code.rawValue)."
        return Explanation("file\(self.name(error.code))", problem, advice: advice, status: .failure)
    }

    private static let calendars = Configuration.calendarNames.joined(separator: ", ")

    private static func explain(_ error: ExpansionError) -> Explanation {
        let advice =
            switch error.cause.code {
            case .unknownZone: "Use a zone such as Europe/Berlin, and check that tzdata is installed."
            case .unsupportedCalendar: "These calendars are supported: GREGORIAN, \(Self.calendars)."
            case .missingCalendarLibrary:
                "Install it: on Debian and Ubuntu, its package is libicu with the number of a version, such as libicu72."
            case .unsupportedWeekNumbers: "Use BYYEARDAY, or the Gregorian calendar."
            default: "Check its BY parts: they may never match."
            }
        return Explanation("recurrence", self.asSentence(error.cause.description), advice: advice, status: .failure)
    }

    private static func explain(_ error: UseCaseError, nearest: String?, label: String? = nil) -> Explanation {
        let row = self.advice(error.code)
        // For these errors, the subject is a path, or begins with one; it is not shortened.
        let ofFile: Set<UseCaseError.Code> = [
            .notCalendarData, .utf16, .fileCutShort, .beyondLimits, .fileNotReadable, .formatUnknown, .notInFormat,
            .fileTooLarge, .archiveRefused, .titleColumnMissing, .datesAmbiguous, .storeNotFound, .storeOpenToOthers,
            .exportTargetExists, .hostKeyNotReadable, .hostKeyOpenToOthers, .hostKeyNotValid,
        ]
        let shown = error.subject.map { ofFile.contains(error.code) ? Sanitizer.line($0) : Sanitizer.excerpt($0) }
        // A time is added at the end of the sentence, a reason in parentheses, and a name in parentheses with quotation
        // marks.
        let subject =
            shown.map { shown in
                switch error.code {
                case .serverWantsRest: " \(shown)"
                case .hostKeyNotReadable: " (\(shown))"
                default: " ('\(shown)')"
                }
            } ?? ""
        let problem = self.asSentence(error.code.rawValue + subject)
        let ofLabel = label.map { "For the label, write '+\(Sanitizer.excerpt($0))'. " }
        let guess = ofLabel ?? nearest.map { "Did you mean '\(Sanitizer.excerpt($0))'? " } ?? ""
        return Explanation("\(error.code)", problem, advice: guess + row.advice, status: row.status)
    }

    private static func advice(_ code: UseCaseError.Code) -> (status: ExitStatus, advice: String) {
        switch code {
        case .reminderNotFound: (.notFound, "'remindav list --all' shows the numbers.")
        case .defaultListNotFound:
            (
                .notFound,
                "Create it with 'remindav lists add NAME', or change the setting; 'remindav config' shows its line."
            )
        case .defaultListDeleted, .defaultListReadOnly, .defaultListLost:
            (
                .failure,
                "Choose another with 'remindav lists default NAME', or name a list with --list. 'remindav lists' shows the "
                    + "lists, and 'remindav lists add NAME' creates one."
            )
        case .listNotFound: (.notFound, "'remindav lists' shows the names; 'remindav lists add NAME' creates a list.")
        case .accountNotFound: (.notFound, "'remindav account list' shows the names.")
        case .storeNotFound: (.failure, "Check the path; 'remindav add' and 'remindav import' create a new store.")
        case .feedNotFound: (.notFound, "'remindav feed list' shows the numbers and names.")
        case .severalFeeds: (.usage, "Use the number that 'remindav feed list' shows.")
        case .pushAddressMissing: (.notFound, "'remindav feed push FEED URL --user NAME' sets one.")
        case .feedNameTaken: (.usage, "Choose another name, or rename that feed with 'remindav feed rename'.")
        case .badFeedName: (.usage, "A name has 1 to 100 characters on one line and is not a number.")
        case .labelNotFound:
            (.notFound, "'remindav labels' shows the names; 'remindav labels add NAME' creates a label.")
        case .noLabelToMergeInto:
            (.notFound, "'remindav labels rename OLD NEW' gives a label a new name.")
        case .labelExists: (.usage, "'remindav labels recolor NAME COLOR' changes its colour.")
        case .labelNameTaken: (.usage, "'remindav labels merge OLD NEW' combines both.")
        case .labelMergedWithItself: (.usage, "'remindav labels rename OLD NEW' changes its spelling.")
        case .labelIsReadOnly: (.failure, "Nothing was changed.")
        case .listExists: (.usage, "Choose another name, or use the existing list.")
        case .accountNameTooLong: (.usage, "Choose a shorter name.")
        case .accountExists: (.usage, "'remindav account password NAME' changes its password.")
        case .listOnServer: (.usage, "Use that list, or choose another name.")
        case .listOnServerNotInStep:
            (.usage, "Run 'remindav sync' first and repeat the command, or choose another name.")
        case .listNameUnclear: (.usage, "Write the name exactly as 'remindav lists' shows it.")
        case .listChangeRefused:
            (.failure, "Nothing was changed. Try another name or colour, or change it on the website of the server.")
        case .listDeleteRefused:
            (.failure, "Nothing was deleted; --only-here removes it from this computer and keeps it on the server.")
        case .listNotInStep: (.refused, "Nothing was deleted. Run 'remindav sync' and check the list first.")
        case .listNotLost:
            (.usage, "This command is for lists that their server no longer has; 'remindav lists' shows them.")
        case .listHasNoServer: (.usage, "Only unsent changes of a list on a server can be discarded.")
        case .editsWait:
            (
                .partial,
                "Move each with 'remindav edit ID --list NAME', or discard all with 'remindav lists discard NAME'."
            )
        case .severalAccounts: (.usage, "Name one of them; 'remindav account list' shows the names.")
        case .noAccounts: (.notFound, "Add one with 'remindav account add URL --user NAME'.")
        case .listIsReadOnly: (.failure, "Choose another list; 'remindav lists' shows the writable lists.")
        case .changedMeanwhile: (.conflict, "Nothing was changed; 'remindav show' shows the current version.")
        case .alreadyCompleted: (.usage, "Reopen it with 'remindav undone' first.")
        case .mustBeInFuture: (.usage, "Give a later day or time, or 'none' for no date.")
        case .shiftNeedsDue: (.usage, "Give a date, such as 'in 1 week'.")
        case .shiftNeedsTime: (.usage, "Give a time, such as '--due 18:00'.")
        case .alarmNeedsDue: (.usage, "Set a date with --due, or an absolute alarm such as 'tomorrow 8:00'.")
        case .tooManyAlarms:
            (.usage, "A reminder can have \(AlarmChoice.maximumCount) alarms; '--alarm -15m' removes one.")
        case .repeatNeedsDue: (.usage, "Set a date with --due, or end the repetition with --repeat none.")
        case .startAfterDue: (.usage, "Give an earlier start with --start, or 'none' for no start.")
        case .fieldOfSeries: (.usage, "Change it in a command of its own, without --this-date-only.")
        case .dateNeedsDue: (.usage, "'remindav done' goes on to the next date.")
        case .noNextDate: (.usage, "Only a date of a repetition can be skipped. Complete the reminder with 'done'.")
        case .datesCountFromCompletion: (.usage, "No later date is planned yet, so leave out --this-date-only.")
        case .startOfSeries:
            (.usage, "Its dates are counted from its first date, so a start would move them. Leave out --start.")
        case .parentIsItself: (.usage, "Give the number of another reminder, or 'none'.")
        case .parentIsSubtask: (.usage, "Give it another parent first, or 'none'.")
        case .parentInOtherList: (.usage, "Move one of them with 'remindav edit ID --list NAME' first.")
        case .dependsOnItself: (.usage, "Give the number of another reminder.")
        case .dependencyCircle: (.usage, "Remove that dependency first: --depends -ID.")
        case .repeatEndsBeforeDue: (.usage, "Use a later 'until' in --repeat, or an earlier --due.")
        case .unsentChanges: (.refused, "Run 'remindav sync' first, or add --yes to discard them.")
        case .serverWantsRest:
            (.network, "No request was sent. Sync again after that time, or use 'remindav sync --now'.")
        case .daemonIsRunning: (.locked, "Nothing was done. Stop the other daemon first if necessary.")
        case .storeReplaced: (.failure, "Restart 'remindav daemon'; the service restarts by itself.")
        case .syncIsRunning: (.locked, "Wait for its end, then try again.")
        case .notCalendarData: (.failure, "Nothing was changed. An iCalendar file begins with BEGIN:VCALENDAR.")
        case .utf16: (.failure, "Nothing was changed. Convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW.")
        case .fileCutShort: (.failure, "Nothing was changed. Get the complete file and try again.")
        case .formatUnknown:
            (
                .failure,
                """
                Nothing was changed. The known formats are iCalendar (ics) and \
                \(ImportFormat.all.dropFirst().map(\.word).joined(separator: ", ")); '--format' selects one, and 'remindav \
                help import' describes them.
                """
            )
        case .notInFormat:
            (
                .failure,
                "Nothing was changed. Omit '--format', or use another; 'remindav help import' lists the formats."
            )
        case .archiveRefused:
            (.failure, "Nothing was changed. Unpack it, and import the files in it.")
        case .titleColumnMissing:
            (
                .failure,
                "Nothing was changed. Name one column 'title'; the other known columns are \(TaskFormat.columnWords)."
            )
        case .datesAmbiguous:
            (
                .failure,
                "Nothing was changed. Add '--date-order dmy' (day first) or '--date-order mdy' (month first)."
            )
        case .fileTooLarge: (.failure, "Nothing was changed. Split the file, or export it as iCalendar.")
        case .inputTooLong: (.failure, "Nothing was changed. Import from a file, or split the input.")
        case .beyondLimits: (.failure, "Nothing was changed. Remove that line and import again.")
        case .listVanished:
            (.partial, "Its reminders stay on this computer until you decide. 'remindav lists' shows the options.")
        case .listAddressTooLong: (.partial, "The list was not synced. Give it a shorter address on the server.")
        case .storeOpenToOthers:
            (.refused, "If the store is yours and its contents are correct, run 'chmod go-w' on it and try again.")
        case .passwordMissing: (.authentication, "'remindav account password' sets it again.")
        case .keyringClosed:
            (.authentication, "Unlock the keyring, or set the password with 'remindav account password'.")
        case .credentialMissing: (.authentication, "Add it to the unit: LoadCredential=NAME:PATH.")
        case .fileNotReadable: (.usage, "Nothing was changed. Use a readable PEM file.")
        case .badSetting: (.usage, "Nothing was changed. 'remindav help account set' lists the valid values.")
        case .loginTimedOut:
            (.authentication, "Nothing was saved. Repeat the command and grant the access in the browser.")
        case .noTaskLists: (.failure, "Create one with 'remindav lists add NAME --account ACCOUNT'.")
        case .changeNotFound: (.notFound, "'remindav log --run NUMBER' shows the changes of a run.")
        case .thereBefore:
            (
                .refused,
                """
                They stay, because undo would delete them for all users. 'remindav account remove' removes an account \
                from this computer, and 'remindav delete' deletes a reminder.
                """
            )
        case .undoEmptiesList: (.refused, "Nothing was changed. Add --allow-mass-delete to undo it anyway.")
        case .runNotFound: (.notFound, "'remindav log' shows the runs of the last 30 days.")
        case .runOnlySent:
            (
                .refused,
                """
                Undo the commands that made them: 'remindav log' shows their runs. 'remindav undo CHANGE' undoes one \
                change.
                """
            )
        case .tenantNotFound:
            (.notFound, "'remindav host tenant list' shows the tenants; the role remindav_web sees none of them.")
        case .serverNotFound: (.notFound, "'remindav host queue' shows the servers.")
        case .tenantExists: (.failure, "Nothing was changed. Choose another name.")
        case .identityTaken:
            (.failure, "Nothing was changed. 'remindav host tenant list' shows the people of each tenant.")
        case .identityNotFound: (.notFound, "'remindav host tenant list' shows the people of each tenant.")
        case .identityNotValid: (.usage, "A name has 1 to 500 bytes and no control characters.")
        case .tenantNameNotValid: (.usage, "A name has 1 to 100 bytes, no spaces, and no hyphen at its beginning.")
        case .commandOfTenant: (.refused, "Enter the password, or use --password-stdin.")
        case .credentialOfTenant: (.refused, "Enter the password, or use --password-stdin.")
        case .fileOfTenant: (.refused, "Nothing was sent. 'remindav account set NAME SETTING none' clears it.")
        case .insecureOfTenant:
            (.refused, "'remindav account set NAME --allow-insecure no' clears the setting. Use an https:// address.")
        case .passwordNotSealed: (.authentication, "Set it with 'remindav account password NAME'.")
        case .hostKeyMissing:
            (
                .failure,
                """
                Name the key of this host with 'remindav config set host-key FILE'. For a new host, \
                'remindav host key new FILE' creates it.
                """
            )
        case .hostKeyNotReadable:
            (.failure, "Check the place of the key; this user must be able to read it.")
        case .hostKeyOpenToOthers: (.failure, "If no other user has read it, run 'chmod 600' on it and try again.")
        case .hostKeyNotValid:
            (.failure, "Check the setting 'host-key'; 'remindav host key new FILE' creates a valid key.")
        case .hostKeyWrong:
            (.failure, "The setting 'host-key' must name the key under which the passwords were sealed.")
        case .secretDamaged: (.authentication, "'remindav account password NAME' sets it again.")
        case .sealingUnavailable:
            (.failure, "Install it with the package manager: on Debian and Ubuntu, its package is libsodium23.")
        case .vaultUnavailable: (.locked, "Try again later. 'remindav host check' examines the database server.")
        case .tenantNotEmpty: (.failure, "Nothing was changed. 'remindav host tenant add' adds an empty tenant.")
        case .exportTargetExists: (.failure, "Nothing was changed. Choose another path.")
        case .browserNotFound: (.notFound, "'remindav web devices' shows the signed-in browsers.")
        case .notInTrash: (.notFound, "'remindav trash' shows the deleted reminders.")
        case .listOfChangeGone:
            (.failure, "'remindav trash restore NUMBER --list NAME' restores it to another list.")
        case .changedSince: (.failure, "It stays; 'remindav delete' deletes it.")
        case .changedAgain: (.failure, "It stays unchanged; 'remindav edit' changes it.")
        case .labelChangedSince: (.failure, "It stays unchanged; 'remindav labels' shows it.")
        case .listChangedSince: (.failure, "It stays unchanged; 'remindav lists' shows it.")
        case .changedReminderGone: (.failure, "Restore it first; 'remindav trash' shows its number.")
        case .conflictNotFound: (.notFound, "'remindav conflicts --all' shows the numbers.")
        case .occurrenceGone: (.failure, "Nothing was changed; 'remindav edit' changes the reminder.")
        case .losingLinesUnknown: (.failure, "Write the value with 'remindav edit'.")
        case .duplicateUIDInTarget:
            (.failure, "Nothing was changed. Delete one of the two with 'remindav delete'.")
        case .duplicateUIDInOrigin: (.failure, "It stays; delete one of the two if they are the same.")
        case .textUnknown: (.failure, "It stays unchanged; 'remindav edit' changes it.")
        case .passwordCommandFailed: (.authentication, "Run it by hand: it must print the password and exit with 0.")
        }
    }

    private static func explain(_ category: ErrorCategory) -> Explanation {
        let row = self.advice(category.kind)
        let subject = category.subject.flatMap { $0.isEmpty ? nil : "\(Sanitizer.excerpt($0)): " } ?? ""
        let problem =
            subject.isEmpty ? self.asSentence(category.detail) : self.withStop(Sanitizer.line(category.detail))
        return Explanation("\(category.kind)", subject + problem, advice: row.advice, status: row.status)
    }

    private static let appPassword = """
        Two-factor authentication requires an app password; on Nextcloud, 'remindav account add --nextcloud URL' creates \
        one.
        """

    private static func advice(_ kind: ErrorCategory.Kind) -> (status: ExitStatus, advice: String) {
        switch kind {
        case .authRejected:
            (
                .authentication,
                """
                Check both. \(self.appPassword) 'remindav account password' changes the password of an account.
                """
            )
        case .authNotOffered:
            (.authentication, "Check the address, and that the server allows this user to sign in with a password.")
        case .appPasswordNeeded:
            (
                .authentication,
                """
                Create one in the settings of the server, or, on Nextcloud, with 'remindav account add --nextcloud URL'; \
                'remindav account password' saves it for an account.
                """
            )
        case .authUnsupported:
            (.authentication, "Ask the administrator for Basic or Digest, or use a --token-command.")
        case .passwordInClear: (.refused, "Use an address that begins with https://.")
        case .tokenRefused: (.authentication, "Run the token command by hand: it must print a valid token.")
        case .tokenCommandFailed: (.authentication, "Run it by hand: it must print the token and exit with 0.")
        case .notAllowed: (.failure, "Ask the owner of the list, or use another one.")
        case .notFoundOnServer:
            (.failure, "Nothing was deleted locally. Check the address, and whether the server still has this user.")
        case .notDAV:
            (
                .failure,
                "Check the address. The settings page or the manual of the server contains its CalDAV address."
            )
        case .badAddress: (.usage, "Use the form https://dav.example.org/.")
        case .redirectElsewhere: (.refused, "If that host is correct, use its address instead.")
        case .notSecure:
            (.refused, "Use an address that begins with https://, or --allow-insecure yes in a network that you trust.")
        case .unreachable, .nameNotFound: (.network, "Check the address and the connection, then try again.")
        case .addressRefused:
            (
                .refused,
                "Ask the administrator of the host: the settings 'host-allow' and 'host-ports' allow networks and ports."
            )
        case .timedOut: (.network, "Nothing is lost. Try again later.")
        case .brokenOff:
            (.network, "Nothing is lost. Try again later, and check whether https:// or http:// is correct.")
        case .cancelled: (.failure, "Nothing is lost. The next sync completes it.")
        case .tlsFailed: (.network, "Check the address; your own server may need a newer TLS (1.2 or 1.3).")
        case .certificateExpired: (.network, "Ask the administrator to renew it. Nothing was sent.")
        case .certificateNotYetValid: (.network, "Set the clock of this computer if it is wrong. Nothing was sent.")
        case .certificateWrongHost:
            (.network, "Use the address that the certificate names; 'remindav account trust' shows it.")
        case .certificateUnknown:
            (.network, "If it is your own server, check it and trust it with 'remindav account trust'.")
        case .certificateChanged:
            (
                .network,
                "Ask the administrator. If the change is intended, trust the new key with 'remindav account trust'."
            )
        case .clientCertificate:
            (.network, "Set its PEM file with 'remindav account set NAME --client-certificate FILE'.")
        case .authorities: (.usage, "Set a readable PEM file with 'remindav account set NAME --ca-file FILE'.")
        case .notTLS:
            (.network, "Check the address and its port, and whether the server uses https://. Nothing was sent.")
        case .requestRefused:
            (.failure, "Check the address, and whether it begins with https://. The manual of the server contains it.")
        case .busy, .serverError: (.network, "Nothing is lost. Try again later, or tell the administrator.")
        case .badAnswer: (.network, "Nothing was changed locally. Try again, or tell the administrator.")
        case .tooLarge: (.failure, "It was not changed.")
        case .itemTooLarge:
            (.partial, "It stays on this computer. Shorten it with 'remindav edit'; the next sync then sends it.")
        case .overQuota:
            (.failure, "Nothing is lost. Free some space on the server; the next sync then sends the rest.")
        case .sameUID:
            (
                .partial,
                """
                It stays on this computer. Delete one of the two, locally or on the server, and run 'remindav sync' \
                again.
                """
            )
        case .textRefused:
            (
                .partial,
                """
                It stays on this computer. It is sent again after an edit with 'remindav edit', after a week, or with \
                'remindav sync --now'.
                """
            )
        case .itemRefused:
            (.partial, "It stays on this computer, and each sync tries again. 'remindav edit' changes it.")
        case .storeLocked: (.locked, "Wait until the other remindav process ends, then try again.")
        case .storeNewer: (.failure, "Install a newer remindav. Nothing was changed.")
        case .storeCorrupt: (.failure, "Replace it with a backup, or choose another folder with --store.")
        case .storeCutOff:
            (.failure, "Replace it with a backup. If it was never used, remove that file and start again.")
        case .storeFull: (.failure, "Free some space and try again.")
        case .storeReadOnly, .storeFailed:
            (.failure, "Check the folder and its permissions, or choose another one with --store.")
        case .fileFailed: (.failure, "Check the path and its permissions.")
        case .storeUnavailable:
            (
                .locked,
                "Nothing was changed. Check that PostgreSQL runs and that the setting 'host' names it, then try again."
            )
        case .databaseLibrary: (.failure, "Install it with the package manager; on Debian, it is in libpq5.")
        case .databaseRefused, .databaseMissing, .hostUnsuitable: (.failure, "Nothing was changed.")
        case .storeOutcomeUnknown: (.partial, "Check whether the change is there before you repeat it.")
        case .leaseLost: (.locked, "Nothing is lost: the other worker completes the sync.")
        case .tenantSuspended: (.refused, "Nothing was changed. Ask the administrator of the host.")
        case .tenantQuota:
            (.refused, "Nothing was changed. Delete something first, or ask the administrator of the host.")
        case .portTaken: (.failure, "Choose another port with --port.")
        case .noLibrary:
            (.failure, "Install it with the package manager. Commands without network work without it.")
        case .severalRules: (.failure, "Change it in the program that created it.")
        case .recurrence: (.failure, "'remindav show' shows its rule; 'remindav edit ID --repeat' changes it.")
        }
    }

    private static func withStop(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    private static func asSentence(_ text: String) -> String {
        let clean = Sanitizer.line(text)
        return self.withStop(clean.capitalizedStart)
    }
}
