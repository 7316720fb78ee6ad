import Bridge
import ICalendar

/// Turns the results of checks into findings; pure functions.
enum HealthCheck {
    /// The findings of a store's folder.
    static func files(_ facts: StoreFolderCheck) -> [Finding] {
        let folder = Sanitizer.line(facts.folder)
        guard let mode = facts.folderMode else {
            return [Finding(.ok, "store", "\(folder) is not there yet; the first reminder makes it.")]
        }
        var findings: [Finding] = []
        if !facts.isWritable {
            findings.append(
                Finding(
                    .problem,
                    "store",
                    "You may not write in \(folder), so nothing can be changed. If it is yours, run: "
                        + "chmod -R u+w '\(folder)'."
                )
            )
        }
        if mode & 0o077 != 0 {
            let digits = String(mode, radix: 8)
            findings.append(
                Finding(.warning, "files", "\(folder) is open to others (mode \(digits)). Run: chmod 700 '\(folder)'.")
            )
        }
        if !facts.exposed.isEmpty {
            let names = facts.exposed.joined(separator: ", ")
            findings.append(
                Finding(
                    .warning,
                    "files",
                    "Others may read \(names) in \(folder). Take that right away with chmod go=."
                )
            )
        }
        if let free = facts.freeBytes {
            let words = "\(Self.size(free)) free on the disk of \(folder)"
            if free < Self.fewBytes {
                findings.append(Finding(.problem, "disk", "\(words). Make room, or nothing can be kept."))
            } else if free < Int64(facts.databaseBytes) * 2 {
                findings.append(
                    Finding(.warning, "disk", "\(words), less than an import of all reminders takes. Make room.")
                )
            } else {
                findings.append(Finding(.ok, "disk", "\(words)."))
            }
        }
        if facts.logBytes > Self.longLog {
            findings.append(
                Finding(
                    .warning,
                    "store",
                    "The log of the store has \(Self.size(Int64(facts.logBytes))), which a program that looks at it for long keeps "
                        + "from being cut. End other remindav processes and run any command that changes something."
                )
            )
        }
        if !facts.lostLogs.isEmpty {
            let names = facts.lostLogs.prefix(Self.mostNames).map { Sanitizer.excerpt($0) }.joined(separator: ", ")
            findings.append(
                Finding(
                    .warning,
                    "store",
                    "\(names) in \(folder): the log of a store whose reminders.db was gone when a new one was made. If you "
                        + "still have that file, put both into another folder, the log as reminders.db-wal, and look with "
                        + "'remindav --store FOLDER list'. Else remove the log."
                )
            )
        }
        return findings
    }

    /// The number of names in one sentence.
    private static let mostNames = 5

    /// Enough for a write of a few reminders with its log.
    private static let fewBytes: Int64 = 16 << 20
    /// SQLite shortens the log to 8 MiB after each write, unless another process reads.
    private static let longLog = 64 << 20

    /// The findings of a store.
    static func store(_ check: StoreCheck) -> [Finding] {
        var findings: [Finding] = []
        if let first = check.damage.first {
            findings.append(
                Finding(
                    .problem,
                    "store",
                    "The store is damaged: \(Sanitizer.excerpt(first)). Put a backup in its place; 'remindav export' may "
                        + "still read a part."
                )
            )
        } else {
            let counts = "Reminders: \(check.reminders), lists: \(check.lists), format \(check.format)"
            findings.append(Finding(.ok, "store", "\(counts); nothing is damaged."))
        }
        for name in check.lost {
            let name = Sanitizer.excerpt(name)
            findings.append(
                Finding(
                    .warning,
                    "list",
                    "'\(name)' is lost by its server. Keep it with 'remindav lists keep', or delete it."
                )
            )
        }
        if check.conflicts > 0 {
            findings.append(
                Finding(
                    .warning,
                    "conflicts",
                    "\(check.conflicts) wait to be seen. Look at them with 'remindav conflicts'."
                )
            )
        }
        return findings
    }

    /// The settings file.
    static func settings(_ file: SettingsFile) -> [Finding] {
        guard let path = file.path.map({ Sanitizer.line($0) }) else {
            return [Finding(.warning, "config", "There is no home folder. Set HOME.")]
        }
        if !file.issues.isEmpty {
            return file.errors.prefix(Self.mostIssues).map { Finding(.problem, "config", $0.description) }
        }
        return [
            Finding(.ok, "config", file.exists ? "\(path) can be read." : "There is no \(path), and need not be one.")
        ]
    }

    /// The number of reported issues of one kind.
    private static let mostIssues = 20

    /// The clock, compared with the date of this program and with the journal.
    static func clock(now: Instant, made: CalendarDate, lastRun: Instant?) -> Finding {
        if now.secondsSince1970 < Int64(made.dayNumber) * Int64(ClockTime.secondsPerDay) {
            return Finding(.problem, "clock", "The clock shows a time before remindav was made. Set it.")
        }
        // Clocks of two machines differ by a little.
        if let lastRun, now.secondsSince1970 + 300 < lastRun.secondsSince1970 {
            return Finding(.problem, "clock", "The clock shows a time before the last change in the log. Set it.")
        }
        return Finding(.ok, "clock", "The clock goes on from where the log ends.")
    }

    /// Whether the locale shows letters beyond ASCII.
    ///
    /// Output is UTF-8 in every locale (POSIX: LC_ALL, else LC_CTYPE, else LANG).
    static func locale(_ environment: [String: String]) -> Finding {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let folded = name.lowercased()
        if folded.contains("utf-8") || folded.contains("utf8") {
            return Finding(.ok, "locale", "\(Sanitizer.excerpt(name)) shows all letters.")
        }
        let said = name.isEmpty ? "No locale is set" : "The locale is '\(Sanitizer.excerpt(name))'"
        return Finding(
            .warning,
            "locale",
            "\(said), and remindav writes UTF-8. Set LC_ALL=C.UTF-8 if letters look wrong."
        )
    }

    /// The feeds and their server.
    static func feeds(_ count: Int, port: UInt16, isAnswered: Bool) -> Finding {
        if count == 0 { return Finding(.ok, "feeds", "There are no feeds.") }
        let feeds = count == 1 ? "1 feed" : "\(count) feeds"
        return isAnswered
            ? Finding(.ok, "feeds", "\(feeds), and something answers on port \(port).")
            : Finding(.warning, "feeds", "\(feeds), and nothing answers on port \(port). Run 'remindav serve'.")
    }

    /// `12 GiB`; rounded down.
    private static func size(_ bytes: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (number, unit) = (bytes, 0)
        while number >= 1024, unit < units.count - 1 { (number, unit) = (number / 1024, unit + 1) }
        return "\(number) \(units[unit])"
    }
}
