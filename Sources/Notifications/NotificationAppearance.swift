/// How a notification is presented: the settings of the user, or a silenced copy of them.
public struct NotificationAppearance: Hashable, Sendable {
    /// Whether the notification may make a sound.
    public package(set) var makesSound = true
    package init() {}

    func silenced(unless mayMakeSound: Bool) -> Self {
        var appearance = self
        if !mayMakeSound { appearance.makesSound = false }
        return appearance
    }
}
