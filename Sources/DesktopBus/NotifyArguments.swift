import RemindavNotifications

/// The arguments of `Notify` for a service with given capabilities.
enum NotifyArguments {
    static let program = "Remindav"
    static let untitled = "Reminder"

    // UINT32 Notify (STRING app_name, UINT32 replaces_id, STRING app_icon, STRING summary, STRING body, as actions,
    //                a{sv} hints, INT32 expire_timeout)
    static func values(
        _ notification: DesktopNotification,
        replacing number: UInt32,
        capabilities: Set<String>
    ) -> [BusValue] {
        let title = NotificationBody.title(notification.title)
        let isEmpty = title.unicodeScalars.map(\.properties).allSatisfy {
            $0.isWhitespace || $0.isDefaultIgnorableCodePoint
        }
        return [
            .string(self.program),
            .number(number),
            .string(""),
            .string(isEmpty ? self.untitled : title),
            .string(NotificationBody.body(notification.body, escaped: capabilities.contains("body-markup"))),
            .strings(self.actions(notification, capabilities).flatMap { [$0.key, NotificationBody.label($0.label)] }),
            .dictionary(self.hints(notification)),
            .signed(notification.isPersistent ? 0 : -1),
        ]
    }

    /// Returns the actions that are sent, whose keys the service can report.
    static func actions(
        _ notification: DesktopNotification,
        _ capabilities: Set<String>
    ) -> [NotificationAction] {
        guard capabilities.contains("actions") else { return [] }
        return Array(notification.actions.filter { self.isKey($0.key) }.prefix(NotificationBodyLimits.maximumActions))
    }

    private static func isKey(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= NotificationBodyLimits.longestLabel
            && key.utf8.allSatisfy { 0x20..<0x7F ~= $0 }
    }

    private static func hints(_ notification: DesktopNotification) -> [BusValue.Entry] {
        var hints = [BusValue.Entry("urgency", .byte(notification.urgency.rawValue))]
        if let category = notification.category {
            hints.append(.init("category", .string(NotificationBody.label(category))))
        }
        if let entry = notification.desktopEntry {
            hints.append(.init("desktop-entry", .string(NotificationBody.label(entry))))
        }
        if notification.appearance.makesSound, let sound = notification.sound {
            hints.append(.init("sound-name", .string(NotificationBody.label(sound))))
        } else {
            hints.append(.init("suppress-sound", .boolean(true)))
        }
        return hints
    }
}
