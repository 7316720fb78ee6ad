import RemindavBridge
import RemindavReminders
import RemindavTaskFormats

enum Completable: Hashable, Sendable {
    case reminders(Which)
    case lists, labels, accounts, feeds, runs, conflicts, trash, filters
    /// Names of sections and of saved filters.
    case selections
    case words([String])
    case commands
    case files, folders
    case unknown

    enum Which: Hashable, Sendable {
        case open, closed, all
    }
}

extension Completable {
    /// Derives the kind of an option's value from the option's name and placeholder, and if necessary from the command.
    init(_ option: Option, of page: CommandPage?) {
        switch (option.name, option.value) {
        case ("--list", _), ("--from-list", _), ("--default", _): self = .lists
        case ("--label", _), ("--with-label", _), ("--without-label", _): self = .labels
        case ("--parent", _): self = .reminders(.open)
        case ("--account", _): self = .accounts
        case ("--run", _): self = .runs
        case (_, "DIR"): self = .folders
        case (_, "FILE"), (_, "OUT"): self = .files
        case (_, "COLOR"): self = .words(Self.colors)
        case ("--color", _): self = .words(ColorChoice.allCases.map(\.rawValue))
        case ("--sandbox", _): self = .words(ServicePlan.Sandbox.allCases.map(\.rawValue))
        case ("--filter", _): self = .filters
        case ("--sort", _): self = .words(Self.sortKeys)
        case ("--section", _): self = .words(ListGroup.Section.allCases.map(\.rawValue))
        case ("--priority", _), ("--from-priority", _): self = .words(ArgumentValues.priorities)
        case ("--to", "FORM"): self = .words(ConversionTarget.allCases.map(\.rawValue))
        case ("--style", _) where page?.name == CreateFeed.page.name: self = .words(FeedForm.allCases.map(\.rawValue))
        case ("--style", _): self = .words(ExportStyle.allCases.map(\.rawValue))
        case ("--format", _) where page?.name == ImportFile.page.name: self = .words(ImportFormat.all.map(\.word))
        case ("--format", _): self = .words(["ics"] + ExportForm.allCases.map(\.rawValue))
        default: self = AccountSetting(rawValue: String(option.name.dropFirst(2))).map { Self($0) } ?? .unknown
        }
    }

    private init(_ setting: AccountSetting) {
        if let words = setting.choices {
            self = .words(words)
        } else {
            self = setting.isPath ? .files : .unknown
        }
    }

    init(_ operand: Operand, of page: CommandPage) {
        let family = page.name.prefix { $0 != " " }
        switch (operand.name, page.name) {
        case ("NAME", _) where family == ShowSettings.page.name: self = .words(Setting.all.map(\.name))
        case ("ID", "done"), ("ID", "snooze"): self = .reminders(.open)
        case ("ID", "undone"): self = .reminders(.closed)
        case ("ID", "trash restore"): self = .trash
        case ("ID", _) where family == "conflicts": self = .conflicts
        case ("FEED", _): self = .feeds
        case ("ID", _): self = .reminders(.all)
        case ("WHEN", "snooze"): self = .words(SnoozeReminder.presets)
        case ("NEW", "lists rename"), ("NEW", "labels rename"), ("NEW", "feed rename"): self = .unknown
        case ("NAME", _) where family == "lists", ("OLD", _) where family == "lists": self = .lists
        case ("NAME", _) where family == "labels", ("OLD", _) where family == "labels", ("NEW", _): self = .labels
        case ("NAME", _) where family == "account", ("PLACE", _): self = .accounts
        case ("COLOR", _): self = .words(Self.colors)
        case ("COMMAND", _): self = .commands
        case ("FILE", _), ("A", _), ("B", _): self = .files
        case ("SELECTION", _): self = .selections
        case ("SHELL", _): self = .words(Shell.allCases.map(\.rawValue))
        default: self = .unknown
        }
    }

    private static let sortKeys = ReminderOrder.Key.allCases.map(\.rawValue).flatMap { [$0, "-\($0)"] }
    private static let colors = LabelColor.palette.map { $0.name.split(separator: " ").joined(separator: "-") }
}

struct Candidate: Hashable, Sendable {
    let value: String
    var note = ""
}
