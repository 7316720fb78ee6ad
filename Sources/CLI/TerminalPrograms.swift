import RemindavPlatform

enum TerminalPrograms {
    /// Command lines that run `words` in a new window, in order of preference; empty outside of a desktop.
    static func commands(for words: [String], environment: [String: String]) -> [[String]] {
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment.variable($0) != nil }) else { return [] }
        // The value of TERMINAL is a program, possibly with arguments; xdg-open interprets it in the same way.
        let own = environment.variable("TERMINAL").map { $0.split(separator: " ").map(String.init) } ?? []
        let chosen = own.isEmpty ? [] : [own + (own.count == 1 ? ["-e"] : [])]
        return (chosen + self.known).map { $0 + words }
    }

    /// xdg-terminal-exec and Debian's command first, then the terminals of desktops, then others.
    private static let known = [
        ["xdg-terminal-exec"], ["x-terminal-emulator", "-e"], ["ptyxis", "--"], ["kgx", "--"],
        ["gnome-terminal", "--"], ["konsole", "-e"], ["xfce4-terminal", "-x"], ["foot"], ["kitty"],
        ["alacritty", "-e"], ["xterm", "-e"],
    ]
}
