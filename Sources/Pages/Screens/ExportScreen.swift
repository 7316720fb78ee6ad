import Bridge
import DatePhrases
import HTML
import HTTP
import Reminders
import TaskFormats

extension Visit {
    /// The form; after "Show the left-out data", also the number of reminders and the losses.
    func export(_ query: FormFields) throws -> Response {
        let values = ExportFields(query)
        guard query["check"] != nil else { return try self.export(values) }
        do {
            var count = 0
            let losses = try self.write(values, count: &count) { _ in }
            return try self.export(values, count: count, losses: losses)
        } catch let error as UseCaseError {
            return try self.export(values, problem: ErrorWords(error).text)
        }
    }

    private func export(
        _ values: ExportFields,
        count: Int? = nil,
        losses: [String] = [],
        problem: String? = nil
    ) throws -> Response {
        let screen = ExportScreen(
            values: values,
            lists: try self.useCases.lists().map(\.name),
            count: count,
            losses: losses,
            problem: problem
        )
        return try self.show(screen, "Export", .settings, isRefused: problem != nil)
    }

    func exportFile(_ query: FormFields) throws -> Response {
        let values = ExportFields(query)
        var bytes: [UInt8] = []
        var count = 0
        do {
            _ = try self.write(values, count: &count) { bytes += $0 }
        } catch let error as UseCaseError {
            return try self.export(values, problem: ErrorWords(error).text)
        }
        let day = self.site.preferences.zone.wallClock(at: self.useCases.now).date
        let format = values.format
        return .download(bytes, type: format.type, name: "reminders-\(day).\(format.suffix)")
    }

    /// Writes the chosen reminders; returns the sentences about data that the format cannot express.
    private func write(_ values: ExportFields, count: inout Int, _ write: ([UInt8]) throws -> Void) throws -> [String] {
        let filter = values.filter
        if !values.list.isEmpty, try !self.useCases.lists().contains(where: { $0.name == values.list }) {
            throw UseCaseError(.listNotFound, subject: values.list)
        }
        guard let form = values.format.form else {
            count = try self.useCases.exportCalendar(matching: filter, style: values.format.style, write: write)
            return []
        }
        let sentence = RuleSentence(zone: self.site.preferences.zone)
        let result = try self.useCases.exportReminders(
            as: form,
            matching: filter,
            words: { sentence.text($0) },
            write: write
        )
        count = result.count
        return ExportLoss.allCases.compactMap { loss in
            result.losses[loss].map { titles in
                loss.sentence(titles, form, listAdvice: "Choose a list to export one of them.", excerpt: \.excerpt)
            }
        }
    }
}

extension String {
    /// The names of labels, with commas between them.
    var labelNames: [String] {
        self.split(separator: ",").map { String($0).trimmingWhiteSpace }.filter { !$0.isEmpty }
    }

    /// The maximum number of characters of a foreign text in a sentence.
    private static let maximumExcerpt = 200

    /// The text, shortened for a sentence.
    var excerpt: String {
        self.count <= Self.maximumExcerpt ? self : self.prefix(Self.maximumExcerpt) + "…"
    }
}

/// A format of an export, with the words for a person.
struct ExportChoice: Hashable, Sendable {
    let name: String
    let words: String
    /// The form; `nil` for iCalendar.
    let form: ExportForm?
    let style: ExportStyle
    let suffix: String
    let type: String

    private init(
        _ name: String,
        _ words: String,
        _ form: ExportForm?,
        style: ExportStyle = .todo,
        suffix: String,
        type: String
    ) {
        self.name = name
        self.words = words
        self.form = form
        self.style = style
        self.suffix = suffix
        self.type = type
    }

    private static let calendarType = "text/calendar; charset=utf-8"
    private static let tableType = "text/csv; charset=utf-8"

    static let standard = Self("ics", "iCalendar, with all stored data", nil, suffix: "ics", type: Self.calendarType)
    static let all = [
        Self.standard,
        Self(
            "events",
            "iCalendar events of open dated reminders, for calendar programs",
            nil,
            style: .event,
            suffix: "ics",
            type: Self.calendarType
        ),
        Self("json", "JSON, with all stored data", .json, suffix: "json", type: "application/json"),
        Self("csv", "CSV, a table of the visible fields", .csv, suffix: "csv", type: Self.tableType),
        Self("markdown", "Markdown checklists", .markdown, suffix: "md", type: "text/markdown; charset=utf-8"),
        Self("todotxt", "todo.txt", .todoTxt, suffix: "txt", type: "text/plain; charset=utf-8"),
        Self("taskwarrior", "Taskwarrior", .taskwarrior, suffix: "json", type: "application/json"),
        Self("todoist-csv", "Todoist, a project", .todoist, suffix: "csv", type: Self.tableType),
        Self("google-json", "Google Tasks, as Takeout writes it", .google, suffix: "json", type: "application/json"),
        Self("outlook-csv", "Outlook, a table", .outlook, suffix: "csv", type: Self.tableType),
    ]
}

/// The choices in the form of an export.
struct ExportFields: Hashable, Sendable {
    enum State: String, CaseIterable, Sendable {
        case all, open, completed

        var words: String {
            switch self {
            case .all: "All reminders"
            case .open: "Only open reminders"
            case .completed: "Only completed and cancelled reminders"
            }
        }
    }

    var format: ExportChoice
    /// The name of the list; empty for all lists.
    var list: String
    /// Names with commas between them; empty for all reminders.
    var labels: String
    var state: State

    init(_ query: FormFields) {
        let format = query["format"]
        self.format = ExportChoice.all.first { $0.name == format } ?? .standard
        self.list = query["list"] ?? ""
        self.labels = query["labels"] ?? ""
        self.state = query["state"].flatMap(State.init) ?? .all
    }

    var filter: ReminderFilter {
        var filter = ReminderFilter(includesCompleted: self.state == .all)
        filter.lists = self.list.isEmpty ? [] : [self.list]
        filter.labels = self.labels.labelNames
        if self.state == .completed { filter.others.append(ReminderFilter(section: .completed)) }
        return filter
    }
}

struct ExportScreen: Part {
    let values: ExportFields
    let lists: [String]
    /// The number of reminders in the file; `nil` if it was not requested.
    let count: Int?
    let losses: [String]
    let problem: String?

    var body: some HTML {
        let values = self.values
        h1 { "Export" }
        if let problem = self.problem { p(.class("err"), .role(.alert)) { problem } }
        if let count = self.count {
            div(.role(.status)) {
                p { count == 1 ? "The file has 1 reminder." : "The file has \(count) reminders." }
                if self.losses.isEmpty { p { "The format contains all of their data." } }
                Each(self.losses) { sentence in p { bdi { sentence } } }
            }
        }
        form(.class("card form"), .action(.exportFile)) {
            SelectField(
                "format",
                "Format",
                ExportChoice.all.map { (value: $0.name, name: $0.words) },
                chosen: values.format.name,
                note: "Data that a format cannot contain is left out."
            )
            ReminderChoice(lists: self.lists, list: values.list, labels: values.labels)
            SelectField(
                "state",
                "Reminders",
                ExportFields.State.allCases.map { (value: $0.rawValue, name: $0.words) },
                chosen: values.state.rawValue
            )
            p(.class("bar")) {
                button(.class("button main-button")) { "Download" }
                button(.class("button"), .formAction(.export), .name("check"), .value("1")) { "Show the left-out data" }
            }
        }
        p { a(.href(.importing)) { "Import" } }
    }
}
