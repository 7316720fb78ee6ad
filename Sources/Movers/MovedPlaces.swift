package import ICalendar

/// A list as an export of our own describes it.
package struct MovedList: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// As the server or a person wrote it, usually `#RRGGBB`; `nil` for none.
    package let color: String?
    /// Whether it is the one that is used when none is named.
    package let isDefault: Bool

    /// Everything at once.
    package init(name: String, color: String?, isDefault: Bool) {
        self.name = name
        self.color = color
        self.isDefault = isDefault
    }
}

/// What an export of our own says of a label.
package struct MovedLabel: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// Its UUID, `nil` where the file has none.
    package let id: String?
    /// Its colour, `#RRGGBB`.
    package let color: String
    /// When name or colour were last changed.
    package let updatedAt: Instant

    /// Everything at once.
    package init(name: String, id: String?, color: String, updatedAt: Instant) {
        self.name = name
        self.id = id
        self.color = color
        self.updatedAt = updatedAt
    }
}

extension MoverBuilder {
    /// Letters of a list's name in a file: no program lets a person write so many.
    private static let longestListName = 255
    /// Letters of a colour: what is longer is none.
    private static let longestColor = 32

    /// The name of a list as a file may say it; `nil` for what is none.
    static func listName(_ text: String?) -> String? {
        guard let name = text.flatMap(MovedTodo.word), name.count <= self.longestListName else { return nil }
        return name
    }

    mutating func readLists(_ objects: [JSONObject]) {
        for object in objects.prefix(self.context.limits.lists) {
            var members = Members(object)
            guard let name = Self.listName(members.text("name")) else { continue }
            let color = members.text("color").flatMap(MovedTodo.word)
            self.lists.append(
                MovedList(
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
            self.labels.append(MovedLabel(name: name, id: members.text("id"), color: color, updatedAt: updatedAt))
        }
    }
}
