/// A text that is never shown: printing it, inside whatever, shows that something is hidden there.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Hides a value.
    public init(_ value: String) { self.value = value }

    /// Always the same words.
    public var description: String { "(hidden)" }
    /// Always the same words.
    public var debugDescription: String { "(hidden)" }
    /// Shows nothing inside.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// The value itself, for the places that send it or keep it.
    package func reveal() -> String { self.value }
}
