import RemindavBridge
import RemindavHost
import RemindavHosting
import RemindavICalendar
import RemindavJSON
import RemindavPostgresStore
import RemindavRecurrence
import RemindavStore

let roleOption = Option(
    "--role",
    value: "NAME",
    "Connect with this role; default: the role of the setting 'host'"
)

extension Settings {
    /// The host that the settings name.
    ///
    /// - Parameter role: the role of the connection; `nil` means the role of the setting.
    func connectedHost(role: String? = nil) throws(UsageError) -> Host {
        guard let place = self.host else {
            throw UsageError(
                .missingValue,
                "No host is set. 'remindav config set host dbname=remindav' names its PostgreSQL database."
            )
        }
        let database = DatabasePlace(place, role: role)
        let site = self.webAddress ?? self.feedAddress
        let agent = HostAgent.text(installation: site?.host, contact: self.hostContact)
        return Host(database, key: self.hostKey, addresses: self.allowedAddresses, userAgent: agent)
    }
}

struct InitializeHost: Command {
    static let page = CommandPage(
        name: "host init",
        summary: "Create the roles and tables of a host for many users",
        options: [roleOption],
        details: """
            A host is a PostgreSQL database (version 15 or newer) with the reminders of many users,
            which are called tenants. The setting 'host' has its address, in libpq's form and without
            a password, such as dbname=remindav.

            The role of this command must be allowed to create roles. It creates three roles without
            passwords: remindav_owner owns the tables, remindav_worker changes the data of tenants,
            and remindav_web serves feeds and pages. Then name remindav_worker in the setting 'host'.
            The command can be repeated.
            """,
        examples: ["remindav host init --role postgres": "creates the roles and tables"],
        exits: [.locked]
    )

    let role: String?
    init(_ arguments: inout Arguments) throws(UsageError) { self.role = arguments.value("--role") }

    func run(in context: Context) async throws -> ExitStatus {
        let steps = try context.settings.connectedHost(role: self.role).migrate(createsRoles: true)
        try context.output.note(
            steps.isEmpty ? "The tables exist already" : "Created the tables (\(steps.count.counted("step")))"
        )
        context.output.remark(
            advice: "Next: remindav host tenant add NAME, with the role remindav_worker in the setting 'host'."
        )
        return .success
    }
}

struct MigrateHost: Command {
    static let page = CommandPage(
        name: "host migrate",
        summary: "Update the tables of a host after an installation of a new version",
        options: [roleOption],
        details: """
            Runs the missing steps of the schema, each in one transaction. The role must be a member
            of remindav_owner.
            """,
        examples: ["remindav host migrate --role postgres": "runs the missing steps"],
        exits: [.locked]
    )

    let role: String?
    init(_ arguments: inout Arguments) throws(UsageError) { self.role = arguments.value("--role") }

    func run(in context: Context) async throws -> ExitStatus {
        let steps = try context.settings.connectedHost(role: self.role).migrate(createsRoles: false)
        if steps.isEmpty { try context.output.note("The schema is up to date") }
        for step in steps { try context.output.note("Ran the step '\(step)'") }
        return .success
    }
}

struct CheckHost: Command {
    static let page = CommandPage(
        name: "host check",
        summary: "Check the database of a host",
        options: [.json],
        details: """
            Shows the server's version, the role, the schema, the number of tenants, the difference
            between the clocks, and whether the key of the host opens the passwords. Processes do not start with a role that can read the
            reminders of all tenants, or with a schema that lacks a step.
            """,
        examples: ["remindav host check": "checks the connection of the setting 'host'"],
        exits: [.locked]
    )

    /// The difference of the clocks in seconds that delays no alarm noticeably.
    private static let clockTolerance = 2.0

