import ICalendar

extension Reminder {
    /// The properties that other programs have put into it, and that are kept as they are: name and value as written.
    ///
    /// - Parameter limit: how many at most; the first ones.
    public func foreignProperties(limit: Int) -> [(name: String, value: String)] {
        self.todo.properties.lazy.filter(Self.isForeign).prefix(limit)
            .map { (name: $0.name.canonical, value: $0.value) }
    }

    /// How many of these there are.
    public var foreignPropertyCount: Int { self.todo.properties.count(where: Self.isForeign) }

    /// ``Name/dueAlarm`` is ours.
    private static func isForeign(_ property: Property) -> Bool {
        property.name.canonical.hasPrefix("X-") && property.name != .dueAlarm
    }
}
