public import ICalendar

/// The properties of a label itself, for which iCalendar has no place: the colour above all.
///
/// The reminder's own text has the names of its labels (CATEGORIES).
public struct Label: Identifiable, Hashable, Sendable {
    /// The longest name that a user can give a label, in letters; longer ones of files and servers are kept.
    public static let longestName = 200

    /// A UUID; it stays while name and colour change.
    public let id: String
    /// As it was last written.
    public private(set) var name: String
    /// The colour.
    public private(set) var color: LabelColor
    /// When it was made.
    public let createdAt: Instant
    /// When name or colour were last changed.
    public private(set) var updatedAt: Instant

    /// A new label; throws for an invalid name, see ``checked(name:)``.
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

    /// The identity of the label.
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

    package func renamed(_ name: String, at now: Instant) -> Label { self.with(name: name, color: self.color, at: now) }

    private func with(name: String, color: LabelColor, at now: Instant) -> Label {
        var label = self
        label.name = name
        label.color = color
        guard label != self else { return self }
        // Later than the replaced time, even with a wrong clock: the later change wins on other machines.
        let next = self.updatedAt.secondsSince1970 + 1
        label.updatedAt = now.secondsSince1970 < next ? Instant(secondsSince1970: next) : now
        return label
    }

    /// A valid name: on one line, without white space at its ends and without letters that iCalendar cannot hold.
    ///
    /// Throws when no visible letter is left, or more than ``longestName`` letters are.
    public static func checked(name: String) throws(LabelNameError) -> String {
        var line = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        line.unicodeScalars.removeAll { $0.value < 0x20 || $0.value == 0x7F }
        let trimmed = line.trimmingWhiteSpace
        guard trimmed.hasVisibleLetter else { throw .nameRequired }
        guard trimmed.count <= Self.longestName else { throw .nameTooLong }
        return trimmed
    }
}

/// Why a label cannot be called so.
public enum LabelNameError: Error, Hashable, Sendable, CustomStringConvertible {
    case nameRequired
    case nameTooLong

    /// The problem and its solution.
    public var description: String { "A label has 1 to \(Label.longestName) letters." }
}
