/// The answer of a server to one message about an alarm.
package enum MessageOutcome: String, Hashable, Sendable, CaseIterable {
    /// The server has accepted the message.
    case accepted
    /// The server does not accept the message; a later attempt will probably fail, too.
    case refused
    /// No connection, or the server asks to try again later.
    case unavailable
}

/// Decides about the messages for alarms, and about the next attempt.
package enum AlarmDelivery: Hashable, Sendable {
    /// A message was accepted, so the user hears of the alarm.
    case delivered
    /// All servers have refused the messages again and again.
    case givenUp
    /// The message is sent again later.
    case later

    /// A refused message is sent again until this many attempts in a row have failed.
    ///
    /// They take half an hour, in which the operator can correct a wrong setting of the relay.
    package static let maximumAttempts = 6
    /// A run begins at most this many messages; the next one follows after the rest.
    ///
    /// The alarms of one moment need at most 16: five missed ones, ten others, and a summary.
    package static let maximumMessages = 20
    /// A run begins no message after this time in seconds, so that a slow mail server cannot keep its place.
    package static let longestRunSeconds = 300
    /// The pause after the first failed attempt in seconds; it doubles each time.
    package static let firstPauseSeconds = 60
    /// The longest pause between two attempts in seconds; an alarm that is later than an hour is of little use.
    package static let longestPauseSeconds = 3600
    /// After each message, the alarms of the tenant rest for this many seconds, so that no tenant can use the whole relay.
    package static let secondsPerMessage = 10
    /// The longest rest after messages in seconds; a message may be late by a minute.
    package static let longestRestSeconds = 60
    /// After this many doublings, the pause is longer than ``longestPauseSeconds``.
    private static let doublings = 6

    /// - Parameters:
    ///   - outcomes: the outcome of each message about an alarm, for example one of a mail and one of a push message.
    ///   - refusals: the attempts in a row before this one in which all servers refused the messages.
    package init(_ outcomes: [MessageOutcome], refusals: Int) {
        if outcomes.contains(.accepted) {
            self = .delivered
        } else if outcomes.contains(.unavailable) || refusals + 1 < Self.maximumAttempts {
            self = .later
        } else {
            self = .givenUp
        }
    }

    /// The seconds after a run in which no other run of the tenant begins.
    ///
    /// - Parameter messages: the messages that the run has sent.
    package static func rest(after messages: Int) -> Int {
        min(messages * self.secondsPerMessage, self.longestRestSeconds)
    }

    /// The seconds until the next attempt.
    ///
    /// - Parameter failures: the failed attempts in a row before the last one.
    package static func pause(after failures: Int) -> Int {
        min(Self.firstPauseSeconds << min(failures, Self.doublings), Self.longestPauseSeconds)
    }
}

/// The end of a run that has checked the alarms of a tenant.
package enum AlarmRunEnd: Hashable, Sendable {
    /// All due alarms are delivered; the next one is due after this time, or after an edit for `nil`.
    ///
    /// No run begins in the first `restSeconds`, also not after an edit.
    case done(nextSeconds: Int?, restSeconds: Int = 0)
    /// A message could not be sent; `isRefusal` says that servers refused it, and that none was unavailable.
    case failed(retrySeconds: Int, isRefusal: Bool = false)
    /// Several processes ended during the run, so it waits for `host queue --release`.
    case held
    /// The process ends, or has lost the lease; another process goes on.
    case interrupted
}
