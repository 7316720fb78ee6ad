import Bridge
import ICalendar
import Platform
import Recurrence
import Reminders

/// What a person is told about an error, and what the shell is told.
struct Explanation: Hashable, Sendable {
    /// What happened and what to do about it; empty when there is nothing to say.
    let sentence: String
    let status: ExitStatus
}

/// The one place that says what to do about an error.
///
/// What happened is said where the error's codes are declared.
enum ErrorMessages {
    /// The explanation of any error that a command can end with.
    static func explain(_ error: any Error) -> Explanation {
        switch error {
        case let error as UsageError: self.explain(error)
        case let error as UseCaseError: self.explain(error)
        case let error as UnknownName: self.explain(error)
        case let error as InputLineError: self.explain(error)
        case let error as OutputError: self.explain(error)
        case let error as FileError: self.explain(error)
        case let error as PasswordError: Explanation(sentence: error.code.rawValue, status: .usage)
        case let error as EditorError: self.explain(error)
        case let error as SettingsError: self.explain(error)
        case let error as ServiceError: self.explain(error)
        case let error as UnknownZone: Explanation(sentence: error.description, status: .failure)
        case let error as ExpansionError: self.explain(error)
        case let error as LabelNameError: Explanation(sentence: error.description, status: .usage)
        case let error as TitleError: Explanation(sentence: error.description, status: .usage)
        case let error as ReminderKeyError: Explanation(sentence: error.description, status: .usage)
        case let error as ValueError: Explanation(sentence: self.asSentence(error.description), status: .usage)
        case is CancellationError: Explanation(sentence: "", status: .interrupted)
        default:
            if let trouble = ErrorCategory.of(error) {
                self.explain(trouble)
            } else {
                // An error that nobody has thought of: say what it says about itself.
                Explanation(sentence: self.asSentence("\(error)"), status: .failure)
            }
        }
    }

    private static func explain(_ error: InputLineError) -> Explanation {
        let cause = self.explain(error.underlying)
        let sentence = "Line \(error.line) of standard input: \(cause.sentence) Nothing was added."
        return Explanation(sentence: sentence, status: cause.status)
    }

    private static func explain(_ error: UsageError) -> Explanation {
        // These three are the words of a form, not of a manual.
        let plain: Set<UsageError.Code> = [.mustBeInFuture, .titleRequired, .needsYes]
        let hint =
            if plain.contains(error.code) {
                ""
            } else if let command = error.command {
                "\nSee 'remindav help \(command)'."
            } else {
                "\nSee 'remindav help'."
            }
        return Explanation(sentence: error.sentence + hint, status: .usage)
    }

    private static func explain(_ error: EditorError) -> Explanation {
        if error.code == .interrupted { return Explanation(sentence: "", status: .interrupted) }
        let subject = error.subject.map { " ('\(Sanitizer.excerpt($0))')" } ?? ""
        let advice =
            switch error.code {
            case .noEditor, .notStarted: "Name one in EDITOR, or name what should change: 'remindav help edit'."
            case .noFile: "Nothing was changed. Name a folder that you can write to in TMPDIR."
            case .tooLarge: "Nothing was changed. Notes of that size come from a file: '--notes -'."
            case .failed, .interrupted: "Nothing was changed."
            }
        return Explanation(sentence: "\(self.asSentence(error.code.rawValue + subject)) \(advice)", status: .failure)
    }

    private static func explain(_ error: SettingsError) -> Explanation {
        let others = error.others > 0 ? " 'remindav config' shows \(error.others) more." : ""
        return Explanation(sentence: error.description + others, status: .usage)
    }

    private static func explain(_ error: ServiceError) -> Explanation {
        let subject = error.subject.isEmpty ? "" : " ('\(Sanitizer.excerpt(error.subject))')"
        let advice =
            switch error.code {
            case .noProgram: "Run it again from where it is now."
            case .oddPath: "Move it to a path without one."
            case .foreign: "Move it away, then try again; nothing was changed in it."
            case .notWritten: "Check the permissions of its folder."
            case .notEnabled: "'systemctl --user status' says how it is."
            case .noCommand: "'remindav config' shows where it is set."
            case .notStarted: "'journalctl --user -u \(ServicePlan.unit)' says why."
            case .feedsNotStarted: "'journalctl --user -u \(ServicePlan.feedsUnit)' says why."
            }
        return Explanation(sentence: "\(self.asSentence(error.code.rawValue + subject)) \(advice)", status: .failure)
    }

