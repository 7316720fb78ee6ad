import RemindavBridge
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

extension Visit {
    // MARK: Showing

    func feeds() throws -> Response { try self.feeds(FeedFields()) }

    private func feeds(
        _ values: FeedFields,
        problem: String? = nil,
        field: FeedFields.Field = .name,
        status: Int = 200
    ) throws -> Response {
        let screen = FeedsScreen(
            feeds: try self.useCases.feeds(),
            lists: try self.useCases.lists().map(\.name),
            values: values,
            problem: problem.map { (field, $0) },
            dueText: self.dueText,
            token: self.token
        )
        return try self.show(screen, "Feeds", .feeds, isRefused: problem != nil, status: status)
    }

    func feed(_ number: Int64) throws -> Response { try self.renaming(self.foundFeed(number)) }

    private func renaming(_ feed: FeedView, name: String? = nil, problem: String? = nil) throws -> Response {
        let screen = FeedScreen(feed: feed, name: name ?? feed.name, problem: problem, token: self.token)
        return try self.show(screen, "Edit Feed", .feeds, isRefused: problem != nil)
    }

    func feedRevocation(_ number: Int64) throws -> Response {
        let question = FeedRevocationQuestion(feed: try self.foundFeed(number), token: self.token)
        return try self.show(question, "Revoke Feed?", .feeds)
    }

    /// The content of a feed as a file, for a web server or a program that cannot reach this computer.
    func feedFile(_ number: Int64) throws -> Response {
        let feed = try self.foundFeed(number)
        return .download(
            try self.useCases.feedFile(String(number)),
            type: "text/calendar; charset=utf-8",
            name: "\(feed.name).ics"
        )
    }

    private func foundFeed(_ number: Int64) throws -> FeedView {
        guard let feed = try self.useCases.feeds().first(where: { $0.id == number }) else {
            throw UseCaseError(.feedNotFound, subject: String(number))
        }
        return feed
    }

    // MARK: Changes

    func createFeed(_ fields: FormFields) throws -> Response {
        let values = FeedFields(fields)
        let name = values.name.trimmingWhiteSpace
        let feed: FeedView
        do {
            feed = try self.useCases.createFeed(
                named: name.isEmpty ? nil : name,
                list: values.list.isEmpty ? nil : values.list,
                labels: values.labels.labelNames,
                style: values.style,
                showsPrivate: values.showsPrivate,
                showsAlarms: values.showsAlarms
            )
        } catch let error as UseCaseError {
            let field: FeedFields.Field = error.code == .listNotFound ? .list : .name
            return try self.feeds(values, problem: ErrorWords(error).text, field: field, status: 422)
        }
        let preferences = self.site.preferences
        let subscription = Subscription(feed.path ?? "", site: preferences.feedSite, port: preferences.port)
        let screen = NewFeedScreen(feed: feed, subscription: subscription)
        // The address cannot be read again, so this answer is the page itself, and no browser keeps it.
        return try self.show(screen, "New Feed", .feeds, isSecret: true)
    }

    func renameFeed(_ number: Int64, _ fields: FormFields) throws -> Response {
        let feed = try self.foundFeed(number)
        let name = fields["name"] ?? ""
        do {
            _ = try self.useCases.renameFeed(String(number), to: name)
        } catch let error as UseCaseError where error.code != .feedNotFound {
            return try self.renaming(feed, name: name, problem: ErrorWords(error).text)
        }
        return .see(.feeds)
    }

    func revokeFeed(_ number: Int64) throws -> Response {
        _ = try self.useCases.revokeFeed(String(number))
        return .see(.feeds)
    }
}

struct FeedsScreen: Part {
    let feeds: [FeedView]
    let lists: [String]
    let values: FeedFields
    let problem: (field: FeedFields.Field, text: String)?
    let dueText: DueText
    let token: String

    private static let styles: [(value: String, name: String)] = [
        (FeedForm.event.rawValue, "Events, for all calendar programs"), (FeedForm.todo.rawValue, "To-dos"),
        (FeedForm.both.rawValue, "Events and to-dos"),
    ]

    private func problem(_ field: FeedFields.Field) -> String? {
        self.problem?.field == field ? self.problem?.text : nil
    }

