import Bridge
import HTML
import HTTP
import Reminders

extension Visit {
    // MARK: Showing

    func labels(_ query: FormFields) throws -> Response {
        let screen = LabelsScreen(labels: try self.useCases.labels(), run: try self.run(query), token: self.token)
        return .page(try self.frame("Labels", .labels) { screen })
    }

    func newLabel() throws -> Response { try self.form(LabelForm(color: .standard), of: nil) }

    func editLabel(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        return try self.form(LabelForm(name: label.name, color: label.color), of: label)
    }

    func labelDeletion(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        let question = LabelDeletionQuestion(label: label, token: self.token)
        return .page(try self.frame("Delete Label", .labels) { question })
    }

    private func label(_ name: String?) throws -> LabelView? {
        guard let name else { return nil }
        return try self.useCases.labels().first { LabelKey($0.name) == LabelKey(name) }
    }

    private func form(
        _ values: LabelForm,
        of label: LabelView?,
        problem: String? = nil,
        merges: Bool = false,
        status: Int = 200
    ) throws -> Response {
        let screen = LabelFormScreen(values: values, edited: label, problem: problem, merges: merges, token: self.token)
        let name = label == nil ? "New Label" : "Edit Label"
        let title = problem == nil ? name : "Error: \(name)"
        return .page(try self.frame(title, .labels) { screen }, status: status)
    }

    // MARK: Changes

    func addLabel(_ fields: FormFields) throws -> Response {
        let values = LabelForm(fields)
        do {
            _ = try self.useCases.addLabel(named: values.name, color: values.color)
        } catch let error as LabelNameError {
            return try self.form(values, of: nil, problem: "\(error)", status: 422)
        } catch let error as UseCaseError {
            return try self.form(values, of: nil, problem: Message(error).sentences[0], status: 422)
        }
        return .see(.labels(afterRun: nil))
    }

    func editLabel(_ query: FormFields, _ fields: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        let values = LabelForm(fields)
        var run: Int64?
        do {
            if values.name != label.name {
                run =
                    fields["merge"] == nil
                    ? try self.useCases.renameLabel(label.name, to: values.name).run
                    : try self.useCases.mergeLabel(label.name, into: values.name).run
            }
            if fields["merge"] == nil, values.color != label.color {
                _ = try self.useCases.recolorLabel(values.name, to: values.color)
            }
        } catch let error as LabelNameError {
            return try self.form(values, of: label, problem: "\(error)", status: 422)
        } catch let error as UseCaseError {
            let merges = error.code == .labelNameTaken
            return try self.form(values, of: label, problem: Message(error).sentences[0], merges: merges, status: 422)
        }
        return .see(.labels(afterRun: run))
    }

    func deleteLabel(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        return .see(.labels(afterRun: try self.useCases.deleteLabel(label.name).run))
    }
}

/// The texts in the form of a label.
struct LabelForm: Sendable {
    var name = ""
    var color: LabelColor

    init(name: String = "", color: LabelColor) {
        self.name = name
        self.color = color
    }

    init(_ fields: FormFields) {
        self.name = (fields["label"] ?? "").trimmingWhiteSpace
        self.color = fields["color"].flatMap { LabelColor($0) } ?? .standard
    }
}

struct LabelsScreen: Part {
    let labels: [LabelView]
    let run: RunView?
    let token: String

    var body: some HTML {
        div(.class("head")) {
            h1 { "Labels" }
            a(.class("button main-button"), .href(.newLabel), .label("New Label")) { "+" }
        }
        StatusLine(self.run, self.token)
        if self.labels.isEmpty {
            p { "No labels yet" }
            p { a(.class("button main-button"), .href(.newLabel)) { "Add your first label" } }
        } else {
            ul(.class("rows card"), .role(.list)) {
                Each(self.labels) { label in
                    li(.class("row")) {
                        a(.class("open"), .href(.label(label.name))) {
                            span {
                                Dot(label.color)
                                " "
                                bdi { label.name }
                            }
                            small { label.open == 1 ? "1 open reminder" : "\(label.open) open reminders" }
                        }
                        a(.class("button"), .href(.list([(name: "label", value: label.name)]))) {
                            "Show reminders"
                        }
                        a(
                            .class("button danger-button"),
                            .href(.labelDeletion(label.name)),
                            .label("Delete: \(label.name)")
                        ) { "Delete" }
                    }
                }
            }
        }
    }
}

struct LabelFormScreen: Part {
    let values: LabelForm
    /// The edited label; `nil` for a new one.
    let edited: LabelView?
    let problem: String?
    /// Whether the form offers to merge the label into the label that has the name.
    let merges: Bool
    let token: String

    private var colors: [(color: LabelColor, name: String)] {
        let palette = LabelColor.palette.map { (color: $0.color, name: $0.name) }
        if palette.contains(where: { $0.color == self.values.color }) { return palette }
        return palette + [(color: self.values.color, name: "as it is")]
    }

    var body: some HTML {
        let chosen = self.values.color
        h1 { self.edited == nil ? "New Label" : "Edit Label" }
        form(.class("card form"), .action(self.edited.map { .label($0.name) } ?? .newLabel), .isPosted, .isUnchecked) {
            TokenField(self.token)
            div(.class("field")) {
                label(.for("label")) { "Label name" }
                input(
                    .type(.text),
                    .id("label"),
                    .name("label"),
                    .value(self.values.name),
                    .autocomplete("off"),
                    .describedBy("label-note"),
                    .isRequired,
                    self.problem == nil ? nil : .isInvalid,
                    .hasFocus
                )
                span(.class("err"), .id("label-note")) {
                    if let problem = self.problem { problem }
                }
            }
            fieldset(.class("palette")) {
                legend { "Color" }
                Each(self.colors) { swatch in
                    label(.class("swatch")) {
                        input(
                            .type(.radio),
                            .name("color"),
                            .value(swatch.color.hex),
                            swatch.color == chosen ? .isChecked : nil
                        )
                        Dot(swatch.color)
                        " \(swatch.name)"
                    }
                }
            }
            p(.class("bar")) {
                a(.class("button"), .href(.labels)) { "Cancel" }
                button(.class("button main-button")) { "Save" }
                if self.merges {
                    button(.class("button"), .name("merge"), .value("1")) { "Merge into '\(self.values.name)'" }
                }
            }
        }
    }
}

struct LabelDeletionQuestion: Part {
    let label: LabelView
    let token: String

    var body: some HTML {
        h1 { "Delete Label" }
        p {
            "Are you sure you want to delete '"
            bdi { self.label.name }
            "'? Reminders with this label will keep their data but lose the label association."
        }
        form(.class("bar"), .action(.labelDeletion(self.label.name)), .isPosted) {
            TokenField(self.token)
            a(.class("button"), .href(.labels), .hasFocus) { "Cancel" }
            button(.class("button danger-button")) { "Delete" }
        }
    }
}

/// A dot in the colour of a label; the name of the label is always beside it.
struct Dot: Part {
    let color: LabelColor
    init(_ color: LabelColor) { self.color = color }

    var body: some HTML {
        svg(.class("dot"), .isHidden, .viewBox) { circle(.fill(self.color.hex), .radius) }
    }
}
