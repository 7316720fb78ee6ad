/// The start of a program on the user's desktop by the daemon.
enum DetachedLaunch {
    /// The words of a shell that starts another program and ends when that has ended, or has run for some seconds.
    ///
    /// Its status is 0 when the program still runs or has ended well, 127 when there is no such program, else the program's.
    ///
    /// - Parameters:
    ///   - command: the program, which is found in PATH, and its arguments.
    ///   - isService: whether systemd runs this daemon.
    static func words(_ command: [String], fromService isService: Bool) -> [String] {
        let tenths = String(DaemonLimits.openWatchSeconds * 10)
        return ["/bin/sh", "-c", self.script, "sh", tenths, isService ? "service" : ""] + command
    }

    // A service is locked in, knows no screen when it began before the desktop did, and takes with it what it has started
    // when it ends: systemd is asked to run the program in its place. It puts variables into the words that it is given, so
    // each dollar is doubled for it. Where no manager answers, the program is run here.
    private static let script =
        ShellCommand.watching + #"""

            limit=$1
            place=$2
            shift 2
            if [ "$place" = service ]; then
                (
                    for word do
                        shift
                        word=$(printf '%s.' "$word" | sed 's/[$]/$$/g')
                        set -- "$@" "${word%.}"
                    done
                    watch "$limit" systemd-run --user --collect --quiet --wait -- "$@"
                )
                status=$?
                [ $status -eq 0 ] && exit 0
                systemctl --user show-environment > /dev/null 2>&1 && exit $status
            fi
            watch "$limit" "$@"
            """#
}
