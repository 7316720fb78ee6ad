import RemindavBridge
import RemindavHTML
import RemindavReminders

struct ListsScreen: Part {
    /// A list that stays on its server only.
    struct Ignored: Hashable, Sendable {
        let name: String
        let account: String
    }

    let lists: [ListView]
    let ignored: [Ignored]
    /// The reason why there is no usable default list.
    let problem: String?
    let note: NoteLine
    let token: String

    var body: some HTML {
        let token = self.token
        div(.class("head")) {
            h1 { "Lists" }
            a(.class("button main-button"), .href(.newList), .label("New List")) { "+" }
        }
        self.note
        if let problem = self.problem { p(.class("notice")) { problem } }
        if self.lists.isEmpty {
            p { "No lists yet. The first reminder creates one." }
        } else {
            ul(.class("rows card"), .role(.list)) {
                Each(self.lists) { list in
                    li(.class("row")) {
                        a(.class("open"), .href(.listPage(list.name))) {
                            ListName(list)
                            small { ListWords.text(list) }
                        }
                        a(
                            .class("button"),
                            .href(.list([(name: "list", value: list.name)])),
                            .label("Show the reminders of \(list.name)")
                        ) { "Show reminders" }
                    }
                }
            }
        }
        if !self.ignored.isEmpty {
            h2 { "Only on the server" }
            ul(.class("rows card"), .role(.list)) {
                Each(self.ignored) { list in
                    li(.class("row")) {
                        div(.class("open")) {
                            bdi { list.name }
                            small {
                                "on "
                                bdi { list.account }
                            }
                        }
                        form(.action(.listDownload), .isPosted) {
                            TokenField(token)
                            input(.type(.hidden), .name("list"), .value(list.name))
                            input(.type(.hidden), .name("account"), .value(list.account))
                            button(.class("button"), .label("Download: \(list.name)")) { "Download" }
                        }
                    }
                }
            }
        }
    }
}

/// The name of a list with its colour, and a lock if it is read-only.
struct ListName: Part {
    let list: ListView
    init(_ list: ListView) { self.list = list }

    var body: some HTML {
        span {
            if let color = self.list.color { Dot(LabelColor(color) ?? .unreadable) }
            " "
            bdi { self.list.name }
            if self.list.isReadOnly {
                span(.isHidden) { " \u{1F512}" }
                " read-only"
            }
        }
    }
}

enum ListWords {
    /// The account, the numbers of reminders and the state, such as `on Home, 3 open, 1 not sent`.
    static func text(_ list: ListView) -> String {
        var words = [list.account.map { "on \($0)" } ?? "on this computer", "\(list.open) open"]
        if list.completed > 0 { words.append("\(list.completed) completed") }
        if list.state == .detached { words.append("no longer on the server") }
        if list.state != .detached, list.unsent > 0 { words.append("\(list.unsent.counted("change")) not sent") }
        if list.isDefault { words.append("default list") }
        return words.joined(separator: ", ")
    }
}

/// The fields for the name and the colour of a list.
struct ListFields: Part {
    let values: ListForm
    let problems: [ListForm.Field: String]

    private var colors: [(hex: String, name: String, color: LabelColor?)] {
        let choices = LabelColor.choices(with: LabelColor(self.values.color))
        return [("", "none", nil)] + choices.map { ($0.color.hex, $0.name, $0.color) }
    }

    var body: some HTML {
        let chosen = self.values.color
        TextField("list", "Name of the list", value: self.values.name, problem: self.problems[.name], isRequired: true)
        fieldset(.class("choices")) {
            legend { "Color" }
            Each(self.colors) { swatch in
                label(.class("choice")) {
                    input(
                        .type(.radio),
                        .name("color"),
                        .value(swatch.hex),
                        swatch.hex == chosen ? .isChecked : nil
                    )
                    if let color = swatch.color { Dot(color) }
                    " \(swatch.name)"
                }
            }
        }
    }
}

/// A select field with the accounts.
struct AccountField: Part {
    let accounts: [String]
    let chosen: String
    /// The name of the choice without an account; `nil` if an account must be chosen.
    let noneName: String?

    var body: some HTML {
        SelectField(
            "account",
            "Account",
            (self.noneName.map { [(value: "", name: $0)] } ?? []) + self.accounts.map { (value: $0, name: $0) },
            chosen: self.chosen
        )
    }
}

struct NewListScreen: Part {
    let values: ListForm
    let accounts: [String]
    let problems: [ListForm.Field: String]
    let token: String

    var body: some HTML {
        h1 { "New List" }
        ProblemLine(self.problems[.page])
        form(.class("card form"), .action(.newList.saving(again: !self.problems.isEmpty)), .isPosted, .isUnchecked) {
            TokenField(self.token)
            ListFields(values: self.values, problems: self.problems)
            if !self.accounts.isEmpty {
                AccountField(accounts: self.accounts, chosen: self.values.account, noneName: "On this computer only")
            }
            FormButtons(cancel: .lists)
        }
    }
}

/// The form of a list, and the decisions about it.
struct ListPage: Part {
    let list: ListView
    let values: ListForm
    let accounts: [String]
    let problems: [ListForm.Field: String]
    let note: NoteLine
    let token: String

    private static let dues = [
        (value: "", name: "As in the settings"), (value: "tomorrow", name: "Tomorrow"),
        (value: "none", name: "No date"),
    ]

