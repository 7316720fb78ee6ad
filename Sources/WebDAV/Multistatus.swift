package import RemindavResources
package import RemindavXML

/// The body of a multistatus answer about several resources (RFC 4918 §13).
package struct Multistatus: Sendable {
    package struct Member: Sendable {
        package let href: String
        /// The status of the member; `nil` when its properties have separate statuses.
        package let status: Int?
        package let properties: PropertySet
        /// Whether the member has any `propstat` element; in that case the resource exists.
        package let hasProperties: Bool
        /// The status of a failed property, such as 403 or 500; a missing property (404) and 424 do not count.
        package let propertyFailure: Int?
        /// The status of each failed property, including 404 and 424; this is the result of a PROPPATCH.
        package let failures: [QualifiedName: Int]
        package let preconditions: Set<Precondition>
    }

    package let members: [Member]
    /// Whether a `response` has no `href` or an empty one, so that its resource is unknown.
    package let isNamelessInPart: Bool
    package let syncToken: SyncToken?
    /// Whether the XML needed repair; its texts may then differ from the server's data.
    package let wasRepaired: Bool

    package init(_ bytes: [UInt8]) throws(WebDAVError) {
        let document: XMLDocument
        do throws(XMLError) { document = try XMLDocument(bytes) } catch { throw .unreadable(error) }
        guard document.root.name == .dav("multistatus") else { throw .notMultistatus }
        let responses = document.root.all(.dav("response"))
        self.members = responses.flatMap(Member.read)
        self.isNamelessInPart = responses.contains { response in
            let hrefs = response.all(.dav("href"))
            return hrefs.isEmpty || hrefs.contains { $0.trimmedText.isEmpty }
        }
        self.syncToken = document.root.first(.dav("sync-token")).flatMap { SyncToken($0) }
        self.wasRepaired = document.wasRepaired
    }
}

extension Multistatus.Member {
    // <!ELEMENT response (href, ((href*, status)|(propstat+)), error?, responsedescription? , location?) >
    fileprivate static func read(_ element: Element) -> [Self] {
        var properties = PropertySet()
        var failure: Int?
        var failures: [QualifiedName: Int] = [:]
        let propstats = element.all(.dav("propstat"))
        for propstat in propstats {
            // A propstat without a status counts as a success, because Bedework omits the status.
            let status = propstat.first(.dav("status")).flatMap { readStatus($0.trimmedText) } ?? 200
            let named = propstat.first(.dav("prop"))?.children ?? []
            if status >= 300 { for property in named { failures[property.name] = status } }
            if (200..<300).contains(status) {
                properties.append(named)
            } else if status != 404, status != 424 {
                failure = status
            }
        }
        let preconditions = element.first(.dav("error")).map(Precondition.all) ?? []
        // The status is searched once for all hrefs. A search for each href would take quadratic time.
        let status = element.first(.dav("status")).flatMap { readStatus($0.trimmedText) }
        let hrefs = element.all(.dav("href"))
        // A response with `propstat` is about one resource, so only its first href is read.
        return hrefs.prefix(propstats.isEmpty ? hrefs.count : 1).map { href in
            Self(
                href: href.trimmedText,
                status: status,
                properties: properties,
                hasProperties: !propstats.isEmpty,
                propertyFailure: failure,
                failures: failures,
                preconditions: preconditions
            )
        }
    }

    // status-line   = HTTP-version SP status-code SP [ reason-phrase ]
    private static func readStatus(_ line: String) -> Int? {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, let status = Int(parts[1]), (100...599).contains(status) else { return nil }
        return status
    }
}

/// The reason why the body of an answer is no multistatus; the description contains no part of the body.
package enum WebDAVError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(XMLError)
    case notMultistatus

    package var description: String {
        switch self {
        case .unreadable(let error): "the answer cannot be read: \(error.description)"
        case .notMultistatus: "the answer is not a WebDAV multistatus"
        }
    }
}
