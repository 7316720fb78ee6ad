package import XML

/// A WebDAV property with a meaning: parses the element that contains it (RFC 4918 §4).
package protocol DAVProperty: Sendable {
    static var name: QualifiedName { get }
    init?(_ element: Element)
}

/// The properties of a resource that a server sent with a success status.
///
/// All elements are kept; each is parsed on demand.
package struct PropertySet: Sendable, Hashable {
    private var elements: [Element] = []

    /// Elements of `DAV:prop`, in the order of the answer.
    package init(_ elements: [Element] = []) { self.elements = elements }

    /// A property; `nil` when it is missing or unreadable.
    package subscript<Property: DAVProperty>(_: Property.Type) -> Property? {
        self.elements.first { $0.name == Property.name }.flatMap(Property.init)
    }

    /// Whether the server sent no properties.
    package var isEmpty: Bool { self.elements.isEmpty }

    mutating func append(_ more: [Element]) { self.elements += more }
}

/// A property that consists only of its text.
package protocol TextProperty: DAVProperty {
    init(text: String)
}

extension TextProperty {
    package init?(_ element: Element) {
        let text = element.trimmedText
        guard !text.isEmpty else { return nil }
        self.init(text: text)
    }
}
