/// What a notification service is asked to show (Desktop Notifications Specification 1.2).
package struct DesktopNotification: Hashable, Sendable {
    /// Plain text, on one line.
    package var title: String
    /// Plain text; escaped for a service that reads markup.
    package var body: String
    package var urgency: Urgency
    /// What kind of thing it is, as the specification names it, or `x-vendor.kind`.
    package var category: String?
    /// The name of a sound (Sound Naming Specification); `nil` for silence.
    package var sound: String?
    /// The name of the program's desktop file, without its ending.
    package var desktopEntry: String?
    /// In the order in which they are shown; a click on the bubble itself has the key `default`.
    package var actions: [Action]
    package var expiry: Expiry

    package init(
        title: String,
        body: String,
        urgency: Urgency = .normal,
        category: String? = nil,
        sound: String? = nil,
        desktopEntry: String? = nil,
        actions: [Action] = [],
        expiry: Expiry = .asServiceDecides
    ) {
        self.title = title
        self.body = body
        self.urgency = urgency
        self.category = category
        self.sound = sound
        self.desktopEntry = desktopEntry
        self.actions = actions
        self.expiry = expiry
    }

    /// How much it may disturb.
    ///
    /// What is critical stays until a person has seen to it, also where others are held back.
    package enum Urgency: UInt8, CaseIterable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// A button, or the click on the bubble.
    package struct Action: Hashable, Sendable {
        /// What comes back when it is chosen.
        package let key: String
        /// What stands on it.
        package let label: String

        package init(key: String, label: String) {
            self.key = key
            self.label = label
        }
    }

    /// When it goes by itself.
    package enum Expiry: Hashable, Sendable {
        case asServiceDecides
        case never
        case after(milliseconds: Int32)

        var wire: Int32 {
            switch self {
            case .asServiceDecides: -1
            case .never: 0
            case .after(let milliseconds): max(1, milliseconds)
            }
        }
    }
}

/// A bubble by the number that its service gave it.
package struct ShownNotification: Hashable, Sendable {
    /// Never 0.
    package let number: UInt32
    /// Which run of the service, on which bus; the numbers of another run mean other bubbles.
    package let run: String

    package init(number: UInt32, run: String) {
        self.number = number
        self.run = run
    }
}

/// The program that shows notifications.
package struct DesktopService: Hashable, Sendable {
    /// Which run of it, on which bus.
    package let run: String
    /// Empty where it did not say.
    package let name: String
    package let vendor: String
    package let version: String
    /// The version of the specification that it follows.
    package let specification: String
    /// What it says it can: `actions`, `body-markup` and so on.
    package let capabilities: Set<String>
    /// Why it is not known what it can, `nil` when it has said.
    ///
    /// It is taken to be able to do nothing beyond the words then.
    package let trouble: DesktopBusError?
}

/// What a notification service, or its absence, has to tell.
package enum DesktopEvent: Hashable, Sendable {
    /// There is a service, where there was none.
    case appeared(DesktopService)
    /// There is another service, or another run of it; the bubbles of the one before are gone.
    case replaced(DesktopService)
    /// There is no service, and why; its bubbles are gone.
    case vanished(DesktopBusError)
    /// There is no bus, and why. It is tried again.
    case busLost(DesktopBusError)
    /// A person has chosen something.
    case invoked(ShownNotification, key: String)
    /// A bubble is not on the screen any more.
    case closed(ShownNotification, DesktopClosing)
}

/// Why a bubble is not on the screen any more, by the specification's numbers.
package enum DesktopClosing: UInt32, Sendable {
    /// Its time was over.
    case expired = 1
    /// A person has put it away.
    case dismissed = 2
    /// It was closed by a call.
    case called = 3
    /// Nobody knows.
    case undefined = 4
}
