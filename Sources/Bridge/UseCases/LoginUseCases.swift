import CalDAV
import CurlTransport
import HTTP
import Store

extension UseCases {
    /// Answers of a login flow are small; a server's error page may be larger.
    private static let loginAnswerBytes = 1 << 20
    /// Seconds between two questions whether the person is done.
    private static let loginPauseSeconds = 2
    /// Questions in a row that may stay without an answer while the person is in the browser.
    private static let maximumSilences = 5

    /// Has a browser sign the person in at a Nextcloud, and returns the name and the password that it grants.
    ///
    /// - Parameters:
    ///   - address: whatever a person pastes.
    ///   - show: is given the page to open, once.
    package func nextcloudLogin(
        at address: String,
        settings values: [AccountSetting: String] = [:],
        show: @Sendable (String) throws -> Void
    ) async throws -> (user: String, password: PasswordSource) {
        let settings = try AccountSettings(values)
        var limits = TransportLimits.standard
        limits.bodyBytes = Self.loginAnswerBytes
        limits.firstByteSeconds = 30
        let flow = try await LoginFlow.begin(
            at: address,
            transport: CurlSession(limits: limits, tls: self.tls(settings)),
            allowsInsecure: settings.allowsInsecure
        )
        try show(flow.page.text)
        let end = ContinuousClock.now.advanced(by: .seconds(LoginFlow.waitingLimit))
        var silences = 0
        while ContinuousClock.now < end {
            do throws(CalDAVError) {
                if let grant = try await flow.poll() { return (grant.user, .kept(grant.password)) }
                silences = 0
            } catch {
                silences += 1
                let isPassing = error.transport != nil || error.code == .busy
                guard isPassing, silences <= Self.maximumSilences else { throw error }
            }
            try await Task.sleep(for: .seconds(Self.loginPauseSeconds))
        }
        throw UseCaseError(.loginTimedOut)
    }

    /// Opens an address with what the desktop has for it, where there is a desktop.
    ///
    /// - Returns: whether something was asked to open it.
    package static func openInBrowser(_ address: String, environment: [String: String]) -> Bool {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        if hasDisplay { ShellCommand.start(["xdg-open", address]) }
        return hasDisplay
    }
}
