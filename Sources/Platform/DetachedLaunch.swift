extension Subprocess {
    /// Starts a program that continues after this program ends; returns whether PATH contains the program.
    @discardableResult
    package static func startDetached(_ words: [String]) -> Bool {
        // The shell ends at once, so this process does not have to wait for the program's end.
        let script = #"command -v "$1" > /dev/null 2>&1 || exit 127; "$@" > /dev/null 2>&1 &"#
        return self.firstLine(of: ["/bin/sh", "-c", script, "sh"] + words, within: .seconds(5)) != nil
    }

    /// Starts a program with a window; returns whether the program is running, or has succeeded, after a second.
    package static func startOnDesktop(_ words: [String]) -> Bool {
        let script = self.watching + "\nwatch 10 \"$@\""
        return self.firstLine(of: ["/bin/sh", "-c", script, "sh"] + words, within: .seconds(5)) != nil
    }

    /// Returns the command of a shell that starts a program of PATH on the user's desktop.
    ///
    /// The shell ends when the program has ended or after `seconds`. Its exit status is 0 when the program is running
    /// or has succeeded, 127 when PATH does not contain the program, otherwise the program's status.
    package static func desktopLaunch(_ command: [String], fromService isService: Bool, seconds: Int) -> [String] {
        ["/bin/sh", "-c", self.launching, "sh", String(seconds * 10), isService ? "service" : ""] + command
    }

    /// The shell function `watch TENTHS PROGRAM...`, which waits for a program, at most TENTHS tenths of a second.
    ///
    /// The program gets its own session, so it outlives the shell's process group and cannot read from a terminal.
    private static let watching = #"""
        watch() {
            tenths=$1
            shift
            command -v "$1" > /dev/null 2>&1 || return 127
            command -v setsid > /dev/null 2>&1 && set -- setsid "$@"
            "$@" < /dev/null > /dev/null 2>&1 &
            started=$!
            while [ "$tenths" -gt 0 ]; do
                sleep 0.1
                kill -0 "$started" 2> /dev/null || { wait "$started"; return $?; }
                tenths=$((tenths - 1))
            done
        }
        """#

    // For a service, systemd runs the program, because a service is sandboxed, may have started before the desktop, and
    // ends its child processes when it stops. Dollar signs are doubled, because systemd expands variables. Without a
    // user instance of systemd, the shell starts the program itself.
    private static let launching =
        Subprocess.watching + #"""

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
