/// How the daemon starts a program on the person's desktop, which nobody waits for.
enum DesktopStart {
    /// The words of a program that starts another one.
    ///
    /// - Parameters:
    ///   - command: the program, which is found in PATH, and its arguments.
    ///   - isService: whether systemd runs this daemon.
    static func words(_ command: [String], fromService isService: Bool) -> [String] {
        ["/bin/sh", "-c", self.script, "sh", isService ? "service" : ""] + command
    }

    // A service is locked in, knows no screen when it began before the desktop did, and takes with it what it has started
    // when it ends: systemd is asked to run the program in its place. It puts variables into the words that it is given, so
    // each dollar is doubled for it.
    private static let script = #"""
        place=$1
        shift
        if [ "$place" = service ]; then
            (
                for word do
                    shift
                    word=$(printf '%s.' "$word" | sed 's/[$]/$$/g')
                    set -- "$@" "${word%.}"
                done
                systemd-run --user --collect --quiet -- "$@"
            ) > /dev/null 2>&1 && exit 0
        fi
        """# + "\n" + ShellCommand.starting
}