    init(_ arguments: inout Arguments) throws(UsageError) {}

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        let report = try host.check()
        let credentials = context.environment["CREDENTIALS_DIRECTORY"]
        let key = report.obstacle == nil ? try host.checkKey(credentials: credentials) : nil
        let clock = report.clockAhead ?? 0
        let isClockRight = abs(clock) <= Self.clockTolerance
        _ = try context.answer(CheckedHost(report: report, key: key)) { output in
            try output.print(
                Table.text([
                    ["server", "PostgreSQL \(report.serverVersion)"], ["role", report.role],
                    ["schema", report.steps.map { $0.counted("step") } ?? "unknown"],
                    ["tenants", report.tenants.map(String.init) ?? "unknown"],
                    [
                        "clock",
                        isClockRight ? "equal to the clock of this machine" : "differs by \(Int(clock)) seconds",
                    ],
                    ["passwords", key?.words ?? "unknown"],
                ])
            )
        }
        if let obstacle = report.obstacle {
            context.output.complain(
                Explanation(
                    "hostUnsuitable",
                    "The database of the host cannot be used: \(obstacle.sentence).",
                    advice: "Nothing was changed.",
                    status: .failure
                )
            )
        }
        if let problem = key?.problem { context.output.complain(ErrorMessages.explain(problem)) }
        return report.obstacle == nil && isClockRight && key?.problem == nil ? .success : .failure
    }
}

struct ManageTenants: Command {
    static let page = CommandPage(
        name: "host tenant",
        summary: "Add, list, suspend, limit, move and remove the tenants of a host",
        usage: [
            "add NAME [--zone ZONE]", "list [--json]", "suspend|resume NAME",
            "set NAME [--zone ZONE] [--reminders N] [--megabytes N]", "export|import NAME FOLDER",
            "allow|deny NAME --subject SUBJECT [--issuer ISSUER]",
            "remove NAME [--yes]",
        ],
        operands: [
            Operand("ACTION", .once, "add, list, suspend, resume, set, export, import, allow, deny or remove"),
            Operand("NAME", .optional, "The name of the tenant"),
            Operand("FOLDER", .optional, "The folder of a store, as for the option --store"),
        ],
        options: [
            Option("--zone", value: "ZONE", "The zone of times without a zone; default: UTC"),
            Option("--reminders", value: "N", "The maximum number of reminders; standard: \(Quota.maximumReminders)"),
            Option(
                "--megabytes",
                value: "N",
                "The maximum size of all texts in MiB; standard: \(Quota.maximumBytes >> 20)"
            ),
            Option("--subject", value: "SUBJECT", "A person, as the reverse proxy names them"),
            Option("--issuer", value: "ISSUER", "The sign-in service of the person; default: none"),
            Option("--yes", short: "y", "Do not ask before a removal"),
            .json,
        ],
        details: """
            The option --tenant NAME runs another command for one tenant, such as 'remindav
            list --tenant ada'. The reminders of a suspended tenant can be read and not changed.

            A tenant has at most \(Quota.maximumAccounts) accounts, \(Quota.maximumFeeds) feeds, and the reminders and megabytes
            that the action set allows. A change beyond a limit is refused as a whole; removals are
            always possible. The action list shows the present numbers.

            The action export copies everything of a tenant to a store in a new FOLDER, which
            'remindav --store FOLDER' then uses. The action import copies a store, which stays
            unchanged, to an empty tenant. The numbers of reminders stay the same. Passwords are not
            copied, and an import leaves out certificate files and the permission of unencrypted
            passwords. After a move, sync only one of the two stores.

            'allow' gives a person the web pages of a tenant, and 'deny' takes them away. A reverse
            proxy signs people in, and sends the subject to 'host run' in the header of the setting
            'host-subject-header', and the issuer in that of 'host-issuer-header'.
            """,
        examples: [
            "remindav host tenant add ada --zone Europe/Berlin": "an empty store for ada",
            "remindav host tenant allow ada --subject ada@example.org": "gives ada the web pages",
            "remindav --tenant ada import reminders.ics": "imports a file for ada",
            "remindav host tenant export ada ~/ada": "copies the store of ada to a new folder",
        ],
        exits: [.notFound, .locked]
    )

    private enum Action: String, CaseIterable {
        case add, list, suspend, resume, set, export, `import`, remove, allow, deny
    }

    private let action: Action
    private let name: String
    /// The folder of an export or import; otherwise empty.
    private let folder: String
    private let zone: String?
    private let reminders: Int?
    private let megabytes: Int?
    /// The person of `allow` and `deny`.
    private let person: Identity?

