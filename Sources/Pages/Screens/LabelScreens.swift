import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavReminders
import RemindavStore

extension Visit {
    // MARK: Showing

    func labels(_ query: FormFields) throws -> Response {
        let screen = LabelsScreen(
            labels: try self.useCases.labels(),
            status: try self.status(query, at: ["labels"]),
            token: self.token
        )
        return try self.show(screen, Words.labels.rawValue, .labels)
    }

    func newLabel() throws -> Response { try self.form(LabelForm(color: .standard), of: nil) }

    func editLabel(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        return try self.form(LabelForm(name: label.name, color: label.color), of: label)
    }

    func labelDeletion(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        let question = LabelDeletionQuestion(label: label, token: self.token)
        return try self.show(question, Words.deleteLabel.rawValue, .labels)
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
        let name = (label == nil ? Words.newLabel : Words.editLabel).rawValue
        return try self.show(screen, name, .labels, isRefused: problem != nil, status: status)
    }

    // MARK: Changes

    func addLabel(_ fields: FormFields) throws -> Response {
        let values = LabelForm(fields)
        return try self.saving(values, of: nil) {
            .see(Address.labels.with(run: try self.useCases.addingLabel(named: values.name, color: values.color).run))
        }
    }

    func editLabel(_ query: FormFields, _ fields: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        let values = LabelForm(fields)
        return try self.saving(values, of: label) {
            if fields["merge"] != nil {
                return .see(Address.labels.with(run: try self.useCases.mergeLabel(label.name, into: values.name).run))
            }
            // A colour that was not changed in the form may have been changed elsewhere meanwhile.
            let isColorChanged = fields["was"] != values.color.hex && values.color != label.color
            let color = isColorChanged ? values.color : nil
            if values.name != label.name {
                let result = try self.useCases.renameLabel(label.name, to: values.name, color: color)
                return .see(Address.labels.with(run: result.run))
            }
            let run = try color.flatMap { try self.useCases.recoloringLabel(label.name, to: $0).run }
            return .see(Address.labels.with(run: run))
        }
    }

    /// Saves a label, or shows the form again with the typed name and the reason.
    private func saving(_ values: LabelForm, of label: LabelView?, _ save: () throws -> Response) throws -> Response {
        do {
            return try save()
        } catch let error as LabelNameError {
            return try self.form(values, of: label, problem: "\(error)", status: 422)
        } catch let error as DatabaseError {
            let status = error.pageStatus
            return try self.form(values, of: label, problem: Message(error).text, status: status)
        } catch let error as UseCaseError {
            // A new label has no reminders yet, so it cannot be merged.
            let merges = error.code == .labelNameTaken && label != nil
            return try self.form(values, of: label, problem: Message(error).sentences[0], merges: merges, status: 422)
        }
    }

    func deleteLabel(_ query: FormFields) throws -> Response {
        guard let label = try self.label(query["name"]) else { return self.site.message(.notFound, status: 404) }
        return .see(Address.labels.with(run: try self.useCases.deleteLabel(label.name).run))
    }
}

struct LabelsScreen: Part {
    let labels: [LabelView]
    let status: Status?
    let token: String

    var body: some HTML {
        div(.class("head")) {
            h1 { Words.labels }
            a(.class("button main-button"), .href(.newLabel), .label(Words.newLabel.rawValue)) { "+" }
        }
        StatusLine(self.status, self.token)
        if self.labels.isEmpty {
            p { Words.noLabels }
            p { a(.class("button main-button"), .href(.newLabel)) { Words.addFirstLabel } }
        } else {
            ul(.class("rows card"), .role(.list)) {
                Each(self.labels) { label in
                    li(.class("row label-row")) {
                        a(.class("open"), .href(.label(label.name)), .label("Edit: \(label.name)")) {
                            span {
                                Dot(label.color)
                                bdi { label.name }
                            }
                            small { label.open == 1 ? "1 open reminder" : "\(label.open) open reminders" }
                        }
                        a(
                            .class("button"),
                            .href(.list([(name: "label", value: label.name)])),
                            .label("Show reminders: \(label.name)")
                        ) { "Show reminders" }
                        a(
                            .class("button"),
                            .href(.label(label.name)),
                            .label("Edit: \(label.name)")
                        ) { Words.edit }
                        a(
                            .class("del"),
                            .href(.labelDeletion(label.name)),
                            .label("Delete: \(label.name)")
                        ) { Words.delete }
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

    private var target: Address {
        (self.edited.map { .label($0.name) } ?? Address.newLabel).saving(again: self.problem != nil)
    }

    var body: some HTML {
        let chosen = self.values.color
        h1 { self.edited == nil ? Words.newLabel : Words.editLabel }
        form(.class("card form"), .action(self.target), .isPosted, .isUnchecked) {
            TokenField(self.token)
            if let edited = self.edited { input(.type(.hidden), .name("was"), .value(edited.color.hex)) }
            Field("label", Words.labelName.rawValue, problem: self.problem) {
                input(
                    .type(.text),
                    .id("label"),
                    .name("label"),
                    .value(self.values.name),
                    .autocomplete("off"),
                    .enterKeyHint("done"),
                    .describedBy("label-note"),
                    .isRequired,
                    self.problem == nil ? nil : .isInvalid,
                    .hasFocus
                )
            }
            fieldset {
                legend { Words.color }
                div(.class("swatches")) {
                    Each(LabelColor.choices(with: self.values.color)) { swatch in
                        label(.class("swatch")) {
                            input(
                                .type(.radio),
                                .name("color"),
                                .value(swatch.color.hex),
                                .label(swatch.name),
                                swatch.color == chosen ? .isChecked : nil
                            )
                            svg(.class("circle"), .isHidden, .viewBox) {
                                circle(.fill(swatch.color.hex))
                                path(.class("check"), .stroke(swatch.color.checkMark), .shape("M6 12.5l4 4 8-9"))
                            }
                            // A colour outside of the palette has no other name on the page.
                            if swatch.name == LabelColor.otherName { swatch.name }
                        }
                    }
                }
            }
            p {
                "\(Words.preview.rawValue): "
                output(.id("preview"), .for("label"), self.values.name.isEmpty ? .class("muted") : nil) {
                    Dot(chosen)
                    bdi { self.values.name.isEmpty ? Words.namelessLabel.rawValue : self.values.name }
                }
            }
            p(.class("bar")) {
                a(.class("button"), .href(.labels)) { Words.cancel }
                button(.class("button main-button")) { Words.save }
                if self.merges {
                    button(.class("button"), .name("merge"), .value("1")) { "Merge into '\(self.values.name)'" }
                }
            }
        }
        if let edited = self.edited {
            p { a(.class("button danger-button"), .href(.labelDeletion(edited.name))) { Words.deleteLabel } }
        }
    }
}

struct LabelDeletionQuestion: Part {
    let label: LabelView
    let token: String

    var body: some HTML {
        let count = self.label.open + self.label.completed
        h1 { Words.deleteLabel }
        p { Words.deletionOfLabel.with(self.label.name) }
        p { count == 1 ? "1 reminder has this label." : "\(count) reminders have this label." }
        QuestionButtons(.labelDeletion(self.label.name), cancel: .labels, Words.delete.rawValue, self.token)
    }
}

extension Attribute {
    /// The colour of the check mark on a swatch.
    fileprivate static func stroke(_ mark: LabelColor.CheckMark) -> Self {
        switch mark {
        case .black: .stroke("#000000")
        case .white: .stroke("#FFFFFF")
        }
    }
}
