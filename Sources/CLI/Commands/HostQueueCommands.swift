import RemindavBridge
import RemindavHost
import RemindavHosting
import RemindavICalendar
import RemindavJSON
import RemindavPostgresStore

struct ShowQueue: Command {
    static let page = CommandPage(
        name: "host queue",
        summary: "Show the CalDAV servers of a host with their due accounts",
        options: [
            Option("--server", value: "ORIGIN", "Only this server, such as https://dav.example.org"),
            Option("--failing", "Show the accounts that fail or wait, with the reason"),
            Option("--retry", "Let failing accounts run at once, also those without a valid password"),
            Option("--release", "Let held accounts and alarms run again"), .json,
        ],
        details: """
            Shows for each server how many accounts are due, how late the oldest is, how many run
            now, failed, or stopped because the server refused the password, and how long the server
            rests. An account is held after four syncs that ended their process, and so are the
            alarms of a tenant.
            """,
        examples: [
            "remindav host queue": "all servers",
            "remindav host queue --failing": "the accounts that fail, with the reasons",
            "remindav host queue --retry --server https://dav.example.org": "after the end of a fault of this server",
            "remindav host queue --release": "lets held accounts and alarms run again",
        ],
        exits: [.notFound, .locked]
    )

    private enum Action: String, CaseIterable {
        case failing = "--failing"
        case retry = "--retry"
        case release = "--release"
    }

    private let origin: String?
    /// `nil` shows the servers.
    private let action: Action?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.origin = arguments.value("--server").map(Self.origin)
        var actions: [Action] = []
        for action in Action.allCases where arguments.flag(action.rawValue) { actions.append(action) }
        guard actions.count <= 1 else {
            throw UsageError(.badValue, "'--failing', '--retry' and '--release' cannot be combined.")
        }
        self.action = actions.first
        if self.action == .release, self.origin != nil {
            throw UsageError(.badValue, "'--release' cannot be combined with '--server': it concerns all servers.")
        }
    }

    /// An origin as the database has it: in small letters, and without the path and the port of the scheme.
    static func origin(_ text: String) -> String {
        let scheme = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let end = text[scheme...].firstIndex(of: "/") ?? text.endIndex
        let origin = text[..<end].lowercased()
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) { return String(origin.dropLast(port.count)) }
        return origin
    }

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        switch self.action {
        case .release:
            let count = try host.releaseHeld()
            try context.output.note(count == 0 ? "Nothing is held" : "Released \(count.counted("held run"))")
        case .retry:
            let count = try host.retry(origin: self.origin)
            try context.output.note(
                count == 0 ? "No account fails" : "\(count.counted("account")) can run now"
            )
        case .failing:
            let accounts = try host.failingAccounts(origin: self.origin)
            if accounts.count == Host.maximumFailingAccounts {
                context.output.remark(
                    "Only the first \(accounts.count) accounts are shown; '--server' selects a server."
                )
            }
            return try context.answer(accounts, ifNone: "No account fails.") { Table.text(accounts.map(\.row)) }
        case nil:
            let servers = try host.queue(origin: self.origin)
            return try context.answer(servers, ifNone: "No tenant has an account.") {
                Table.text(servers.map { [Sanitizer.line($0.origin), Self.words($0)] })
            }
        }
        return .success
    }

    private static func words(_ server: QueuedServer) -> String {
        let counts = [
            (server.due, "due"), (server.running, "running"), (server.failing, "failing"),
            (server.refused, "without a valid password"), (server.held, "held"),
        ]
        var words = [Int(server.accounts).counted("account")]
        if server.connections != WorkDirectory.standardConnections { words.append("\(server.connections) at a time") }
        words += counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if server.lateSeconds > 0 { words.append("late by \(server.lateSeconds) s") }
        if server.restSeconds > 0 { words.append("rests for \(server.restSeconds) s") }
        return words.joined(separator: ", ")
    }
}

