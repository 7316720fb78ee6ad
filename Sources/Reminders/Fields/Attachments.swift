import ICalendar

/// An attachment of a reminder (ATTACH, RFC 5545 §3.8.1.1).
public struct Attachment: Hashable, Sendable {
    /// Where it is; `nil` when it is in the calendar object itself.
    public let address: String?
    /// The media type, such as `image/png`; `nil` for none (FMTTYPE, RFC 5545 §3.2.8).
    public let type: String?
    /// The file name; `nil` for none (FILENAME of RFC 8607, and X-FILENAME).
    public let fileName: String?

    init(_ property: Property) {
        let isInline = property.parameter(.value)?.uppercased() == "BINARY" || property.parameter(.encoding) != nil
        self.address = isInline ? nil : property.value.trimmingSpaces
        self.type = property.parameter(.formatType)
        self.fileName = property.parameter(.fileName) ?? property.parameter(.oldFileName)
    }
}

extension Reminder {
    /// The attachments, in order.
    public var attachments: [Attachment] { self.todo.all(.attach).map { Attachment($0) } }
}

extension Name {
    fileprivate static let formatType = Name("FMTTYPE") ?? .value
    fileprivate static let fileName = Name("FILENAME") ?? .value
    fileprivate static let oldFileName = Name("X-FILENAME") ?? .value
}
