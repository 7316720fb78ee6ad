import CalDAV
import HTTP
import HTTPServer
import Recurrence
import Store
import Sync

/// An error of the targets below, in the words that the person's side knows.
///
/// The one door through which errors of the network and of the store reach the command line; what to do about each is
/// said there.
package struct Trouble: Sendable {
    /// What kind of trouble it is.
    package enum Kind: Sendable, CaseIterable {
        case authRejected
        case notAllowed
        case notFoundOnServer
        case notDAV
        case badAddress
        case redirectElsewhere
        case notSecure
        case unreachable
        case timedOut
        case tlsFailed
        case nameNotFound
        case brokenOff
        case tooLarge
        case busy
        case serverError
        case itemRefused
        case badAnswer
        case storeLocked
        case storeNewer
        case storeCorrupt
        case storeFull
        case storeReadOnly
        case storeFailed
        case portTaken
        case recurrence
    }

    /// What kind of trouble it is.
    package let kind: Kind
    /// The address, the host or the file that it is about; `nil` when there is none.
    package let subject: String?
    /// What happened, in one sentence, without the subject.
    package let detail: String

    init(_ kind: Kind, _ subject: String? = nil, detail: String) {
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }

    /// The trouble that an error means, `nil` for an error of another kind.
    package static func of(_ error: any Error) -> Trouble? {
        switch error {
        case let error as CalDAVError: self.of(error)
        case let error as TransportError: self.of(error)
        case let error as DatabaseError: self.of(error)
        case let error as ServerError: Trouble(.portTaken, String(error.port), detail: error.code.rawValue)
        case let error as RemoteError: self.of(error.underlying)
        case let error as RecurrenceError: Trouble(.recurrence, detail: "\(error)")
        case let error as ContestedItem: Trouble(.itemRefused, detail: error.description)
        case let error as SystemError: Trouble(.storeFailed, error.subject, detail: error.description)
        default: nil
        }
    }

    private static func of(_ error: CalDAVError) -> Trouble {
        if let transport = error.transport {
            let trouble = self.of(transport)
            return Trouble(trouble.kind, error.url ?? trouble.subject, detail: trouble.detail)
        }
        let status = error.status.map { " (\($0))" } ?? ""
        let message = error.message.map { ": \($0)" } ?? ""
        let detail = "\(error.code.rawValue)\(status)\(message)"
        return Trouble(self.kind(of: error.code), error.host ?? error.url, detail: detail)
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
        case .preconditionFailed, .uidConflict, .rejected: .itemRefused
        case .tooLarge: .tooLarge
        case .busy: .busy
        case .serverError: .serverError
        case .transport: .unreachable
        }
    }

    private static func of(_ error: TransportError) -> Trouble {
        let kind: Kind =
            switch error.code {
            case .cannotResolve: .nameNotFound
            case .cannotConnect, .cancelled, .badRequest: .unreachable
            case .tls: .tlsFailed
            case .timeout: .timedOut
            case .tooLarge: .tooLarge
            case .interrupted: .brokenOff
            case .protocolViolation: .badAnswer
            }
        return Trouble(kind, error.host, detail: error.code.rawValue)
    }

    private static func of(_ error: DatabaseError) -> Trouble {
        let kind: Kind =
            switch error.code {
            case .busy, .syncIsRunning: .storeLocked
            case .corrupt: .storeCorrupt
            case .full: .storeFull
            case .readOnly: .storeReadOnly
            case .newerVersion: .storeNewer
            case .cannotOpen, .notFound, .alreadyExists, .other: .storeFailed
            }
        return Trouble(kind, detail: error.description)
    }
}
