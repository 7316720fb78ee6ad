/// A name in a namespace (Namespaces in XML 1.0 §2.1); the prefix is not stored, since each server uses other prefixes.
package struct QualifiedName: Hashable, Sendable, CustomStringConvertible {
    /// The name of the namespace; empty for none.
    package let namespace: String
    package let local: String

    package init(_ local: String, in namespace: String) {
        self.namespace = namespace
        self.local = local
    }

    /// The name in Clark's notation: `{DAV:}href`.
    package var description: String { "{\(self.namespace)}\(self.local)" }
}

/// An XML element; text and child elements are separate, because nothing in WebDAV depends on their order.
package struct Element: Hashable, Sendable {
    package struct Attribute: Hashable, Sendable {
        package let name: QualifiedName
        /// The value with references resolved.
        package let value: String

        package init(name: QualifiedName, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var name: QualifiedName
    /// The attributes without namespace declarations.
    package var attributes: [Attribute]
    package var children: [Element]
    /// The joined character data directly inside the element, with its white space.
    package var text: String

    package init(_ name: QualifiedName, attributes: [Attribute] = [], text: String = "", children: [Element] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    package func first(_ name: QualifiedName) -> Element? { self.children.first { $0.name == name } }
    package func all(_ name: QualifiedName) -> [Element] { self.children.filter { $0.name == name } }

    /// The value of an attribute without a namespace.
    package func attribute(_ local: String) -> String? {
        self.attributes.first { $0.name.local == local && $0.name.namespace.isEmpty }?.value
    }

    /// The text without white space at its ends, which DAViCal puts around every value.
    package var trimmedText: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
        let bytes = self.text.utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self.text[first...last])
    }
}
