/// The contents of a bus message, within ``MessageLimits``.
struct BusMessage: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case call
        case answer
        case failure(String)
        case signal
    }

    var kind: Kind
    /// The serial number of the answered call; 0 if the message is not an answer.
    var answered: UInt64 = 0
    /// The sender, which the bus sets, so it cannot be forged; empty without a sender.
    var sender = ""
    var path = ""
    var interface = ""
    var member = ""
    var values: [BusValue] = []
}

enum BusValue: Hashable, Sendable {
    /// The D-Bus types `s`, `o` and `g`.
    case string(String)
    /// The D-Bus type `u`.
    case number(UInt32)
    /// The D-Bus type `i`.
    case signed(Int32)
    /// The D-Bus type `x`.
    case long(Int64)
    /// The D-Bus type `y`.
    case byte(UInt8)
    /// The D-Bus type `b`.
    case boolean(Bool)
    /// The D-Bus type `as`.
    case strings([String])
    /// The D-Bus type `a{sv}`.
    case dictionary([Entry])
    /// Any other type; the notification protocol uses no other type.
    case other

    struct Entry: Hashable, Sendable {
        let key: String
        let value: BusValue

        init(_ key: String, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }
}

struct BusCall: Hashable, Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var values: [BusValue] = []
}

extension BusCall {
    static let bus = "org.freedesktop.DBus"
    static let service = "org.freedesktop.Notifications"
    static let servicePath = "/org/freedesktop/Notifications"

    private static func ofBus(_ member: String, _ values: [BusValue]) -> Self {
        Self(destination: self.bus, path: "/org/freedesktop/DBus", interface: self.bus, member: member, values: values)
    }

    /// Returns a call to the service instance with this unique name, so that no other instance receives the call.
    private static func ofService(_ owner: String, _ member: String, _ values: [BusValue] = []) -> Self {
        Self(destination: owner, path: self.servicePath, interface: self.service, member: member, values: values)
    }

    /// The calls that subscribe to the three needed signals.
    static let matches: [Self] = [
        "type='signal',sender='\(bus)',path='/org/freedesktop/DBus',interface='\(bus)',member='NameOwnerChanged',"
            + "arg0='\(service)'",
        "type='signal',sender='\(service)',path='\(servicePath)',interface='\(service)',member='ActionInvoked'",
        "type='signal',sender='\(service)',path='\(servicePath)',interface='\(service)',member='NotificationClosed'",
    ].map { ofBus("AddMatch", [.string($0)]) }

    static let owner = ofBus("GetNameOwner", [.string(service)])
    static let start = ofBus("StartServiceByName", [.string(service), .number(0)])
    static func capabilities(of owner: String) -> Self { self.ofService(owner, "GetCapabilities") }
    static func information(of owner: String) -> Self { self.ofService(owner, "GetServerInformation") }
    static func notify(_ values: [BusValue], to owner: String) -> Self { self.ofService(owner, "Notify", values) }

    static func close(_ number: UInt32, at owner: String) -> Self {
        self.ofService(owner, "CloseNotification", [.number(number)])
    }
}
