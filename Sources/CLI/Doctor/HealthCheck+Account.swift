import RemindavBridge
import RemindavICalendar

extension HealthCheck {
    static func account(_ check: AccountCheck, now: Instant) -> [Finding] {
        let name = Sanitizer.excerpt(check.name)
        var findings: [Finding] = []
        func add(_ level: Finding.Level, _ text: String) {
            findings.append(Finding(level, "account", "\(name): \(text)"))
        }
        func add(_ error: any Error) { add(.problem, ErrorMessages.explain(error).sentence) }
        switch check.password {
        case .found: break
        case .commandNotRun: add(.ok, "its password comes from a command. '--network' runs the command.")
        case .missing(let error): add(error)
        }
        switch check.server {
        case .notAsked: break
        case .answers: add(.ok, "the server answers and accepts the password.")
        case .fails(let error): add(error)
        }
        if let until = check.restsUntil {
            let minutes = (until.secondsSince1970 - now.secondsSince1970 + 59) / 60
            let pause = Int(minutes).counted("minute")
            add(.warning, "its server requested a pause of \(pause). 'remindav sync --now' ignores it.")
        }
        let confirmation =
            "'remindav sync --dry-run' names the reminders, and 'remindav sync --allow-mass-delete' confirms."
        if !check.holdingLists.isEmpty {
            let lists = check.holdingLists.map { "'\(Sanitizer.excerpt($0))'" }.joined(separator: ", ")
            add(.warning, "deletions on the server wait for your confirmation in \(lists). \(confirmation)")
        }
        if check.waitingDeletions > 0 {
            add(.warning, "the last sync held back \(check.waitingDeletions.counted("deletion")). \(confirmation)")
        }
        if check.unreadable > 0 {
            let files = check.unreadable.counted("file")
            add(.warning, "the server has \(files) that remindav cannot use and does not change. Check them there.")
        }
        if let error = check.error {
            let name = ErrorCategoryName.shown(error)
            add(.warning, "the last sync was incomplete (\(name)). Run 'remindav sync', which shows the reason.")
        } else if check.lists == 0 {
            let command = AddList.command("NAME", account: check.name)
            add(.warning, "it has no list. To create one, run '\(command)'.")
        } else if check.lastSync == nil {
            let state = check.wasSynced ? "there was no sync in the last 30 days" : "there was no sync yet"
            add(.warning, "\(state). Run 'remindav sync'.")
        }
        if check.unsent > 0 { add(.warning, "\(check.unsent.counted("change")) not sent yet. Run 'remindav sync'.") }
        if findings.isEmpty { add(.ok, "its password is stored and all changes are sent.") }
        return findings
    }
}
