import RemindavBridge
import RemindavPlatform

/// The systemd manager of the user, called with `systemctl --user`.
struct UserManager: Sendable {
    let session: Session
    /// The name of the unit that the functions below act on.
    var unit = ServicePlan.unit
    var isThere: Bool { self.ask("show", "--property=Version", "--value").map { !$0.isEmpty } ?? false }

    /// The value of a property of the unit, such as `ActiveState`, `UnitFileState` or `ExecMainStatus`.
    func property(_ name: String) -> String? {
        self.ask("show", self.unit, "--property=\(name)", "--value").flatMap { $0.isEmpty ? nil : $0 }
    }

    var isActive: Bool { self.property("ActiveState") == "active" }
    func reload() -> Bool { self.ask("daemon-reload") != nil }
    func enable() -> Bool { self.ask("enable", self.unit) != nil }

    func disable() -> Bool { self.ask("disable", "--now", self.unit) != nil }

    /// Stops the unit until it is started again.
    func stop() { _ = self.ask("stop", self.unit) }

    /// Restarts the unit; returns the exit status of its process, or `nil` if it runs.
    func restart() -> String? {
        // systemd refuses to start a service that has failed too often.
        _ = self.ask("reset-failed", self.unit)
        if self.ask("restart", self.unit) != nil, self.isActive { return nil }
        return self.property("ExecMainStatus") ?? "0"
    }

    private func ask(_ words: String...) -> String? { self.session.ask(["systemctl", "--user"] + words) }
    /// The commands with which the user starts the units by hand.
    static func commands(_ units: [String]) -> String {
        "systemctl --user daemon-reload && systemctl --user enable --now \(units.joined(separator: " "))"
    }
}
