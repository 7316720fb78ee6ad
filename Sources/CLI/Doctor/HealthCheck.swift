import RemindavBridge
import RemindavICalendar

/// Converts the results of checks to findings; all functions depend only on their arguments.
enum HealthCheck {
    static func files(_ check: StoreFolderCheck) -> [Finding] {
        let folder = Sanitizer.line(check.folder)
        guard let mode = check.folderMode else {
            return [Finding(.ok, "store", "\(folder) does not exist yet; the first reminder creates it.")]
        }
        var findings: [Finding] = []
        func add(_ level: Finding.Level, _ topic: String, _ text: String) {
            findings.append(Finding(level, topic, text))
        }
        if !check.isWritable {
            add(.problem, "store", "\(folder) is not writable. If it is yours, run: chmod -R u+w '\(folder)'.")
        }
        if mode & 0o077 != 0 {
            let digits = String(mode, radix: 8)
            add(.warning, "files", "Other users can open \(folder) (mode \(digits)). Run: chmod 700 '\(folder)'.")
        }
        if !check.exposed.isEmpty {
            let names = check.exposed.joined(separator: ", ")
            add(.warning, "files", "Other users can read \(names) in \(folder). Run chmod go= for these files.")
        }
        if let free = check.freeBytes {
            let text = "\(Self.size(free)) free on the disk of \(folder)"
            if free < Self.fewBytes {
                add(.problem, "disk", "\(text). Free more space, or changes cannot be saved.")
            } else if free < Int64(check.databaseBytes) * 2 {
                add(.warning, "disk", "\(text), not enough to import all reminders again. Free more space.")
            } else {
                add(.ok, "disk", "\(text).")
            }
        }
        if check.logBytes > Self.longLog {
            let text = """
                The log of the store has \(Self.size(Int64(check.logBytes))), because a program has read it for a long time. \
                End other remindav processes and run a command that changes a reminder.
                """
            add(.warning, "store", text)
        }
        if !check.lostLogs.isEmpty {
            let names = check.lostLogs.prefix(Self.mostNames).map { Sanitizer.excerpt($0) }.joined(separator: ", ")
            let text = """
                \(names) in \(folder): the database log of an earlier store without its reminders.db. If you still \
                have that file, move both into another folder, rename the log to reminders.db-wal, and run \
                'remindav --store FOLDER list'. Otherwise delete the log.
                """
            add(.warning, "store", text)
        }
        return findings
    }

    /// The maximum number of names that one sentence lists.
    private static let mostNames = 5
    /// Free bytes on the disk below which a warning appears; writing a few reminders needs less.
    private static let fewBytes: Int64 = 16 << 20
    /// A write-ahead log of this many bytes is reported; after a write without readers, SQLite shortens it to 8 MiB.
    private static let longLog = 64 << 20

    static func store(_ check: StoreCheck) -> [Finding] {
        var findings: [Finding] = []
        func add(_ level: Finding.Level, _ topic: String, _ text: String) {
            findings.append(Finding(level, topic, text))
        }
        if let first = check.damage.first.map({ Sanitizer.excerpt($0) }) {
            add(
                .problem,
                "store",
                "The store is damaged: \(first). Restore a backup; 'remindav export' may save a part."
            )
        } else {
            let counts = "Reminders: \(check.reminders), lists: \(check.lists), format \(check.format)"
            add(.ok, "store", "\(counts); nothing is damaged.")
        }
        for name in check.lost {
            let advice = "Run 'remindav lists keep \(name.commandWord)', or delete the list."
            add(.warning, "list", "The server no longer has '\(Sanitizer.excerpt(name))'. \(advice)")
        }
        if check.conflicts > 0 {
            add(.warning, "conflicts", "\(check.conflicts.counted("conflict")) to review. Run 'remindav conflicts'.")
        }
        return findings
    }

    static func settings(_ file: SettingsFile) -> [Finding] {
        guard let path = file.path.map({ Sanitizer.line($0) }) else {
            return [Finding(.warning, "config", "There is no home folder. Set HOME.")]
        }
        if !file.issues.isEmpty {
            return file.errors.prefix(Self.mostIssues).map { Finding(.problem, "config", $0.description) }
        }
        return [Finding(.ok, "config", file.exists ? "\(path) can be read." : "There is no \(path); it is optional.")]
    }

    /// The maximum number of printed issues of one kind.
    private static let mostIssues = 20

    /// Compares the clock with the release date of this program and with the last run in the journal.
    static func clock(now: Instant, made: CalendarDate, lastRun: Instant?) -> Finding {
        if now.secondsSince1970 < Int64(made.dayNumber) * Int64(ClockTime.secondsPerDay) {
            return Finding(.problem, "clock", "The clock is before the release of remindav. Set the clock.")
        }
        // Five minutes are tolerated: the clocks of two computers that use one store differ a little.
        if let lastRun, now.secondsSince1970 + 300 < lastRun.secondsSince1970 {
            return Finding(.problem, "clock", "The clock is before the last change in the log. Set the clock.")
        }
        return Finding(.ok, "clock", "The clock is after the last change in the log.")
    }

    /// Checks whether the locale (LC_ALL, LC_CTYPE, LANG) shows letters beyond ASCII, because all output is in UTF-8.
    static func locale(_ environment: [String: String]) -> Finding {
        let name = environment.characterLocale ?? ""
        if [String: String].isUTF8(name) {
            return Finding(.ok, "locale", "\(Sanitizer.excerpt(name)) shows all letters.")
        }
        let locale = name.isEmpty ? "No locale is set" : "The locale is '\(Sanitizer.excerpt(name))'"
        let advice = "Set LC_ALL=C.UTF-8 if letters are displayed incorrectly."
        return Finding(.warning, "locale", "\(locale), and remindav writes UTF-8. \(advice)")
    }

    static func feeds(_ count: Int, port: UInt16, isAnswered: Bool) -> Finding {
        if count == 0 { return Finding(.ok, "feeds", "There are no feeds.") }
        let feeds = count == 1 ? "1 feed" : "\(count) feeds"
        return isAnswered
            ? Finding(.ok, "feeds", "\(feeds), and a program answers on port \(port).")
            : Finding(.warning, "feeds", "\(feeds), and no program answers on port \(port). Run 'remindav serve'.")
    }

    /// The finding about the failure of the last attempt to push a feed.
    static func push(ofFeed number: Int64, named name: String, _ error: FeedPushError.Code) -> Finding {
        let advice = "Run 'remindav feed push \(number)', which tries again and shows the next step."
        let sentence = "The last push of '\(Sanitizer.excerpt(name))' failed: \(error.rawValue). \(advice)"
        return Finding(.warning, "feeds", sentence)
    }

    /// A size such as `12 GiB`, rounded down.
    private static func size(_ bytes: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (number, unit) = (bytes, 0)
        while number >= 1024, unit < units.count - 1 { (number, unit) = (number / 1024, unit + 1) }
        return "\(number) \(units[unit])"
    }
}
