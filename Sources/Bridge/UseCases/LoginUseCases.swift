import RemindavCalDAV
import RemindavCurlTransport
import RemindavHTTP
import RemindavPlatform
import RemindavStore

extension UseCases {
    /// The maximum size of an answer in bytes; answers of a login flow are small, but error pages are larger.
    private static let loginAnswerBytes = 1 << 20
    /// The pause between two requests, in seconds, while the user is in the browser.
    private static let loginPauseSeconds = 2
    /// The maximum number of consecutive failed requests while the user is in the browser.
    private static let maximumSilences = 5
    /// The timeout for the server's first answer, in seconds; without an answer, the program asks for a password.
    private static let offerSeconds = 10.0

    /// Begins Nextcloud's Login Flow v2 at an address in any usual form; `nil` if the server does not offer it in time.
    ///
    /// - Throws: `CalDAVError` when the address cannot be used or its server cannot be reached, so that a password is
    ///   not asked for in vain.
    package func offeredBrowserLogin(at address: String, settings: [AccountSetting: String]) async throws
        -> BrowserLogin?
    {
        do {
            return try await self.browserLogin(at: address, settings: settings, answerSeconds: Self.offerSeconds)
        } catch let error as CalDAVError {
            if error.code == .badAddress { throw error }
            let codes: [TransportError.Code] = [
                .cannotResolve, .cannotConnect, .notTLS, .addressRefused, .portRefused, .plainRefused,
            ]
            guard let code = error.transport?.code, codes.contains(code) else { return nil }
            // The CalDAV server of a domain may be another host than its web server.
            if await self.configuration.resolver?.hasCalDAVService(of: address) == true { return nil }
            throw error
        }
    }

    /// - Throws: `CalDAVError` when the server does not offer the flow.
    package func browserLogin(
        at address: String,
        settings values: [AccountSetting: String] = [:],
        answerSeconds: Double = 30
    ) async throws -> BrowserLogin {
        let settings = try self.settings(values)
        var limits = TransportLimits.standard
        limits.bodyBytes = Self.loginAnswerBytes
        limits.firstByteSeconds = answerSeconds
        limits.connectSeconds = min(limits.connectSeconds, answerSeconds)
        let flow = try await LoginFlow.begin(
            at: address,
            transport: CurlSession(
                limits: limits,
                tls: self.tls(settings),
                addresses: self.configuration.tenancy?.addresses
            ),
            allowsInsecure: settings.allowsInsecure
        )
        return BrowserLogin(flow: flow)
    }

    /// Waits until the user has granted access in the browser; throws `loginTimedOut`.
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

    /// Opens an address in the desktop's browser, and returns whether there is a desktop.
    package static func openInBrowser(_ address: String, environment: [String: String]) -> Bool {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        if hasDisplay { Subprocess.startDetached(["xdg-open", address]) }
        return hasDisplay
    }
}

/// A sign-in with a browser that a server has begun.
package struct BrowserLogin: Sendable {
    let flow: LoginFlow
    /// The address of the page where the user grants access.
    package var page: String { self.flow.page.text }
}
