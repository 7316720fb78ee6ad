internal import HTTP
internal import WebDAV

extension CalDAVClient.Answer {
    /// The multistatus in an answer of success.
    func multistatus() throws(CalDAVError) -> Multistatus {
        guard (200..<300).contains(self.response.status) else { throw self.failure() }
        guard self.response.status == 207 || !self.isWebPage else {
            throw CalDAVError(.notCalDAV, url: self.url.text, message: "it is a web page")
        }
        do throws(WebDAVError) {
            return try Multistatus(self.response.body)
        } catch {
            let code: CalDAVError.Code = self.response.status == 207 ? .brokenAnswer : .notCalDAV
            throw CalDAVError(code, url: self.url.text, message: error.description)
        }
    }

    /// Whether the body is HTML, by its type or by its beginning.
    var isWebPage: Bool {
        if self.response.headers[.contentType].flatMap(MediaType.init)?.subtype == "html" { return true }
        let start = String(decoding: self.response.body.prefix(64), as: UTF8.self).lowercased()
        return start.contains("<!doctype html") || start.contains("<html")
    }

    /// What an answer that is no success means.
    func failure() -> CalDAVError {
        let body = ErrorBody(self.response)
        var error = CalDAVError(
            Quirks.code(for: self.response.status, body),
            url: self.url.text,
            status: self.response.status,
            message: body.message
        )
        switch error.code {
        case .busy: error.retryAfterSeconds = self.retryAfterSeconds
        case .uidConflict: error.conflictingHref = body.conflictingHref
        case .unauthorized: error.message = self.challengeWords ?? error.message
        case .rejected, .forbidden, .serverError:
            if error.message == nil, let local = body.preconditions.map(\.local).min() { error.message = local }
        default: break
        }
        return error
    }

    /// Longer than this is no answer to "when": a day.
    private static let maximumRetrySeconds = 86_400

    // Retry-After = HTTP-date / delay-seconds
    private var retryAfterSeconds: Int? {
        // A date would need a clock; the caller's own waiting time does as well.
        self.response.headers[.retryAfter].flatMap { Int($0) }.map { min(max($0, 0), Self.maximumRetrySeconds) }
    }

    /// What a 401 says about how to sign in.
    private var challengeWords: String? {
        let schemes = self.response.headers.values(of: .wwwAuthenticate)
            .compactMap { $0.split(separator: " ").first?.lowercased() }
        if schemes.isEmpty { return "it does not say how to sign in; some servers want an app password" }
        if schemes.contains("basic") { return "it may want an app password instead of the usual one" }
        let names = schemes.map { $0.prefix(20) }.joined(separator: ", ")
        return "it wants to be signed in to by \(names), which is not supported"
    }
}
