import Bridge
import Platform

/// systemd's manager of this person's services, asked by its own tool.
struct UserManager: Sendable {
    let session: Session
    /// The unit that the commands act on.
    var unit = ServicePlan.unit

    /// Whether it answers.
    var isThere: Bool { self.ask("show", "--property=Version", "--value").map { !$0.isEmpty } ?? false }

    /// The properties of the service: `ActiveState`, `UnitFileState`, `ExecMainStatus`.
    func property(_ name: String) -> String? {
        self.ask("show", self.unit, "--property=\(name)", "--value").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the service runs.
    var isActive: Bool { self.property("ActiveState") == "active" }

    /// Makes it read the units again.
    ///
    /// - Returns: whether it did.
    func reload() -> Bool { self.ask("daemon-reload") != nil }

    /// Enables the service at sign-in.
    func enable() -> Bool { self.ask("enable", self.unit) != nil }

    /// Takes our service out of that, and ends it.
    func disable() -> Bool { self.ask("disable", "--now", self.unit) != nil }

    /// Starts our service anew.
    ///
    /// - Returns: `nil` when it runs, else the status that its process ended with.
    func restart() -> String? {
        // systemd refuses a service that has failed too often.
        _ = self.ask("reset-failed", self.unit)
        if self.ask("restart", self.unit) != nil, self.isActive { return nil }
        return self.property("ExecMainStatus") ?? "0"
    }

    private func ask(_ words: String...) -> String? { self.session.ask(["systemctl", "--user"] + words) }

    /// The command for the user.
    static let commands = Self.commands([ServicePlan.unit])

    /// The same for several units.
    static func commands(_ units: [String]) -> String {
        "systemctl --user daemon-reload && systemctl --user enable --now \(units.joined(separator: " "))"
    }
}
