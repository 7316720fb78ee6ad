internal import RemindavCLibXML2

package struct XMLDocument: Sendable {
    package let root: Element
    /// Whether the bytes were repaired first; the text may then differ from the text on the server.
    package let wasRepaired: Bool

    /// Reads a document strictly; if this fails, the bytes are repaired and read strictly once more.
    ///
    /// In answers of most servers, one reminder with an illegal character makes the whole document ill-formed, and
    /// libxml2's own recovery silently drops members. A document type, entities and external data are never accepted.
    package init(_ bytes: [UInt8], limits: XMLLimits = .standard) throws(XMLError) {
        guard !bytes.isEmpty else { throw XMLError(.empty) }
        guard bytes.count <= limits.bytes else { throw XMLError(.tooLarge) }
        do throws(XMLError) {
            self.root = try Self.read(bytes, limits: limits)
            self.wasRepaired = false
        } catch {
            guard error.code == .notWellFormed, let cleaned = XMLRepair.clean(bytes) else { throw error }
            self.root = try Self.read(cleaned, limits: limits)
            self.wasRepaired = true
        }
    }

    private static func read(_ bytes: [UInt8], limits: XMLLimits) throws(XMLError) -> Element {
        let text = try XMLSource.utf8(bytes)
        try XMLSource.check(text, limits: limits)
        return try ElementReader(limits: limits).read(text)
    }
}

/// Builds elements from the events of libxml2's parser; the parser does not build its own tree.
private final class ElementReader {
    private let limits: XMLLimits
    private var open: [Element] = []
    private var texts: [[UInt8]] = []
    private var names: [Key: QualifiedName] = [:]
    private var count = 0
    private var memory = 0
    private(set) var root: Element?
    private(set) var failure: XMLError?

    /// The addresses of a name in libxml2's dictionary; equal names have equal addresses.
    private struct Key: Hashable {
        let local: UnsafePointer<xmlChar>
        let namespace: UnsafePointer<xmlChar>?
    }

    init(limits: XMLLimits) { self.limits = limits }
    /// XML_PARSE_NONET is a precaution: the parser never requests external data.
    private static let options = Int32(bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue)
    /// Initialises the library once, before any thread uses it.
    private static let ready: Void = xmlInitParser()

    func read(_ bytes: [UInt8]) throws(XMLError) -> Element {
        _ = Self.ready
        guard let context = xmlNewParserCtxt(), let sax = context.pointee.sax else { throw XMLError(.notWellFormed) }
        defer { xmlFreeParserCtxt(context) }
        context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        sax.pointee.serror = onError
        sax.pointee.internalSubset = onDocumentType
        sax.pointee.startElementNs = onStart
        sax.pointee.endElementNs = onEnd
        sax.pointee.characters = onCharacters
        sax.pointee.ignorableWhitespace = onCharacters
        sax.pointee.cdataBlock = onCharacters
        sax.pointee.comment = nil
        sax.pointee.processingInstruction = nil
        sax.pointee.reference = nil
        let document = bytes.withUnsafeBytes { buffer in
            xmlCtxtReadMemory(
                context,
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(buffer.count),
                nil,
                nil,
                Self.options
            )
        }
        let isWellFormed = context.pointee.wellFormed == 1
        if let document { xmlFreeDoc(document) }
        if let failure { throw failure }
        guard isWellFormed, let root else { throw XMLError(.notWellFormed) }
        return root
    }

    /// Stores the first failure; later failures are consequences of the first one.
    func fail(_ code: XMLError.Code, line: Int = 0) {
        if self.failure == nil { self.failure = XMLError(code, line: line) }
    }

    func start(_ local: UnsafePointer<xmlChar>, _ namespace: UnsafePointer<xmlChar>?, _ attributes: [Element.Attribute])
        -> Bool
    {
        self.count += 1
        guard self.count <= self.limits.elements else {
            self.fail(.tooManyElements)
            return false
        }
        guard self.open.count < self.limits.depth else {
            self.fail(.tooDeep)
            return false
        }
        let values = attributes.reduce(0) { $0 + $1.value.utf8.count }
        guard self.reserve(Self.elementBytes + Self.attributeBytes * attributes.count + values) else { return false }
        self.open.append(Element(self.name(local, namespace), attributes: attributes))
        self.texts.append([])
        return true
    }

