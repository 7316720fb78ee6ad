public import RemindavICalendar
import RemindavResources

/// A label with its colour, for which iCalendar has no property: a reminder's text has only the names (CATEGORIES).
public struct Label: Identifiable, Hashable, Sendable {
    /// The largest number of characters in a name that a user enters; longer names from files and servers are accepted.
    public static let longestName = 200

    /// A UUID, which does not change when the name or the colour changes.
    public let id: String
    /// The name in its latest spelling.
    public private(set) var name: String
    /// The colour of the label.
    public private(set) var color: LabelColor
    /// The moment at which the label was created.
    public let createdAt: Instant
    /// The moment of the last change of the name or the colour.
    public private(set) var updatedAt: Instant

    /// Creates a label; throws for an invalid name, see ``checked(name:)``.
    public init(id: String, name: String, color: LabelColor = .standard, at now: Instant) throws(LabelNameError) {
        self.init(id: id, known: try Self.checked(name: name), color: color, createdAt: now, updatedAt: now)
    }

    package init(id: String, known name: String, color: LabelColor, createdAt: Instant, updatedAt: Instant) {
        self.id = id
        self.name = name
        self.color = color
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The key that identifies the label in any spelling.
    public var key: LabelKey { LabelKey(self.name) }

    /// The label with another name, colour or both; throws for an invalid name, see ``checked(name:)``.
    public func edited(
        name: String? = nil,
        color: LabelColor? = nil,
        at now: Instant
    ) throws(LabelNameError) -> Label {
        let name = if let name { try Self.checked(name: name) } else { self.name }
        return self.with(name: name, color: color ?? self.color, at: now)
    }

    /// The label with another name, which is not checked, and with another colour unless `color` is `nil`.
    package func renamed(_ name: String, color: LabelColor? = nil, at now: Instant) -> Label {
        self.with(name: name, color: color ?? self.color, at: now)
    }

    private func with(name: String, color: LabelColor, at now: Instant) -> Label {
        var label = self
        label.name = name
        label.color = color
        guard label != self else { return self }
        // Even with a wrong clock, the time must increase, because the latest change wins on other machines.
        let next = self.updatedAt.secondsSince1970 + 1
        label.updatedAt = now.secondsSince1970 < next ? Instant(secondsSince1970: next) : now
        return label
    }

    /// The name on one line, without white space at its ends and without characters that iCalendar does not allow.
    ///
    /// - Throws: if the name has no visible character, more than ``longestName`` characters, or a key beyond `KeyLimits`.
    public static func checked(name: String) throws(LabelNameError) -> String {
        var line = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        line.unicodeScalars.removeAll { $0.value < 0x20 || $0.value == 0x7F }
        let trimmed = line.trimmingWhiteSpace
        guard trimmed.hasVisibleLetter else { throw .nameRequired }
        guard trimmed.count <= Self.longestName, KeyLimits.allows(LabelKey(trimmed).text) else { throw .nameTooLong }
        return trimmed
    }
}

/// The reason why a text cannot be the name of a label.
public enum LabelNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has no letter.
    case nameRequired
    /// The text is longer than ``Label/longestName``, or its key is longer than `KeyLimits` allows.
    case nameTooLong

    /// A sentence for the user that states the permitted length.
    public var description: String {
        "A label has 1 to \(Label.longestName) letters, and at most \(KeyLimits.maximumBytes) bytes."
    }
}
