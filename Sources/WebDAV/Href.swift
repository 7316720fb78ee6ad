internal import HTTP
public import Resources

extension Href {
    /// The canonical path, for comparisons and as a key; scheme and host are not part of it.
    ///
    /// Servers spell the same path in several ways, even within one session: `%40` or `@`, `%c3` or `%C3`, and SOGo omits
    /// the encoding in some answers. Two hrefs name the same resource when their keys are equal; requests use ``wire``.
    public var key: String {
        let isPlain = PercentCoding.isPlain(self.wire) && !self.wire.hasPrefix("//")
        return isPlain ? self.wire : Self.root?.resolving(self.wire)?.pathKey ?? PercentCoding.encode(self.wire.utf8)
    }

    /// Any origin is sufficient to parse a path.
    private static let root = URL("http://localhost/")
}
