/// Why bytes could not be read as XML, without any part of the document.
package struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case notWellFormed = "it is not well-formed XML"
        case documentType = "it has a document type declaration, which is not accepted"
        case tooDeep = "its elements are nested too deeply"
        case tooManyElements = "it has too many elements"
        case tooManyAttributes = "a tag has too many attributes"
        case tooManyNames = "it has too many different names"
        case tooLarge = "it is too large"
        case encoding = "it is in an encoding that is not accepted"
        case empty = "it is empty"
    }

    package let code: Code
    /// The line where reading stopped, counted from 1; 0 when that is not known.
    package let line: Int

    package init(_ code: Code, line: Int = 0) {
        self.code = code
        self.line = line
    }

    package var description: String { self.line > 0 ? "line \(self.line): \(self.code.rawValue)" : self.code.rawValue }
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

/// The limits of a document: every document comes from a server that is not trusted.
package struct XMLLimits: Sendable {
    /// Bytes of the document: as many as an answer may have.
    package var bytes = 64 << 20
    /// Elements inside each other: a multistatus needs 8.
    package var depth = 64
    /// Elements in all: a listing needs about 8 for each member, so this is room for 200,000.
    package var elements = 1_600_000
    /// Attributes and namespace declarations of one tag: servers declare some ten namespaces on the outermost element.
    package var attributes = 64
    /// Different names and namespaces: a server that lists all properties that it knows has some hundred.
    package var names = 4096
    /// Bytes of memory for one document, as estimated: enough for a listing of 100,000 members.
    package var memoryBytes = 128 << 20
    package init() {}
    package static let standard = XMLLimits()
}
