import RemindavCalDAV
import RemindavHTTP
import RemindavHTTPServer
import RemindavPlatform
import RemindavRecurrence
import RemindavStore
import RemindavSync

/// The category of an error of the network or the store; the user interface adds a remedy for each category.
package struct ErrorCategory: Sendable {
    package enum Kind: Sendable, CaseIterable {
        case authRejected, authNotOffered, appPasswordNeeded, authUnsupported, passwordInClear, tokenRefused
        case tokenCommandFailed, notAllowed, notFoundOnServer, notDAV, badAddress, redirectElsewhere, notSecure
        case unreachable, timedOut, tlsFailed, notTLS, certificateExpired, certificateNotYetValid, certificateWrongHost
        case certificateUnknown, certificateChanged, clientCertificate, authorities, nameNotFound, brokenOff
        case cancelled
        case addressRefused
        case tooLarge, itemTooLarge, overQuota, sameUID, requestRefused, busy, serverError, itemRefused, textRefused
        case badAnswer, storeLocked, storeNewer, storeCorrupt, storeCutOff, storeFull, storeReadOnly, storeFailed
        case fileFailed
        case storeUnavailable, databaseRefused, databaseMissing, databaseLibrary, storeOutcomeUnknown
        case leaseLost, tenantSuspended, tenantQuota, hostUnsuitable
        case portTaken, noLibrary, recurrence, severalRules
    }

    package let kind: Kind
    /// The address, host or file with the error; `nil` if there is none.
    package let subject: String?
    /// The problem in one sentence, which does not contain the subject.
    package let detail: String

    /// The complete address to which the server redirects; `nil` for any other kind than ``Kind/redirectElsewhere``.
    package let target: String?

    init(_ kind: Kind, _ subject: String? = nil, detail: String, target: String? = nil) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
        self.target = target
    }

    /// The identifier of an error in the journal; it contains no text of a user or a server.
    package static func word(for error: any Error) -> String {
        if let category = self.of(error) { return "\(category.kind)" }
        if let error = error as? UseCaseError { return "\(error.code)" }
        return "other"
    }

    package static func of(_ error: any Error) -> ErrorCategory? {
        switch error {
        case let error as CalDAVError: self.of(error)
        case let error as TransportError: self.of(error)
        case let error as DatabaseError: self.of(error)
        case let error as ServerError where error.code == .noLibrary:
            ErrorCategory(.noLibrary, detail: error.code.rawValue)
        case let error as ServerError: ErrorCategory(.portTaken, String(error.port), detail: error.code.rawValue)
        case let error as RemoteError: self.of(error.underlying)
        case let error as RecurrenceError:
            ErrorCategory(error == .severalRules ? .severalRules : .recurrence, detail: "\(error)")
        case ItemError.cutShort: ErrorCategory(.badAnswer, detail: "\(error)".excerpt)
        case is ItemError: ErrorCategory(.itemRefused, detail: "\(error)")
        case let error as SystemError: ErrorCategory(.fileFailed, error.subject, detail: error.reason)
        default: nil
        }
    }

    private static func of(_ error: CalDAVError) -> ErrorCategory {
        if let transport = error.transport {
            let category = self.of(transport)
            return ErrorCategory(category.kind, error.url ?? category.subject, detail: category.detail)
        }
        // `rejected` gets another kind if the request is not for a reminder, and `overQuota` if it needs no storage.
        let isQuestion = ["PROPFIND", "REPORT"].contains(error.method)
        let isForReminder = ["PUT", "DELETE", "MOVE"].contains(error.method)
        let status = error.status.map { " (\($0))" } ?? ""
        let words = error.message.map(ServerText.cleaned) ?? error.conflictingHref
        let message = words.map { ": \($0.excerpt)" } ?? ""
        let pause = error.retryAfterSeconds.map { ", and requests a pause of \(self.words(forSeconds: $0))" } ?? ""
        let happened = self.words(for: error, isQuestion: isQuestion, isForReminder: isForReminder)
        let detail = "\(happened)\(status)\(message)\(pause)"
        let kind =
            switch error.code {
            case .rejected where !isForReminder: Kind.requestRefused
            case .overQuota where isQuestion: Kind.serverError
            case .rejected where RemoteError(error).concernsText: Kind.textRefused
            default: error.signIn.map { self.kind(of: $0) } ?? self.kind(of: error.code)
            }
        return ErrorCategory(kind, error.host ?? error.url, detail: detail, target: error.redirectTarget)
    }

    /// A description of the problem; a rate limit and a lock have descriptions of their own.
    private static func words(for error: CalDAVError, isQuestion: Bool, isForReminder: Bool) -> String {
        switch (error.code, error.status) {
        case (.busy, 429): "the server received more requests than it allows"
        case (.busy, 423): "another user is changing this on the server"
        case (.rejected, _) where !isForReminder: "the server refuses the request"
        case (.overQuota, _) where isQuestion: CalDAVError.Code.serverError.rawValue
        default: error.code.rawValue
        }
    }

    /// A duration in seconds, minutes or hours, rounded up so that the next request is not too early.
    static func words(forSeconds seconds: Int) -> String {
        let (count, unit) =
            switch seconds {
            case ..<120: (seconds, "second")
            case ..<7200: ((seconds + 59) / 60, "minute")
            default: ((seconds + 3599) / 3600, "hour")
            }
        return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }

    private static func kind(of failure: SignInFailure) -> Kind {
        switch failure {
        case .noChallenge, .ignored: .authNotOffered
        case .rejected, .rejectedUnasked: .authRejected
        case .appPasswordNeeded: .appPasswordNeeded
        case .unsupported: .authUnsupported
        case .passwordInClear: .passwordInClear
        case .tokenRefused: .tokenRefused
        case .tokenCommandFailed: .tokenCommandFailed
        }
    }

    private static func kind(of code: CalDAVError.Code) -> Kind {
        switch code {
        case .badAddress: .badAddress
        case .insecure: .notSecure
        case .notCalDAV: .notDAV
        case .unauthorized: .authRejected
        case .forbidden: .notAllowed
        case .notFound: .notFoundOnServer
        case .redirectRefused, .tooManyRedirects: .redirectElsewhere
        case .brokenAnswer, .syncTokenExpired: .badAnswer
        case .uidConflict: .sameUID
        case .preconditionFailed, .rejected: .itemRefused
        case .tooLarge: .itemTooLarge
        case .overQuota: .overQuota
        case .busy: .busy
        case .serverError: .serverError
        case .transport: .unreachable
        }
    }

    private static func of(_ error: TransportError) -> ErrorCategory {
        let kind: Kind =
            switch error.code {
            case .cannotResolve: .nameNotFound
            case .cannotConnect, .badRequest: .unreachable
            case .cancelled: .cancelled
            case .tls: .tlsFailed
            case .notTLS: .notTLS
            case .certificateExpired: .certificateExpired
            case .certificateNotYetValid: .certificateNotYetValid
            case .certificateWrongHost: .certificateWrongHost
            case .certificateUnknown: .certificateUnknown
            case .certificateChanged: .certificateChanged
            case .clientCertificate: .clientCertificate
            case .authorities: .authorities
            case .addressRefused, .portRefused, .plainRefused: .addressRefused
            case .timeout: .timedOut
            case .tooLarge: .tooLarge
            case .interrupted: .brokenOff
            case .protocolViolation: .badAnswer
            case .noLibrary: .noLibrary
            }
        // Except for a timeout, libcurl's details are mostly less precise than the description of the error code.
        let waited = error.code == .timeout && !error.detail.isEmpty ? ": \(error.detail)" : ""
        return ErrorCategory(kind, error.host, detail: error.code.rawValue + waited)
    }

    private static func of(_ error: DatabaseError) -> ErrorCategory {
        let kind: Kind =
            switch error.code {
            case .busy, .syncIsRunning: .storeLocked
            case .corrupt: .storeCorrupt
            case .cutOff: .storeCutOff
            case .full: .storeFull
            case .readOnly: .storeReadOnly
            case .newerVersion: .storeNewer
            case .unavailable: .storeUnavailable
            case .signInRefused: .databaseRefused
            case .databaseMissing: .databaseMissing
            case .libraryMissing: .databaseLibrary
            case .unsuitable: .hostUnsuitable
            case .outcomeUnknown: .storeOutcomeUnknown
            case .leaseLost: .leaseLost
            case .suspended: .tenantSuspended
            case .quotaExceeded: .tenantQuota
            case .cannotOpen, .cannotAccess, .notFound, .alreadyExists, .keyTooLong, .other: .storeFailed
            }
        return ErrorCategory(kind, detail: error.description)
    }
}

/// The text of an error from a server, prepared for the user.
enum ServerText {
    /// Substrings in lower case of texts that only describe the internals of a server.
    private static let inside = [
        "sqlstate", "exception", "traceback", "stack trace", "constraint failed", "database is locked", ".php", ".py\"",
        "select ", "insert into", "fatal error",
    ]

    /// The text without its final full stop; `nil` if the text describes internals of the server.
    static func cleaned(_ words: String) -> String? {
        let lowered = words.lowercased()
        guard !self.inside.contains(where: { lowered.contains($0) }) else { return nil }
        let text = words.hasSuffix(".") ? String(words.dropLast()) : words
        return text.isEmpty ? nil : text
    }
}