    var body: some HTML {
        let (dueText, values) = (self.dueText, self.values)
        h1 { "Feeds" }
        p {
            "A feed is an address that calendar programs subscribe to. Everyone with the address can read the feed. "
            "The address answers while the server runs."
        }
        if self.feeds.isEmpty {
            p { "No feeds yet." }
        } else {
            ul(.class("rows card"), .role(.list)) {
                Each(self.feeds) { feed in FeedRow(feed: feed, dueText: dueText) }
            }
        }
        h2 { "New feed" }
        form(.class("card form"), .action(.feeds), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "name",
                "Name",
                value: values.name,
                note: "Empty: the name of the list or label.",
                problem: self.problem(.name)
            )
            ReminderChoice(lists: self.lists, list: values.list, labels: values.labels, problem: self.problem(.list))
            SelectField("style", "Content", Self.styles, chosen: values.style.rawValue)
            CheckBox("private", "Publish private and confidential reminders in full", isOn: values.showsPrivate)
            CheckBox("alarms", "Publish the alarms of the reminders", isOn: values.showsAlarms)
            p(.class("bar")) { button(.class("button main-button")) { "Create feed" } }
        }
    }
}

/// A feed with its content, its subscribers and its operations.
private struct FeedRow: Part {
    let feed: FeedView
    let dueText: DueText

    private var content: String {
        let labels = self.feed.labels.map { "#\($0)" }.joined(separator: " ")
        let selection = [self.feed.list.map { "list \($0)" } ?? "all lists", labels].filter { !$0.isEmpty }
        let style =
            switch self.feed.style {
            case .event: ""
            case .todo: "as to-dos"
            case .both: "as events and to-dos"
            }
        let choices = [
            selection.joined(separator: " "), style, self.feed.showsPrivate ? "private in full" : "",
            self.feed.showsAlarms ? "with their alarms" : "",
        ]
        return choices.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var push: String? {
        self.feed.push.map { push in
            let last = push.at.map { self.dueText.moment($0) } ?? "never"
            let words = push.error.map { "failed: \($0.rawValue); last success: \(last)" } ?? last
            return "Sent to \(push.url): \(words)"
        }
    }

    var body: some HTML {
        let dueText = self.dueText
        li(.class("row")) {
            div(.class("open")) {
                bdi { self.feed.name }
                small { bdi { self.content } }
                if self.feed.visits.isEmpty { small { "No program has read it yet." } }
                Each(self.feed.visits) { visit in
                    small {
                        bdi { visit.programName }
                        ": \(dueText.moment(visit.at)), status \(visit.status), "
                        visit.count == 1 ? "1 visit" : "\(visit.count) visits"
                        if !visit.agent.isEmpty {
                            " ("
                            bdi { visit.agent }
                            ")"
                        }
                    }
                }
                if let push = self.push { small { bdi { push } } }
            }
            a(.class("button"), .href(.feed(self.feed.id)), .label("Edit: \(self.feed.name)")) { "Edit" }
        }
    }
}

/// The address of a new feed, which is shown only once.
struct NewFeedScreen: Part {
    let feed: FeedView
    let subscription: Subscription

    var body: some HTML {
        h1 { "New Feed" }
        p {
            "The feed '"
            bdi { self.feed.name }
            "' is created. Copy its address now: it is shown only once, because the store does not contain it."
        }
        div(.class("card form")) {
            ReadOnlyField("address", "Address", value: self.subscription.address, hasFocus: true)
            ReadOnlyField("webcal", "Address for programs that open webcal links", value: self.subscription.webcal)
        }
        if !self.subscription.isPublic {
            p {
                "Only programs on this computer can use this address. For others, publish the feeds by a web server with "
                "TLS, and set its address in the setting 'feed-address'. Then create the feed again."
            }
        }
        h2 { "Subscribing" }
        ul(.role(.list), .class("plain")) { Each(Subscription.programs) { line in li { line } } }
        p { a(.class("button main-button"), .href(.feeds)) { "Feeds" } }
    }
}

/// The form for the name of a feed, and its other operations.
struct FeedScreen: Part {
    let feed: FeedView
    /// The typed name.
    let name: String
    let problem: String?
    let token: String

    var body: some HTML {
        h1 { "Edit Feed" }
        form(.class("card form"), .action(.feed(self.feed.id)), .isPosted, .isUnchecked) {
            TokenField(self.token)
            TextField(
                "name",
                "Name",
                value: self.name,
                note: "The address stays the same. Most programs keep the name that they read first.",
                problem: self.problem
            )
            FormButtons(cancel: .feeds)
        }
        p(.class("links")) {
            a(.class("button"), .href(.feedFile(self.feed.id))) { "Download as a file" }
            " "
            a(.class("button danger-button"), .href(.feedRevocation(self.feed.id))) { "Revoke" }
        }
    }
}

struct FeedRevocationQuestion: Part {
    let feed: FeedView
    let token: String

    var body: some HTML {
        h1 { "Revoke Feed?" }
        p {
            "Are you sure you want to revoke '"
            bdi { self.feed.name }
            "'? Its address stops working for all programs, and cannot be restored."
        }
        QuestionButtons(.feedRevocation(self.feed.id), cancel: .feeds, "Revoke", self.token)
    }
}
