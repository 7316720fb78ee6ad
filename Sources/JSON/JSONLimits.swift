/// Limits on one JSON text.
package struct JSONLimits: Hashable, Sendable {
    /// Nesting depth of arrays and objects.
    package var depth: Int
    /// Values of the text.
    package var values: Int
    /// Elements of one array, and values on the top level.
    package var elements: Int
    /// Bytes of one string.
    package var stringBytes: Int
    /// Bytes of the strings with a name in ``longNames``.
    package var longStringBytes: Int
    /// The members with longer strings.
    package var longNames: Set<String>
    /// Stored errors of omitted elements.
    package var errors: Int

    package init(
        depth: Int,
        values: Int,
        elements: Int,
        stringBytes: Int,
        longStringBytes: Int = 0,
        longNames: Set<String> = [],
        errors: Int = 0
    ) {
        self.depth = depth
        self.values = values
        self.elements = elements
        self.stringBytes = stringBytes
        self.longStringBytes = longStringBytes
        self.longNames = longNames
        self.errors = errors
    }

    /// The limits of a server's answer: an object of a few strings.
    package static let standard = Self(depth: 16, values: 100_000, elements: 100_000, stringBytes: 1 << 20)
}
