import RemindavCalDAV
import RemindavHTTP

/// The reason why a feed was not pushed; it contains no address and no password.
package struct FeedPushError: Error, Hashable, Sendable {
    /// The reason; the raw value describes it.
    package enum Code: String, Sendable, CaseIterable {
        case badAddress = "this is not the address of a file on a server"
        case insecure = "the address is not encrypted"
        case signIn = "the server does not accept the user name or the password"
        case passwordMissing = "the password for the push address is no longer available"
        case forbidden = "the server does not allow this user to write the file"
        case notAllowed = "the server does not accept a file at this address"
        case folderMissing = "the folder of the file does not exist on the server"
        case fileExists = "there is already a file at this address, and this feed has not written it"
        case fileChanged = "another program has changed the file on the server"
        case tooLarge = "the feed is larger than the server accepts"
        case noSpace = "the account has no storage space left on the server"
        case busy = "the server is busy, or another program has locked the file"
        case redirected = "the server redirects to another address, which does not get the password"
        case webPage = "the server answered with a web page and did not store the file"
        case refused = "the server refuses the file"
        case serverFailed = "the server reports an internal error"
        case certificate = "the certificate or the encryption of the server is not accepted"
        case unreachable = "the server cannot be reached, or the connection broke"
    }

    package let code: Code
    /// The HTTP status; `nil` without an answer.
    package let status: Int?
    /// More about the reason: the origin to which the server redirects, or the failure of the connection.
    package let detail: String?

    init(_ code: Code, status: Int? = nil, detail: String? = nil) {
        self.code = code
        self.status = status
        self.detail = detail
    }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

extension FeedPushError {
    /// - Parameter isNew: whether the feed has never been stored at the address.
    init(_ error: CalDAVError, isNew: Bool) {
        var detail: String?
        let code: Code
        switch error.code {
        case .badAddress: code = .badAddress
        case .insecure: code = error.status == nil && error.message == nil ? .insecure : .redirected
        case .unauthorized: code = .signIn
        case .forbidden: code = .forbidden
        case .notFound: code = .folderMissing
        case .preconditionFailed, .uidConflict: code = isNew ? .fileExists : .fileChanged
        case .tooLarge: code = .tooLarge
        case .overQuota: code = .noSpace
        case .busy: code = .busy
        case .redirectRefused, .tooManyRedirects:
            code = .redirected
            detail = error.host
        case .notCalDAV, .brokenAnswer: code = .webPage
        case .rejected, .serverError, .syncTokenExpired: code = Self.code(ofStatus: error.status ?? 500)
        case .transport:
            code = error.transport.map { Self.code(of: $0.code) } ?? .unreachable
            detail = error.transport?.code.rawValue
        }
        self.init(code, status: error.status, detail: detail)
    }

    private static func code(ofStatus status: Int) -> Code {
        switch status {
        case 405, 501: .notAllowed
        case 409: .folderMissing
        case 300..<400: .redirected
        case 400..<500: .refused
        default: .serverFailed
        }
    }

    private static func code(of error: TransportError.Code) -> Code {
        switch error {
        case .tls, .notTLS, .certificateExpired, .certificateNotYetValid, .certificateWrongHost, .certificateUnknown,
            .certificateChanged, .clientCertificate, .authorities:
            .certificate
        case .cannotResolve, .cannotConnect, .timeout, .tooLarge, .interrupted, .protocolViolation, .cancelled,
            .badRequest, .noLibrary, .addressRefused, .portRefused, .plainRefused:
            .unreachable
        }
    }
}
