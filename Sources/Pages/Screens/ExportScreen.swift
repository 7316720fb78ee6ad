import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavReminders
import RemindavTaskFormats

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
        ProblemLine(self.problem)
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
