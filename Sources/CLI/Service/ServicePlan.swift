import Bridge
import Reminders

/// The files that run `remindav daemon` while the user is signed in, as a function of their values.
struct ServicePlan: Hashable, Sendable {
    /// The absolute path of the program.
    let program: String
    /// The absolute path of the store's folder, the only folder that the service may write to.
    let store: String
    /// The options of this command for the store and the settings.
    let options: [String]
    var sandbox: Sandbox
    /// The path of the script for a program whose path a desktop entry cannot contain; `nil` if a script cannot either.
    let opener: String?

    enum Sandbox: String, CaseIterable, Sendable {
        /// Only the necessary files are visible, in a user namespace.
        case full
        /// The restrictions that work on every system.
        case light
    }

    static let unit = "remindav.service"
    static let feedsUnit = "remindav-feeds.service"
    /// Marks the files that may be updated and removed.
    static let mark = "# Written by 'remindav service install'; 'remindav service remove' takes it away."

    var unitText: String {
        self.unitText(Self.unit, "Reminders: alarms and sync (remindav)", command: "daemon")
    }

    var feedsUnitText: String {
        self.unitText(Self.feedsUnit, "Feeds of reminders for calendar programs (remindav)", command: "serve")
    }

    // The commands end with 2 for an unusable line of the settings, which a restart does not change. After any other end
    // (a full disk, a locked store, another daemon) they are restarted, without limit.
    private func unitText(_ unit: String, _ description: String, command: String) -> String {
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

        [Install]
        WantedBy=default.target

        """
    }

    private func commandLine(_ command: String) -> String {
        // systemd runs no path with one of these characters, however it is quoted; the shell gets it as an argument.
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
        // A core dump would contain passwords, also those of a password command.
        "NoNewPrivileges=yes", "LimitCORE=0", "LockPersonality=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "RestrictNamespaces=yes",
        "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources", "SystemCallErrorNumber=EPERM",
    ]

    // The manager of a user can do each of these only within PrivateUsers= (systemd.exec(5)), and neither ProtectProc=
    // nor ProcSubset=.
    private static let namespaces = [
        "PrivateUsers=yes", "CapabilityBoundingSet=", "PrivateDevices=yes", "ProtectClock=yes",
        "ProtectControlGroups=yes", "ProtectHostname=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
    ]

    /// The folders that it may read and write.
    ///
    /// The `-` lets the daemon report a missing store in a sentence, instead of systemd with a number.
    private var places: [String] {
        let isTemporary = ([self.program, self.store] + self.options).contains { path in
            ["/tmp/", "/var/tmp/"].contains { path.hasPrefix($0) }
        }
        let temporary =
            isTemporary
            ? ["PrivateTmp=no"]
            // For commands that open a window.
            : ["PrivateTmp=yes", "BindReadOnlyPaths=-/tmp/.X11-unix"]
        return ["ProtectSystem=strict", "ProtectHome=read-only", "ReadWritePaths=\(UnitText.word("-" + self.store))"]
            + temporary
    }

    private var openingWords: [String] { [self.program] + self.options + ["open"] }

    /// Whether the command line of the desktop entry needs the script.
    var needsOpener: Bool { self.opener != nil && !self.openingWords.allSatisfy(UnitText.isPlain) }

    /// The script that starts the program, for a path that some desktops cannot read in a desktop entry.
    var openerText: String {
        """
        \(Self.mark)
        # Run by remindav.desktop: some programs that read desktop entries know no quotation marks.
        exec \(self.openingWords.map(UnitText.shellWord).joined(separator: " ")) "$@"

        """
    }

    // The desktop entry that opens addresses of the form `reminders://ID`. GLib and KDE read the quoting of the Desktop
    // Entry Specification. On an unknown desktop, Debian's xdg-open splits the line at its spaces and treats quotation
    // marks as letters, so the words are in a script where quotation marks would be needed. The program starts a
    // terminal itself, because few desktops know more than one.
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
    /// The kernel settings for user namespaces, each with the value that forbids them to users: Debian's own, that of
    /// every kernel, and Ubuntu's since 23.10, which allows an unusable namespace.
    static let switches = [
        (path: "/proc/sys/kernel/unprivileged_userns_clone", forbids: "0"),
        (path: "/proc/sys/user/max_user_namespaces", forbids: "0"),
        (path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", forbids: "1"),
    ]

    /// The best sandbox that this kernel allows; `read` returns `nil` for a missing file.
    static func possible(_ read: (_ path: String) -> String?) -> Self {
        let isForbidden = Self.switches.contains { one in
            read(one.path).map { ($0).trimmingWhiteSpace == one.forbids } ?? false
        }
        return isForbidden ? .light : .full
    }

    /// Whether the sandbox prevented the start: the exit statuses CAPABILITIES, USER and NAMESPACE of systemd.exec(5).
    static func isRefused(_ status: String) -> Bool { ["217", "218", "226"].contains(status) }
}
