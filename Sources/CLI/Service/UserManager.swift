import Bridge
import Platform

/// systemd's manager of the user's services, through `systemctl`.
struct UserManager: Sendable {
    let session: Session
    /// The unit that the commands change.
    var unit = ServicePlan.unit
    var isThere: Bool { self.ask("show", "--property=Version", "--value").map { !$0.isEmpty } ?? false }

    /// A property such as `ActiveState`, `UnitFileState` or `ExecMainStatus`.
    func property(_ name: String) -> String? {
        self.ask("show", self.unit, "--property=\(name)", "--value").flatMap { $0.isEmpty ? nil : $0 }
    }

    var isActive: Bool { self.property("ActiveState") == "active" }
    func reload() -> Bool { self.ask("daemon-reload") != nil }
    func enable() -> Bool { self.ask("enable", self.unit) != nil }

    /// Also stops the service.
    func disable() -> Bool { self.ask("disable", "--now", self.unit) != nil }

    /// Restarts the service; returns the exit status of its process, `nil` when it runs.
    func restart() -> String? {
        // systemd refuses to start a service that has failed too often.
        _ = self.ask("reset-failed", self.unit)
        if self.ask("restart", self.unit) != nil, self.isActive { return nil }
        return self.property("ExecMainStatus") ?? "0"
    }

    private func ask(_ words: String...) -> String? { self.session.ask(["systemctl", "--user"] + words) }
    static let commands = Self.commands([ServicePlan.unit])

    /// The commands for the user.
    static func commands(_ units: [String]) -> String {
        "systemctl --user daemon-reload && systemctl --user enable --now \(units.joined(separator: " "))"
    }
}
