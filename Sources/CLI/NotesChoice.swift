import RemindavBridge
import RemindavICalendar
import RemindavReminders

enum NotesChoice: Hashable, Sendable {
    case keep, clear, standardInput
    case text(String)

    init(_ value: String?) {
        switch value {
        case nil: self = .keep
        case "-": self = .standardInput
        case let text?: self = text.lowercased() == "none" || text.trimmingWhiteSpace.isEmpty ? .clear : .text(text)
        }
    }

    func change(in context: Context) throws -> FieldChange<String> {
        switch self {
        case .keep: return .keep
        case .clear: return .clear
        case .text(let text): return .set(text)
        case .standardInput:
            let text = String(decoding: try context.source("-").contents(limit: Self.limit), as: UTF8.self)
            if text.trimmingWhiteSpace.isEmpty { return .clear }
            return .set(text.last?.isNewline == true ? String(text.dropLast()) : text)
        }
    }

    /// The maximum size of notes in bytes; a content line may have 1 MiB, and escaping can double the size.
    private static let limit = 512 * 1024
}
