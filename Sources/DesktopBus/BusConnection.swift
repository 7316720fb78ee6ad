internal import Glibc
internal import RemindavCSystemd

/// A connection to a bus, for use by one thread.
///
/// Only this file and the file of ``MessageReader`` contain pointers of sd-bus. No callbacks are registered, so
/// `sd_bus_process` returns every message, including answers, and ``NotificationProtocol`` interprets them. No method
/// of this class waits.
final class BusConnection {
    let library: RemindavBusLibrary
    private let bus: OpaquePointer
    /// The received calls that are to be answered, by their numbers.
    var calls: [Int: OpaquePointer] = [:]
    private var lastCall = 0

    init(address: String) throws(BusFailure) {
        guard let library = BusLibrary.functions else { throw BusFailure(errno: ENOSYS) }
        var bus: OpaquePointer?
        let code = library.bus_new(&bus)
        guard code >= 0, let bus else { throw BusFailure(errno: -code) }
        self.library = library
        self.bus = bus
        try Self.check(library.bus_set_address(bus, address))
        try Self.check(library.bus_set_bus_client(bus, 1))
        // No message of this program contains a file descriptor.
        try Self.check(library.bus_negotiate_fds(bus, 0))
        try Self.check(library.bus_start(bus))
    }

    /// Closes the connection without sending queued messages, because sending could take forever.
    deinit {
        for call in self.calls.values { _ = self.library.bus_message_unref(call) }
        self.library.bus_close(self.bus)
        _ = self.library.bus_unref(self.bus)
    }

    var isReady: Bool { self.library.bus_is_ready(self.bus) > 0 }

    /// The identifier of the bus and this program's unique name on it; empty until the connection ``isReady``.
    var names: (bus: String, own: String) {
        guard self.isReady else { return ("", "") }
        var id = sd_id128_t()
        guard self.library.bus_get_bus_id(self.bus, &id) >= 0 else { return ("", "") }
        let number = withUnsafeBytes(of: id) { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        var own: UnsafePointer<CChar>?
        guard self.library.bus_get_unique_name(self.bus, &own) >= 0 else { return (number, "") }
        return (number, Self.text(own))
    }

    var unsentCount: UInt64 {
        var count: UInt64 = 0
        return self.library.bus_get_n_queued_write(self.bus, &count) >= 0 ? count : 0
    }

    /// The descriptor, the events for `poll`, and the deadline in microseconds of the monotonic clock (`nil` for none).
    func waiting() throws(BusFailure) -> (descriptor: Int32, events: Int16, until: UInt64?) {
        let descriptor = try Self.check(self.library.bus_get_fd(self.bus))
        let events = try Self.check(self.library.bus_get_events(self.bus))
        var until: UInt64 = 0
        let code = try Self.check(self.library.bus_get_timeout(self.bus, &until))
        return (descriptor, Int16(truncatingIfNeeded: events), code > 0 && until != .max ? until : nil)
    }

    enum Turn {
        case idle
        case worked
        case message(BusMessage, call: Int?)
    }

    /// Processes one message; if `keepsCalls` is true, a received call is kept in ``calls`` so that it can be answered.
    func process(keepsCalls: Bool = false) throws(BusFailure) -> Turn {
        var message: OpaquePointer?
        let code = try Self.check(self.library.bus_process(self.bus, &message))
        guard let message else { return code > 0 ? .worked : .idle }
        let read = MessageReader(self.library, message).read()
        guard let read, keepsCalls, read.kind == .call else {
            _ = self.library.bus_message_unref(message)
            return read.map { .message($0, call: nil) } ?? .worked
        }
        self.lastCall += 1
        self.calls[self.lastCall] = message
        return .message(read, call: self.lastCall)
    }

    /// Queues a call and sends as much as possible at once; returns its serial number, which the answer contains.
    func send(_ call: BusCall) throws(BusFailure) -> UInt64 {
        var message: OpaquePointer?
        let code = self.library.bus_message_new_method_call(
            self.bus,
            &message,
            call.destination,
            call.path,
            call.interface,
            call.member
        )
        defer { _ = message.map { self.library.bus_message_unref($0) } }
        guard code >= 0, let message else { throw BusFailure(errno: -code) }
        // The call must not start the service. A separate call starts it and reports the reason of a failure.
        try Self.check(self.library.bus_message_set_auto_start(message, 0))
        return try self.send(message, call.values, wantsAnswer: true)
    }

    func send(_ message: OpaquePointer, _ values: [BusValue], wantsAnswer: Bool) throws(BusFailure) -> UInt64 {
        try MessageWriter(library: self.library, message: message).append(values)
        var serial: UInt64 = 0
        // If the pointer for the serial number is `nil`, sd-bus marks the call as one that needs no answer.
        if wantsAnswer {
            try Self.check(self.library.bus_send(self.bus, message, &serial))
        } else {
            try Self.check(self.library.bus_send(self.bus, message, nil))
        }
        return serial
    }

    func signal(
        path: String,
        interface: String,
        member: String,
        values: [BusValue],
        to destination: String? = nil
    ) throws(BusFailure) {
        var message: OpaquePointer?
        let code = self.library.bus_message_new_signal(self.bus, &message, path, interface, member)
        defer { _ = message.map { self.library.bus_message_unref($0) } }
        guard code >= 0, let message else { throw BusFailure(errno: -code) }
        if let destination { try Self.check(self.library.bus_message_set_destination(message, destination)) }
        _ = try self.send(message, values, wantsAnswer: false)
    }

    @discardableResult
    static func check(_ code: Int32) throws(BusFailure) -> Int32 {
        guard code >= 0 else { throw BusFailure(errno: -code) }
        return code
    }

    /// Returns a text, shortened to ``MessageLimits/longestText``; sd-bus has checked that the text is UTF-8.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer else { return "" }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, MessageLimits.longestText))
        return String(decoding: bytes, as: UTF8.self)
    }
}
