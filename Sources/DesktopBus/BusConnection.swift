internal import CSystemd

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A connection to a bus, for one thread.
///
/// Every pointer of sd-bus lives in this file and in that of ``MessageReader``. It is used without callbacks: a message
/// that nothing was registered for is handed out by `sd_bus_process`, answers included, and what it means is decided
/// elsewhere. Nothing here waits.
final class BusConnection {
    private let library: RemindavBusLibrary
    private let bus: OpaquePointer
    private var calls: [Int: OpaquePointer] = [:]
    private var lastCall = 0

    /// Begins to connect.
    init(address: String) throws(BusFailure) {
        guard let library = BusLibrary.functions else { throw BusFailure(errno: ENOSYS) }
        var bus: OpaquePointer?
        let code = library.bus_new(&bus)
        guard code >= 0, let bus else { throw BusFailure(errno: -code) }
        self.library = library
        self.bus = bus
        try Self.check(library.bus_set_address(bus, address))
        try Self.check(library.bus_set_bus_client(bus, 1))
        // Nobody has a file to hand us.
        try Self.check(library.bus_negotiate_fds(bus, 0))
        try Self.check(library.bus_start(bus))
    }

    /// Without sending what is still to be sent, which could take for ever.
    deinit {
        for call in self.calls.values { _ = self.library.bus_message_unref(call) }
        self.library.bus_close(self.bus)
        _ = self.library.bus_unref(self.bus)
    }

    /// Whether the bus has greeted us.
    var isReady: Bool { self.library.bus_is_ready(self.bus) > 0 }

    /// The bus's own number and our name on it; empty before it ``isReady``.
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

    /// Messages that the bus has not taken yet.
    var unsentCount: UInt64 {
        var count: UInt64 = 0
        return self.library.bus_get_n_queued_write(self.bus, &count) >= 0 ? count : 0
    }

    /// What to wait for: a file descriptor, the events of `poll`, and until when, in microseconds of the monotonic clock.
    func waiting() throws(BusFailure) -> (descriptor: Int32, events: Int16, until: UInt64?) {
        let descriptor = try Self.check(self.library.bus_get_fd(self.bus))
        let events = try Self.check(self.library.bus_get_events(self.bus))
        var until: UInt64 = 0
        let code = try Self.check(self.library.bus_get_timeout(self.bus, &until))
        return (descriptor, Int16(truncatingIfNeeded: events), code > 0 && until != .max ? until : nil)
    }

    /// What one turn of the connection's work came to.
    enum Turn {
        /// There is nothing to do until something happens.
        case idle
        case worked
        /// - Parameter call: by what it is answered; `nil` when it is not to be.
        case message(BusMessage, call: Int?)
    }

    /// Does some work: sends, receives, greets.
    ///
    /// - Parameter keepsCalls: whether calls are to be answered; otherwise they are let go, and whoever calls waits in vain.
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

    /// Puts a call on its way; what can be sent at once is.
    ///
    /// - Returns: its serial number, which the answer names.
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
        // Only a service that runs is asked: it is started by a call of its own, which says why it fails.
        try Self.check(self.library.bus_message_set_auto_start(message, 0))
        return try self.send(message, call.values, wantsAnswer: true)
    }

    private func send(_ message: OpaquePointer, _ values: [BusValue], wantsAnswer: Bool) throws(BusFailure) -> UInt64 {
        try MessageWriter(library: self.library, message: message).append(values)
        var serial: UInt64 = 0
        // Without the place for a number, sd-bus marks a call as one that wants no answer.
        if wantsAnswer {
            try Self.check(self.library.bus_send(self.bus, message, &serial))
        } else {
            try Self.check(self.library.bus_send(self.bus, message, nil))
        }
        return serial
    }

    /// Sends a signal, to one name or to all that listen.
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

    /// A text of sd-bus, which has made sure that it is UTF-8, or what fits of it.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer else { return "" }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, MessageLimits.longestText))
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension BusConnection {
    /// Answers a call that was kept.
    func answer(_ number: Int, with answer: BusAnswer) throws(BusFailure) {
        guard let call = self.calls.removeValue(forKey: number) else { return }
        defer { _ = self.library.bus_message_unref(call) }
        var reply: OpaquePointer?
        defer { _ = reply.map { self.library.bus_message_unref($0) } }
        switch answer {
        case .values(let values):
            try Self.check(self.library.bus_message_new_method_return(call, &reply))
            if let reply { _ = try self.send(reply, values, wantsAnswer: false) }
        case .failure(let name):
            let code = name.withCString { name in
                var error = sd_bus_error(name: name, message: name, _need_free: 0)
                return self.library.bus_message_new_method_error(call, &reply, &error)
            }
            try Self.check(code)
            if let reply { _ = try self.send(reply, [], wantsAnswer: false) }
        }
    }
}

/// The answer to a call.
enum BusAnswer: Hashable, Sendable {
    case values([BusValue])
    /// An error by its name.
    case failure(String)
}
