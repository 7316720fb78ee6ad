import Bridge
import JSON

/// `service status`: shows whether the service is installed and runs.
struct ShowService: Command {
    static let page = CommandPage(
        name: "service status",
        group: .help,
        summary: "Show the state of the service",
        usage: ["[--json]"],
        options: [.json],
        examples: [.init("remindav service status", "the files and the state in systemd")],
        meanings: [.success: "the service runs", .failure: "it does not, or nobody can tell"]
    )

    let isJSON: Bool

    init(_ arguments: inout Arguments) throws(UsageError) { self.isJSON = arguments.flag("--json") }

    func run(in context: Context) async throws -> ExitStatus {
        let files = try ServiceFiles.planned(in: context)
        let state = ServiceState(files, UserManager(session: context.session))
        if self.isJSON {
            try context.output.print(json: state)
        } else {
            try context.output.print(Table.text(state.rows))
            if !state.isInstalled { try context.output.print(StyledText(Self.invitation)) }
        }
        return state.isActive ? .success : .failure
    }

    /// The text when alarms are off.
    static let invitation = "\nEnable Notifications: remindav service install\n\(Self.reason)"

    /// The reason to turn them on.
    static let reason = "Get notified when your reminders are due so you never miss an important task."
}

/// The state of the service.
struct ServiceState: Sendable {
    let unit: (path: String, found: ServiceFiles.Found)
    let desktop: (path: String, found: ServiceFiles.Found)
    /// systemd's own words; `nil` when it does not answer.
    let enabled: String?
    let active: String?
    /// The unit that serves feeds, and its state according to systemd; `nil` when it was not checked.
    let feeds: (file: (path: String, found: ServiceFiles.Found), active: String?)?

    init(
        unit: (path: String, found: ServiceFiles.Found),
        desktop: (path: String, found: ServiceFiles.Found),
        enabled: String?,
        active: String?,
        feeds: (file: (path: String, found: ServiceFiles.Found), active: String?)? = nil
    ) {
        self.unit = unit
        self.desktop = desktop
        self.enabled = enabled
        self.active = active
        self.feeds = feeds
    }

    init(_ files: ServiceFiles, _ manager: UserManager) {
        self.unit = (files.unit.path, files.look(files.unit))
        self.desktop = (files.desktop.path, files.look(files.desktop))
        let isThere = manager.isThere
        self.enabled = isThere ? manager.property("UnitFileState") ?? "disabled" : nil
        self.active = isThere ? manager.property("ActiveState") ?? "inactive" : nil
        let ofFeeds = UserManager(session: manager.session, unit: ServicePlan.feedsUnit)
        self.feeds = (
            (files.feeds.path, files.look(files.feeds)),
            isThere ? ofFeeds.property("ActiveState") ?? "inactive" : nil
        )
    }

    var isInstalled: Bool { self.unit.found.isOurs }
    var isActive: Bool { self.active == "active" }

    var rows: [[String]] {
        [
            ["unit", self.unit.found.rawValue, self.unit.path],
            ["handler", self.desktop.found.rawValue, self.desktop.path],
            ["enabled", self.enabled ?? "unknown", self.enabled == nil ? "No systemd of yours answers" : ""],
            ["active", self.active ?? "unknown", ""],
        ] + self.feedsRows
    }

    private var feedsRows: [[String]] {
        guard let feeds = self.feeds else { return [] }
        let isOurs = feeds.file.found.isOurs
        let active = isOurs ? feeds.active ?? "unknown" : "'remindav service install --feeds' serves feeds"
        return [["feeds", feeds.file.found.rawValue, isOurs ? "\(active)  \(feeds.file.path)" : active]]
    }
}

extension ServiceState: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("unit") { ServiceFileState(file: $0.unit) },
        JSONMember("handler") { ServiceFileState(file: $0.desktop) },
        JSONMember("enabled") { $0.enabled },
        JSONMember("active") { $0.active },
        JSONMember("feeds") { $0.feeds.map { ServiceFileState(file: $0.file) } },
        JSONMember("feedsActive") { $0.feeds?.active },
    ]
}

private struct ServiceFileState: JSONRecord {
    let file: (path: String, found: ServiceFiles.Found)

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("path") { $0.file.path },
        JSONMember("state") { $0.file.found.rawValue },
    ]
}
