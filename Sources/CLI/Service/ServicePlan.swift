import Bridge
import Reminders

/// The files that run `remindav daemon` while the user is signed in, as a function of their values.
struct ServicePlan: Hashable, Sendable {
    /// The program's file, from the root on.
    let program: String
    /// The store's folder, from the root on: all that the service may write to.
    let store: String
    /// The options that the service needs to find the store and the settings: those that were said here.
    let options: [String]
    var sandbox: Sandbox
    /// Where the script belongs that stands in the desktop entry when a path cannot; `nil` when its own path cannot either.
    let opener: String?

    /// How much the service is kept from doing.
    enum Sandbox: String, CaseIterable, Sendable {
        /// It sees only the files that it needs, in a user namespace.
        case full
        /// The restrictions that work on every system.
        case light
    }

    /// The name of the unit.
    static let unit = "remindav.service"
    /// By this the files are known that may be written anew and taken away.
    static let mark = "# Written by 'remindav service install'; 'remindav service remove' takes it away."

    // The daemon ends with 2 when a line of the settings cannot be used, which no restart mends. All else passes: a disk
    // that is full, a store that another program holds, another one that rings. So it is begun again for ever.
    //
    /// The unit file.
    var unitText: String {
        """
        \(Self.mark)
        # Changes of your own: systemctl --user edit \(Self.unit)

        [Unit]
        Description=Reminders that ring, and their sync (remindav)
        StartLimitIntervalSec=0

        [Service]
        Type=exec
        ExecStart=\(self.commandLine("daemon"))
        Restart=on-failure
        RestartSec=30s
        RestartPreventExitStatus=2
        UMask=0077
        \(self.restrictions.joined(separator: "\n"))

        [Install]
        WantedBy=default.target

        """
    }

    func commandLine(_ command: String) -> String {
        // A path with one of these systemd refuses to run, however it is written; the shell, which is given it as an
        // argument, does not read it.
        let isRefused = self.program.contains { "\"'\\".contains($0) }
        let program =
            isRefused
            ? [#"/bin/sh -c "exec \"$$0\" \"$$@\"""#, UnitText.argument(self.program)] : [UnitText.word(self.program)]
        return (program + self.options.map(UnitText.argument) + [command]).joined(separator: " ")
    }

    var restrictions: [String] {
        switch self.sandbox {
        case .light: Self.filters
        case .full: Self.filters + Self.namespaces + self.places
        }
    }

    // AF_UNIX is for the session bus and the journal, AF_NETLINK for what changes in the network and for the C library's
    // order of addresses. Commands of the person's own (passwords, alarms) run in here as well: nothing forbids memory that
    // is both written and run, which whatever is written in JavaScript or Java needs.
    private static let filters = [
        "NoNewPrivileges=yes",
        // A core dump would hold passwords, also one of a password command.
        "LimitCORE=0",
        "LockPersonality=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes",
        "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged @resources",
        "SystemCallErrorNumber=EPERM",
    ]

    // A manager that is not root's can do each of these only within PrivateUsers= (systemd.exec(5)); ProtectProc= and
    // ProcSubset= are not for it at all.
    private static let namespaces = [
        "PrivateUsers=yes",
        "CapabilityBoundingSet=",
        "PrivateDevices=yes",
        "ProtectClock=yes",
        "ProtectControlGroups=yes",
        "ProtectHostname=yes",
        "ProtectKernelLogs=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes",
    ]

    /// The folders that it may read and write, including folders for temporary files.
    ///
    /// A store that is missing ends the daemon with a sentence, and not systemd with a number: hence the `-`.
    private var places: [String] {
        let isTemporary = ([self.program, self.store] + self.options).contains { path in
            ["/tmp/", "/var/tmp/"].contains { path.hasPrefix($0) }
        }
        let temporary =
            isTemporary
            ? ["PrivateTmp=no"]
            // Where windows are asked for, by commands that open one.
            : ["PrivateTmp=yes", "BindReadOnlyPaths=-/tmp/.X11-unix"]
        return ["ProtectSystem=strict", "ProtectHome=read-only", "ReadWritePaths=\(UnitText.word("-" + self.store))"]
            + temporary
    }

    private var openingWords: [String] { [self.program] + self.options + ["open"] }

    /// Whether the command line of the desktop entry goes through a script.
    var needsOpener: Bool { self.opener != nil && !self.openingWords.allSatisfy(UnitText.isPlain) }

    /// The script that starts the program, for a path that not every desktop can read in a desktop entry.
    var openerText: String {
        """
        \(Self.mark)
        # Run by remindav.desktop: some programs that read desktop entries know no quotation marks.
        exec \(self.openingWords.map(UnitText.shellWord).joined(separator: " ")) "$@"

        """
    }

    // GLib and KDE read the quoting of the Desktop Entry Specification. On an unknown desktop, Debian's xdg-open splits
    // the line at its spaces and treats quotation marks as letters. So there are none where they are not needed, and a
    // script has the words where they are.
    //
    // The program starts a terminal itself: of those in use, few desktops know more than one.
    //
    /// The desktop entry that opens addresses of the form `reminders://ID`.
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
    /// The kernel settings for user namespaces, each with the value that forbids them to users.
    ///
    /// Debian's own switch, the one of every kernel, and Ubuntu's since 23.10, where a namespace can be made and nothing
    /// be done in it.
    static let switches = [
        (path: "/proc/sys/kernel/unprivileged_userns_clone", forbids: "0"),
        (path: "/proc/sys/user/max_user_namespaces", forbids: "0"),
        (path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", forbids: "1"),
    ]

    /// As much as this kernel allows.
    ///
    /// - Parameter read: the text of a file; `nil` where there is none.
    static func possible(_ read: (_ path: String) -> String?) -> Self {
        let isForbidden = Self.switches.contains { one in
            read(one.path).map { ($0).trimmingWhiteSpace == one.forbids } ?? false
        }
        return isForbidden ? .light : .full
    }

    /// Whether it was this that a service could not be started with: systemd's own exit statuses CAPABILITIES, USER and
    /// NAMESPACE (systemd.exec(5), "ProcessContext exit codes").
    static func isRefused(_ status: String) -> Bool { ["217", "218", "226"].contains(status) }
}
