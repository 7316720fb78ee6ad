internal import XML

/// The answer to a request about several resources (RFC 4918 §13).
package struct Multistatus: Sendable {
    /// What is said about one resource.
    package struct Member: Sendable {
        /// The reference as received.
        package let href: String
        /// The status of the resource as a whole, `nil` when the properties have theirs.
        package let status: Int?
        /// The properties with a status of success.
        package let properties: PropertySet
        /// Whether there was any `propstat`; a member that has one exists.
        package let hasProperties: Bool
        /// A failure that is said of properties, such as 403 or 500; a missing property's 404 is none.
        package let propertyFailure: Int?
        /// The conditions that did not hold.
        package let preconditions: Set<Precondition>
    }

    /// What is said about each resource, in the order of the answer.
    package let members: [Member]
    /// `DAV:sync-token` beside the responses (RFC 6578 §6.2).
    package let syncToken: String?
    /// Whether the XML had to be cleaned, so that texts may differ from what the server holds.
    package let wasRepaired: Bool

    /// Reads the body of an answer.
    package init(_ bytes: [UInt8]) throws(WebDAVError) {
        let document: XMLDocument
        do throws(XMLError) {
            document = try XMLDocument(bytes)
        } catch {
            throw WebDAVError(code: .unreadable, detail: error.description)
        }
        guard document.root.name == .dav("multistatus") else { throw WebDAVError(code: .notMultistatus, detail: "") }
        self.members = document.root.all(.dav("response")).flatMap(Member.read)
        self.syncToken = document.root.first(.dav("sync-token")).flatMap(SyncToken.init)?.text
        self.wasRepaired = document.wasRepaired
    }
}

extension Multistatus.Member {
    // <!ELEMENT response (href, ((href*, status)|(propstat+)), error?, responsedescription? , location?) >
    fileprivate static func read(_ element: Element) -> [Self] {
        var properties = PropertySet()
        var failure: Int?
        let propstats = element.all(.dav("propstat"))
        for propstat in propstats {
            // A propstat without a status is taken for a success: Bedework leaves it out.
            let status = propstat.first(.dav("status")).flatMap { readStatus($0.trimmedText) } ?? 200
            if (200..<300).contains(status) {
                properties.append(propstat.first(.dav("prop"))?.children ?? [])
            } else if status != 404, status != 424 {
                failure = status
            }
        }
        let preconditions = element.first(.dav("error")).map(Precondition.all) ?? []
        return element.all(.dav("href")).map { href in
            Self(
                href: href.trimmedText,
                status: element.first(.dav("status")).flatMap { readStatus($0.trimmedText) },
                properties: properties,
                hasProperties: !propstats.isEmpty,
                propertyFailure: failure,
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
