import Bridge
import ICalendar

extension HealthCheck {
    /// The findings of an account.
    static func account(_ check: AccountCheck, now: Instant) -> [Finding] {
        let name = Sanitizer.excerpt(check.name)
        var findings: [Finding] = []
        func say(_ level: Finding.Level, _ words: String) {
            findings.append(Finding(level, "account", "\(name): \(words)"))
        }
        func fault(_ error: any Error) { say(.problem, ErrorMessages.explain(error).sentence) }
        switch check.password {
        case .found: break
        case .commandNotRun: say(.ok, "its password comes from a command, which --network runs.")
        case .missing(let error): fault(error)
        }
        switch check.server {
        case .notAsked: break
        case .answers: say(.ok, "the server answers and takes the password.")
        case .fails(let error): fault(error)
        }
        if let until = check.restsUntil {
            let minutes = (until.secondsSince1970 - now.secondsSince1970 + 59) / 60
            say(
                .warning,
                "its server wants to be left alone for \(minutes) minutes more. 'remindav sync --now' asks it all the same."
            )
        }
        if !check.holdingLists.isEmpty {
            let lists = check.holdingLists.map { "'\(Sanitizer.excerpt($0))'" }.joined(separator: ", ")
            say(
                .warning,
                "deletions on the server wait for your word in \(lists). Run 'remindav sync --allow-mass-delete' if they are meant."
            )
        }
        if check.waitingDeletions > 0 {
            say(
                .warning,
                "\(check.waitingDeletions) deletions were held back by the last sync. Run 'remindav sync', which says why; "
                    + "with --allow-mass-delete if they are meant."
            )
        }
        if check.unreadable > 0 {
            say(
                .warning,
                "\(check.unreadable) files on the server cannot be read and are left as they are. Look there."
            )
        }
        if let error = check.error {
            let word = ErrorCategoryName.shown(error)
            say(.warning, "the last sync did not do all (\(word)). Run 'remindav sync', which says why.")
        } else if check.lastSync == nil {
            say(.warning, "there was no sync in the last 30 days. Run 'remindav sync'.")
        }
        if check.unsent > 0 { say(.warning, "\(check.unsent) changes are not sent yet. Run 'remindav sync'.") }
        if findings.isEmpty { say(.ok, "its password is found and all is sent.") }
        return findings
    }
}
