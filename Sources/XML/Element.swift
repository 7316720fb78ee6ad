/// A name in a namespace (Namespaces in XML 1.0 §2.1).
///
/// Prefixes mean nothing: every server has its own.
package struct QualifiedName: Hashable, Sendable, CustomStringConvertible {
    /// The namespace's name, empty for none.
    package let namespace: String
    /// The name inside the namespace.
    package let local: String

    /// A name in a namespace; the empty one is none.
    package init(_ local: String, in namespace: String) {
        self.namespace = namespace
        self.local = local
    }

    /// The name in Clark's notation: `{DAV:}href`.
    package var description: String { "{\(self.namespace)}\(self.local)" }
}

/// An element with its content.
///
/// Text and child elements are kept apart: nothing in WebDAV depends on how they are mixed.
package struct Element: Hashable, Sendable {
    package struct Attribute: Hashable, Sendable {
        /// The attribute's name; without a prefix it has no namespace.
        package let name: QualifiedName
        /// The value with references resolved.
        package let value: String

        /// An attribute with a value without references.
        package init(name: QualifiedName, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var name: QualifiedName
    /// The attributes, namespace declarations not among them.
    package var attributes: [Attribute]
    /// The elements directly inside, in order.
    package var children: [Element]
    /// The character data directly inside, joined; white space as received.
    package var text: String

    /// An element with everything that is inside it.
    package init(_ name: QualifiedName, attributes: [Attribute] = [], text: String = "", children: [Element] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// The first child of this name.
    package func first(_ name: QualifiedName) -> Element? { self.children.first { $0.name == name } }

    /// Every child of this name, in order.
    package func all(_ name: QualifiedName) -> [Element] { self.children.filter { $0.name == name } }

    /// The value of an attribute without a namespace.
    package func attribute(_ local: String) -> String? {
        self.attributes.first { $0.name.local == local && $0.name.namespace.isEmpty }?.value
    }

    /// The text without white space at its ends: DAViCal puts spaces and line ends around every value.
    package var trimmedText: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
        let bytes = self.text.utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self.text[first...last])
    }
}
