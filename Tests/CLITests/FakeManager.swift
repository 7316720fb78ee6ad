import Synchronization

/// The needed part of systemd's user manager, with one service.
final class FakeManager: Sendable {
    private struct State {
        var isEnabled = false
        var active = "inactive"
        var status = "0"
        /// The exit status of a start of a unit that needs user namespaces.
        var statusWithNamespaces = "0"
        var statusWithout = "0"
        var takesUnits = true
        /// The unit that serves feeds.
        var webActive = "inactive"
        var asked: [String] = []
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - withNamespaces: the exit status of a unit with user namespaces; 0 if it runs.
    ///   - without: the exit status of a unit without them.
    ///   - takesUnits: whether a unit can be enabled.
    init(withNamespaces: String = "0", without: String = "0", takesUnits: Bool = true) {
        self.state.withLock {
            $0.statusWithNamespaces = withNamespaces
            $0.statusWithout = without
            $0.takesUnits = takesUnits
        }
    }

    var isEnabled: Bool { self.state.withLock { $0.isEnabled } }
    var webActive: String { self.state.withLock { $0.webActive } }
    var active: String { self.state.withLock { $0.active } }

    /// Returns the calls since the last time, without queries of properties.
    func takeAsked() -> [String] {
        self.state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    func ask(_ words: [String], unit: [UInt8]?) -> String? {
        guard words.starts(with: ["systemctl", "--user"]) else { return nil }
        let words = Array(words.dropFirst(2))
        return self.state.withLock { state in
            if words == ["show", "--property=Version", "--value"] { return "252 (fake)" }
            if words.starts(with: ["show", "remindav.service"]), words.last == "--value" {
                return switch words[2] {
                case "--property=ActiveState": state.active
                case "--property=UnitFileState": unit == nil ? "" : state.isEnabled ? "enabled" : "disabled"
                case "--property=ExecMainStatus": state.status
                default: nil
                }
            }
            if words == ["show", "remindav-web.socket", "--property=ActiveState", "--value"] {
                return state.webActive
            }
            state.asked.append(words.joined(separator: " "))
            switch words {
            case ["daemon-reload"], ["reset-failed", "remindav.service"], ["reset-failed", "remindav-web.socket"],
                ["enable", "remindav-web.socket"]:
                return ""
            case ["restart", "remindav-web.socket"]:
                state.webActive = "active"
                return ""
            case ["stop", "remindav-web.service"]: return ""
            case ["disable", "--now", "remindav-web.socket"]:
                state.webActive = "inactive"
                return ""
            case ["enable", "remindav.service"]:
                guard unit != nil, state.takesUnits else { return nil }
                state.isEnabled = true
                return ""
            case ["disable", "--now", "remindav.service"]:
                guard unit != nil, state.takesUnits else { return nil }
                state.isEnabled = false
                state.active = "inactive"
                return ""
            case ["restart", "remindav.service"]:
                guard let unit else { return nil }
                let needsNamespace = String(decoding: unit, as: UTF8.self).contains("\nPrivateUsers=yes\n")
                state.status = needsNamespace ? state.statusWithNamespaces : state.statusWithout
                state.active = state.status == "0" ? "active" : "failed"
                return state.status == "0" ? "" : nil
            default: return nil
            }
        }
    }
}
