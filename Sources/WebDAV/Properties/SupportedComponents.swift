package import XML

/// `C:supported-calendar-component-set`: what a calendar may hold (RFC 4791 §5.2.3).
package struct SupportedComponents: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.calDAV("supported-calendar-component-set")
    /// Names of components in upper case.
    package let names: [String]

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        self.names = element.all(.calDAV("comp")).compactMap { $0.attribute("name")?.uppercased() }
        guard !self.names.isEmpty else { return nil }
    }
}

extension SupportedComponents {
    // <!ELEMENT comp ((allcomp | comp*), (allprop | prop*))>
    /// What is in the element that says so.
    static func children(_ names: [String]) -> [Element] {
        names.map { name in
            let attribute = Element.Attribute(name: QualifiedName("name", in: ""), value: name)
            return Element(.calDAV("comp"), attributes: [attribute])
        }
    }
}
