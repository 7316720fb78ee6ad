internal import XML

/// Requests calendar objects by reference (RFC 4791 §7.9).
package struct CalendarMultiget: Sendable {
    private let hrefs: [String]
    private let properties: [any DAVProperty.Type]

    /// Creates the request.
    ///
    /// - Parameter hrefs: at least one; DAViCal answers 500 without any.
    package init(_ hrefs: [String], properties: [any DAVProperty.Type]) {
        self.hrefs = hrefs
        self.properties = properties
    }

    // <!ELEMENT calendar-multiget ((DAV:allprop | DAV:propname | DAV:prop)?, DAV:href+)>
    package var body: [UInt8] {
        let references = self.hrefs.map { Element(.dav("href"), text: $0) }
        let root = Element(.calDAV("calendar-multiget"), children: [Element.prop(self.properties)] + references)
        return ElementWriter.body(root)
    }
}
