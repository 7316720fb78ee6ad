internal import XML

/// Requests properties by name (RFC 4918 §9.1).
package struct Propfind: Sendable {
    private let properties: [any DAVProperty.Type]

    /// Requests only these properties.
    package init(_ properties: [any DAVProperty.Type]) { self.properties = properties }

    // <!ELEMENT propfind ( propname | (allprop, include?) | prop ) >
    package var body: [UInt8] {
        ElementWriter.body(Element(.dav("propfind"), children: [Element.prop(self.properties)]))
    }
}

extension Element {
    // <!ELEMENT prop ANY >
    static func prop(_ properties: [any DAVProperty.Type]) -> Element {
        Element(.dav("prop"), children: properties.map { Element($0.name) })
    }
}
