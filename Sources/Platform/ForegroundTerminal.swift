import Glibc

/// This program's terminal while another process group is its foreground process group.
///
/// Without it, a command in its own process group is stopped as soon as it asks for a passphrase.
struct ForegroundTerminal {
    private let file: Int32
    private let owner: pid_t

    /// `nil` when there is no terminal, or this program is not in its foreground.
    init?(to group: pid_t) {
        let file = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard tcgetpgrp(file) == getpgrp(), tcsetpgrp(file, group) == 0 else {
            close(file)
            return nil
        }
        self.file = file
        self.owner = getpgrp()
        // It may have asked, and been stopped, before it had the terminal.
        kill(-group, SIGCONT)
    }

    func restore() {
        // In the background, tcsetpgrp would stop this program.
        let before = signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(self.file, self.owner)
        _ = signal(SIGTTOU, before)
        close(self.file)
    }
}
