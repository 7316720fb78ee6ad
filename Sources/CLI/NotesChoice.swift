import Bridge
import ICalendar
import Reminders

/// The notes of an option: text, or the content of standard input.
enum NotesChoice: Hashable, Sendable {
    case keep, clear, standardInput
    case text(String)

    init(_ value: String?) {
        self =
            switch value {
            case nil: .keep
            case "-": .standardInput
            case .some(let text) where text.lowercased() == "none" || text.trimmingWhiteSpace.isEmpty: .clear
            case .some(let text): .text(text)
            }
    }

    /// Reads standard input if it must.
    func change(in context: Context) throws -> FieldChange<String> {
        switch self {
        case .keep: return .keep
        case .clear: return .clear
        case .text(let text): return .set(text)
        case .standardInput:
            let source = ByteSource(name: "standard input", read: context.input.read)
            let bytes = try source.contents(limit: Self.limit)
            let text = String(decoding: bytes, as: UTF8.self)
            if text.trimmingWhiteSpace.isEmpty { return .clear }
            return .set(text.last?.isNewline == true ? String(text.dropLast()) : text)
        }
    }

    /// A content line may have 1 MiB; notes leave room for escapes.
    private static let limit = 512 * 1024
}
