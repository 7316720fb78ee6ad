package import RemindavICalendar
import RemindavJSON

/// A list in our own export.
package struct ImportedList: Hashable, Sendable {
    package let name: String
    /// The text of the colour, usually `#RRGGBB`; `nil` if the list has no colour.
    package let color: String?
    package let isDefault: Bool

    package init(name: String, color: String?, isDefault: Bool) {
        self.name = name
        self.color = color
        self.isDefault = isDefault
    }
}

/// The data of a label in our own export.
package struct ImportedLabel: Hashable, Sendable {
    package let name: String
    /// The UUID of the label.
    package let id: String?
    /// The colour in the form `#RRGGBB`.
    package let color: String
    /// The time of the last change of the name or the colour.
    package let updatedAt: Instant

    package init(name: String, id: String?, color: String, updatedAt: Instant) {
        self.name = name
        self.id = id
        self.color = color
        self.updatedAt = updatedAt
    }
}

extension ImportedTaskBuilder {
    /// The maximum number of characters in a list's name; no supported program allows more.
    private static let longestListName = 255
    /// The maximum number of characters in a colour; a longer text is ignored.
    private static let longestColor = 32

    /// The list name in a text of the file; `nil` for an empty or too long name.
    static func listName(_ text: String?) -> String? {
        guard let name = text.flatMap(ImportedTask.word), name.count <= self.longestListName else { return nil }
        return name
    }

    mutating func readLists(_ objects: [JSONObject]) {
        for object in objects.prefix(self.context.limits.lists) {
            var members = Members(object)
            guard let name = Self.listName(members.text("name")) else { continue }
            let color = members.text("color").flatMap(ImportedTask.word)
            self.lists.append(
                ImportedList(
                    name: name,
                    color: color.flatMap { $0.count <= Self.longestColor ? $0 : nil },
                    isDefault: members.isTrue("default")
                )
            )
        }
    }

    mutating func readLabels(_ objects: [JSONObject]) {
        for object in objects.prefix(self.context.limits.labels) {
            var members = Members(object)
            guard let name = members.text("name"), let color = members.text("color"),
                let updatedAt = members.text("updatedAt").flatMap({ self.context.instant($0) })
            else { continue }
            self.labels.append(ImportedLabel(name: name, id: members.text("id"), color: color, updatedAt: updatedAt))
        }
    }
}
