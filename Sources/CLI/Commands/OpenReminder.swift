import Bridge

/// `open reminders://ID`: opens a reminder to be changed; what a desktop calls when such an address is clicked on.
struct OpenReminder: Command {
    static let page = CommandPage(
        name: "open",
        group: .reminders,
        summary: "Open a reminder by its address",
        usage: ["reminders://ID"],
        operands: [Operand("ADDRESS", .once, "reminders://12 is the reminder with the number 12")],
        details: [
            """
            With an 'open-command' in the settings that is started, with the reminder's number
            behind its arguments; else it opens in your editor, as by 'remindav edit ID'.
            'remindav service install' has your desktop open such addresses with this.
            """
        ],
        examples: [.init("remindav open reminders://12", "in your editor")],
        exits: [.notFound, .locked, .conflict, .interrupted]
    )

    let id: Int64

    init(_ arguments: inout Arguments) throws(UsageError) {
        let text = try arguments.operand("ADDRESS")
        guard let id = Self.id(in: text) else {
            throw UsageError(
                .badValue,
                "An address of a reminder is 'reminders://' and its number, not '\(Sanitizer.excerpt(text))'."
            )
        }
        self.id = id
    }

    // address = "reminders:" [ "//" ] 1*DIGIT [ "/" ];  the scheme in whatever case (RFC 3986 §3.1)
    //
    /// The number in an address; `nil` when it is none.
    ///
    /// A web page may name any: it cannot say what is to be done, and nothing but a number comes out of it.
    static func id(in address: String) -> Int64? {
        let bytes = Array(address.utf8.prefix(Self.maximumAddressBytes + 1))
        let scheme = "reminders:"
        guard bytes.count <= Self.maximumAddressBytes,
            String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
        else { return nil }
        var rest = bytes.dropFirst(scheme.utf8.count)
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        guard !rest.isEmpty, rest.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: rest, as: UTF8.self))
    }

    /// Bytes of an address: the largest number has 19 digits, and there is room for zeros before it.
    static let maximumAddressBytes = 100

    func run(in context: Context) async throws -> ExitStatus {
        guard let command = context.settings.openCommand else { return try await self.edit(in: context) }
        // A number that nobody has is told here, and not by a program that may have no place to say it.
        let reminder = try context.useCases().reminder(self.id)
        guard context.session.start(command + [String(reminder.id)]) else {
            throw ServiceError(.noCommand, command[0])
        }
        return .success
    }

    private func edit(in context: Context) async throws -> ExitStatus {
        guard context.isInteractive, context.output.answers.isTerminal else {
            throw UsageError(
                .needsTerminal,
                "There is no terminal to open it on. A line 'open-command' in the settings names another program.",
                command: Self.page.name
            )
        }
        var arguments = try Arguments([String(self.id)], options: EditReminder.page.options)
        return try await EditReminder(&arguments).run(in: context)
    }
}
