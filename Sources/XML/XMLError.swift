/// The reason why bytes cannot be read as XML, without any part of the document.
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
    /// The line at which the reading stopped, from 1; 0 if the line is unknown.
    package let line: Int

    package init(_ code: Code, line: Int = 0) {
        self.code = code
        self.line = line
    }

    package var description: String { self.line > 0 ? "line \(self.line): \(self.code.rawValue)" : self.code.rawValue }
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(self.code) }
}

/// The limits on a document; every document comes from an untrusted server.
package struct XMLLimits: Sendable {
    /// The largest number of bytes in a document; an answer has the same limit.
    package var bytes = 64 << 20
    /// The largest depth of nested elements; a multistatus needs 8.
    package var depth = 64
    /// The largest number of elements; a list needs about 8 for each member, so 200,000 members are possible.
    package var elements = 1_600_000
    /// The largest number of attributes and namespace declarations in a tag; servers declare about ten namespaces.
    package var attributes = 64
    /// The largest number of different names and namespaces; a server with all its properties has a few hundred.
    package var names = 4096
    /// The largest number of bytes of memory for one document, as an estimate; a list of 100,000 members needs less.
    package var memoryBytes = 128 << 20
    package init() {}
    package static let standard = XMLLimits()
}
