package import XML

/// `C:supported-calendar-component-set`: the component types that a calendar accepts (RFC 4791 §5.2.3).
package struct SupportedComponents: DAVProperty {
    package static let name = QualifiedName.calDAV("supported-calendar-component-set")
    /// Names of components in upper case.
    package let names: [String]

    package init?(_ element: Element) {
        self.names = element.all(.calDAV("comp")).compactMap { $0.attribute("name")?.uppercased() }
        guard !self.names.isEmpty else { return nil }
    }
}

extension SupportedComponents {
    // <!ELEMENT comp ((allcomp | comp*), (allprop | prop*))>
    /// The content of the element.
    static func children(_ names: [String]) -> [Element] {
        names.map { name in
            let attribute = Element.Attribute(name: QualifiedName("name", in: ""), value: name)
            return Element(.calDAV("comp"), attributes: [attribute])
        }
    }
}
