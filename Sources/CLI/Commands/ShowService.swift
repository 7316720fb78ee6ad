import RemindavBridge
import RemindavJSON

struct ShowService: Command {
    static let page = CommandPage(
        name: "service status",
        summary: "Show the state of the service",
        options: [.json],
        examples: ["remindav service status": "the files and the state in systemd"],
        meanings: [.success: "the service runs", .failure: "it does not run, or its state is unknown"]
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

    static let invitation = "\nEnable Notifications: remindav service install\n\(Self.reason)"
    static let reason = "Get notified when your reminders are due so you never miss an important task."
}

struct ServiceState: Sendable {
    let unit: (path: String, found: ServiceFiles.Found)
    let desktop: (path: String, found: ServiceFiles.Found)
    /// The state that systemd reports for the unit; `nil` if systemd does not answer.
    let enabled: String?
    let active: String?
    /// The unit that listens for the web pages and the feeds: its file, and its state in systemd.
    ///
    /// `nil` if the unit was not checked.
    var web: (file: (path: String, found: ServiceFiles.Found), active: String?)?

    var isInstalled: Bool { self.unit.found.isOurs }
    var isActive: Bool { self.active == "active" }

    var rows: [[String]] {
        [
            ["unit", self.unit.found.rawValue, self.unit.path],
            ["handler", self.desktop.found.rawValue, self.desktop.path],
            ["enabled", self.enabled ?? "unknown", self.enabled == nil ? "Your systemd does not answer" : ""],
            ["active", self.active ?? "unknown", ""],
        ] + self.webRows
    }

    private var webRows: [[String]] {
        guard let web = self.web else { return [] }
        let isOurs = web.file.found.isOurs
        let active = isOurs ? web.active ?? "unknown" : "'remindav service install --web' serves the web pages"
        return [["web", web.file.found.rawValue, isOurs ? "\(active)  \(web.file.path)" : active]]
    }
}

extension ServiceState {
    init(_ files: ServiceFiles, _ manager: UserManager) {
        let isThere = manager.isThere
        let ofWeb = UserManager(session: manager.session, unit: ServicePlan.webSocket)
        self.init(
            unit: (files.unit.path, files.state(of: files.unit)),
            desktop: (files.desktop.path, files.state(of: files.desktop)),
            enabled: isThere ? manager.property("UnitFileState") ?? "disabled" : nil,
            active: isThere ? manager.property("ActiveState") ?? "inactive" : nil,
            web: (
                (files.webSocket.path, files.state(of: files.webSocket)),
                isThere ? ofWeb.property("ActiveState") ?? "inactive" : nil
            )
        )
    }
}

extension ServiceState: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("unit") { ServiceFileState(file: $0.unit) },
        JSONMember("handler") { ServiceFileState(file: $0.desktop) },
        JSONMember("enabled") { $0.enabled },
        JSONMember("active") { $0.active },
        JSONMember("web") { $0.web.map { ServiceFileState(file: $0.file) } },
        JSONMember("webActive") { $0.web?.active },
    ]
}

private struct ServiceFileState: JSONRecord {
    let file: (path: String, found: ServiceFiles.Found)

    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("path") { $0.file.path },
        JSONMember("state") { $0.file.found.rawValue },
    ]
}
