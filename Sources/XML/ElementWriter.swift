package struct ElementWriter: Sendable {
    private let prefixes: [(namespace: String, prefix: String)]
    /// - Parameter prefixes: declared on the outermost element. A namespace without a prefix is declared at each use.
    package init(prefixes: [(namespace: String, prefix: String)]) { self.prefixes = prefixes }

    package func bytes(_ root: Element) -> [UInt8] {
        var text = #"<?xml version="1.0" encoding="utf-8"?>"# + "\n"
        let used = Self.namespaces(in: root)
        let declarations = self.prefixes
            .filter { used.contains($0.namespace) }
            .map { #" xmlns:\#($0.prefix)="\#(Self.escape($0.namespace))""# }
            .joined()
        self.write(root, declarations: declarations, to: &text)
        return Array(text.utf8)
    }

    private func write(_ element: Element, declarations: String, to text: inout String) {
        let (name, declaration) = self.spelling(of: element.name)
        var own = declarations + declaration
        for attribute in element.attributes {
            own += #" \#(attribute.name.local)="\#(Self.escape(attribute.value))""#
        }
        guard !element.children.isEmpty || !element.text.isEmpty else {
            text += "<\(name)\(own)/>"
            return
        }
        text += "<\(name)\(own)>\(Self.escape(element.text))"
        for child in element.children { self.write(child, declarations: "", to: &text) }
        text += "</\(name)>"
    }

    private func spelling(of name: QualifiedName) -> (name: String, declaration: String) {
        if let known = self.prefixes.first(where: { $0.namespace == name.namespace }) {
            return ("\(known.prefix):\(name.local)", "")
        }
        return (name.local, #" xmlns="\#(Self.escape(name.namespace))""#)
    }

    private static func namespaces(in element: Element) -> Set<String> {
        element.children.reduce(into: [element.name.namespace]) { $0.formUnion(self.namespaces(in: $1)) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
        default: (0x20...0x7E).contains(byte)
        }
    }

    /// Escapes character data and attribute values; a character that XML cannot contain is left out.
    static func escape(_ text: String) -> String {
        if text.utf8.allSatisfy(self.isPlain) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars where XMLRepair.isLegal(scalar.value) {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
