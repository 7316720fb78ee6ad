internal import RemindavHTTP
internal import RemindavWebDAV

extension CalDAVClient.Answer {
    func multistatus() throws(CalDAVError) -> Multistatus {
        guard (200..<300).contains(self.response.status) else { throw self.failure() }
        guard self.response.status == 207 || !self.isWebPage else {
            throw CalDAVError(.notCalDAV, url: self.url.text, message: "the answer is a web page")
        }
        do throws(WebDAVError) {
            return try Multistatus(self.response.body)
        } catch {
            let code: CalDAVError.Code = self.response.status == 207 ? .brokenAnswer : .notCalDAV
            throw CalDAVError(code, url: self.url.text, message: error.description)
        }
    }

    var isWebPage: Bool {
        if self.response.headers[.contentType].flatMap(MediaType.init)?.subtype == "html" { return true }
        let start = String(decoding: self.response.body.prefix(64), as: UTF8.self).lowercased()
        return start.contains("<!doctype html") || start.contains("<html")
    }

    /// Throws when a response element has no href, because the element could describe any member of the collection.
    func wholeMultistatus() throws(CalDAVError) -> Multistatus {
        let multistatus = try self.multistatus()
        guard !multistatus.isNamelessInPart else {
            throw CalDAVError(.brokenAnswer, url: self.url.text, message: "a part of it has no address")
        }
        return multistatus
    }

    /// Throws when a proxy answered a write with its sign-in page, because then nothing was written.
    func refuseWebPage() throws(CalDAVError) {
        guard self.response.status == 200, self.isWebPage else { return }
        throw CalDAVError(.notCalDAV, url: self.url.text, message: "the answer is a web page")
    }

    func failure() -> CalDAVError {
        let body = ErrorBody(self.response)
        var error = CalDAVError(
            Quirks.code(for: self.response.status, body),
            url: self.url.text,
            status: self.response.status,
            message: body.message
        )
        error.method = self.method
        error.isGivenUp = self.isGivenUp
        error.isUIDTaken = Quirks.isUIDTaken(self.response.status, body)
        switch error.code {
        case .busy: error.retryAfterSeconds = self.response.headers.retryAfterSeconds(now: self.receivedAt)
        case .uidConflict: error.conflictingHref = body.conflictingHref
        case .unauthorized:
            error.signIn = self.signInFailure
            error.message = self.signInFailure?.words ?? error.message
        case .rejected, .forbidden, .serverError, .overQuota:
            if error.message == nil, let local = body.preconditions.map(\.local).min() { error.message = local.excerpt }
        default: break
        }
        return error
    }
}
