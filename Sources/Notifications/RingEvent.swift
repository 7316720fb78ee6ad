package import ICalendar
package import Recurrence

/// What happens to a ``Ringer``.
package enum RingEvent: Hashable, Sendable {
    /// Where it begins: all reminders that there are, and the zone of the clock on the wall.
    case started(reminders: [String], local: String)
    /// The timer went off, the clock was set, or the machine woke up: only what time it is counts.
    case clock
    /// The clock on the wall is another now.
    case zoneChanged(String)
    /// These reminders are new, different, or gone.
    ///
    /// - Parameter since: up to when everything was known that could have told of them: what became due after that rings;
    ///   `nil`: what is past is past.
    case changed([String], since: Instant? = nil)
    /// A person has chosen otherwise.
    case settings(RingSettings)
    /// The notification service is there, in this run of it; `nil` when it is not, or is lost.
    case service(String?)
    /// A bubble is shown, and has this number.
    case shown(token: Int, number: UInt32)
    /// A bubble could not be shown, or not be told of elsewhere.
    case notShown(token: Int)
    /// It was told elsewhere.
    case toldElsewhere(token: Int)
    /// A bubble is not on the screen any more. Told of each that was to be closed, also when that failed.
    case closed(number: UInt32, BubbleEnd)
    /// A person has clicked.
    case invoked(number: UInt32, action: String)
    /// A deed is written to the reminder, or there is nothing to write.
    case written(deed: Int)
    /// A deed could not be written; `forGood` when it never can be.
    case notWritten(deed: Int, forGood: Bool)
}

/// Why a bubble is not on the screen any more.
package enum BubbleEnd: Int, Hashable, Sendable {
    /// Its time was over; nobody may have seen it.
    case expired = 1
    /// A person has put it away.
    case dismissed = 2
    /// Somebody asked the service to.
    case requested = 3
    /// Nobody knows.
    case undefined = 4
}

/// What a ``Ringer`` wants done, in this order: what comes first is done before the next is begun.
package enum RingEffect: Hashable, Sendable {
    /// To be on the disk, all or nothing, before anything else is done.
    case keep([RingRecords.Change])
    /// Show a bubble; `shown` or `notShown` is the answer, later.
    case show(Bubble)
    /// Take a bubble off the screen; `closed` is the answer, later.
    case close(ShownBubble)
    /// Tell of an alarm where no bubble can be shown; `toldElsewhere` or `notShown` is the answer, later.
    case tellElsewhere(Bubble)
    /// Write to a reminder; `written` or `notWritten` is the answer, later.
    case write(number: Int, Deed)
    /// Open a reminder, `nil` for what is due, once; no answer.
    case open(String?)
    /// A deed was tried often enough, or can never be done: the person is told.
    case gaveUp(Deed)
    /// Wake it at this moment on the clock, when the clock is set, and not before; `nil`: only when something happens.
    case wake(Instant?)
}

/// Where a ``Ringer`` looks when it has to know something.
package struct RingWorld {
    /// A reminder as it is now, `nil` when there is none, with its alarms at the times that the second says.
    package let reminder: (_ name: String, _ reckoning: Reckoning) throws -> RingingReminder?
    /// The clock of a zone, by its zoneinfo name.
    package let zones: (_ local: String) -> TimeZoneResolver

    package init(
        reminder: @escaping (_ name: String, _ reckoning: Reckoning) throws -> RingingReminder?,
        zones: @escaping (_ local: String) -> TimeZoneResolver
    ) {
        self.reminder = reminder
        self.zones = zones
    }
}
