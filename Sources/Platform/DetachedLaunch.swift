extension Subprocess {
    /// Starts a program that outlives this one; returns whether it is in PATH.
    @discardableResult
    package static func startDetached(_ words: [String]) -> Bool {
        // The shell ends at once, so the program has no parent that would have to wait for it.
        let script = #"command -v "$1" > /dev/null 2>&1 || exit 127; "$@" > /dev/null 2>&1 &"#
        return self.firstLine(of: ["/bin/sh", "-c", script, "sh"] + words, within: .seconds(5)) != nil
    }

    /// Starts a program with a window; returns whether it still runs, or has ended well, after a second.
    package static func startOnDesktop(_ words: [String]) -> Bool {
        let script = self.watching + "\nwatch 10 \"$@\""
        return self.firstLine(of: ["/bin/sh", "-c", script, "sh"] + words, within: .seconds(5)) != nil
    }

    /// The words of a shell that starts a program of PATH on the user's desktop.
    ///
    /// It ends when the program has ended, or has run for some seconds. Its status is 0 when the program still runs or
    /// has ended well, 127 for a missing program, otherwise the program's.
    package static func desktopLaunch(_ command: [String], fromService isService: Bool, seconds: Int) -> [String] {
        ["/bin/sh", "-c", self.launching, "sh", String(seconds * 10), isService ? "service" : ""] + command
    }

    /// A shell function `watch TENTHS PROGRAM...`, which waits at most TENTHS tenths of a second for the program.
    ///
    /// In its own session the program outlives the shell's process group, and cannot prompt on another terminal.
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

    // systemd runs the program, because a service is sandboxed, may have started before the desktop, and stops its
    // children with itself. Dollars are doubled, because systemd expands variables. Without a user manager the program
    // is started here.
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
