internal import RemindavHTTP
public import RemindavResources

/// Requests for a file at the address of the client, on any WebDAV server.
extension CalDAVClient {
    /// Writes the file by PUT (RFC 9110 §9.3.4).
    ///
    /// - Returns: the new entity tag; `nil` when the server sends no strong tag.
    /// - Throws: ``CalDAVError/Code/preconditionFailed`` when the condition does not hold. If the server did not answer,
    ///   the file may have been written.
    public func putFile(
        _ bytes: [UInt8],
        type: String,
        condition: WriteCondition
    ) async throws(CalDAVError) -> EntityTag? {
        var headers: Headers = [.contentType: type]
        switch condition {
        case .create: headers[.ifNoneMatch] = "*"
        case .update(let etag): headers[.ifMatch] = etag.wire
        case .replace: break
        }
        let answer = try await self.send("PUT", to: self.given, headers: headers, body: bytes)
        guard (200..<300).contains(answer.response.status) else { throw answer.failure() }
        try answer.refuseWebPage()
        return answer.response.strongTag
    }

    /// Reads the file; `nil` when there is none.
    public func getFile() async throws(CalDAVError) -> (bytes: [UInt8], etag: EntityTag?)? {
        let answer = try await self.send("GET", to: self.given)
        if [404, 410].contains(answer.response.status) { return nil }
        guard answer.response.status == 200 else { throw answer.failure() }
        return (answer.response.body, answer.response.strongTag)
    }

    /// The strong entity tag of the file, for servers that do not send it in the answer to PUT; `nil` for none.
    public func fileTag() async throws(CalDAVError) -> EntityTag? {
        let answer = try await self.send("HEAD", to: self.given, isSmall: true)
        return answer.response.status == 200 ? answer.response.strongTag : nil
    }
}

extension Response {
    fileprivate var strongTag: EntityTag? { self.etag.flatMap { $0.isWeak ? nil : $0 } }
}
