internal import Glibc
internal import RemindavCSystemd

private func type(_ letter: Unicode.Scalar) -> CChar { CChar(letter.value) }

struct MessageWriter {
    let library: RemindavBusLibrary
    let message: OpaquePointer

    func append(_ values: [BusValue]) throws(BusFailure) {
        for value in values { try self.append(value) }
    }

    private func append(_ value: BusValue) throws(BusFailure) {
        switch value {
        case .string(let text): try self.append(text)
        case .number(var number): try self.basic("u", &number)
        case .signed(var number): try self.basic("i", &number)
        case .long(var number): try self.basic("x", &number)
        case .byte(var number): try self.basic("y", &number)
        case .boolean(let isSo):
            var number: Int32 = isSo ? 1 : 0
            try self.basic("b", &number)
        case .strings(let texts):
            try self.open("a", "s")
            for text in texts { try self.append(text) }
            try self.close()
        case .dictionary(let entries):
            try self.open("a", "{sv}")
            for entry in entries {
                try self.open("e", "sv")
                try self.append(entry.key)
                try self.open("v", Self.signature(entry.value))
                try self.append(entry.value)
                try self.close()
                try self.close()
            }
            try self.close()
        case .other: throw BusFailure(errno: EINVAL)
        }
    }

    private func append(_ text: String) throws(BusFailure) {
        let code = text.withCString { self.library.bus_message_append_basic(self.message, type("s"), $0) }
        try BusConnection.check(code)
    }

    private func basic<Number: FixedWidthInteger>(_ letter: Unicode.Scalar, _ number: inout Number) throws(BusFailure) {
        let code = withUnsafePointer(to: &number) {
            self.library.bus_message_append_basic(self.message, type(letter), $0)
        }
        try BusConnection.check(code)
    }

    private func open(_ letter: Unicode.Scalar, _ contents: String) throws(BusFailure) {
        try BusConnection.check(self.library.bus_message_open_container(self.message, type(letter), contents))
    }

    private func close() throws(BusFailure) {
        try BusConnection.check(self.library.bus_message_close_container(self.message))
    }

    private static func signature(_ value: BusValue) -> String {
        switch value {
        case .string, .other: "s"
        case .number: "u"
        case .signed: "i"
        case .long: "x"
        case .byte: "y"
        case .boolean: "b"
        case .strings: "as"
        case .dictionary: "a{sv}"
        }
    }
}

/// Reads the values of a message, within ``MessageLimits``.
final class MessageReader {
    private let library: RemindavBusLibrary
    private let message: OpaquePointer
    /// Whether the reader could not skip the rest of a list that is too long; later values cannot be read.
    private var isStuck = false

    init(_ library: RemindavBusLibrary, _ message: OpaquePointer) {
        self.library = library
        self.message = message
    }

    /// - Returns: `nil` for an unknown type of message.
    func read() -> BusMessage? {
        var letter: UInt8 = 0
        guard self.library.bus_message_get_type(self.message, &letter) >= 0, let kind = self.kind(letter) else {
            return nil
        }
        var message = BusMessage(kind: kind)
        if self.library.bus_message_get_reply_cookie(self.message, &message.answered) < 0 { message.answered = 0 }
        message.sender = BusConnection.text(self.library.bus_message_get_sender(self.message))
        message.path = BusConnection.text(self.library.bus_message_get_path(self.message))
        message.interface = BusConnection.text(self.library.bus_message_get_interface(self.message))
        message.member = BusConnection.text(self.library.bus_message_get_member(self.message))
        while message.values.count < MessageLimits.maximumValues, let value = self.value() {
            message.values.append(value)
            if self.isStuck { break }
        }
        return message
    }

    private func kind(_ letter: UInt8) -> BusMessage.Kind? {
        switch letter {
        case 1: return .call
        case 2: return .answer
        case 3: return .failure(BusConnection.text(self.library.bus_message_get_error(self.message)?.pointee.name))
        case 4: return .signal
        default: return nil
        }
    }

    /// Returns the next value; `nil` at the end of the message and after an error.
    private func value() -> BusValue? {
        var letter: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard self.library.bus_message_peek_type(self.message, &letter, &contents) > 0 else { return nil }
        switch (letter, BusConnection.text(contents)) {
        case (type("s"), _), (type("o"), _), (type("g"), _): return self.text(letter).map(BusValue.string)
        case (type("u"), _): return self.number(letter, UInt32(0)).map(BusValue.number)
        case (type("i"), _): return self.number(letter, Int32(0)).map(BusValue.signed)
        case (type("x"), _): return self.number(letter, Int64(0)).map(BusValue.long)
        case (type("y"), _): return self.number(letter, UInt8(0)).map(BusValue.byte)
        case (type("b"), _): return self.number(letter, Int32(0)).map { .boolean($0 != 0) }
        case (type("a"), "s"): return self.members("s") { self.text(type("s")) }.map(BusValue.strings)
        case (type("a"), "{sv}"): return self.members("{sv}", self.entry).map(BusValue.dictionary)
        default: return self.library.bus_message_skip(self.message, nil) >= 0 ? .other : nil
        }
    }

    private func text(_ letter: CChar) -> String? {
        var pointer: UnsafePointer<CChar>?
        guard self.library.bus_message_read_basic(self.message, letter, &pointer) > 0 else { return nil }
        return BusConnection.text(pointer)
    }

    private func number<Number: FixedWidthInteger>(_ letter: CChar, _ zero: Number) -> Number? {
        var number = zero
        let code = withUnsafeMutablePointer(to: &number) {
            self.library.bus_message_read_basic(self.message, letter, $0)
        }
        return code > 0 ? number : nil
    }

    private func members<Member>(_ contents: String, _ next: () -> Member?) -> [Member]? {
        guard self.library.bus_message_enter_container(self.message, type("a"), contents) > 0 else { return nil }
        var members: [Member] = []
        while members.count < MessageLimits.maximumMembers, let member = next() { members.append(member) }
        if self.library.bus_message_exit_container(self.message) < 0 { self.isStuck = true }
        return members
    }

    private func entry() -> BusValue.Entry? {
        guard self.library.bus_message_enter_container(self.message, type("e"), "sv") > 0,
            let key = self.text(type("s"))
        else { return nil }
        var letter: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard self.library.bus_message_peek_type(self.message, &letter, &contents) > 0,
            self.library.bus_message_enter_container(self.message, type("v"), contents) > 0
        else { return nil }
        let value = self.simple()
        guard self.library.bus_message_exit_container(self.message) >= 0,
            self.library.bus_message_exit_container(self.message) >= 0
        else { return nil }
        return BusValue.Entry(key, value)
    }

    /// Reads the value in a variant; arrays, structures and nested variants are skipped.
    private func simple() -> BusValue {
        var letter: CChar = 0
        guard self.library.bus_message_peek_type(self.message, &letter, nil) > 0 else { return .other }
        switch letter {
        case type("a"), type("v"), type("r"):
            _ = self.library.bus_message_skip(self.message, nil)
            return .other
        default: return self.value() ?? .other
        }
    }
}
