import RemindavBridge
package import RemindavCurlTransport
package import RemindavHTTP
import RemindavHosting
import RemindavICalendar
import RemindavPlatform
import RemindavPostgresStore
import RemindavStore
import Synchronization

/// The mail server of the operator.
package struct HostRelay: Sendable {
    package let relay: MailRelay
    /// The address in the field `From` of all messages.
    package let sender: String
    /// The password for the user of the relay; `nil` for no sign-in.
    package let password: Secret?

    package init(_ relay: MailRelay, sender: String, password: Secret?) {
        (self.relay, self.sender, self.password) = (relay, sender, password)
    }
}

/// A way to send messages about alarms.
package enum AlarmChannel: String, Sendable, CaseIterable {
    case mail
    case push
}

/// Sends messages about alarms, by the relay of the operator and to the push services of tenants.
struct AlarmChannels: Sendable {
    /// After a refused sign-in, no message goes to the relay for this time; many servers block repeated attempts.
    private static let restSeconds = 900.0

    let host: Host
    let relay: HostRelay?
    let configuration: Configuration
    private let rest = RelayRest()

    /// The time until which the relay is left alone.
    private final class RelayRest: Sendable {
        private let end = Mutex<ContinuousClock.Instant?>(nil)
        var isOver: Bool { self.end.withLock { end in end.map { $0 <= .now } ?? true } }
        func begin(_ seconds: Double) { self.end.withLock { $0 = .now.advanced(by: .seconds(seconds)) } }
    }

    init(_ host: Host, relay: HostRelay?, _ configuration: Configuration) {
        (self.host, self.relay, self.configuration) = (host, relay, configuration)
    }

    /// Sends a message over all channels of a tenant.
    ///
    /// - Returns: the outcomes, with the reason of a failure for the operator; the reason contains no text of the tenant.
    func send(_ message: AlarmMessage, to destination: AlarmDestination, of tenant: TenantID) async -> [Attempt] {
        var attempts: [Attempt] = []
        if let address = destination.mail { attempts.append(self.mail(message, to: address)) }
        if destination.hasPush { attempts.append(await self.push(message, of: tenant)) }
        return attempts
    }

    struct Attempt: Hashable, Sendable {
        let channel: AlarmChannel
        let outcome: MessageOutcome
        var reason = ""
        /// Whether the relay has just refused the sign-in of the operator.
        var isSignInRefused = false
    }

    private func mail(_ message: AlarmMessage, to address: String) -> Attempt {
        guard let relay else {
            return Attempt(
                channel: .mail,
                outcome: .unavailable,
                reason: "the setting 'host-relay' names no mail server"
            )
        }
        guard self.rest.isOver else {
            return Attempt(channel: .mail, outcome: .unavailable, reason: "the mail server has refused the sign-in")
        }
        let text = message.mail(from: relay.sender, to: address, at: self.configuration.now())
        do throws(MailRelay.Failure) {
            try relay.relay.send(text, from: relay.sender, to: address, password: relay.password?.reveal())
            return Attempt(channel: .mail, outcome: .accepted)
        } catch {
            switch error {
            case .signInRefused:
                self.rest.begin(Self.restSeconds)
                return Attempt(
                    channel: .mail,
                    outcome: .unavailable,
                    reason: "the mail server refused the user or the password",
                    isSignInRefused: true
                )
            case .refused(let status):
                return Attempt(
                    channel: .mail,
                    outcome: .refused,
                    reason: "the mail server answered with status \(status)"
                )
            case .unavailable(let reason): return Attempt(channel: .mail, outcome: .unavailable, reason: reason)
            }
        }
    }

    private func push(_ message: AlarmMessage, of tenant: TenantID) async -> Attempt {
        do {
            guard let address = try self.host.vault(of: tenant, self.configuration).secret(named: Host.pushSecret)
            else {
                return Attempt(channel: .push, outcome: .refused, reason: "the address for push messages is missing")
            }
            let response = try await self.host.pushTransport().send(message.push(to: address.reveal()))
            let status = response.status
            let reason = "the push server answered with status \(status)"
            switch status {
            case 200..<300: return Attempt(channel: .push, outcome: .accepted)
            // 408 and 429 ask the sender to try again later.
            case 400..<500 where status != 408 && status != 429:
                return Attempt(channel: .push, outcome: .refused, reason: reason)
            default: return Attempt(channel: .push, outcome: .unavailable, reason: reason)
            }
        } catch let error as TransportError {
            return Attempt(channel: .push, outcome: .unavailable, reason: error.code.rawValue)
        } catch {
            return Attempt(channel: .push, outcome: .unavailable, reason: "the sealed address cannot be read")
        }
    }
}

extension Host {
    /// The name of the sealed secret with the address for push messages.
    static let pushSecret = "alarm push"

    func vault(of tenant: TenantID, _ configuration: Configuration) -> TenantVault {
        TenantVault(
            tenant: tenant,
            tables: self.secretTables,
            hostKey: self.hostKey,
            credentials: configuration.credentials,
            randomBytes: configuration.randomBytes
        )
    }

    /// A transport without cookies of other tenants.
    func pushTransport() -> any Transport { CurlSession(userAgent: self.userAgent, addresses: self.addresses) }
}
