import RemindavBridge
import RemindavPlatform

struct ServiceFiles: Sendable {
    struct File: Hashable, Sendable {
        let path: String
        let text: String
    }

    enum Found: String, Sendable {
        case nothing = "not installed"
        /// The file has the content that would be written now.
        case same = "up to date"
        /// The file was written by remindav, with another content.
        case older = "out of date"
        /// The file was not written by remindav, and is left unchanged.
        case foreign = "not ours"
        var isOurs: Bool { self == .same || self == .older }
    }

    private(set) var plan: ServicePlan
    /// Whether to write the units of the web pages and the feeds; existing units are updated in any case.
    var wantsWeb = false
    /// The absolute path of the folder of systemd's units.
    let units: String
    /// The absolute path of the folder of desktop entries.
    let entries: String
    private let session: Session

    /// `configuration` is `$XDG_CONFIG_HOME` or its default, and `data` is `$XDG_DATA_HOME` or its default.
    init(_ plan: ServicePlan, configuration: String, data: String, session: Session) {
        self.plan = plan
        self.units = "\(configuration)/systemd/user"
        self.entries = "\(data)/applications"
        self.session = session
    }

    var unit: File { File(path: "\(self.units)/\(ServicePlan.unit)", text: self.plan.unitText) }
    var desktop: File { File(path: "\(self.entries)/remindav.desktop", text: self.plan.desktopText) }
    var web: File { File(path: "\(self.units)/\(ServicePlan.webUnit)", text: self.plan.webUnitText) }
    var webSocket: File { File(path: "\(self.units)/\(ServicePlan.webSocket)", text: self.plan.webSocketText) }
    /// Whether the units of the web pages and the feeds are in ``all``.
    var hasWeb: Bool { self.wantsWeb || self.state(of: self.webSocket).isOurs }
    /// The script that starts the program; `nil` if a desktop entry cannot contain the script's path.
    var opener: File? { self.plan.opener.map { File(path: $0, text: self.plan.openerText) } }
    var all: [File] {
        [self.unit, self.desktop] + (self.hasWeb ? [self.web, self.webSocket] : [])
            + (self.plan.needsOpener ? [self.opener].compactMap(\.self) : [])
    }

    /// The symbolic links that `systemctl enable` makes; ``remove()`` removes those that systemd has not removed.
    private var links: [(file: File, path: String)] {
        [
            (self.unit, "\(self.units)/default.target.wants/\(ServicePlan.unit)"),
            (self.webSocket, "\(self.units)/sockets.target.wants/\(ServicePlan.webSocket)"),
        ]
    }

    func with(_ sandbox: ServicePlan.Sandbox) -> Self {
        var files = self
        files.plan.sandbox = sandbox
        return files
    }

    func state(of file: File) -> Found {
        if self.session.linkTarget(file.path) != nil { return .foreign }
        guard self.session.exists(file.path) else { return .nothing }
        guard let bytes = self.session.read(file.path) else { return .foreign }
        if bytes == Array(file.text.utf8) { return .same }
        return bytes.starts(with: ServicePlan.mark.utf8) ? .older : .foreign
    }

    /// Writes missing and changed files and returns them; throws `foreign`, before writing, if one is not remindav's.
    func write() throws(ServiceError) -> [File] {
        if let foreign = self.all.first(where: { self.state(of: $0) == .foreign }) {
            throw ServiceError(.foreign, foreign.path)
        }
        let missing = self.all.filter { self.state(of: $0) != .same }
        for file in missing {
            do {
                try self.session.write(Array(file.text.utf8), file.path)
            } catch {
                throw ServiceError(.notWritten, "\(error)")
            }
        }
        return missing
    }

    /// Removes the files that remindav has written, and folders that are empty then; returns the files.
    func remove() throws(ServiceError) -> [File] {
        // The script may be left from an earlier path of the program, although the current path needs no script.
        let removable = [self.unit, self.desktop, self.web, self.webSocket] + [self.opener].compactMap(\.self)
        let ours = removable.filter { self.state(of: $0).isOurs }
        guard !ours.isEmpty else { return [] }
        for link in self.links where ours.contains(link.file) && self.session.linkTarget(link.path) != nil {
            try self.remove(link.path)
        }
        for file in ours { try self.remove(file.path) }
        let parent = self.units.prefix(self.units.count - "/user".count)
        let links = ["default.target.wants", "sockets.target.wants"].map { "\(self.units)/\($0)" }
        for folder in links + [self.units, String(parent), self.entries] {
            self.session.removeFolder(folder)
        }
        return ours
    }

    private func remove(_ path: String) throws(ServiceError) {
        do {
            try self.session.remove(path)
        } catch {
            throw ServiceError(.notWritten, "\(error)")
        }
    }

    /// Updates the desktop's table of desktop entries, which some desktops read instead of the files.
    func announce() { _ = self.session.ask(["update-desktop-database", "-q", self.entries]) }
}

extension ServiceFiles {
    /// - Parameter sandbox: `nil` for the sandbox of the installed unit, or without a unit the best possible one.
    /// - Throws: `UsageError` without a home folder.
    static func planned(_ sandbox: ServicePlan.Sandbox? = nil, in context: Context) throws -> Self {
        let session = context.session
        guard let program = session.program() else { throw ServiceError(.noProgram, "") }
        let environment = context.environment
        guard let place = context.storeFolder,
            let configuration = environment.baseFolder("XDG_CONFIG_HOME", else: ".config"),
            let data = environment.baseFolder("XDG_DATA_HOME", else: ".local/share")
        else { throw UsageError.noHomeFolder }
        let store = session.absolute(place)
        let opener = "\(data)/applications/remindav-open.sh"
        let plan = ServicePlan(
            program: program,
            store: store,
            options: self.options(store: store, in: context),
            sandbox: sandbox ?? .possible { session.read($0).map { String(decoding: $0, as: UTF8.self) } },
            port: context.settings.port,
            opener: UnitText.isPlain(opener) ? opener : nil
        )
        try plan.check()
        let files = Self(plan, configuration: configuration, data: data, session: session)
        guard sandbox == nil else { return files }
        return ServicePlan.Sandbox.allCases.map(files.with).first { $0.state(of: $0.unit) == .same } ?? files
    }

    /// The options with which a process of systemd uses the same store and settings as this command.
    static func options(store: String, in context: Context) -> [String] {
        var options: [String] = []
        if let config = context.options.config ?? context.environment.variable("REMINDAV_CONFIG") {
            options += ["--config", context.session.absolute(config)]
        }
        let isUsual = store == Configuration.usualStoreFolder(context.environment.filter { $0.key == "HOME" })
        let isFromSettings =
            context.options.store == nil && context.environment.variable("REMINDAV_STORE") == nil
            && context.settings.store != nil
        if !isUsual, !isFromSettings { options += ["--store", store] }
        return options
    }
}

extension ServicePlan {
    /// - Throws: `oddPath` if a path contains a control character, or was not valid UTF-8.
    fileprivate func check() throws(ServiceError) {
        let odd = ([self.program, self.store] + self.options).first { path in
            path.unicodeScalars.contains { $0 == "\u{FFFD}" || $0.properties.generalCategory == .control }
        }
        if let odd { throw ServiceError(.oddPath, odd) }
    }
}
