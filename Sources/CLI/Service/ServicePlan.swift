import RemindavBridge
import RemindavReminders

/// The content of the files that make systemd and the desktop run remindav.
struct ServicePlan: Hashable, Sendable {
    /// The absolute path of the program.
    let program: String
    /// The absolute path of the store's folder, the only folder that the service may write to.
    let store: String
    /// The options `--store` and `--config` for the commands in the files, if they are needed.
    let options: [String]
    var sandbox: Sandbox
    /// The port of the web pages and the feeds.
    let port: UInt16
    /// The path of a script that starts the program, for a desktop entry that cannot contain the program's path.
    ///
    /// `nil` if a desktop entry cannot contain the script's path.
    let opener: String?

    enum Sandbox: String, CaseIterable, Sendable {
        /// The file system is read-only except for the store's folder; this needs a user namespace.
        case full
        /// Only the restrictions that work on every system.
        case light
    }

    static let unit = "remindav.service"
    /// systemd listens with this unit, and starts ``webUnit`` at the first request.
    static let webSocket = "remindav-web.socket"
    static let webUnit = "remindav-web.service"
    /// The text by which remindav recognizes its own files, which it may update and remove.
    static let mark = "# Written by 'remindav service install'; 'remindav service remove' takes it away."

    /// Whether the program is in a folder that `swift build` writes.
    var isInBuildFolder: Bool { self.program.contains("/.build/") }

    var unitText: String {
        self.unitText(Self.unit, "Reminders: alarms and sync (remindav)", command: "daemon")
    }

    var webUnitText: String { self.unitText(Self.webUnit, Self.webDescription, command: "serve", target: nil) }

    var webSocketText: String {
        """
        \(Self.mark)
        # Changes of your own: systemctl --user edit \(Self.webSocket)

        [Unit]
        Description=\(Self.webDescription)

        [Socket]
        ListenStream=127.0.0.1:\(self.port)

        [Install]
        WantedBy=sockets.target

        """
    }

    private static let webDescription = "Web pages and feeds of reminders (remindav)"

    // If a line of the settings file is invalid, the exit status is 2, and a restart would not help. After any other
    // failure (a full disk, a locked store, another daemon), systemd restarts the service without limit.
    private func unitText(
        _ unit: String,
        _ description: String,
        command: String,
        target: String? = "default.target"
    ) -> String {
        """
        \(Self.mark)
        # Changes of your own: systemctl --user edit \(unit)

        [Unit]
        Description=\(description)
        StartLimitIntervalSec=0

        [Service]
        Type=exec
        ExecStart=\(self.commandLine(command))
        Restart=on-failure
        RestartSec=30s
        RestartPreventExitStatus=2
        UMask=0077
        \(self.restrictions.joined(separator: "\n"))

        """ + (target.map { "\n[Install]\nWantedBy=\($0)\n" } ?? "")
    }

    private func commandLine(_ command: String) -> String {
        // systemd runs no program with a quotation mark or backslash in its path, so a shell gets the path as argument.
        let isRefused = self.program.contains { "\"'\\".contains($0) }
        let program =
            isRefused
            ? [#"/bin/sh -c "exec \"$$0\" \"$$@\"""#, UnitText.argument(self.program)] : [UnitText.word(self.program)]
        return (program + self.options.map(UnitText.argument) + [command]).joined(separator: " ")
    }

    private var restrictions: [String] {
        switch self.sandbox {
        case .light: Self.filters
        case .full: Self.filters + Self.namespaces + self.places
        }
    }

    // AF_UNIX is for the session bus and the journal, AF_NETLINK for network changes and for the C library's order of
    // addresses. The user's commands (passwords, alarms) run in the same sandbox. Memory that is written and executed
    // is allowed, because programs in JavaScript or Java need it.
    private static let filters = [
        // LimitCORE: a core dump could contain passwords.
        "NoNewPrivileges=yes", "LimitCORE=0", "LockPersonality=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "RestrictNamespaces=yes",
        "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources", "SystemCallErrorNumber=EPERM",
    ]

    // The manager of a user can apply these settings only together with PrivateUsers= (systemd.exec(5)). It cannot
    // apply ProtectProc= and ProcSubset= at all.
    private static let namespaces = [
        "PrivateUsers=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "ProtectClock=yes",
        "ProtectControlGroups=yes", "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
    ]

    /// With `-` before its path, the store's folder may be missing: the service starts, and the daemon reports it.
    private var places: [String] {
        let isTemporary = ([self.program, self.store] + self.options).contains { path in
            ["/tmp/", "/var/tmp/"].contains { path.hasPrefix($0) }
        }
        let temporary =
            isTemporary
            ? ["PrivateTmp=no"]
            // The user's commands may open a window, which needs the sockets of X11.
            : ["PrivateTmp=yes", "BindReadOnlyPaths=-/tmp/.X11-unix"]
        return ["ProtectSystem=strict", "ProtectHome=read-only", "ReadWritePaths=\(UnitText.word("-" + self.store))"]
            + temporary
    }

    private var openingWords: [String] { [self.program] + self.options + ["open"] }

    /// Whether the command line of the desktop entry needs the script.
    var needsOpener: Bool { self.opener != nil && !self.openingWords.allSatisfy(UnitText.isPlain) }

    /// The content of the script that starts the program; see ``opener``.
    var openerText: String {
        """
        \(Self.mark)
        # Run by remindav.desktop: some programs that read desktop entries know no quotation marks.
        exec \(self.openingWords.map(UnitText.shellWord).joined(separator: " ")) "$@"

        """
    }

    // The desktop entry that opens addresses of the form `reminders://ID`. GLib and KDE understand the quotation marks
    // of the Desktop Entry Specification. On an unknown desktop, Debian's xdg-open splits the line at its spaces and
    // treats quotation marks as letters. If a word needs quotation marks, the entry therefore runs a script with these
    // words. The entry has `Terminal=false`: desktops support few terminals, so the program starts one itself.
    var desktopText: String {
        let words: [String]
        if self.openingWords.allSatisfy(UnitText.isPlain) {
            words = self.openingWords
        } else if let opener {
            words = ["/bin/sh", opener]
        } else {
            words = self.openingWords.map(UnitText.desktopArgument)
        }
        return """
            \(Self.mark)
            [Desktop Entry]
            Type=Application
            Name=Remindav
            Comment=Open a reminder
            Exec=\(words.joined(separator: " ")) %u
            Terminal=false
            NoDisplay=true
            MimeType=x-scheme-handler/reminders;

            """
    }
}

extension ServicePlan.Sandbox {
    /// Kernel settings with the value that forbids user namespaces: of Debian, of every Linux, of Ubuntu since 23.10.
    static let switches = [
        (path: "/proc/sys/kernel/unprivileged_userns_clone", forbids: "0"),
        (path: "/proc/sys/user/max_user_namespaces", forbids: "0"),
        (path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", forbids: "1"),
    ]

    /// The best sandbox that this kernel allows; `read` returns the content of a file, or `nil` if it is missing.
    static func possible(_ read: (_ path: String) -> String?) -> Self {
        let isForbidden = Self.switches.contains { one in
            read(one.path).map { ($0).trimmingWhiteSpace == one.forbids } ?? false
        }
        return isForbidden ? .light : .full
    }

    /// Whether an exit status means that the sandbox failed: USER, CAPABILITIES or NAMESPACE of systemd.exec(5).
    static func isRefused(_ status: String) -> Bool { ["217", "218", "226"].contains(status) }
}
