/// Shows notifications, for example on a desktop, on a phone or in a log.
///
/// ``AlarmScheduler`` decides which notifications are shown. The methods of a presenter do not block. They report their
/// results through the closures, on any thread and in any order. The owner of the presenter, for example
/// `AlarmPresentation`, receives the user's clicks.
package protocol NotificationPresenter: Sendable {
    /// Shows a notification, in place of ``Notification/replaces`` if that is still on the screen.
    ///
    /// The notification stays until the user or ``close(_:then:)`` closes it.
    ///
    /// - Parameter report: called once, with the id of the notification on the screen, or with the reason why the
    ///   notification could not be shown. In the second case, the scheduler tries again after a pause.
    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    )

    /// Closes a notification; if the notification is not on the screen, this is not an error.
    ///
    /// - Parameter report: called once, when the notification is no longer on the screen.
    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void)

    /// Shows the number of reminders that have fired and are not acknowledged, for example on an icon.
    func showCount(_ count: Int)
}

extension NotificationPresenter {
    /// Does nothing, for presenters that cannot show a number.
    package func showCount(_ count: Int) {}
}