    init(_ arguments: inout Arguments) throws(UsageError) {
        let word = try arguments.operand("ACTION")
        guard let action = Action(rawValue: word) else {
            let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(.badValue, "'\(Sanitizer.excerpt(word))' is not an action. The actions are \(names).")
        }
        self.action = action
        let name = arguments.optionalOperand()
        if action == .list, name != nil { throw UsageError(.tooManyOperands, "'host tenant list' has no name.") }
        if action != .list, name == nil {
            throw UsageError(.missingOperand, "NAME is missing: the name of the tenant.")
        }
        self.name = name ?? ""
        let isMove = action == .export || action == .import
        self.folder = isMove ? try arguments.operand("FOLDER") : ""
        self.zone = arguments.value("--zone")
        guard self.zone == nil || action == .add || action == .set else {
            throw UsageError(.badValue, "'--zone' is only for 'host tenant add' and 'set'.")
        }
        self.reminders = try arguments.value("--reminders", Self.limit)
        self.megabytes = try arguments.value("--megabytes", Self.limit)
        let hasLimit = self.reminders != nil || self.megabytes != nil
        if hasLimit, action != .set {
            throw UsageError(.badValue, "'--reminders' and '--megabytes' are only for 'host tenant set'.")
        }
        if action == .set, !hasLimit, self.zone == nil {
            throw UsageError(.missingValue, "'host tenant set' needs '--zone', '--reminders' or '--megabytes'.")
        }
        self.person = try Self.person(&arguments, action)
    }

    /// The largest limit; a million reminders, or a million megabytes, are more than a store can handle well.
    private static let largestLimit = 1_000_000

    private static func limit(_ text: String) throws(UsageError) -> Int {
        guard let number = Int(text), (0...Self.largestLimit).contains(number) else {
            throw UsageError(
                .badValue,
                "'\(Sanitizer.excerpt(text))' is not a limit. Write a number from 0 to \(Self.largestLimit)."
            )
        }
        return number
    }

    private static func person(_ arguments: inout Arguments, _ action: Action) throws(UsageError) -> Identity? {
        let (subject, issuer) = (arguments.value("--subject"), arguments.value("--issuer"))
        guard [.allow, .deny].contains(action) else {
            guard subject == nil, issuer == nil else {
                throw UsageError(.badValue, "'--subject' and '--issuer' are only for 'host tenant allow' and 'deny'.")
            }
            return nil
        }
        guard let subject else {
            throw UsageError(.missingValue, "'host tenant \(action.rawValue)' needs '--subject' with the person.")
        }
        return Identity(issuer: issuer ?? "", subject: subject)
    }

    func run(in context: Context) async throws -> ExitStatus {
        let host = try context.settings.connectedHost()
        let shown = Sanitizer.line(self.name)
        let zones = Configuration.systemZones(environment: context.environment)
        if let zone = self.zone, zones.rules(named: zone) == nil {
            throw UsageError(
                .badValue,
                "There is no time zone '\(Sanitizer.excerpt(zone))' on this machine.",
                command: Self.page.name
            )
        }
        switch self.action {
        case .add:
            try host.add(self.name, zone: self.zone ?? "UTC")
            try context.output.note("Added the tenant \(shown)")
        case .list:
            let people = try host.identities()
            let tenants = try host.tenants().map { ListedTenant(tenant: $0, people: people[$0.id] ?? []) }
            return try context.answer(tenants, ifNone: "No tenants yet. Add one: remindav host tenant add NAME") {
                Table.text(tenants.map(\.row))
            }
        case .suspend, .resume:
            try host.setSuspended(self.action == .suspend, self.name)
            try context.output.note("\(self.action == .suspend ? "Suspended" : "Resumed") the tenant \(shown)")
        case .set:
            let bytes = self.megabytes.map { $0 << 20 }
            try host.change(self.name, zone: self.zone, reminders: self.reminders, bytes: bytes)
            try context.output.note("Changed the tenant \(shown)")
        case .export:
            let accounts = try host.export(self.name, to: System.absolute(self.folder))
            try context.output.note("Exported the tenant \(shown) to \(Sanitizer.line(self.folder))")
            context.remarkOnPasswords(of: accounts, command: "remindav --store FOLDER account password")
        case .import:
            let accounts = try host.import(System.absolute(self.folder), to: self.name)
            try context.output.note("Imported \(Sanitizer.line(self.folder)) to the tenant \(shown)")
            context.remarkOnPasswords(
                of: accounts,
                command: "remindav --tenant \(self.name.shellWord) account password"
            )
        case .remove:
            let question = "Remove the tenant \(shown) with all reminders? This cannot be undone."
            guard try context.agrees(question) else { return .success }
            try host.remove(self.name)
            try context.output.note("Removed the tenant \(shown)")
        case .allow, .deny:
            guard let person else { break }
            if self.action == .allow { try host.allow(person, self.name) } else { try host.deny(person, self.name) }
            let words = self.action == .allow ? "can use" : "can no longer use"
            try context.output.note("\(Sanitizer.line(person.subject)) \(words) the pages of the tenant \(shown)")
        }
        return .success
    }
}

