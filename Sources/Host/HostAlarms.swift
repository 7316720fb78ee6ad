package import RemindavBridge
package import RemindavHTTP
import RemindavHosting
import RemindavICalendar
package import RemindavNotifications
import RemindavPlatform
package import RemindavPostgresStore
import RemindavStore

/// The settings of messages about alarms.
package struct HostAlarms: Sendable {
    /// The mail server of the operator; `nil` for no mail.
    package var relay: HostRelay?
    /// The settings of all tenants; the quiet hours are those of the tenant.
    package var settings = SchedulerSettings()
    /// The public address of the web pages, for links to reminders; `nil` for none.
    package var site: String?

    package init() {}
}

extension Host {
    func alarmWorker(
        _ alarms: HostAlarms,
        _ configuration: Configuration,
        _ executor: BlockingExecutor,
        _ metrics: HostMetrics,
        _ report: @escaping @Sendable (HostEvent) -> Void
    ) -> AlarmWorker {
        let run = AlarmRun(
            host: self,
            channels: AlarmChannels(self, relay: alarms.relay, configuration),
            configuration: configuration,
            settings: alarms.settings,
            site: alarms.site,
            metrics: metrics,
            report: report
        )
        return AlarmWorker(
            works: self.works,
            executor: executor,
            metrics: metrics,
            random: { configuration.randomFraction() },
            report: report,
            execute: { await run.run($0, $1) }
        )
    }

    // MARK: Destinations

    /// The destination of a tenant's alarms.
    ///
    /// - Throws: `tenantNotFound`.
    package func alarmDestination(of name: String) throws -> AlarmDestination {
        try self.directory.alarmDestination(of: self.tenant(named: name).id)
    }

    /// A change of the destination of a tenant's alarms; `nil` leaves a part unchanged, `.some(nil)` removes it.
    package struct DestinationChange: Sendable {
        package var mail: String??
        /// The address for push messages.
        package var push: Secret??
        package var quietHours: String??
        package init() {}
    }

    /// Changes the destination of a tenant's alarms.
    ///
    /// The address for push messages is sealed before, and deleted after the change. If another process changes this
    /// address at the same time, it may have to be set again; a test message shows this.
    /// - Throws: `tenantNotFound`, or the errors of the vault.
    /// - Returns: the new destination.
    @discardableResult
    package func change(
        _ change: DestinationChange,
        of name: String,
        _ configuration: Configuration
    ) throws -> AlarmDestination {
        let tenant = try self.tenant(named: name).id
        if case .some(let push?) = change.push {
            try self.vault(of: tenant, configuration).keep(push, named: Self.pushSecret)
        }
        let destination = try self.directory.change(
            AlarmDestinationChange(
                mail: change.mail,
                hasPush: change.push.map { $0 != nil },
                quietHours: change.quietHours
            ),
            of: tenant
        )
        if case .some(nil) = change.push { self.vault(of: tenant, configuration).forget(Self.pushSecret) }
        return destination
    }

    /// Sends a test message to the destination of a tenant's alarms.
    ///
    /// - Throws: `tenantNotFound`.
    /// - Returns: for each channel the reason why the message was not accepted, or `nil`.
    package func sendTestMessage(
        to name: String,
        relay: HostRelay?,
        _ configuration: Configuration
    ) async throws -> [(channel: AlarmChannel, problem: String?)] {
        let tenant = try self.tenant(named: name).id
        let destination = try self.directory.alarmDestination(of: tenant)
        let message = AlarmMessage(
            identifier: String(SHA256(configuration.randomBytes(32)).hexadecimal.prefix(32)),
            title: "Test of alarms",
            body: "Messages about your reminders arrive here."
        )
        let channels = AlarmChannels(self, relay: relay, configuration)
        return await channels.send(message, to: destination, of: tenant).map { attempt in
            (attempt.channel, attempt.outcome == .accepted ? nil : attempt.reason)
        }
    }
}
