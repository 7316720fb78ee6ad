import Bridge
import ICalendar
import Recurrence

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
        case let error as OutputError: self.explain(error)
        case let error as FileError: self.explain(error)
        case let error as PasswordError: Explanation(sentence: error.code.rawValue, status: .usage)
        case let error as UnknownZone: Explanation(sentence: error.description, status: .failure)
        case let error as ExpansionError: self.explain(error)
        case let error as ValueError: Explanation(sentence: self.asSentence(error.description), status: .usage)
        case is CancellationError: Explanation(sentence: "", status: .interrupted)
        default:
            if let trouble = Trouble.of(error) {
                self.explain(trouble)
            } else {
                // An error that nobody has thought of: say what it says about itself.
                Explanation(sentence: self.asSentence("\(error)"), status: .failure)
            }
        }
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
            case .isFolder: " Name a file."
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

    private static func explain(_ error: UseCaseError) -> Explanation {
        let row = self.advice(error.code)
        let subject = error.subject.map { " ('\(Sanitizer.line($0))')" } ?? ""
        let happened = self.asSentence(error.code.rawValue + subject)
        return Explanation(sentence: "\(happened) \(row.advice)", status: row.status)
    }

    private static func advice(_ code: UseCaseError.Code) -> (status: ExitStatus, advice: String) {
        switch code {
        case .reminderNotFound: (.notFound, "'remindav list --all' shows the numbers.")
        case .listNotFound: (.notFound, "'remindav lists' shows the names; 'remindav lists add NAME' makes a list.")
        case .accountNotFound: (.notFound, "'remindav account list' shows the names.")
        case .feedNotFound: (.notFound, "'remindav feed list' shows the numbers.")
        case .listExists: (.usage, "Choose another name, or use the list that is there.")
        case .accountExists: (.usage, "Remove it first with 'remindav account remove' to change its password.")
        case .listOnServer: (.usage, "It is the list named here; use it, or choose another name.")
        case .severalAccounts: (.usage, "Name one of them; 'remindav account list' shows the names.")
        case .noAccounts: (.notFound, "Add one with 'remindav account add URL --user NAME'.")
        case .listIsReadOnly: (.failure, "Choose another list; 'remindav lists' shows which can be changed.")
        case .alreadyCompleted: (.usage, "Open it again with 'remindav undone' first.")
        case .repeatNeedsDue: (.usage, "Give it a date with --due, or leave out --repeat.")
        case .unsentChanges: (.refused, "Run 'remindav sync' first, or add --yes to give them up.")
        case .syncIsRunning: (.locked, "Wait until it has ended, then try again.")
        case .notCalendarData: (.failure, "Nothing was changed. An iCalendar file begins with BEGIN:VCALENDAR.")
        case .utf16: (.failure, "Nothing was changed. Convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW.")
        case .fileCutShort: (.failure, "Nothing was changed. Get the whole file and try again.")
        case .beyondLimits: (.failure, "Nothing was changed. Take that line out, and import the rest.")
        case .listVanished:
            (.partial, "Its reminders are kept here; 'remindav lists add NAME --account ACCOUNT' puts it back.")
        case .passwordMissing: (.authentication, "Export what was not sent, then remove the account and add it again.")
        case .noTaskLists: (.failure, "Make one with 'remindav lists add NAME --account ACCOUNT'.")
        case .passwordCommandFailed: (.authentication, "Run it by hand: it must print the password and exit with 0.")
        }
    }

    private static func explain(_ trouble: Trouble) -> Explanation {
        let row = self.advice(trouble.kind)
        let subject = trouble.subject.flatMap { $0.isEmpty ? nil : "\(Sanitizer.line($0)): " } ?? ""
        let happened = subject.isEmpty ? self.asSentence(trouble.detail) : self.withStop(Sanitizer.line(trouble.detail))
        return Explanation(sentence: "\(subject)\(happened) \(row.advice)", status: row.status)
    }

    private static func advice(_ kind: Trouble.Kind) -> (status: ExitStatus, advice: String) {
        switch kind {
        case .authRejected:
            (.authentication, "Check both; the server's settings page makes app passwords.")
        case .notAllowed: (.failure, "Ask the owner of the list, or use another one.")
        case .notFoundOnServer: (.failure, "Check the address; 'remindav sync' fetches the lists anew.")
        case .notDAV: (.failure, "Check the address; the server's settings page or manual names the one for CalDAV.")
        case .badAddress: (.usage, "Write it like https://dav.example.org/.")
        case .redirectElsewhere: (.refused, "If that host is right, use its address instead.")
        case .notSecure: (.refused, "Use an address that begins with https://.")
        case .unreachable, .nameNotFound: (.network, "Check the address and the connection, then try again.")
        case .timedOut, .brokenOff: (.network, "Nothing is lost; try again later.")
        case .tlsFailed: (.network, "Check the address; the certificate of your own server belongs on this machine.")
        case .busy, .serverError: (.network, "Nothing is lost; try again later, or tell whoever runs the server.")
        case .badAnswer: (.network, "Nothing was changed here; try again, or tell whoever runs the server.")
        case .tooLarge: (.failure, "It was left as it is.")
        case .itemRefused: (.partial, "It is tried again with the next sync.")
        case .storeLocked: (.locked, "Wait until the other remindav has ended, then try again.")
        case .storeNewer: (.failure, "Install a newer remindav; nothing was changed.")
        case .storeCorrupt: (.failure, "Put a backup in its place, or choose another folder with --store.")
        case .storeFull: (.failure, "Make room and try again.")
        case .storeReadOnly, .storeFailed:
            (.failure, "Check the folder and its permissions, or choose another one with --store.")
        case .portTaken: (.failure, "Choose another port with --port.")
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
