import Glibc

/// Makes another process group the foreground process group of this program's terminal, until ``restore()``.
///
/// A command in its own process group that asks for a passphrase would otherwise be stopped by the kernel.
struct ForegroundTerminal {
    private let file: Int32
    private let owner: pid_t

    /// Fails when this process has no terminal or is not in the terminal's foreground process group.
    init?(to group: pid_t) {
        let file = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard tcgetpgrp(file) == getpgrp(), tcsetpgrp(file, group) == 0 else {
            close(file)
            return nil
        }
        self.file = file
        self.owner = getpgrp()
        // The command may already have read from the terminal and been stopped.
        kill(-group, SIGCONT)
    }

    func restore() {
        // This process is in the background, so tcsetpgrp would stop it if SIGTTOU were not ignored.
        let before = signal(SIGTTOU, SIG_IGN)
        tcsetpgrp(self.file, self.owner)
        _ = signal(SIGTTOU, before)
        close(self.file)
    }
}
