import CalDAV
import CurlTransport
import HTTP
import Platform
import Store

extension UseCases {
    /// Answers of a login flow are small; a server's error page may be larger.
    private static let loginAnswerBytes = 1 << 20
    /// Seconds between two questions whether the person is done.
    private static let loginPauseSeconds = 2
    /// Questions in a row that may stay without an answer while the person is in the browser.
    private static let maximumSilences = 5

    /// The time in seconds for the server's answer about a sign-in with a browser; after it, the user is asked for a
    /// password.
    private static let offerSeconds = 10.0

    /// Asks a server for a sign-in with a browser (Nextcloud's Login Flow v2).
    ///
    /// - Parameter address: any address that a person pastes.
    /// - Returns: `nil` when the server does not offer it, or gives no answer in some seconds.
    package func offeredBrowserLogin(
        at address: String,
        settings: [AccountSetting: String] = [:]
    ) async -> BrowserLogin? {
        try? await self.browserLogin(at: address, settings: settings, answerSeconds: Self.offerSeconds)
    }

    /// Has a server begin a sign-in with a browser.
    ///
    /// - Throws: `CalDAVError` when the server does not know the flow.
    package func browserLogin(
        at address: String,
        settings values: [AccountSetting: String] = [:]
    ) async throws -> BrowserLogin {
        try await self.browserLogin(at: address, settings: values, answerSeconds: 30)
    }

    private func browserLogin(
        at address: String,
        settings values: [AccountSetting: String],
        answerSeconds: Double
    ) async throws -> BrowserLogin {
        let settings = try AccountSettings(values)
        var limits = TransportLimits.standard
        limits.bodyBytes = Self.loginAnswerBytes
        limits.firstByteSeconds = answerSeconds
        limits.connectSeconds = min(limits.connectSeconds, answerSeconds)
        let flow = try await LoginFlow.begin(
            at: address,
            transport: CurlSession(limits: limits, tls: self.tls(settings)),
            allowsInsecure: settings.allowsInsecure
        )
        return BrowserLogin(flow: flow)
    }

    /// Waits until the user has granted access in the browser.
    ///
    /// - Returns: the name and the password that the server grants.
    /// - Throws: `loginTimedOut`.
    package func wait(for login: BrowserLogin) async throws -> (user: String, password: PasswordSource) {
        let end = ContinuousClock.now.advanced(by: .seconds(LoginFlow.waitingLimit))
        var silences = 0
        while ContinuousClock.now < end {
            do throws(CalDAVError) {
                if let grant = try await login.flow.poll() { return (grant.user, .kept(grant.password)) }
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

    /// Opens an address with the program that the desktop has for it, if there is a desktop.
    ///
    /// - Returns: whether something was asked to open it.
    package static func openInBrowser(_ address: String, environment: [String: String]) -> Bool {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        if hasDisplay { Subprocess.startDetached(["xdg-open", address]) }
        return hasDisplay
    }
}

/// A sign-in with a browser that a server has begun.
package struct BrowserLogin: Sendable {
    let flow: LoginFlow

    /// The page where the user grants access.
    package var page: String { self.flow.page.text }
}
