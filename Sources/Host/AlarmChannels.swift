import RemindavBridge
package import RemindavCurlTransport
package import RemindavHTTP
package import RemindavHosting
import RemindavICalendar
import RemindavPlatform
import RemindavPostgresStore
import RemindavStore

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

/// The result of sending a message over a channel.
package struct MessageAttempt: Hashable, Sendable {
    package let channel: AlarmChannel
    package let outcome: MessageOutcome
    /// The reason of a failure, without a text of a tenant; otherwise empty.
    package var reason = ""
}

/// Sends messages about alarms, by the relay of the operator and to the push services of tenants.
struct AlarmChannels: Sendable {
    let host: Host
    let relay: HostRelay?
    let configuration: Configuration
    private let rest = RelayRest()

    init(_ host: Host, relay: HostRelay?, _ configuration: Configuration) {
        (self.host, self.relay, self.configuration) = (host, relay, configuration)
    }

    /// Sends a message over all channels of a tenant.
    ///
    /// - Parameter clock: no message begins after its end.
    /// - Returns: the outcomes, with the reason of a failure for the operator; the reason contains no text of the tenant.
    func send(
        _ message: AlarmMessage,
        to destination: AlarmDestination,
        of tenant: TenantID,
        clock: LeaseClock? = nil
    ) async -> [MessageAttempt] {
        var attempts: [MessageAttempt] = []
        func isAllowed() -> Bool { clock.map { !$0.isEnded && $0.mayWrite } ?? true }
        if let address = destination.mail, isAllowed() { attempts.append(self.mail(message, to: address)) }
        if destination.hasPush, isAllowed() { attempts.append(await self.push(message, of: tenant)) }
        return attempts
    }

    private func mail(_ message: AlarmMessage, to address: String) -> MessageAttempt {
        func failure(_ reason: String, _ outcome: MessageOutcome = .unavailable) -> MessageAttempt {
            MessageAttempt(channel: .mail, outcome: outcome, reason: reason)
        }
        guard let relay else { return failure("the setting 'host-relay' names no mail server") }
        let text = message.mail(from: relay.sender, to: address, at: self.configuration.now())
        do throws(MailRelay.Failure) {
            try self.rest.send(signsIn: relay.password != nil) { () throws(MailRelay.Failure) in
                try relay.relay.send(text, from: relay.sender, to: address, password: relay.password?.reveal())
            }
            return MessageAttempt(channel: .mail, outcome: .accepted)
        } catch {
            let server = "the mail server \(relay.relay.host)"
            return switch error {
            case .signInRefused: failure("\(server) refused the user or the password")
            case .refused(let status): failure("\(server) answered with status \(status)", .refused)
            case .postponed(let status): failure("\(server) answered with status \(status)")
            case .unavailable(let reason): failure("\(server) cannot be used: \(reason)")
            }
        }
    }

    private func push(_ message: AlarmMessage, of tenant: TenantID) async -> MessageAttempt {
        do {
            guard let address = try self.host.vault(of: tenant, self.configuration).secret(named: Host.pushSecret)
            else {
                return MessageAttempt(
                    channel: .push,
                    outcome: .refused,
                    reason: "the address for push messages is missing"
                )
            }
            let response = try await self.host.pushTransport().send(message.push(to: address.reveal()))
            let status = response.status
            let reason = "the push server answered with status \(status)"
            switch status {
            case 200..<300: return MessageAttempt(channel: .push, outcome: .accepted)
            // 408 and 429 ask the sender to try again later. A redirect could lead to another server, so it is not
            // followed.
            case 300..<500 where status != 408 && status != 429:
                return MessageAttempt(channel: .push, outcome: .refused, reason: reason)
            default: return MessageAttempt(channel: .push, outcome: .unavailable, reason: reason)
            }
        } catch let error as TransportError {
            return MessageAttempt(channel: .push, outcome: .unavailable, reason: error.code.rawValue)
        } catch {
            return MessageAttempt(channel: .push, outcome: .unavailable, reason: "the sealed address cannot be read")
        }
    }
}

extension Host {
    /// The name of the sealed secret with the address for push messages.
    static let pushSecret = "alarm push"

    /// A transport without cookies of other tenants.
    func pushTransport() -> any Transport { CurlSession(userAgent: self.userAgent, addresses: self.addresses) }
}
