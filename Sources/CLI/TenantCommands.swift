/// The commands that `--tenant` cannot be combined with.
enum TenantCommands {
    /// They belong to the machine and its desktop, manage the host, or use no store.
    private static let refused: Set = [
        "config", "convert", "daemon", "doctor", "completion", "host", "ics", "open", "serve", "service",
        "setup", "web",
    ]

    /// Whether a command, given with or without arguments, can be combined with `--tenant`.
    static func mayRun(_ command: String) -> Bool {
        !self.refused.contains(command.prefix { $0 != " " }.description)
    }
}
