/// A text that is never printed: every output, also of a value that contains it, shows a placeholder.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Wraps a value.
    public init(_ value: String) { self.value = value }

    /// A constant placeholder.
    public var description: String { "(hidden)" }
    /// A constant placeholder.
    public var debugDescription: String { "(hidden)" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// The value itself, for code that sends or stores it.
    package func reveal() -> String { self.value }
}