    var body: some HTML {
        let (list, values) = (self.list, self.values)
        h1 { ListName(list) }
        self.note
        p {
            ListWords.text(list)
            ". "
            a(.href(.list([(name: "list", value: list.name)]))) { "Show reminders" }
        }
        ProblemLine(self.problems[.page])
        ListDecisions(list: list, accounts: self.accounts, token: self.token)
        let target = Address.listPage(list.name).saving(again: !self.problems.isEmpty)
        form(.class("card form"), .action(target), .isPosted, .isUnchecked) {
            TokenField(self.token)
            input(.type(.hidden), .name("was"), .value(ListForm(list).digests.text))
            ListFields(values: values, problems: self.problems)
            fieldset {
                legend { "New reminders in this list" }
                SelectField("due", "Date", Self.dues, chosen: values.due)
                TextField(
                    "alarms",
                    "Alarms",
                    value: values.alarms,
                    note: "such as \"15m, due\", or none; empty: as in the settings",
                    problem: self.problems[.alarms]
                )
            }
            FormButtons(cancel: .lists)
        }
        p { a(.class("button danger-button"), .href(.list(list.name, "delete"))) { "Delete List" } }
    }
}

/// The decisions about a list that its server has lost, that became read-only, or that is on this computer only.
struct ListDecisions: Part {
    let list: ListView
    let accounts: [String]
    let token: String

    var body: some HTML {
        let list = self.list
        if list.state == .detached {
            h2 { "No longer on the server" }
            p {
                "The server no longer has this list. Its reminders are on this computer until you decide: keep it as a "
                "local list, upload it again, or delete it."
            }
            Decision(list: list, decision: "keep", name: "Keep as a local list", token: self.token)
        }
        if list.state != .synced, !self.accounts.isEmpty {
            form(.class("quick"), .action(.list(list.name, "upload")), .isPosted) {
                TokenField(self.token)
                AccountField(accounts: self.accounts, chosen: list.account ?? "", noneName: nil)
                button(.class("button")) { list.state == .detached ? "Upload again" : "Upload to the server" }
            }
        }
        if list.isReadOnly, list.unsent > 0 {
            h2 { "Unsent changes" }
            p {
                "This list is now read-only and has \(list.unsent.counted("unsent change")). "
                "Move a reminder to another list in its form to keep its change, or discard the changes."
            }
            p { a(.class("button danger-button"), .href(.list(list.name, "discard"))) { "Discard changes" } }
        }
        if !list.isDefault, !list.isReadOnly, list.state != .detached {
            Decision(list: list, decision: "default", name: "Make it the default list", token: self.token)
        }
    }
}

/// A button for a decision that needs no other field.
private struct Decision: Part {
    let list: ListView
    let decision: String
    let name: String
    let token: String

    var body: some HTML {
        form(.action(.list(self.list.name, self.decision)), .isPosted) {
            TokenField(self.token)
            p { button(.class("button")) { self.name } }
        }
    }
}

/// The question before a list is deleted.
struct ListDeletionQuestion: Part {
    let deletion: ListDeletion
    let problem: String?
    let token: String

    var body: some HTML {
        let (deletion, count) = (self.deletion, self.deletion.reminders.counted("reminder"))
        h1 { "Delete List" }
        ProblemLine(self.problem)
        p {
            "Are you sure you want to delete '"
            bdi { deletion.name }
            "' with \(count)? "
            if deletion.goesFromServer {
                "It is deleted on this computer and in your account "
                bdi { deletion.account ?? "" }
                ", for all its users. "
            }
            if deletion.state == .detached { "It is not on the server any more. " }
            "The reminders stay in the trash for 30 days."
        }
        if deletion.isForeign, deletion.goesFromServer {
            p { "The list is not in your own folder on the server and may belong to another user." }
        }
        WaitingEdits(deletion)
        QuestionButtons(.list(deletion.name, "delete"), cancel: .lists, Words.delete.rawValue, self.token) {
            if deletion.goesFromServer {
                button(.class("button"), .name("only-here"), .value("1")) { "Remove from this computer only" }
            }
        }
    }
}

/// The question before the unsent changes of a read-only list are discarded.
struct DiscardQuestion: Part {
    let waiting: ListDeletion
    let token: String

    var body: some HTML {
        let waiting = self.waiting
        h1 { "Discard Changes" }
        WaitingEdits(waiting)
        p {
            "Are you sure you want to discard the unsent changes of '"
            bdi { waiting.name }
            "'? Its reminders then are as on the server."
        }
        QuestionButtons(
            .list(waiting.name, "discard"),
            cancel: .listPage(waiting.name),
            "Discard",
            self.token
        )
    }
}

/// The unsent changes that an operation would lose, by their titles.
private struct WaitingEdits: Part {
    /// The maximum number of titles; the list itself shows all of them.
    private static let shownTitles = 10
    let deletion: ListDeletion
    init(_ deletion: ListDeletion) { self.deletion = deletion }

    var body: some HTML {
        let (titles, deletions) = (self.deletion.unsent, self.deletion.unsentDeletions)
        if !titles.isEmpty || deletions > 0 {
            p { "These changes are not on the server yet:" }
            ul(.role(.list)) {
                Each(Array(titles.prefix(Self.shownTitles))) { title in
                    li { bdi { title.shownTitle } }
                }
                if titles.count > Self.shownTitles { li { "and \(titles.count - Self.shownTitles) more" } }
                if deletions > 0 { li { deletions.counted("deletion") } }
            }
            if self.deletion.nowhereElse > 0 {
                p { "\(self.deletion.nowhereElse.counted("reminder")) only on this computer: moved to the trash." }
            }
        }
    }
}
