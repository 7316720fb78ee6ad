import Bridge
import Reminders

/// A list, a label or an account that was asked for and that there is none of, with the nearest name that there is.
struct UnknownName: Error, Hashable, Sendable {
    /// What there is none of.
    let error: UseCaseError
    /// What was perhaps meant, `nil` when nothing is near.
    let nearest: String?
}

extension UseCases {
    /// Says no to a list and to labels that there are none of, before an empty answer looks like a right one.
    ///
    /// - Throws: ``UnknownName``.
    func check(list: String?, labels: [String]) throws {
        if let list {
            let names = try self.listNames()
            guard names.contains(where: { $0.lowercased() == list.lowercased() }) else {
                throw UnknownName(.listNotFound, list, among: names)
            }
        }
        if let unknown = try self.unknownLabel(among: labels) { throw unknown }
    }

    /// The first of some labels that there is none of; `nil` when all are.
    ///
    /// - Parameter shown: reminders that were found; only for a label that none of them has is the store looked into.
    func unknownLabel(among labels: [String], shown: some Sequence<ReminderView>) throws -> UnknownName? {
        var unseen = labels.map { (name: $0, key: LabelKey($0)) }
        for reminder in shown {
            if unseen.isEmpty { return nil }
            let keys = Set(reminder.labels.map { LabelKey($0) })
            unseen.removeAll { keys.contains($0.key) }
        }
        return try self.unknownLabel(among: unseen.map(\.name))
    }

    /// The first of some labels that there is none of; `nil` when all are.
    func unknownLabel(among labels: [String]) throws -> UnknownName? {
        guard !labels.isEmpty else { return nil }
        let names = try self.labels().map(\.name)
        let keys = Set(names.map { LabelKey($0) })
        return labels.first { !keys.contains(LabelKey($0)) }.map { UnknownName(.labelNotFound, $0, among: names) }
    }
}

extension UnknownName {
    /// What is said of an error that names a list, a label or an account that there is none of; any other error as it is.
    ///
    /// - Parameter useCases: opens the store once more, which happens only where a name is to be guessed.
    static func guessing(_ error: any Error, _ useCases: () throws -> UseCases) -> any Error {
        guard let unknown = error as? UseCaseError, let name = unknown.subject else { return error }
        let names: [String]?
        switch unknown.code {
        case .listNotFound: names = try? useCases().listNames()
        case .labelNotFound, .noLabelToMergeInto: names = try? useCases().labels().map(\.name)
        case .accountNotFound: names = try? useCases().accounts().map(\.name)
        default: names = nil
        }
        return names.map { UnknownName(unknown.code, name, among: $0) } ?? error
    }

    fileprivate init(_ code: UseCaseError.Code, _ name: String, among names: [String]) {
        self.error = UseCaseError(code, subject: name)
        // Names are compared in small letters, and shown as they are.
        let near = Spelling.nearest(to: name, among: names.map { $0.lowercased() })
        self.nearest = near.flatMap { word in names.first { $0.lowercased() == word } }
    }
}
