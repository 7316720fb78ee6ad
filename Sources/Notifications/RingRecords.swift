package import ICalendar
package import Reminders

/// What has to be on the disk so that whatever breaks off, nothing rings twice and nothing is lost.
///
/// Kept apart from the reminders, whose file wakes who looks at it.
package struct RingRecords: Hashable, Sendable {
    /// Up to when alarms were looked at, and on which clock; `nil` before the first start.
    package var clock: RingClock?
    /// What was told, by reminder.
    package var told: [String: Set<ToldAlarm>] = [:]
    /// What is on the screen or to come there, by reminder.
    package var slots: [String: Slot] = [:]
    /// The bubble of the summary, when it is on the screen.
    package var summary: ShownBubble?
    /// Bubbles that have to go from the screen.
    package var closing: Set<ShownBubble> = []
    /// What a person has done in bubbles and is not written to the reminders yet, by number.
    package var deeds: [Int: Deed] = [:]

    package init() {}

    /// One row that becomes another.
    package enum Change: Hashable, Sendable {
        case clock(RingClock)
        case told(String, ToldAlarm)
        case forgotten(String, ToldAlarm)
        /// `nil` takes it away.
        case slot(String, Slot?)
        case summary(ShownBubble?)
        case closing(ShownBubble)
        case gone(ShownBubble)
        case deed(Int, Deed?)
    }

    package mutating func apply(_ change: Change) {
        switch change {
        case .clock(let clock): self.clock = clock
        case .told(let reminder, let alarm): self.told[reminder, default: []].insert(alarm)
        case .forgotten(let reminder, let alarm):
            self.told[reminder]?.remove(alarm)
            if self.told[reminder]?.isEmpty == true { self.told[reminder] = nil }
        case .slot(let reminder, let slot): self.slots[reminder] = slot
        case .summary(let bubble): self.summary = bubble
        case .closing(let bubble): self.closing.insert(bubble)
        case .gone(let bubble): self.closing.remove(bubble)
        case .deed(let number, let deed): self.deeds[number] = deed
        }
    }
}

/// Up to when alarms were looked at, that moment included, and what told when they are.
package struct RingClock: Hashable, Sendable {
    package var heard: Instant
    package var reckoning: Reckoning

    package init(heard: Instant, by reckoning: Reckoning) {
        self.heard = heard
        self.reckoning = reckoning
    }
}

/// What says when the alarms of a reminder are, beside the reminder: another one moves them.
package struct Reckoning: Hashable, Sendable {
    /// The zone of the clock on the wall, by its zoneinfo name.
    package var local: String
    /// What a person has chosen about alarms.
    package var alarms: AlarmSettings

    package init(local: String, alarms: AlarmSettings = AlarmSettings()) {
        self.local = local
        self.alarms = alarms
    }
}

/// An alarm of a reminder: of which occurrence, as `AlarmID` names it, and when it fires.
package struct ToldAlarm: Hashable, Sendable {
    package let occurrence: String?
    package let fires: Instant

    package init(occurrence: String?, fires: Instant) {
        self.occurrence = occurrence
        self.fires = fires
    }
}

/// The place that a reminder has on the screen: one, whatever rings for it.
package struct Slot: Hashable, Sendable {
    package enum Place: String, Hashable, Sendable {
        /// Waits for the end of the quiet hours.
        case held
        /// Has a bubble, or is to get one.
        case own
        /// Is one of those that the summary stands for.
        case summary
    }

    package var place: Place
    /// The last alarm that was shown; `nil` when none was, or its bubble is gone.
    package var shown: ToldAlarm?
    /// Those that were not shown yet, in the order in which they fire, at most `RingLimits.maximumTold`.
    package internal(set) var unshown: [ToldAlarm] = []
    /// Since when there are more of those, before the ones that are listed; `nil` when all are.
    package var unlisted: Instant?
    /// Whether it was shown late.
    package var isMissed = false
    /// Its bubble; `nil` while it has none that is known.
    package var bubble: ShownBubble?

    package init(place: Place, shown: ToldAlarm? = nil, unshown: [ToldAlarm] = []) {
        self.place = place
        self.shown = shown
        self.unshown = unshown
    }

    /// The last of its alarms, which its bubble is of or is to be of; `nil` when it has none, and is to go.
    package var alarm: ToldAlarm? { self.unshown.last ?? self.shown }

    /// Takes in what is not shown yet.
    ///
    /// - Parameter unlisted: since when there may be more than these; `nil` when there are no more.
    mutating func add(_ alarms: [ToldAlarm], unlisted: Instant?) {
        let all = (self.unshown + alarms).sorted { $0.fires < $1.fires }
        let cut = all.count > RingLimits.maximumTold ? all.first?.fires : nil
        self.unshown = all.suffix(RingLimits.maximumTold)
        self.unlisted = [self.unlisted, unlisted, cut].compactMap { $0 }.min()
    }

    /// These were shown.
    mutating func show(_ alarms: [ToldAlarm]) {
        guard let last = alarms.last else { return }
        self.unshown.removeAll(where: alarms.contains)
        self.shown = last
        // What was before them is told by them.
        self.unlisted = nil
    }

    /// Its bubble, or its part of the summary, is gone; what was not shown is still to come.
    mutating func leave() {
        self.shown = nil
        self.bubble = nil
    }
}

/// A bubble by the number that a notification service gave it.
package struct ShownBubble: Hashable, Sendable {
    package let number: UInt32
    /// Which run of the service: another one does not know the number.
    package let service: String

    package init(number: UInt32, service: String) {
        self.number = number
        self.service = service
    }
}

/// What a bubble had a person do to a reminder.
///
/// Done twice it is the same as done once: each names its occurrence and its moment.
package enum Deed: Hashable, Sendable {
    /// Everything that it rang for up to then, that moment included, has been seen to.
    case acknowledge(reminder: String, occurrence: String?, upTo: Instant)
    /// It is to ring again then, and what rang until the moment of the click has been seen to.
    case snooze(reminder: String, occurrence: String?, at: Instant, until: Instant)
    /// The occurrence is done; nothing when it is done already or there no more.
    case complete(reminder: String, occurrence: String?)

    /// The reminder that it is done to.
    package var reminder: String {
        switch self {
        case .acknowledge(let reminder, _, _), .snooze(let reminder, _, _, _), .complete(let reminder, _): reminder
        }
    }

    /// Whether it has to be written before an alarm of its reminder can be shown, which may ring no more then.
    func comes(before alarm: ToldAlarm?) -> Bool {
        guard case .acknowledge(_, _, let moment) = self, let alarm else { return true }
        return alarm.fires <= moment
    }
}