struct SetServer: Command {
    static let page = CommandPage(
        name: "host server",
        summary: "Change the limits of a CalDAV server of a host",
        operands: [Operand("ORIGIN", .once, "The server, such as https://dav.example.org")],
        options: [
            Option("--connections", value: "N", "Accounts that are synced at the same time; default: 4"),
            Option("--parts", value: "N", "Processes that sync its accounts at the same time; default: 1"),
        ],
        details: """
            One process at a time syncs the accounts of a server, and each account uses one connection.
            So no more than this number of connections is open, however many processes run. With
            several parts, as many processes sync accounts of the server, each with its own limit.
            """,
        examples: ["remindav host server https://cloud.example.org --connections 16": "for your own server"],
        exits: [.notFound, .locked]
    )

    /// More processes than this need a second host.
    private static let maximumParts = 64
    /// A process syncs at most 32 accounts at the same time.
    private static let maximumConnections = 32

    let origin: String
    let connections: Int?
    let parts: Int?

    init(_ arguments: inout Arguments) throws(UsageError) {
        self.origin = ShowQueue.origin(try arguments.operand("ORIGIN"))
        self.connections = try Self.number("--connections", Self.maximumConnections, &arguments)
        self.parts = try Self.number("--parts", Self.maximumParts, &arguments)
        if self.connections == nil, self.parts == nil {
            throw UsageError(.missingValue, "Give '--connections' or '--parts'.")
        }
    }

    private static func number(
        _ option: String,
        _ maximum: Int,
        _ arguments: inout Arguments
    ) throws(UsageError) -> Int? {
        try arguments.value(option).map { word throws(UsageError) in
            guard let number = Int(word), (1...maximum).contains(number) else {
                let shown = Sanitizer.excerpt(word)
                throw UsageError(.badValue, "'\(option)' must be a number from 1 to \(maximum), not '\(shown)'.")
            }
            return number
        }
    }

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        try host.setServer(self.origin, connections: self.connections, parts: self.parts)
        try context.output.note("Changed the limits of \(Sanitizer.line(self.origin))")
        return .success
    }
}

struct DeclareRestored: Command {
    static let page = CommandPage(
        name: "host restored",
        summary: "Make all leases void after the database was restored from a backup",
        options: [roleOption],
        details: """
            A backup lacks the last writes, so a process could believe that it still has a lease which
            another process has, too. Run this command after each restore, before or while processes
            run. The role must be a member of remindav_owner.
            """,
        examples: ["remindav host restored --role postgres": "after a restore"],
        exits: [.locked]
    )

    let role: String?
    init(_ arguments: inout Arguments) throws(UsageError) { self.role = arguments.value("--role") }

    func run(in context: Context) async throws -> ExitStatus {
        try context.settings.connectedHost(role: self.role).declareRestored()
        try context.output.note("All leases are void; the processes of the host go on")
        return .success
    }
}

extension FailingReport {
    /// The cells of the table.
    fileprivate var row: [String] {
        let reason = self.account.reason ?? "unknown"
        let next =
            switch self.account.stopReason {
            case .authentication: "waits for a new password"
            case .held: "waits for 'host queue --release'"
            case .suspended, .off, nil:
                self.account.isRunning ? "runs now" : self.account.nextSeconds.map { "next attempt in \($0) s" } ?? ""
            }
        return [self.account.tenantName, self.name, self.account.origin, ErrorCategoryName.shown(reason), next].map {
            Sanitizer.line($0)
        }
    }
}

extension FailingReport: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("tenant") { $0.account.tenantName },
        JSONMember("account") { $0.name },
        JSONMember("origin") { $0.account.origin },
        JSONMember("error") { $0.account.reason },
        JSONMember("failures") { $0.account.failures },
        JSONMember("stopReason") { $0.account.stopReason?.rawValue },
        JSONMember("isRunning") { $0.account.isRunning },
        JSONMember("nextSeconds") { $0.account.nextSeconds },
        JSONMember("succeededAt") { $0.account.succeededAt.map { Instant(secondsSince1970: $0) } },
    ]
}

extension QueuedServer: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("origin") { $0.origin },
        JSONMember("connections") { $0.connections },
        JSONMember("accounts") { $0.accounts },
        JSONMember("due") { $0.due },
        JSONMember("lateSeconds") { $0.lateSeconds },
        JSONMember("running") { $0.running },
        JSONMember("failing") { $0.failing },
        JSONMember("refused") { $0.refused },
        JSONMember("held") { $0.held },
        JSONMember("restSeconds") { $0.restSeconds },
    ]
}
