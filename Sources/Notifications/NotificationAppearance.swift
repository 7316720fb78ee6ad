/// The settings of the user for the appearance of a notification.
public struct NotificationAppearance: Hashable, Sendable {
    /// Whether the notification may make a sound.
    public package(set) var makesSound = true
    package init() {}

    func silent(unless hasNewAlarm: Bool) -> Self {
        var appearance = self
        if !hasNewAlarm { appearance.makesSound = false }
        return appearance
    }
}
