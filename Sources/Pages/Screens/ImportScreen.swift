import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders
import RemindavTaskFormats

extension Visit {
    // MARK: Showing

    func importForm() throws -> Response { try self.importForm(ImportFields()) }

    func importForm(_ values: ImportFields, problem: String? = nil, status: Int = 200) throws -> Response {
        let screen = ImportScreen(
            values: values,
            lists: try self.useCases.lists().filter { !$0.isReadOnly }.map(\.name),
            problem: problem,
            token: self.token
        )
        return try self.show(screen, "Import", .settings, isRefused: problem != nil, status: status)
    }

    /// The preview of an upload, or the report of its import.
    func importPreview(_ key: String) throws -> Response {
        guard let entry = self.site.imports.entry(key, at: self.useCases.now) else { return self.missingUpload }
        var run: Int64?
        var isDone = false
        let content = entry.current
        if case .done(let number) = content.state { (run, isDone) = (number, true) }
        let screen = ImportPreview(key: key, report: content.report, isDone: isDone, run: run, token: self.token)
        return try self.show(screen, isDone ? "Imported" : "Import?", .settings)
    }

    private var missingUpload: Response { self.site.message(.uploadGone, status: 404) }

    // MARK: Changes

    /// Shows the effect of an import; nothing is imported before the answer to the preview.
    func uploadForImport(_ received: ReceivedForm) throws -> Response {
        let values = ImportFields(FormFields(received.fields))
        var sources = received.files.map(\.source)
        if !values.text.trimmingWhiteSpace.isEmpty { sources.append(values.source) }
        guard !sources.isEmpty else {
            return try self.importForm(values, problem: "Choose a file, or type a text.", status: 422)
        }
        let preview: (run: Int64?, report: [String], isPossible: Bool)
        do {
            preview = try self.importing(sources, values, isDryRun: true)
        } catch {
            let status = error is UseCaseError ? 422 : 503
            return try self.importForm(values, problem: ErrorWords(error).text, status: status)
        }
        guard preview.isPossible else {
            return try self.importForm(values, problem: preview.report.joined(separator: " "), status: 422)
        }
        let key = self.useCases.randomKey()
        let now = self.useCases.now
        self.site.imports.add(
            RecentImports.Entry(sources, values, report: preview.report, created: now),
            key: key
        )
        return .see(.importPreview(key))
    }

    /// Imports the files and the text of a preview.
    func confirmImport(_ key: String) throws -> Response {
        guard let entry = self.site.imports.entry(key, at: self.useCases.now) else { return self.missingUpload }
        try entry.finish { sources, values in
            let (run, report, _) = try self.importing(sources, values, isDryRun: false)
            return (run, report)
        }
        return .see(.importPreview(key))
    }

    /// - Returns: the run, the report in sentences, and whether at least one file can be imported.
    private func importing(
        _ sources: [ImportSource],
        _ values: ImportFields,
        isDryRun: Bool
    ) throws -> (run: Int64?, report: [String], isPossible: Bool) {
        let list = values.newList.trimmingWhiteSpace.isEmpty ? values.list : values.newList.trimmingWhiteSpace
        let files = try self.useCases.importFiles(
            sources,
            list: list.isEmpty ? nil : list,
            dryRun: isDryRun,
            options: values.options
        ) { _ in }
        var lines: [String] = []
        for file in files {
            switch file.result {
            case .success(let report):
                lines += Self.lines(
                    report,
                    file.name,
                    values,
                    hasList: !list.isEmpty,
                    isOnly: files.count == 1,
                    isDryRun
                )
            case .failure(let error): lines.append("\(file.name.excerpt): \(ErrorWords(error).text)")
            }
        }
        let reports = files.compactMap { try? $0.result.get() }
        return (reports.compactMap(\.run).first, lines, !reports.isEmpty)
    }