    private static func explain(_ error: OutputError) -> Explanation {
        switch error.code {
        case .brokenPipe: Explanation(sentence: "", status: .brokenPipe)
        case .diskFull, .failed: Explanation(sentence: self.asSentence(error.code.rawValue), status: .failure)
        }
    }

    private static func explain(_ error: FileError) -> Explanation {
        if error.code == .interrupted { return Explanation(sentence: "", status: .interrupted) }
        let advice =
            switch error.code {
            case .diskFull: " Make room and try again; nothing was changed."
            case .notFound: " Check the path."
            case .notPermitted: " Check its permissions."
            case .folderNotFound: " Check the path, or make the folder first."
            case .folderNotPermitted: " Choose another place, or check the folder's permissions."
            case .leadsNowhere: " Remove the link, or choose another name."
            case .isFolder, .notPlain: " Name a file."
            case .exists, .tooLarge, .failed, .interrupted: ""
            }
        return Explanation(
            sentence: "\(Sanitizer.line(error.path)): \(error.code.rawValue).\(advice)",
            status: .failure
        )
    }

    private static func explain(_ error: ExpansionError) -> Explanation {
        let advice =
            switch error.cause.code {
            case .unknownZone: "Name a zone such as Europe/Berlin, and see that tzdata is installed."
            case .unsupportedCalendar: "Only RSCALE=GREGORIAN can be computed."
            default: "Look at its BY parts: they may never come together."
            }
        return Explanation(sentence: "\(self.asSentence(error.cause.description)) \(advice)", status: .failure)
    }

    private static func explain(_ error: UnknownName) -> Explanation {
        let plain = self.explain(error.error)
        guard let nearest = error.nearest else { return plain }
        let happened = self.asSentence(
            "\(error.error.code.rawValue) ('\(Sanitizer.excerpt(error.error.subject ?? ""))')"
        )
        let sentence =
            "\(happened) Did you mean '\(Sanitizer.excerpt(nearest))'? \(self.advice(error.error.code).advice)"
        return Explanation(sentence: sentence, status: plain.status)
    }

    private static func explain(_ error: UseCaseError) -> Explanation {
        let row = self.advice(error.code)
        // The path of a file is the person's own, and what is wrong with it stands behind it.
        let ofFile: Set<UseCaseError.Code> = [
            .notCalendarData, .utf16, .fileCutShort, .beyondLimits, .fileNotReadable, .formatUnknown, .notInFormat,
            .fileTooLarge, .storeNotFound, .storeOpenToOthers,
        ]
        let shown = error.subject.map { ofFile.contains(error.code) ? Sanitizer.line($0) : Sanitizer.excerpt($0) }
        // A time ends the sentence; a name stands beside it.
        let subject = shown.map { error.code == .serverWantsRest ? " \($0)" : " ('\($0)')" } ?? ""
        let happened = self.asSentence(error.code.rawValue + subject)
        return Explanation(sentence: "\(happened) \(row.advice)", status: row.status)
    }

