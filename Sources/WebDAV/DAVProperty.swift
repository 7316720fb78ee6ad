package import XML

/// A WebDAV property with a meaning: a way of reading the element that carries it (RFC 4918 §4).
package protocol DAVProperty: Sendable {
    /// The element's name.
    static var name: QualifiedName { get }
    /// Reads the element; `nil` when it says nothing.
    init?(_ element: Element)
}

/// The properties that a server sent for a resource with a status of success.
///
/// Every element is kept; each is read when it is asked for.
package struct PropertySet: Sendable, Hashable {
    private var elements: [Element] = []

    /// Elements of `DAV:prop`, in the order of the answer.
    package init(_ elements: [Element] = []) { self.elements = elements }

    /// A property, `nil` when it was not sent or cannot be read.
    package subscript<Property: DAVProperty>(_: Property.Type) -> Property? {
        self.elements.first { $0.name == Property.name }.flatMap(Property.init)
    }

    /// Whether the server sent none.
    package var isEmpty: Bool { self.elements.isEmpty }

    mutating func append(_ more: [Element]) { self.elements += more }
}

/// A property whose whole meaning is its text.
package protocol TextProperty: DAVProperty {
    init(text: String)
}

extension TextProperty {
    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        let text = element.trimmedText
        guard !text.isEmpty else { return nil }
        self.init(text: text)
    }
}

/// A property that points to resources.
package protocol HrefProperty: DAVProperty {
    init(hrefs: [String])
}

extension HrefProperty {
    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        let hrefs = element.all(.dav("href")).map(\.trimmedText).filter { !$0.isEmpty }
        guard !hrefs.isEmpty else { return nil }
        self.init(hrefs: hrefs)
    }
}