    private static func lines(
        _ report: ImportReport,
        _ name: String,
        _ values: ImportFields,
        hasList: Bool,
        isOnly: Bool,
        _ isDryRun: Bool
    ) -> [String] {
        let sentences = ImportSentences(
            report,
            name: name.excerpt,
            hasList: hasList,
            importsEvents: values.importsEvents,
            advice: (
                events: "The choice 'Also import events' imports",
                copies: "The choice 'Also copy reminders of other lists' imports"
            ),
            excerpt: \.excerpt
        )
        var lines = [
            (isOnly ? "" : "\(name.excerpt): ") + (isDryRun ? "The import would give: " : "") + sentences.counts
        ]
        if report.makesList {
            lines.append("\(isDryRun ? "It would create" : "Created") the list '\(report.list.excerpt)'.")
        }
        if report.labels > 0 { lines.append("Labels with a changed colour or name: \(report.labels).") }
        lines += sentences.remarks + sentences.issues
        if report.issueCount > ImportSentences.shown {
            lines.append("… and \(report.issueCount - ImportSentences.shown) more.")
        }
        return lines
    }
}

struct ImportScreen: Part {
    let values: ImportFields
    let lists: [String]
    let problem: String?
    let token: String

    private static let formats: [(value: String, name: String)] = [
        ("", "Detect it from the content"), ("ics", "iCalendar, of any program"), ("json", "JSON of an export"),
        ("csv", "CSV of an export"), ("todoist-csv", "Todoist, CSV or a backup (.zip)"),
        ("todoist-json", "Todoist, JSON"),
        ("microsoft-json", "Microsoft To Do"), ("google-json", "Google Tasks, of Takeout"),
        ("outlook-csv", "Outlook, CSV"), ("taskwarrior", "Taskwarrior"), ("todotxt", "todo.txt"),
        ("table", "CSV with column names such as title and due"),
    ]
    private static let orders: [(value: String, name: String)] = [
        ("", "Find it from the dates"), ("dmy", "Day before month"), ("mdy", "Month before day"),
    ]

    var body: some HTML {
        let values = self.values
        h1 { "Import" }
        p { "A preview shows the changes first. Nothing is imported before you confirm it." }
        form(.class("card form"), .action(.importing), .isPosted, .hasFiles, .isUnchecked) {
            TokenField(self.token)
            Field("file", "Files", note: "At most 32 MiB.", problem: self.problem) {
                input(
                    .type(.file),
                    .id("file"),
                    .name("file"),
                    .acceptsSeveral,
                    .describedBy("file-note"),
                    self.problem == nil ? nil : .isInvalid,
                    self.problem == nil ? nil : .hasFocus
                )
            }
            Field("text", "Or a text, such as the content of such a file") {
                TextArea(values.text, .id("text"), .name("text"), .describedBy("text-note"))
            }
            SelectField(
                "list",
                "List",
                [(value: "", name: "The list that the file names, or the default list")]
                    + self.lists.map { (value: $0, name: $0) },
                chosen: values.list
            )
            TextField("new-list", "Or a new list", value: values.newList)
            SelectField("format", "Format", Self.formats, chosen: values.format)
            SelectField(
                "date-order",
                "Order in dates of a table, such as 3/4/2027",
                Self.orders,
                chosen: values.dateOrder
            )
            CheckBox("make-lists", "Create a list for each list and project of the file", isOn: values.makesLists)
            CheckBox("events", "Also import events that are not over", isOn: values.importsEvents)
            CheckBox("copies", "Also copy reminders of other lists", isOn: values.copies)
            p(.class("bar")) { button(.class("button main-button")) { "Preview" } }
        }
        p { a(.href(.export)) { "Export" } }
    }
}

/// The effect of an import, with the question; after the import, its report.
struct ImportPreview: Part {
    let key: String
    let report: [String]
    let isDone: Bool
    let run: Int64?
    let token: String

    var body: some HTML {
        h1 { self.isDone ? "Imported" : "Import?" }
        div(.role(.status)) { Each(self.report) { line in p { bdi { line } } } }
        if self.isDone {
            if let run = self.run {
                form(.action(.undo), .isPosted) {
                    TokenField(self.token)
                    button(.class("button"), .name("run"), .value(String(run))) { "Undo" }
                }
            }
            p { a(.class("button main-button"), .href(.list)) { "Reminders" } }
        } else {
            p { "Nothing is imported yet." }
            form(.class("bar"), .action(.importPreview(self.key)), .isPosted) {
                TokenField(self.token)
                a(.class("button"), .href(.importing)) { "Cancel" }
                button(.class("button main-button")) { "Import" }
            }
        }
    }
}
