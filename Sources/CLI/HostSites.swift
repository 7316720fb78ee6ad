import RemindavBridge
import RemindavDatePhrases
import RemindavHost
import RemindavPages
import RemindavPlatform
import RemindavReminders

extension Context {
    /// The web pages of a host for people whom the reverse proxy signs in; `nil` if no header names the person.
    ///
    /// - Parameter port: the port in the addresses of feeds without a public address.
    func hostPages(port: UInt16) throws(UsageError) -> HostPages? {
        let settings = self.settings
        guard let subjectHeader = settings.hostSubjectHeader else { return nil }
        guard let site = settings.webAddress else {
            throw UsageError(
                .badValue,
                "The setting 'host-subject-header' needs the setting 'web-address': the address of the proxy."
            )
        }
        guard settings.webSocket != nil || settings.hostProxySecret != nil else {
            throw UsageError(
                .badValue,
                "The setting 'host-subject-header' needs 'web-socket' or 'host-proxy-secret'; otherwise every program on "
                    + "this machine could name a person."
            )
        }
        let trust = ProxyTrust(
            subjectHeader: subjectHeader,
            issuerHeader: settings.hostIssuerHeader,
            user: settings.hostProxyUser,
            secret: try settings.hostProxySecret.map { path throws(UsageError) in try Self.proxySecret(path) }
        )
        let zones = Configuration.systemZones(environment: self.environment)
        return HostPages(
            site: site,
            socket: settings.webSocket,
            trust: trust,
            uploadFolder: self.environment.variable("TMPDIR") ?? "/var/tmp",
            makePages: { tenant, executor in
                let useCases = tenant.useCases
                guard let zone = LocalZone.named(tenant.zone, zones: zones, now: useCases.now) else {
                    throw UnknownZone(name: tenant.zone)
                }
                var preferences = Site.Preferences(
                    zone: zone,
                    standardDue: When.defaultDue(at: settings.dueTime)
                )
                preferences.alarms = settings.alarms
                preferences.feedSite = settings.hostFeedAddress
                preferences.port = port
                preferences.webSite = site
                preferences.requestSync = tenant.requestSync
                let pages = Site(
                    useCases,
                    reading: try useCases.withOwnConnection(),
                    alarms: AlarmTable(try useCases.withOwnConnection(), settings: settings.alarms),
                    preferences,
                    .people(isAllowed: tenant.isAllowed),
                    executor: executor
                )
                return { await pages.respond(to: $0) }
            },
            acceptsUpload: { Site.isUpload($0, of: site) }
        )
    }

    private static func proxySecret(_ path: String) throws(UsageError) -> String {
        let file = "The file of the setting 'host-proxy-secret', \(Sanitizer.line(path)),"
        let problem: String
        switch ProxyTrust.secret(inFile: path) {
        case .secret(let secret): return secret
        case .notReadable(let reason): problem = "cannot be read (\(reason))."
        case .openToOthers:
            problem = "is readable or writable for other users. If no other user has read it, run 'chmod 600' on it."
        case .notValid:
            let least = ProxyTrust.minimumSecretBytes
            problem = "must begin with a line of at least \(least) letters, digits or signs without spaces."
        }
        throw UsageError(.badValue, "\(file) \(problem)")
    }
}