    private static func advice(_ code: UseCaseError.Code) -> (status: ExitStatus, advice: String) {
        switch code {
        case .reminderNotFound: (.notFound, "'remindav list --all' shows the numbers.")
        case .defaultListNotFound:
            (
                .notFound,
                "Make it with 'remindav lists add NAME', or name another; 'remindav config' shows where it is set."
            )
        case .defaultListDeleted, .defaultListReadOnly, .defaultListLost:
            (
                .failure,
                "Choose another with 'remindav lists default NAME', or name a list with --list. 'remindav lists' shows the "
                    + "lists, and 'remindav lists add NAME' makes one."
            )
        case .listNotFound: (.notFound, "'remindav lists' shows the names; 'remindav lists add NAME' makes a list.")
        case .accountNotFound: (.notFound, "'remindav account list' shows the names.")
        case .storeNotFound: (.failure, "Check the path; 'remindav add' and 'remindav import' make a new store.")
        case .feedNotFound: (.notFound, "'remindav feed list' shows the numbers.")
        case .labelNotFound: (.notFound, "'remindav labels' shows the names; 'remindav labels add NAME' makes a label.")
        case .noLabelToMergeInto:
            (.notFound, "'remindav labels rename OLD NEW' gives a label a name that no label has.")
        case .labelExists: (.usage, "'remindav labels recolor NAME COLOR' gives it another colour.")
        case .labelNameTaken: (.usage, "'remindav labels merge OLD NEW' puts both together.")
        case .labelMergedWithItself: (.usage, "'remindav labels rename OLD NEW' changes how it is spelled.")
        case .labelIsReadOnly: (.failure, "Nothing was changed.")
        case .listExists: (.usage, "Choose another name, or use the list that is there.")
        case .accountExists: (.usage, "'remindav account password NAME' changes its password.")
        case .listOnServer: (.usage, "It is the list named here; use it, or choose another name.")
        case .listOnServerNotInStep:
            (.usage, "Run 'remindav sync' first, then say it again; or choose another name.")
        case .listNameUnclear: (.usage, "Write it just as 'remindav lists' shows it.")
        case .listChangeRefused:
            (.failure, "Nothing was changed; try another name or colour, or change it on the server's own pages.")
        case .listDeleteRefused:
            (.failure, "Nothing was deleted; --only-here takes it off this machine and leaves it on the server.")
        case .listNotInStep: (.refused, "Nothing was deleted. Run 'remindav sync' and look at the list first.")
        case .listNotLost: (.usage, "Only a list that the server has lost is kept so; 'remindav lists' shows which.")
        case .listHasNoServer: (.usage, "Only changes that a server has not got can be given up.")
        case .editsWait:
            (.partial, "Move each with 'remindav edit ID --list NAME', or give up all: 'remindav lists discard NAME'.")
        case .severalAccounts: (.usage, "Name one of them; 'remindav account list' shows the names.")
        case .noAccounts: (.notFound, "Add one with 'remindav account add URL --user NAME'.")
        case .listIsReadOnly: (.failure, "Choose another list; 'remindav lists' shows which can be changed.")
        case .changedMeanwhile: (.conflict, "Nothing was changed; 'remindav show' shows what it is now.")
        case .alreadyCompleted: (.usage, "Open it again with 'remindav undone' first.")
        case .mustBeInFuture: (.usage, "Give a later day or time, or 'none' for no date.")
        case .alarmNeedsDue: (.usage, "Give it a date with --due, or an alarm at a time such as 'tomorrow 8:00'.")
        case .repeatNeedsDue: (.usage, "Give it a date with --due, or leave out --repeat.")
        case .repeatEndsBeforeDue: (.usage, "Give a later 'until' in --repeat, or an earlier --due.")
        case .unsentChanges: (.refused, "Run 'remindav sync' first, or add --yes to give them up.")
        case .serverWantsRest:
            (.network, "Nothing was asked of it; sync again after that, or with 'remindav sync --now'.")
        case .daemonIsRunning: (.locked, "Nothing was done; end that one first if it is not wanted.")
        case .storeReplaced: (.failure, "Start 'remindav daemon' anew, as the service does by itself.")
        case .syncIsRunning: (.locked, "Wait until it has ended, then try again.")
        case .notCalendarData: (.failure, "Nothing was changed. An iCalendar file begins with BEGIN:VCALENDAR.")
        case .utf16: (.failure, "Nothing was changed. Convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW.")
        case .fileCutShort: (.failure, "Nothing was changed. Get the whole file and try again.")
        case .formatUnknown:
            (
                .failure,
                """
                Nothing was changed. Known are iCalendar (ics) and \
                \(ImportFormat.all.dropFirst().map(\.word).joined(separator: ", ")); '--format' names one, and 'remindav \
                help import' says what each is.
                """
            )
        case .notInFormat:
            (.failure, "Nothing was changed. Leave out '--format', or name another; 'remindav help import' lists them.")
        case .fileTooLarge: (.failure, "Nothing was changed. Cut it into several, or export it there as iCalendar.")
        case .inputTooLong: (.failure, "Nothing was changed. Import it from a file, or cut it into several.")
        case .beyondLimits: (.failure, "Nothing was changed. Take that line out, and import the rest.")
        case .listVanished:
            (.partial, "What is in it is kept here until you decide: 'remindav lists' shows what you can do.")
        case .storeOpenToOthers:
            (.refused, "If it is yours and its content is right, take that away with 'chmod go-w' and try again.")
        case .passwordMissing: (.authentication, "'remindav account password' sets it anew.")
        case .keyringClosed:
            (.authentication, "Unlock the keyring, or set the password with 'remindav account password'.")
        case .credentialMissing: (.authentication, "Name it in the unit: LoadCredential=NAME:PATH.")
        case .fileNotReadable: (.usage, "Nothing was changed. Name a PEM file that you can read.")
        case .badSetting: (.usage, "Nothing was changed. 'remindav help account set' says what it may be.")
        case .loginTimedOut: (.authentication, "Nothing was kept; start again when you can sign in there.")
        case .noTaskLists: (.failure, "Make one with 'remindav lists add NAME --account ACCOUNT'.")
        case .changeNotFound: (.notFound, "'remindav log --run NUMBER' shows the changes of a run.")
        case .thereBefore:
            (
                .refused,
                """
                It stays, since undoing would delete it there for everybody: 'remindav account remove' takes an account off \
                this machine, 'remindav delete' deletes a reminder.
                """
            )
        case .undoEmptiesList: (.refused, "Nothing was changed. If it is meant, add --allow-mass-delete.")
        case .runNotFound: (.notFound, "'remindav log' shows the runs of the last 30 days.")
        case .notInTrash: (.notFound, "'remindav trash' shows what can be put back.")
        case .listOfChangeGone:
            (.failure, "Put it back on another one: remindav trash restore NUMBER --list NAME.")
        case .changedSince: (.failure, "It stays; 'remindav delete' deletes it if it is not wanted.")
        case .changedAgain: (.failure, "It stays as it is; 'remindav edit' changes it.")
        case .labelChangedSince: (.failure, "It stays as it is; 'remindav labels' shows it.")
        case .listChangedSince: (.failure, "It stays as it is; 'remindav lists' shows it.")
        case .changedReminderGone: (.failure, "Put it back first; 'remindav trash' shows its number.")
        case .conflictNotFound: (.notFound, "'remindav conflicts --all' shows the numbers.")
        case .occurrenceGone: (.failure, "Nothing was changed; 'remindav edit' changes what is there.")
        case .losingLinesUnknown: (.failure, "Write the value with 'remindav edit'.")
        case .duplicateUIDInTarget:
            (.failure, "Nothing was changed. 'remindav delete' deletes the one of the two that is not wanted.")
        case .duplicateUIDInOrigin: (.failure, "It stays; delete one of the two if they are the same.")
        case .textUnknown: (.failure, "It stays as it is; 'remindav edit' changes it.")
        case .passwordCommandFailed: (.authentication, "Run it by hand: it must print the password and exit with 0.")
        }
    }