    func end() {
        guard var element = self.open.popLast(), let text = self.texts.popLast() else { return }
        if !text.isEmpty { element.text = String(decoding: text, as: UTF8.self) }
        if self.open.isEmpty {
            self.root = element
        } else {
            self.open[self.open.count - 1].children.append(element)
        }
    }

    func append(_ text: UnsafeBufferPointer<xmlChar>) -> Bool {
        guard !self.texts.isEmpty else { return true }
        guard self.reserve(text.count) else { return false }
        self.texts[self.texts.count - 1].append(contentsOf: text)
        return true
    }

    /// The estimated memory of an ``Element``, including its slot in the children of its parent.
    private static let elementBytes = 192
    /// The estimated memory of an ``Element/Attribute`` without its value.
    private static let attributeBytes = 96

    /// Counts memory that is about to be used; returns `false` beyond the limit.
    private func reserve(_ bytes: Int) -> Bool {
        self.memory += bytes
        if self.memory <= self.limits.memoryBytes { return true }
        self.fail(.tooLarge)
        return false
    }

    private func name(_ local: UnsafePointer<xmlChar>, _ namespace: UnsafePointer<xmlChar>?) -> QualifiedName {
        let key = Key(local: local, namespace: namespace)
        if let known = self.names[key] { return known }
        let name = QualifiedName(String(cString: local), in: namespace.map { String(cString: $0) } ?? "")
        self.names[key] = name
        return name
    }
}

private typealias XMLText = UnsafePointer<xmlChar>?

private func reader(of user: UnsafeMutableRawPointer?) -> (xmlParserCtxtPtr, ElementReader)? {
    guard let context = user?.assumingMemoryBound(to: xmlParserCtxt.self), let object = context.pointee._private else {
        return nil
    }
    return (context, Unmanaged<ElementReader>.fromOpaque(object).takeUnretainedValue())
}

private func onError(_ user: UnsafeMutableRawPointer?, _ error: xmlErrorPtr?) {
    guard let error, let (_, reader) = reader(of: user) else { return }
    // Warnings and errors about namespaces do not stop the reading: SOGo, for example, sends an odd namespace name.
    guard error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue,
        error.pointee.domain != Int32(bitPattern: XML_FROM_NAMESPACE.rawValue)
    else { return }
    reader.fail(.notWellFormed, line: Int(error.pointee.line))
}

private func onDocumentType(_ user: UnsafeMutableRawPointer?, _: XMLText, _: XMLText, _: XMLText) {
    guard let (context, reader) = reader(of: user) else { return }
    reader.fail(.documentType)
    xmlStopParser(context)
}

private func onStart(
    _ user: UnsafeMutableRawPointer?,
    _ local: XMLText,
    _ prefix: XMLText,
    _ namespace: XMLText,
    _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<XMLText>?,
    _ attributeCount: Int32,
    _ defaultedCount: Int32,
    _ attributes: UnsafeMutablePointer<XMLText>?
) {
    guard let local, let (context, reader) = reader(of: user) else { return }
    var read: [Element.Attribute] = []
    if let attributes {
        for index in 0..<Int(attributeCount) {
            let part = attributes + index * 5
            guard let local = part[0], let start = part[3], let end = part[4] else { continue }
            let value = String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
            let name = QualifiedName(String(cString: local), in: part[2].map { String(cString: $0) } ?? "")
            read.append(Element.Attribute(name: name, value: value.replacingAmpersandReferences))
        }
    }
    if !reader.start(local, namespace, read) { xmlStopParser(context) }
}

private func onEnd(_ user: UnsafeMutableRawPointer?, _: XMLText, _: XMLText, _: XMLText) { reader(of: user)?.1.end() }

private func onCharacters(_ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let text, let (context, reader) = reader(of: user) else { return }
    if !reader.append(UnsafeBufferPointer(start: text, count: Int(count))) { xmlStopParser(context) }
}

extension String {
    /// Replaces `&#38;` by `&`: libxml2 passes each `&` in the value of an attribute as `&#38;`.
    fileprivate var replacingAmpersandReferences: String {
        guard self.utf8.contains(UInt8(ascii: "&")) else { return self }
        let reference = Array("&#38;".utf8)
        let bytes = Array(self.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            result.append(bytes[index])
            index += bytes[index...].starts(with: reference) ? reference.count : 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
