/// The limits on one JSON text.
package struct JSONLimits: Hashable, Sendable {
    /// The largest nesting depth of arrays and objects.
    package var depth: Int
    /// The largest number of values in the text.
    package var values: Int
    /// The largest number of elements in one array, and of values at the top level.
    package var elements: Int
    /// The largest number of bytes in a string.
    package var stringBytes: Int
    /// The largest number of bytes in a string that is the value of a member in ``longNames``.
    package var longStringBytes: Int
    /// The names of the members to which ``longStringBytes`` applies instead of ``stringBytes``.
    package var longNames: Set<String>
    /// The largest number of stored errors about omitted elements.
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

    /// The limits for a server's answer, which is an object with a few strings.
    package static let standard = Self(depth: 16, values: 100_000, elements: 100_000, stringBytes: 1 << 20)
}