    private static func explain(_ trouble: ErrorCategory) -> Explanation {
        let row = self.advice(trouble.kind)
        let subject = trouble.subject.flatMap { $0.isEmpty ? nil : "\(Sanitizer.excerpt($0)): " } ?? ""
        let happened = subject.isEmpty ? self.asSentence(trouble.detail) : self.withStop(Sanitizer.line(trouble.detail))
        return Explanation(sentence: "\(subject)\(happened) \(row.advice)", status: row.status)
    }

    private static func advice(_ kind: ErrorCategory.Kind) -> (status: ExitStatus, advice: String) {
        switch kind {
        case .authRejected:
            (
                .authentication,
                """
                Check both; two factors need an app password, which 'remindav account add --nextcloud URL' makes on \
                Nextcloud. 'remindav account password' changes the password of an account.
                """
            )
        case .authNotOffered:
            (.authentication, "Check the address, and that the server lets this user sign in with a password.")
        case .appPasswordNeeded:
            (
                .authentication,
                """
                Make one in the server's settings, or, on Nextcloud, with 'remindav account add --nextcloud URL'; \
                'remindav account password' takes it for an account.
                """
            )
        case .authUnsupported:
            (.authentication, "Ask whoever runs the server for Basic or Digest, or use a --token-command.")
        case .passwordInClear: (.refused, "Use an address that begins with https://.")
        case .tokenRefused: (.authentication, "Run the token command by hand: it must print a token that is valid.")
        case .tokenCommandFailed: (.authentication, "Run it by hand: it must print the token and exit with 0.")
        case .notAllowed: (.failure, "Ask the owner of the list, or use another one.")
        case .notFoundOnServer:
            (.failure, "Nothing was deleted here; check the address, and whether the server still has this user.")
        case .notDAV: (.failure, "Check the address; the server's settings page or manual names the one for CalDAV.")
        case .badAddress: (.usage, "Write it like https://dav.example.org/.")
        case .redirectElsewhere: (.refused, "If that host is right, use its address instead.")
        case .notSecure:
            (.refused, "Use an address that begins with https://, or --allow-insecure yes in a network that you trust.")
        case .unreachable, .nameNotFound: (.network, "Check the address and the connection, then try again.")
        case .timedOut: (.network, "Nothing is lost; try again later.")
        case .brokenOff:
            (.network, "Nothing is lost; try again later, and check whether https:// or http:// is right.")
        case .tlsFailed: (.network, "Check the address; a server of your own may need a newer TLS (1.2 or 1.3).")
        case .certificateExpired: (.network, "Tell whoever runs the server to renew it; nothing was sent.")
        case .certificateNotYetValid: (.network, "Set this machine's clock, if it is wrong; nothing was sent.")
        case .certificateWrongHost:
            (.network, "Use the address that the certificate names; 'remindav account trust' shows it.")
        case .certificateUnknown:
            (.network, "If it is your own server, look at it and vouch for it with 'remindav account trust'.")
        case .certificateChanged:
            (.network, "Ask whoever runs the server; if they changed it, 'remindav account trust' shows the new one.")
        case .clientCertificate:
            (.network, "Name its PEM file with 'remindav account set NAME --client-certificate FILE'.")
        case .authorities: (.usage, "Name a PEM file that can be read with 'remindav account set NAME --ca-file FILE'.")
        case .notTLS:
            (.network, "Check the address and its port, and whether the server is one for https://; nothing was sent.")
        case .requestRefused:
            (.failure, "Check the address, and whether it is one for https://; the server's manual names it.")
        case .busy, .serverError: (.network, "Nothing is lost; try again later, or tell whoever runs the server.")
        case .badAnswer: (.network, "Nothing was changed here; try again, or tell whoever runs the server.")
        case .tooLarge: (.failure, "It was left as it is.")
        case .itemTooLarge: (.partial, "It stays here; shorten it with 'remindav edit', and the next sync sends it.")
        case .overQuota:
            (.failure, "Nothing is lost; make room there, or ask for more, and the next sync sends the rest.")
        case .sameUID:
            (.partial, "It stays here; delete one of the two, here or on the server, and run 'remindav sync' again.")
        case .textRefused:
            (
                .partial,
                """
                It stays here, and is sent again when 'remindav edit' has changed it, after a week, or with \
                'remindav sync --now'.
                """
            )
        case .itemRefused:
            (.partial, "It stays here and is tried again with each sync; 'remindav edit' changes it until it is taken.")
        case .storeLocked: (.locked, "Wait until the other remindav has ended, then try again.")
        case .storeNewer: (.failure, "Install a newer remindav; nothing was changed.")
        case .storeCorrupt: (.failure, "Put a backup in its place, or choose another folder with --store.")
        case .storeCutOff:
            (.failure, "Put a backup in its place; if nothing was ever kept in it, remove that file and begin anew.")
        case .storeFull: (.failure, "Make room and try again.")
        case .storeReadOnly, .storeFailed:
            (.failure, "Check the folder and its permissions, or choose another one with --store.")
        case .portTaken: (.failure, "Choose another port with --port.")
        case .noLibrary:
            (.failure, "Install it as this system installs its libraries; all that needs no network works without.")
        case .severalRules: (.failure, "Change it in the program that made it.")
        case .recurrence: (.failure, "Look at its rule with 'remindav show'; 'remindav edit ID --repeat' changes it.")
        }
    }

    private static func withStop(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    /// A capital at the beginning, a full stop at the end.
    private static func asSentence(_ text: String) -> String {
        let clean = Sanitizer.line(text)
        return self.withStop(clean.prefix(1).uppercased() + clean.dropFirst())
    }
}
