import ICalendar

/// What is attached to a reminder (ATTACH, RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
    /// Where it is; `nil` when it is in the calendar object itself.
    public let address: String?
    /// What it is, such as `image/png`; `nil` when nobody has said (FMTTYPE, RFC 5545 §3.2.8).
    public let type: String?
    /// What the file is called; `nil` when nobody has said (FILENAME of RFC 8607, and X-FILENAME).
    public let fileName: String?

    init(_ property: Property) {
        let isInline = property.parameter(.value)?.uppercased() == "BINARY" || property.parameter(.encoding) != nil
        self.address = isInline ? nil : property.value.trimmingSpaces
        self.type = property.parameter(.formatType)
        self.fileName = property.parameter(.fileName) ?? property.parameter(.oldFileName)
    }
}

extension Reminder {
    /// What is attached to it, in order.
    public var attachments: [Attachment] { self.todo.all(.attach).map { Attachment($0) } }
}

extension Name {
    fileprivate static let formatType = Name("FMTTYPE") ?? .value
    fileprivate static let fileName = Name("FILENAME") ?? .value
    fileprivate static let oldFileName = Name("X-FILENAME") ?? .value
}
