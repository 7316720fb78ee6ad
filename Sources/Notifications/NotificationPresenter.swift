/// Shows notifications: a desktop, a phone, a log.
///
/// ``AlarmScheduler`` decides what is shown; a presenter only shows it. Its functions do not block, and report their
/// results through the closures, on any thread and in any order. The user's clicks are reported to the owner of the
/// presenter, for example to `AlarmPresentation`.
public protocol NotificationPresenter: Sendable {
    /// Shows a notification, in the place of ``Notification/replaces`` if that is still on the screen.
    ///
    /// The notification stays until the user or ``close(_:then:)`` closes it.
    ///
    /// - Parameter report: called once, with the identifier of the notification on the screen, or with the reason why it
    ///   could not be shown. It is then shown again, after a pause.
    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    )

    /// Closes a notification; one that is not on the screen is no error.
    ///
    /// - Parameter report: called once, when it is no longer on the screen.
    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void)

    /// Shows the number of reminders that have fired and are not acknowledged.
    func showCount(_ count: Int)
}

extension NotificationPresenter {
    /// Does nothing.
    public func showCount(_ count: Int) {}
}
