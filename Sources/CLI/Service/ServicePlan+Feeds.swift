extension ServicePlan {
    /// The name of the unit that serves feeds.
    static let feedsUnit = "remindav-feeds.service"

    // 'serve' ends with 2 as the daemon does, when a line of the settings cannot be used.
    //
    /// The unit file for `remindav serve`, in the same sandbox as the daemon.
    var feedsUnitText: String {
        """
        \(Self.mark)
        # Changes of your own: systemctl --user edit \(Self.feedsUnit)

        [Unit]
        Description=Feeds of reminders for calendar programs (remindav)
        StartLimitIntervalSec=0

        [Service]
        Type=exec
        ExecStart=\(self.commandLine("serve"))
        Restart=on-failure
        RestartSec=30s
        RestartPreventExitStatus=2
        UMask=0077
        \(self.restrictions.joined(separator: "\n"))

        [Install]
        WantedBy=default.target

        """
    }
}