extension Context {
    /// Names the accounts whose passwords are not in a copy of a store.
    fileprivate func remarkOnPasswords(of accounts: [String], command: String) {
        guard !accounts.isEmpty else { return }
        let names = accounts.map { "'\(Sanitizer.excerpt($0))'" }.joined(separator: ", ")
        self.output.remark(
            "Passwords are not copied. Set those of \(accounts.count.counted("account")) with '\(command) NAME': \(names)."
        )
    }
}

extension TenantRecord: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name },
        JSONMember("zone") { $0.zone },
        JSONMember("isSuspended") { $0.isSuspended },
        JSONMember("createdAt") { Instant(secondsSince1970: $0.created) },
        JSONMember("reminders") { $0.reminders },
        JSONMember("bytes") { $0.bytes },
        JSONMember("maximumReminders") { $0.quota.reminders },
        JSONMember("maximumBytes") { $0.quota.bytes },
    ]

    /// The cells of `host tenant list`: the numbers with their limits.
    fileprivate var row: [String] {
        let tenths = (self.bytes * 10) >> 20
        return [
            self.name, self.zone, "\(self.reminders) of \(self.quota.reminders) reminders",
            "\(tenths / 10).\(tenths % 10) of \(self.quota.bytes >> 20) MiB", self.isSuspended ? "suspended" : "",
        ]
    }
}

/// A tenant in the result of `host tenant list`.
struct ListedTenant: JSONRecord {
    let tenant: TenantRecord
    let people: [Identity]

    static let jsonMembers: [JSONMember<Self>] =
        JSONMember.all { $0.tenant } + [JSONMember("people") { $0.people }]

    /// The cells of the table.
    var row: [String] {
        let people = self.people.map { person in
            (person.issuer.isEmpty ? "" : "\(Sanitizer.line(person.issuer)) ") + Sanitizer.line(person.subject)
        }
        return self.tenant.row + [people.joined(separator: ", ")]
    }
}

extension Identity: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("issuer") { $0.issuer },
        JSONMember("subject") { $0.subject },
    ]
}

/// The result of `host check`; the key is not checked in a database that cannot be used.
struct CheckedHost: JSONRecord {
    let report: HostReport
    let key: HostKeyReport?

    static let jsonMembers: [JSONMember<Self>] =
        JSONMember.all { $0.report } + [
            JSONMember("tenantsWithPasswords") { $0.key?.tenants },
            JSONMember("tenantsUnderOtherKey") { $0.key?.others },
            JSONMember("keyProblem") { $0.key?.problem.map { "\($0.code)" } },
        ]
}

extension HostKeyReport {
    /// The state in words.
    var words: String {
        guard self.tenants > 0 else { return "of no tenant yet" }
        let count = self.tenants.counted("tenant")
        guard let others = self.others else { return "of \(count); the key of the host cannot be read" }
        return others == 0 ? "of \(count), under this key" : "of \(count), \(others) under another key"
    }
}

extension HostReport: JSONRecord {
    static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("serverVersion") { $0.serverVersion },
        JSONMember("role") { $0.role },
        JSONMember("steps") { $0.steps },
        JSONMember("tenants") { $0.tenants },
        JSONMember("clockAhead") { $0.clockAhead.map { Int($0) } },
        JSONMember("obstacle") { $0.obstacle?.sentence },
    ]
}
